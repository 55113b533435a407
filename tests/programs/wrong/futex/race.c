// The word is written without an atomic access: the write races with the look of the wait.
// EXPECT: finding data-race
// DFS: yes
// TESTS: 2
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *sets(void *unused)
{
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    pthread_join(t, NULL);
}
