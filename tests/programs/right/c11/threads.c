// Results of C11 threads are ints; thrd_exit gives one too.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int count;

static int add(void *by)
{
    mtx_lock(&lock);
    count += *(int *)by;
    mtx_unlock(&lock);
    if (*(int *)by == 2)
        thrd_exit(-2);
    return -1;
}

int main(void)
{
    thrd_t a, b;
    int one = 1, two = 2, ra, rb;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(thrd_create(&a, add, &one) == thrd_success);
    assert(thrd_create(&b, add, &two) == thrd_success);
    assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
    assert(thrd_join(a, &ra) == thrd_success && ra == -1);
    assert(thrd_join(b, &rb) == thrd_success && rb == -2);
    assert(count == 3);
    mtx_destroy(&lock);
}
