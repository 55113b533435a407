// The program of race.c. Where races are not looked for, annotations have no effect, and the assertion fails.
// EXPECT: finding assertion
// OPTIONS: --races=off
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
