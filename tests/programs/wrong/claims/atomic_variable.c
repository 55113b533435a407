// A method that uses an atomic variable.
// EXPECT: finding annotation at 16
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static struct room {
    atomic_int users;
    int x;
} room;

HEDDLE_METHOD static void enter(struct room *r)
{
    r->x++;
    /* others may run here */
    r->users++;
}

static void *work(void *unused)
{
    room.users++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    enter(&room);
    pthread_join(t, NULL);
}
