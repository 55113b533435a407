// Virtual time: it goes on with every read and every sleep, and never back; before one read it may have jumped.
// EXPECT: bound
// TESTS: 5
#include <assert.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec a, b;
    struct timeval v;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec > a.tv_nsec));
    time_t before = time(NULL);
    sleep(3);
    assert(time(NULL) >= before + 3);
    gettimeofday(&v, NULL);
    assert(v.tv_sec >= before + 3);
    clock_t c = clock();
    usleep(1000);
    assert(clock() - c >= 1000 && clock() - c < 1100000000);
    struct timespec until = { time(NULL) + 100, 0 };
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
    assert(time(NULL) >= until.tv_sec);
}
