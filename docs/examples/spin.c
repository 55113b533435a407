#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *produce(void *unused)
{
    value = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire)) { }
    assert(value == 42);
    pthread_join(t, NULL);
    return 0;
}
