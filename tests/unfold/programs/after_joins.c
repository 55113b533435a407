/* Each thread sees either value in some execution of any two; that both see the
 * other's store is only seen by main, after it has joined them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *first(void *argument)
{
    (void)argument;
    atomic_store(&x, 1);
    a = atomic_load(&y);
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    atomic_store(&y, 1);
    b = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(!(a && b));
    return 0;
}
