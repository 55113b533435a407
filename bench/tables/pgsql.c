/* Two workers of a database hand work to each other by a latch that wakes the other and a flag that says that there is
 * something to do; each wants two pieces of work and goes home when its latch is not set. */
#include "../field/field.h"

static shared latch[2] = { 1, 0 }, flag[2] = { 1, 0 };

static void *work(void *argument)
{
    int me = number(argument), other = 1 - me;
    for (int i = 0; i < 2 && latch[me]; i++) {
        assert(flag[me]);
        latch[me] = 0;
        flag[me] = 0;
        flag[other] = 1;
        latch[other] = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    start_all(threads, 2, work);
    join_all(threads, 2);
    return 0;
}
