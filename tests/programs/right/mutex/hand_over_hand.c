// Locks of a list taken hand over hand: the second thread follows or leads at each lock, and cannot overtake.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <pthread.h>

enum { NODES = 3 };

static pthread_mutex_t lock[NODES];
static int visits[NODES];

static void *walk(void *unused)
{
    pthread_mutex_lock(&lock[0]);
    for (int i = 0; i < NODES; i++) {
        visits[i]++;
        if (i + 1 < NODES)
            pthread_mutex_lock(&lock[i + 1]);
        pthread_mutex_unlock(&lock[i]);
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, walk, NULL);
    pthread_create(&q, NULL, walk, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
