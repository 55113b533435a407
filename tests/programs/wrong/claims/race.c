// The two additions are no step: another thread may come in between, and the assertion fails then. With the annotation no
// execution shows that, but the race does show that the annotation is false, and the verdict is not complete.
// EXPECT: finding data-race
// EXPECT: bound
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

int x, y;

HEDDLE_ATOMIC static void add(void)
{
    x++;
    y++;
}

static void *work(void *unused)
{
    add();
    return unused;
}

HEDDLE_ATOMIC static void look(void)
{
    assert(x == y);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    look();
    pthread_join(t, NULL);
}
