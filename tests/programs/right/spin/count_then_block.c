// A thread looks at a flag a million times, with one loop after another, and then sleeps: each loop is a wait that may
// come to its end, whatever it counts to.
// EXPECT: complete
// TESTS: 9
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *sets(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void await(void)
{
    for (unsigned i = 1000000; i != 0; i--) {
        __builtin_ia32_pause();
        if (ready)
            return;
    }
    int left = 4000;
    do {
        if (ready)
            return;
    } while (--left);
    unsigned short n = 0;
    while (n++ <= 50000)
        if (ready)
            return;
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t setter;
    pthread_create(&setter, NULL, sets, NULL);
    await();
    pthread_join(setter, NULL);
    return 0;
}
