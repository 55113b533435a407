// A thread that few schedules create, in a program that shares no memory: several workers learn its number late.
// EXPECT: complete
// TESTS: 9
#include <pthread.h>

enum { LOCKS = 4 };

static pthread_mutex_t locks[LOCKS];

static void *use(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

static void *look(void *arg)
{
    pthread_t late;
    for (int i = 0; i < LOCKS; i++)
        if (!pthread_mutex_trylock(&locks[i])) {
            pthread_mutex_unlock(&locks[i]);
            return arg;
        }
    pthread_create(&late, NULL, use, &locks[0]);
    pthread_join(late, NULL);
    return arg;
}

int main(void)
{
    pthread_t looks, uses[LOCKS];
    pthread_create(&looks, NULL, look, NULL);
    for (int i = 0; i < LOCKS; i++)
        pthread_create(&uses[i], NULL, use, &locks[i]);
    for (int i = 0; i < LOCKS; i++)
        pthread_join(uses[i], NULL);
    pthread_join(looks, NULL);
    return 0;
}
