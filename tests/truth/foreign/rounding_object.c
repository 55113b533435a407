// An object sets how numbers are rounded: in its own thread alone, and in one execution alone.
// EXPECT: complete
// OBJECT: settings_early
// STAYS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int early_round_up(void), early_rounds_to_nearest(void);

static atomic_int x;

static void *work(void *u)
{
    x = 1;
    early_round_up();
    x = 2;
    return u;
}

int main(void)
{
    pthread_t t;
    assert(early_rounds_to_nearest());
    pthread_create(&t, NULL, work, NULL);
    x = 3;
    assert(early_rounds_to_nearest());
    pthread_join(t, NULL);
}
