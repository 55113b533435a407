/* One thread adds every fifth number below 12 to a sum, the other takes every second away: 3 and 6 critical
 * sections, 84 orders. */
#include "../field/field.h"

enum { BELOW = 12 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void add_multiples(int of, int sign)
{
    for (int i = 0; i < BELOW; i += of) {
        pthread_mutex_lock(&lock);
        sum += sign * i;
        pthread_mutex_unlock(&lock);
    }
}

static void *adds(void *argument)
{
    (void)argument;
    add_multiples(5, 1);
    return NULL;
}

static void *takes(void *argument)
{
    (void)argument;
    add_multiples(2, -1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    start(&threads[0], adds, 0);
    start(&threads[1], takes, 1);
    join_all(threads, 2);
    assert(sum == 15 - 30);
    return 0;
}
