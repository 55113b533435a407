#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int box;

void send(int value)
{
    pthread_mutex_lock(&mutex);
    box = value;
    pthread_mutex_unlock(&mutex);
}

int wait(void)
{
    pthread_mutex_lock(&mutex);
    int value = box;
    pthread_mutex_unlock(&mutex);
    return value;
}
