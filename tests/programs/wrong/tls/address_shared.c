// The address of a thread-local variable given to another thread is shared.
// EXPECT: finding data-race
// TESTS: 2
#include <pthread.h>

static _Thread_local int mine;

static void *work(void *others)
{
    *(int *)others = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, &mine);
    mine = 2;
    pthread_join(t, NULL);
}
