// Every read-modify-write operation, alone: one execution, the right values.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *work(void *unused)
{
    atomic_int x = 12;
    assert(atomic_fetch_add(&x, 3) == 12 && x == 15);
    assert(atomic_fetch_sub(&x, 5) == 15 && x == 10);
    assert(atomic_fetch_and(&x, 6) == 10 && x == 2);
    assert(atomic_fetch_or(&x, 9) == 2 && x == 11);
    assert(atomic_fetch_xor(&x, 1) == 11 && x == 10);
    assert(atomic_exchange(&x, 4) == 10 && x == 4);
    int expected = 0;
    atomic_store(&x, ~4);
    assert(!atomic_compare_exchange_strong(&x, &expected, 1) && expected == ~4);
    assert(atomic_compare_exchange_strong(&x, &expected, 1) && x == 1);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, work, NULL);
    pthread_create(&q, NULL, work, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
