// The same bytes, without a lock.
// EXPECT: finding data-race
// DFS: yes
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static char text[] = "gate";

static void *turn(void *unused)
{
    memfrob(text, 4);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, turn, 0);
    turn(0);
    pthread_join(a, 0);
    return 0;
}
