// Threads have names: those that were set last, by the thread or by another one. Setting one needs no process per execution.
// EXPECT: complete
// DFS: yes
// TESTS: 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_barrier_t named;

static void *run(void *unused)
{
    char name[16];
    assert(prctl(PR_SET_NAME, "a name that is too long") == 0);
    assert(prctl(PR_GET_NAME, name) == 0 && !strcmp(name, "a name that is "));
    assert(syscall(SYS_prctl, PR_SET_NAME, "worker") == 0);
    pthread_barrier_wait(&named);
    pthread_barrier_wait(&named);
    assert(!pthread_getname_np(pthread_self(), name, sizeof name) && !strcmp(name, "renamed"));
    return unused;
}

int main(void)
{
    char name[16];
    pthread_t t;
    pthread_barrier_init(&named, NULL, 2);
    assert(!pthread_getname_np(pthread_self(), name, sizeof name) && !strncmp(name, program_invocation_short_name, 15));
    pthread_create(&t, NULL, run, NULL);
    pthread_barrier_wait(&named);
    assert(!pthread_getname_np(t, name, sizeof name) && !strcmp(name, "worker"));
    assert(pthread_getname_np(t, name, 15) == ERANGE);
    assert(pthread_setname_np(t, "sixteen letters!") == ERANGE);
    assert(!pthread_setname_np(t, "renamed"));
    pthread_barrier_wait(&named);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&named);
    return 0;
}
