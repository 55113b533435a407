// Atomic functions on two objects count their calls in one variable: a call on one object depends on calls on the other.
// EXPECT: finding annotation at 20
#include <heddle.h>
#include <pthread.h>

struct counter {
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counter a, b;
static int calls;

HEDDLE_ATOMIC static void add(struct counter *c)
{
    pthread_mutex_lock(&lock);
    c->value++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    add(&a);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    add(&b);
    pthread_join(t, NULL);
}
