#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *work(void *unused)
{
    for (int i = 0; i < 100; i++)
    {
        x++;
        y++, y--;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    x++, y++;
    pthread_join(t, NULL);
}
