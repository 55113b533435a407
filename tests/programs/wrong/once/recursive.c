// The initialiser asks for what it initialises.
// EXPECT: finding deadlock
// TESTS: 1
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void)
{
    pthread_once(&once, init);
}

static void *use(void *unused)
{
    pthread_once(&once, init);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    pthread_join(t, NULL);
}
