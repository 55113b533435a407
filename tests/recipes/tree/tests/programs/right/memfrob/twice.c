// Two threads turn the same bytes over under a lock: two orders, one result.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[] = "gate";

static void *turn(void *unused)
{
    pthread_mutex_lock(&lock);
    memfrob(text, 4);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, turn, 0);
    turn(0);
    pthread_join(a, 0);
    assert(!strcmp(text, "gate"));
    return 0;
}
