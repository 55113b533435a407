// Results and errors: another value, a word that is not aligned, no bits, a time limit, nobody to wake, sleepers of
// other bits, sleepers that are moved.
// EXPECT: complete
// DFS: yes
// TESTS: 16
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word[2];

static long futex(atomic_int *at, int op, int value, unsigned long limit, atomic_int *other, unsigned last)
{
    return syscall(SYS_futex, at, op, value, limit, other, last);
}

static int error(long result)
{
    return result == -1 ? errno : 0;
}

static void *sleeps(void *bits)
{
    assert(futex(word, FUTEX_WAIT_BITSET, 0, 0, NULL, (unsigned)(unsigned long)bits) == 0 || errno == EAGAIN);
    return NULL;
}

static void alone(void)
{
    struct timespec second = { 1, 0 }, bad = { 0, -1 };
    assert(error(futex(word, FUTEX_WAIT, 1, 0, NULL, 0)) == EAGAIN);
    assert(error(futex((atomic_int *)((char *)word + 1), FUTEX_WAIT, 0, 0, NULL, 0)) == EINVAL);
    assert(error(futex(word, FUTEX_WAIT_BITSET, 0, 0, NULL, 0)) == EINVAL);
    assert(error(futex(word, FUTEX_WAIT, 0, (unsigned long)&bad, NULL, 0)) == EINVAL);
    assert(error(futex(word, FUTEX_CMP_REQUEUE, 1, 1, word + 1, 7)) == EAGAIN);
    assert(futex(word, FUTEX_WAKE, 1, 0, NULL, 0) == 0);
    assert(error(futex(word, FUTEX_WAIT, 0, (unsigned long)&second, NULL, 0)) == ETIMEDOUT);
}

int main(void)
{
    pthread_t a, b;
    alone();
    pthread_create(&a, NULL, sleeps, (void *)1);
    pthread_create(&b, NULL, sleeps, (void *)2);
    long first = futex(word, FUTEX_WAKE_BITSET, INT_MAX, 0, NULL, 1);
    assert(first == 0 || first == 1);
    long moved = futex(word, FUTEX_CMP_REQUEUE, 0, INT_MAX, word + 1, 0);
    atomic_store(word, 1);
    long rest = futex(word, FUTEX_WAKE, INT_MAX, 0, NULL, 0);
    assert(futex(word + 1, FUTEX_WAKE, INT_MAX, 0, NULL, 0) == moved);
    assert(first + moved + rest <= 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
