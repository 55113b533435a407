// The wake-up of userspace RCU: a thread that waits for readers sets the futex to -1 before it looks, and sleeps while
// it is -1; a reader that leaves wakes it if it finds -1.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int futex, inside = 1;
static int data = 1;

static void *reader(void *unused)
{
    assert(data == 1);
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
    atomic_store(&futex, -1);
    while (atomic_load(&inside))
        syscall(SYS_futex, &futex, FUTEX_WAIT, -1, NULL, NULL, 0);
    data = 0;
    pthread_join(t, NULL);
}
