// Two tries that both fail commute: 3 x 3 places of them around the section, and 2 orders each where both succeed on
// the same side.
// EXPECT: complete
// TESTS: 15
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *holds(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *tries(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, holds, NULL);
    pthread_create(&b, NULL, tries, NULL);
    pthread_create(&c, NULL, tries, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
}
