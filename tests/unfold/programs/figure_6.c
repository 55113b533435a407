/* Figure 6 of the paper on unfoldings in automated testing: an input goes through shared memory. */
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *first(void *unused)
{
    int a = x;
    if (a > 0)
        return &x; /* the paper's error */
    return unused;
}

static void *second(void *unused)
{
    int b = x;
    if (b == 0)
        x = heddle_int("input");
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
