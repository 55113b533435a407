// The main thread waits for a futex with a time limit, while T1 spins on the same word for a value that it never has.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 1
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *spins(void *unused)
{
    while (atomic_load(&word) != 2)
        ;
    return unused;
}

int main(void)
{
    static const struct timespec limit = { 1, 0 };
    pthread_t t;
    pthread_create(&t, NULL, spins, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit);
    pthread_join(t, NULL);
    return 0;
}
