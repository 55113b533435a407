#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int get(void)
{
    pthread_mutex_lock(&m);
    int v = balance;
    pthread_mutex_unlock(&m);
    return v;
}

static void set(int v)
{
    pthread_mutex_lock(&m);
    balance = v;
    pthread_mutex_unlock(&m);
}

static void *withdraw(void *arg)
{
    (void)arg;
    set(get() - 10);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(get() == 80);
    return 0;
}
