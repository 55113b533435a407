// Two blocks that nothing comes between: 2 orders.
// EXPECT: complete
// TESTS: 2
// OPTIONS: --races=off
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int count;

static void *add(void *unused)
{
    heddle_atomic_begin();
    count++;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
}
