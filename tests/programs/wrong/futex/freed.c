// A wait reads the word: its memory must not have been freed.
// EXPECT: finding use-after-free
// EXPECT: finding data-race
// DFS: yes
// TESTS: 2
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *waits(void *word)
{
    syscall(SYS_futex, word, FUTEX_WAIT, 1, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_int *word = malloc(sizeof *word);
    atomic_init(word, 0);
    pthread_create(&t, NULL, waits, word);
    free(word);
    pthread_join(t, NULL);
}
