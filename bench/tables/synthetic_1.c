/* Arbitrary sequences of operations of three threads; with INPUTS, the last of the second thread's
 * depends on an input. The paper's are not published: these were searched for among random ones so that
 * the unfolding needs about as many tests. */
#include "../field/field.h"

#include <heddle.h>

static shared a, b, c;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void write_locked(shared *variable)
{
    pthread_mutex_lock(&lock);
    *variable = 1;
    pthread_mutex_unlock(&lock);
}

static void read_locked(shared *variable)
{
    pthread_mutex_lock(&lock);
    (void)*variable;
    pthread_mutex_unlock(&lock);
}

static void *first(void *argument)
{
    (void)argument;
    b = 1;
    b = 2;
    a = 1;
    (void)b;
    (void)b;
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    write_locked(&c);
    write_locked(&b);
    b = 3;
    c = 2;
    (void)c;
#ifdef INPUTS
    if (heddle_int("input") > 5)
        read_locked(&c);
    else
#endif
        write_locked(&c);
    return NULL;
}

static void *third(void *argument)
{
    (void)argument;
    (void)c;
    (void)a;
    read_locked(&a);
    write_locked(&c);
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
