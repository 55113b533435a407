// A reference count under a mutex in the object itself: the last one frees it.
// EXPECT: complete
// TESTS: 2
// OPTIONS: --leaks
#include <pthread.h>
#include <stdlib.h>

typedef struct object {
    pthread_mutex_t lock;
    int references;
} object;

static void *drop(void *argument)
{
    object *o = argument;
    pthread_mutex_lock(&o->lock);
    int last = --o->references == 0;
    pthread_mutex_unlock(&o->lock);
    if (last) {
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    o->references = 2;
    pthread_create(&t, NULL, drop, o);
    drop(o);
    pthread_join(t, NULL);
}
