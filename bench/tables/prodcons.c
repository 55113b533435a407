/* Two producers, of four single items and of one double one, and a consumer of up to six items share a buffer for three;
 * who finds it full, or empty, goes home. */
#include "../field/field.h"

enum { ROOM = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;

static int change(int least, int most, int by)
{
    pthread_mutex_lock(&lock);
    int fits = items >= least && items <= most;
    items += fits ? by : 0;
    pthread_mutex_unlock(&lock);
    return fits;
}

static void *produce(void *argument)
{
    int by = number(argument);
    for (int i = 0; i < (by == 1 ? 4 : 1) && change(0, ROOM - 1, by); i++) { }
    return NULL;
}

static void *consume(void *argument)
{
    (void)argument;
    for (int i = 0; i < 6 && change(1, ROOM + 1, -1); i++) { }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    start(&threads[0], produce, 1);
    start(&threads[1], produce, 2);
    start(&threads[2], consume, 0);
    join_all(threads, 3);
    assert(items >= 0 && items <= ROOM + 1);
    return 0;
}
