// Two locks in two orders: 2 traces that finish, 1 that does not.
// EXPECT: finding deadlock
// TESTS: 3
#include <threads.h>

static mtx_t x, y;

static int first(void *unused)
{
    (void)unused;
    mtx_lock(&x);
    mtx_lock(&y);
    mtx_unlock(&y);
    mtx_unlock(&x);
    return 0;
}

static int second(void *unused)
{
    (void)unused;
    mtx_lock(&y);
    mtx_lock(&x);
    mtx_unlock(&x);
    mtx_unlock(&y);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&x, mtx_plain);
    mtx_init(&y, mtx_plain);
    thrd_create(&a, first, NULL);
    thrd_create(&b, second, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
}
