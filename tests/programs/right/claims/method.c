// A counter whose fields methods alone access: reads and writes of a call on the counter are one step. main sets it up and looks
// at it when it is alone, which is no access beside those of methods. A constant is read by methods of both counters.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

struct counter {
    pthread_mutex_t lock;
    int value, changes;
};

static struct counter counter = { .lock = PTHREAD_MUTEX_INITIALIZER }, other = { .lock = PTHREAD_MUTEX_INITIALIZER };
static int one = 1;

HEDDLE_METHOD static void add(struct counter *c, int n)
{
    pthread_mutex_lock(&c->lock);
    c->value += n;
    c->changes += one;
    pthread_mutex_unlock(&c->lock);
}

HEDDLE_METHOD static int get(const struct counter *c)
{
    pthread_mutex_lock((pthread_mutex_t *)&c->lock);
    int value = c->value + 100 * c->changes;
    pthread_mutex_unlock((pthread_mutex_t *)&c->lock);
    return value;
}

static void *work(void *unused)
{
    add(&counter, 2);
    return unused;
}

static void *look(void *unused)
{
    int seen = get(&counter);
    add(&other, 1);
    assert(seen == 1000 + 7 || seen == 1100 + 9 || seen == 1200 + 11);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    counter.value = 7;
    counter.changes = 10;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_create(&c, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(counter.value == 11 && counter.changes == 12 && other.value == 1);
}
