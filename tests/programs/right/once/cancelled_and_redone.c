// The first caller is cancelled in the middle, or not: then the next begins again. Whoever comes later finds it done.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;

static void action(void)
{
    pthread_testcancel();
    times++;
}

static void *calls(void *unused)
{
    pthread_once(&once, action);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, calls, NULL);
    pthread_create(&b, NULL, calls, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_once(&once, action);
    pthread_join(b, NULL);
    assert(times == 1);
    return 0;
}
