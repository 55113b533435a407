// abort remains abort.
// EXPECT: finding abort at 13
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *turn(void *unused)
{
    pthread_mutex_lock(&lock);
    if (turns++)
        abort();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, turn, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 1;
}
