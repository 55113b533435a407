/* Arbitrary sequences of operations of a few threads on shared variables and a lock; the paper's
 * own are not published. */
#include "../field/field.h"

static shared a, b, c;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    (void)argument;
    a = 1;
    if (b)
        c = 2;
    pthread_mutex_lock(&lock);
    c = a + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    int seen = a;
    b = seen + 1;
    pthread_mutex_lock(&lock);
    a = c;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *third(void *argument)
{
    (void)argument;
    int seen = c;
    pthread_mutex_lock(&lock);
    b = seen ? 3 : 4;
    pthread_mutex_unlock(&lock);
    (void)a;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    start(&threads[0], first, 0);
    start(&threads[1], second, 1);
    start(&threads[2], third, 2);
    join_all(threads, 3);
    return 0;
}
