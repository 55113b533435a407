// A grace period ends, whatever clock it is measured by, and what is behind it is found.
// EXPECT: bound
// EXPECT: finding assertion
// RUN: -DHOW=0
// RUN: -DHOW=1
// RUN: -DHOW=2
// RUN: -DHOW=3
// RUN: -DHOW=4
// RUN: -DHOW=5
// RUN: -DHOW=6
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static int is_done(void)
{
    pthread_mutex_lock(&lock);
    int result = done;
    pthread_mutex_unlock(&lock);
    return result;
}

static double seconds(void)
{
    struct timespec t;
    struct timeval v;
    struct tms used;
    switch (HOW) {
    case 2:
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    case 3:
        gettimeofday(&v, NULL);
        return (double)v.tv_sec + (double)v.tv_usec * 1e-6;
    case 4:
        return (double)clock() / CLOCKS_PER_SEC;
    case 5:
        return (double)times(&used) / (double)sysconf(_SC_CLK_TCK);
    case 6:
        return (double)__rdtsc() * 1e-9;
    default:
        return (double)time(NULL);
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    double start = seconds();
    while (seconds() - start < 2 && !is_done())
        if (HOW == 1)
            sleep(1);
    assert(is_done());
    pthread_join(t, NULL);
    return 0;
}
