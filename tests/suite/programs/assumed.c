/* What the second thread does must be in a test, although inputs that are tried first break an
 * assumption of the first. */
#include <heddle.h>
#include <pthread.h>

static int n, x, y;

static void *first(void *unused)
{
    int v = n;
    heddle_assume(v > 5);
    x = 1;
    return unused;
}

static void *second(void *unused)
{
    int seen = x;
    if (n > 3)
        y = seen;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    n = (int)heddle_range(0, 9, "n");
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
