// A method that uses an atomic variable.
// EXPECT: finding annotation at 13
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users;
static int x;

HEDDLE_METHOD static void enter(void)
{
    x++;
    users++;
}

static void *work(void *unused)
{
    users++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    enter();
    pthread_join(t, NULL);
}
