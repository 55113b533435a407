// Branches on inputs beside schedules; some need the solver.
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total;

static void *add(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        unsigned x = heddle_uint("x");
        unsigned more = x > 100 ? x * x * 7 + 3 : x % 5 == 2 ? 1 : 2;
        if (more * 11 == 0x12345677u * 11 || (more ^ x) % 9 == 4)
            more++;
        pthread_mutex_lock(&lock);
        total += more;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total != 7);
}
