// A thread counts rounds of looking at a word, while another thread sleeps at it. The word is at the beginning of a cell, so
// that the futex and the cell have the same address. A thread that begins to sleep does not change the word: it does not
// cause another round.
// EXPECT: complete
// DFS: yes
// TESTS: 3
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Alignas(64) atomic_int word;

static void *looks(void *argument)
{
    for (int i = 0; i < 1000; i++)
        if (atomic_load(&word) == 1)
            break;
    while (syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0)
        ;
    return argument;
}

static void *sleeps(void *argument)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0);
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, looks, 0);
    pthread_create(&b, 0, sleeps, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
