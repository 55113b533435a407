/* Two threads update a variable under one lock, but which lock that is depends on the thread that comes first. Every
 * execution has a lock that protects the variable; they have none in common. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t *chosen;
static int v;

static void *update(void *mine)
{
    pthread_mutex_lock(&choice);
    if (!chosen)
        chosen = mine;
    pthread_mutex_t *lock = chosen;
    pthread_mutex_unlock(&choice);
    pthread_mutex_lock(lock);
    v++;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, update, &locks[0]);
    pthread_create(&b, NULL, update, &locks[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(v == 2);
    return 0;
}
