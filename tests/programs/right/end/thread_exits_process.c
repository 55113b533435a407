// A thread calls exit; main waits for it in vain and that is no deadlock.
// EXPECT: complete
// TESTS: 1
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
}
