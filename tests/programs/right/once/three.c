// Whoever comes first does it; the others, having found it done, commute: 3.
// EXPECT: complete
// TESTS: 3
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void init(void)
{
    value = 1;
}

static void *use(void *unused)
{
    pthread_once(&once, init);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, use, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return value - 1;
}
