#include <pthread.h>

static struct {
    int often, once; /* in one word */
} s;

static void *work(void *unused)
{
    s.often = 1;
    s.once = 1;
    s.often = 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
