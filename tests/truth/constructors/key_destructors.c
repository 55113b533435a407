// Destructors of keys run when a thread ends, those of main's values only if main ends by pthread_exit.
// EXPECT: finding assertion at 28
// OPTIONS: --races=off
#include <assert.h>
#include <pthread.h>
#include <threads.h>

static pthread_key_t key;
static tss_t other;
static int ends;
static int of_main, of_thread;

static void end(void *value)
{
    __atomic_fetch_add(&ends, 1, __ATOMIC_SEQ_CST);
    (void)value;
}

__attribute__((constructor)) static void create(void)
{
    pthread_key_create(&key, end);
    tss_create(&other, end);
    pthread_setspecific(key, &of_main);
}

__attribute__((destructor)) static void look(void)
{
    assert(ends != 3); /* it is: the thread's two, and main's */
}

static void *work(void *unused)
{
    pthread_setspecific(key, &of_thread);
    tss_set(other, &of_thread);
    return unused;
}

int main(void)
{
    pthread_t t;
    assert(pthread_getspecific(key) == &of_main);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(ends == 2);
    pthread_exit(NULL);
}
