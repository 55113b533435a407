// A lock in the heap: the one that unlocks last wakes a word whose memory the other thread may have freed already. The
// kernel does not access it, so that is no error.
// EXPECT: complete
// DFS: yes
// TESTS: 3
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *unlocks(void *word)
{
    atomic_store((atomic_int *)word, 0);
    syscall(SYS_futex, word, FUTEX_WAKE, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_int *word = malloc(sizeof *word);
    atomic_init(word, 1);
    pthread_create(&t, NULL, unlocks, word);
    while (atomic_load(word))
        syscall(SYS_futex, word, FUTEX_WAIT, 1, NULL);
    free(word);
    pthread_join(t, NULL);
}
