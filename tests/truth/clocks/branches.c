// A read of a clock that decides something makes the verdict not complete; times that are shown or passed on do not.
// RUN: -DHOW=0 EXPECT=bound
// RUN: -DHOW=1 EXPECT=bound
// RUN: -DHOW=2 EXPECT=bound
// RUN: -DHOW=3 EXPECT=complete
// RUN: -DHOW=4 EXPECT=bound
// RUN: -DHOW=5 EXPECT=complete
// RUN: -DHOW=6 EXPECT=complete
// RUN: -DHOW=7 EXPECT=bound
// RUN: -DHOW=8 EXPECT=bound
// RUN: -DHOW=8 CFLAGS=-O0 EXPECT=bound
// RANDOM: 0
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef struct job {
    int done;
    struct timespec deadline;
    double started;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static job shared;

static double now(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static int is_over(const job *j)
{
    return now() - j->started > 2;
}

static int is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    shared.done++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void look(void)
{
    struct timespec t;
    time_t start = time(NULL);
    if (HOW == 0) { /* a grace period */
        while (time(NULL) - start < 2)
            sleep(1);
    }
    if (HOW == 1) {
        shared.started = now();
        if (is_over(&shared))
            puts("over");
    }
    if (HOW == 2) {
        clock_gettime(CLOCK_MONOTONIC, &shared.deadline);
        shared.deadline.tv_sec += 2;
        clock_gettime(CLOCK_MONOTONIC, &t);
        if (is_before(&shared.deadline, &t))
            puts("too late");
    }
    if (HOW == 3) {
        puts(difftime(time(NULL), start) > 1 ? "slow" : "fast");
    }
    if (HOW == 4) {
        if (clock() / CLOCKS_PER_SEC > 3)
            puts("slow");
    }
    if (HOW == 5) { /* shows it, and checks for errors */
        if (start != (time_t)-1 && !clock_gettime(CLOCK_REALTIME, &t))
            printf("%ld %ld.%09ld %f\n", (long)start, (long)t.tv_sec, t.tv_nsec, now());
    }
    if (HOW == 6) { /* a deadline for a wait */
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 300000000;
        if (t.tv_nsec >= 1000000000) {
            t.tv_nsec -= 1000000000;
            t.tv_sec++;
        }
        pthread_mutex_lock(&lock);
        if (!shared.done)
            pthread_cond_timedwait(&changed, &lock, &t);
        pthread_mutex_unlock(&lock);
    }
    if (HOW == 7) { /* other fields of what has a time in it */
        shared.started = now();
        if (shared.deadline.tv_sec)
            puts("never");
    }
    if (HOW == 8) { /* no check for an error: a difference may be -1 */
        long late = start - time(NULL);
        if (late == -1)
            puts("a second later");
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    look();
    pthread_join(t, NULL);
    return shared.done != 1;
}
