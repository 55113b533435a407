// Two threads that count forever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *work(void *unused)
{
    for (;;)
        count++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
