// Two threads take turns.
// EXPECT: complete
// TESTS: 8
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *play(void *number)
{
    int me = (int)(long)number;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&lock);
        while (turn % 2 != me)
            pthread_cond_wait(&changed, &lock);
        turn++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, play, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(turn == 4);
}
