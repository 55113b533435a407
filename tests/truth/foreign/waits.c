// A library waits for a lock that another thread has: heddle cannot switch there, and says so.
// EXPECT: finding model-limit
// LIBRARY: waits
// ISOLATE: reset
#include "../several.h"

#include <assert.h>

void waits_lock(void);
void waits_unlock(void);

static void *run(void *unused)
{
    waits_lock();
    several_take(NULL);
    waits_unlock();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    waits_lock();
    several_take(NULL);
    waits_unlock();
    pthread_join(t, NULL);
    (void)several;
}
