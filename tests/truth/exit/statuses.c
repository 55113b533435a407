// Two statuses of one return statement are two findings; each is found whatever the schedule of the other.
// EXPECT: finding exit-status at 26
// OPTIONS: --races=off
#include <pthread.h>

static int x, y;

static void *set_x(void *unused)
{
    x = 1;
    return unused;
}

static void *set_y(void *unused)
{
    y = 1;
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, set_x, NULL);
    pthread_create(&t[1], NULL, set_y, NULL);
    int seen = x + 2 * y;
    return seen == 2 ? 9 : seen == 1 ? 10 : 0;
}
