/* Programs that reach does not understand: two threads receive at one mailbox; threads share memory beside messages; a
 * loop waits by trying to receive. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int shared;

static void *first(void *unused)
{
#ifdef TWO_RECEIVERS
    heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, NULL);
#elif defined SHARED
    shared = 1;
#else
    heddle_send(0, 1, 0, "", 0);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
#ifdef POLLS
    while (!heddle_try_receive(0, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, NULL))
        ;
#else
    heddle_send(0, 0, 0, "", 0);
    heddle_send(0, 0, 0, "", 0);
    heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, NULL);
#endif
    int seen = shared;
    pthread_join(t, NULL);
    return seen > 1;
}
