// Functions that the linker wraps: calls come to the wrapper, and __real_NAME is heddle's.
// RUN: -Wl,--wrap=pthread_mutex_lock FINDING=assertion
// RUN: -Wl,--as-needed,--wrap,pthread_mutex_lock FINDING=assertion
// RUN: -Xlinker -wrap -Xlinker pthread_mutex_lock FINDING=assertion
// RUN: -DREALLY -Wl,--wrap=pthread_mutex_lock EXPECT=complete
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *u)
{
    if (pthread_mutex_lock(&lock))
        return u;
    x++;
    pthread_mutex_unlock(&lock);
    return u;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
}
