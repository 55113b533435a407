// errno through its address: the C library's functions and other threads' errors are where
// they belong.
// EXPECT: complete
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set(int *to, int value)
{
    *to = value;
}

static void *fail(void *u)
{
    int *own = &errno;
    assert(*own == 0);
    pthread_mutex_lock(&lock);
    strtol("99999999999999999999999", NULL, 10);
    assert(*own == ERANGE && errno == ERANGE);
    pthread_mutex_unlock(&lock);
    assert(*own == ERANGE);
    *own = 0;
    assert(close(-1) == -1 && *own == EBADF);
    set(&errno, 7);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    assert(errno == 7);
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fail, NULL);
    pthread_create(&b, NULL, fail, NULL);
    errno = EDOM;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(errno == EDOM);
}
