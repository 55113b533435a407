/* A message that two threads share; the last one to let go of it frees it. The
 * count is atomic, and yet there is a way for both to believe to be last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct message {
    atomic_int users;
    int length;
} message;

static void let_go(message *m)
{
    atomic_fetch_sub(&m->users, 1);
    if (atomic_load(&m->users) == 0)
        free(m);
}

static void *reader(void *shared)
{
    message *m = shared;
    assert(m->length == 5);
    let_go(m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    message *m = malloc(sizeof *m);
    m->users = 2;
    m->length = 5;
    pthread_create(&t, NULL, reader, m);
    let_go(m);
    pthread_join(t, NULL);
    return 0;
}
