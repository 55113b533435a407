// Which of two threads makes the lock file depends on the schedule.
// EXPECT: finding assertion at 32
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[4096];
static int got[2];

static void *take(void *which)
{
    int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    got[(long)which] = fd >= 0;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    snprintf(name, sizeof name, "%s.lock", argc ? argv[0] : "");
    unlink(name);
    pthread_create(&a, NULL, take, (void *)0);
    pthread_create(&b, NULL, take, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    unlink(name);
    assert(got[0] + got[1] == 1);
    assert(got[0]);
}
