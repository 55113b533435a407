// The consumer comes first and waits (1) or second and does not (1).
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int produce(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, produce, NULL);
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
}
