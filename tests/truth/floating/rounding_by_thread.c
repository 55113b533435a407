// A thread has the rounding direction of its creator, and changes its own alone.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <fenv.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rounds(void *unused)
{
    assert(fegetround() == FE_DOWNWARD);
    fesetround(FE_UPWARD);
    pthread_mutex_lock(&lock);
    assert(fegetround() == FE_UPWARD);
    pthread_mutex_unlock(&lock);
    assert(fegetround() == FE_UPWARD);
    (void)several;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    assert(fegetround() == FE_TONEAREST);
    fesetround(FE_DOWNWARD);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, rounds, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(fegetround() == FE_DOWNWARD);
}
