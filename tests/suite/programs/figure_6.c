/* Figure 6 of the paper on unfoldings in automated testing, without its error. */
#include <heddle.h>
#include <pthread.h>

static int x;

static void *first(void *unused)
{
    int a = x;
    if (a > 0)
        return &x;
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
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
