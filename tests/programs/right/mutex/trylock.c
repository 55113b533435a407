// A try finds the lock free before, taken during, free after the other section.
// EXPECT: complete
// TESTS: 3
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, failed;

static void *holds(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *tries(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        x++;
        pthread_mutex_unlock(&lock);
    } else {
        failed = 1;
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, holds, NULL);
    pthread_create(&q, NULL, tries, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
