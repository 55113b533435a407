/* Operations of futexes that heddle does not model: WHICH of them. */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

static void *sleep_here(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return unused;
}

int main(void)
{
#if SLEEPERS
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, sleep_here, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE, 2, 0, 0, 0);
#else
    syscall(SYS_futex, &word, WHICH, 0, 0, &other, 0);
#endif
}
