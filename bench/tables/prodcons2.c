/* Two producers, of four items and of two, each with a buffer and a lock of its own, and a consumer that looks
 * into one buffer after the other. */
#include "../field/field.h"

static pthread_mutex_t locks[2];
static int items[2];

static void change(int buffer, int by)
{
    pthread_mutex_lock(&locks[buffer]);
    if (items[buffer] + by >= 0)
        items[buffer] += by;
    pthread_mutex_unlock(&locks[buffer]);
}

static void *produce(void *argument)
{
    int buffer = number(argument);
    for (int i = 0; i < (buffer ? 2 : 4); i++)
        change(buffer, 1);
    return NULL;
}

static void *consume(void *argument)
{
    (void)argument;
    change(0, -1);
    change(1, -1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_mutex_init(&locks[0], NULL);
    pthread_mutex_init(&locks[1], NULL);
    start(&threads[0], produce, 0);
    start(&threads[1], produce, 1);
    start(&threads[2], consume, 2);
    join_all(threads, 3);
    assert(items[0] >= 3 && items[1] >= 1);
    return 0;
}
