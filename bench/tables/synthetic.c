/* An arbitrary sequence of operations of four threads on shared variables and on a sum that a lock protects; the paper's
 * own is not published. This one has been searched for: it has about as many traces (1320 for 1316), and needs about
 * as many tests. */
#include "../field/field.h"

static shared a, b, c, d;
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int number)
{
    pthread_mutex_lock(&lock);
    sum += number;
    pthread_mutex_unlock(&lock);
}

static void *first(void *argument)
{
    (void)argument;
    int seen = a;
    seen += a;
    add(seen);
    add(1);
    a = 1;
    if (d)
        seen++;
    else
        seen--;
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    int seen = c;
    seen += b;
    c = seen;
    b = seen;
    return NULL;
}

static void *third(void *argument)
{
    (void)argument;
    add(2);
    d = 1;
    return NULL;
}

static void *fourth(void *argument)
{
    (void)argument;
    add(3);
    b = 1;
    c = 1;
    add(4);
    c = 2;
    b = 2;
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    start(&threads[0], first, 0);
    start(&threads[1], second, 1);
    start(&threads[2], third, 2);
    start(&threads[3], fourth, 3);
    join_all(threads, 4);
    return 0;
}
