#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int noise, flag;

static void *worker(void *arg)
{
    for (int i = 0; i < 50; i++)
        noise++;
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int before = flag;
    int after = flag;
    assert(before == after);
    pthread_join(t, NULL);
    return 0;
}
