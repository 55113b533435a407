// Both threads break a date down into the same structure.
// EXPECT: finding data-race
#include <pthread.h>
#include <time.h>

static struct tm date;

static void *break_down(void *now)
{
    gmtime_r(now, &date);
    return NULL;
}

int main(void)
{
    time_t now = 0;
    pthread_t t;
    pthread_create(&t, NULL, break_down, &now);
    break_down(&now);
    pthread_join(t, NULL);
}
