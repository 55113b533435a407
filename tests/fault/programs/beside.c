/* Fails when the second thread comes first, whatever the foreign count is. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int next_count(void);

static _Atomic int first;

static void *work(void *mine)
{
    int none = 0, count = next_count();
    (void)count;
    atomic_compare_exchange_strong(&first, &none, (int)(long)mine);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1);
    pthread_create(&b, NULL, work, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == 1);
    return 0;
}
