// A thread that reads its name may be faster than the one that gives it.
// EXPECT: finding assertion
// DFS: yes
// OPTIONS: --stop=never
// TESTS: 3
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *run(void *unused)
{
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(!strcmp(name, "worker"));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_setname_np(t, "worker");
    pthread_join(t, NULL);
    return 0;
}
