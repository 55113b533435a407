#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, y, mine;

static void add(void)
{
    pthread_mutex_lock(&lock);
    x++;
    y += x;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    add();
    return unused;
}

int main(void)
{
    pthread_t t;
    mine = 1;
    pthread_create(&t, NULL, work, NULL);
    add();
    mine++;
    pthread_join(t, NULL);
}
