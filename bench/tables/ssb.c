/* Four threads for which sleep sets block: what the last one does hangs on what the others did before. With ROUNDS it
 * looks until y has that value, and raises it itself. */
#include "../field/field.h"

static shared x, y, z;

static void *sets_x(void *argument)
{
    (void)argument;
    x = 1;
    return NULL;
}

static void *sets_y(void *argument)
{
    (void)argument;
    y = 1;
    return NULL;
}

static void *first_before_y(void *argument)
{
    (void)argument;
    if (y == 0)
        z = 1;
    return NULL;
}

static void look(void)
{
    if (z == 1)
        x = 2;
}

static void *looks(void *argument)
{
    (void)argument;
#ifdef ROUNDS
    while (y < ROUNDS) {
        look();
        int seen = y;
        y = seen + 1;
    }
#else
    look();
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    start(&threads[0], sets_x, 0);
    start(&threads[1], sets_y, 1);
    start(&threads[2], first_before_y, 2);
    start(&threads[3], looks, 3);
    join_all(threads, 4);
    return 0;
}
