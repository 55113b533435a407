// A method looks into another object of its type: the field is not private to calls on that object. The same lock protects
// both, so there is no race.
// EXPECT: finding annotation
#include <heddle.h>
#include <pthread.h>

struct counter {
    int value, seen;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counter a, b;

HEDDLE_METHOD static void set(struct counter *c, int value)
{
    pthread_mutex_lock(&lock);
    c->value = value;
    c->seen++;
    /* the writes of a call are one step */
    c->value++;
    pthread_mutex_unlock(&lock);
}

HEDDLE_METHOD static int is_less(struct counter *c, const struct counter *than)
{
    pthread_mutex_lock(&lock);
    c->seen++;
    int less = c->value < than->value;
    pthread_mutex_unlock(&lock);
    return less;
}

static void *work(void *unused)
{
    set(&b, 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    is_less(&a, &b);
    pthread_join(t, NULL);
}
