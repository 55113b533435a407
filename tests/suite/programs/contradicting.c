/* Three threads whose ways with one input fit pairwise and not all together, and an update that
 * the input decides on. */
#include <heddle.h>
#include <pthread.h>

static unsigned n, done[3], sum;

static void *small(void *unused)
{
    if (n < 2)
        done[0] = 1;
    return unused;
}

static void *odd(void *unused)
{
    if (n & 1)
        done[1] = 1;
    __atomic_fetch_or(&sum, n & 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *not_one(void *unused)
{
    if (n != 1)
        done[2] = 1;
    return unused;
}

int main(void)
{
    pthread_t t[3];
    void *(*const bodies[])(void *) = { small, odd, not_one };
    n = (unsigned)heddle_range(0, 3, "n");
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, bodies[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
