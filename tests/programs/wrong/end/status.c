// The status shows a lost update, in four of six traces.
// EXPECT: finding exit-status at 33
// TESTS: 6
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    x = seen + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    if (x == 2)
        return 0;
    for (int i = 0; i < 2; i++) {
        int lost = 2 - x;
        if (lost)
            return lost;
    }
    return 0;
}
