// Two threads, one of which does it; the other finds it done.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void init(void)
{
    value++;
}

static void *use(void *unused)
{
    pthread_once(&once, init);
    assert(value == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
