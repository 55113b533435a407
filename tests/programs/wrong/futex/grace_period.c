// The one that waits looks for readers before it sets the futex: the last reader does not wake it.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 4
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int futex, inside = 1;

static void *reader(void *unused)
{
    atomic_store(&inside, 0);
    if (atomic_load(&futex) == -1) {
        atomic_store(&futex, 0);
        syscall(SYS_futex, &futex, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    if (atomic_load(&inside)) {
        atomic_store(&futex, -1);
        syscall(SYS_futex, &futex, FUTEX_WAIT, -1, NULL, NULL, 0);
    }
    pthread_join(t, NULL);
}
