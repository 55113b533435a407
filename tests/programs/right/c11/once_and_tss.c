// Two orders of call_once; destructors of both threads' values run.
// EXPECT: complete
// TESTS: 4
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static mtx_t lock;
static int inits, destroyed;

static void destroy(void *value)
{
    mtx_lock(&lock);
    destroyed += *(int *)value;
    mtx_unlock(&lock);
    free(value);
}

static void init(void)
{
    inits++;
}

static int use(void *unused)
{
    (void)unused;
    call_once(&once, init);
    int *value = malloc(sizeof *value);
    *value = 1;
    tss_set(key, value);
    assert(tss_get(key) == value);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_timed | mtx_recursive);
    tss_create(&key, destroy);
    thrd_create(&a, use, NULL);
    thrd_create(&b, use, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(inits == 1 && destroyed == 2);
    tss_delete(key);
}
