// A directory as a lock, looked at by a third thread in every order.
// EXPECT: complete
// TESTS: 4
// BLOCKED: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[4096];
static int made[2], seen;

static void *make(void *which)
{
    made[(long)which] = mkdir(name, 0700) == 0;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    snprintf(name, sizeof name, "%s.folder", argc ? argv[0] : "");
    rmdir(name);
    pthread_create(&a, NULL, make, (void *)0);
    pthread_create(&b, NULL, make, (void *)1);
    seen = access(name, F_OK) == 0;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(made[0] + made[1] == 1);
    rmdir(name);
}
