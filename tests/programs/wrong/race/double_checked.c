// Double-checked locking with a plain pointer.
// EXPECT: finding data-race
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object, *instance;

static void *use(void *unused)
{
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            object = 1;
            instance = &object;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, use, NULL);
    pthread_create(&q, NULL, use, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
