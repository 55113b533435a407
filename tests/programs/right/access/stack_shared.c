// A variable on main's stack is shared with the threads, under a lock.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

typedef struct shared {
    pthread_mutex_t lock;
    int count;
} shared;

static void *add(void *argument)
{
    shared *s = argument;
    pthread_mutex_lock(&s->lock);
    s->count++;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int main(void)
{
    shared s = { PTHREAD_MUTEX_INITIALIZER, 0 };
    pthread_t a, b;
    pthread_create(&a, NULL, add, &s);
    pthread_create(&b, NULL, add, &s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(s.count == 2);
}
