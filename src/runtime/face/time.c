/* Clocks and sleeping. Virtual time: runtime/sched/passing.h. Sleeping is not an operation: it orders nothing.
 *
 * A long time may have passed before a read of a clock that may matter. That is a choice, and both outcomes are
 * explored; once per thread, at one of its first reads (docs/runtime.md, Time). */
#include "runtime/face/face.h"
#include "runtime/image/owners.h"
#include "runtime/sched/access.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"
#include "runtime/sync/choice.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>

enum { SECOND = 1000000000, LOOK = 1000 /* ns */ };

/* The function whose next read of a clock cannot matter (hd_clock_shown). The function is recorded, because the program
 * may have its own `time` that reads a clock with another function: that read may matter. */
static const void *shown;

HD_FACE void hd_clock_shown(const void *function)
{
    shown = function;
}

/* The jump: longer than the time limits of most programs, with a fraction that makes sums of times carry, and short
 * enough that its microseconds fit into an int. */
static const uint64_t jump = 1000ull * SECOND + 750000000;

/* LAST_CHANCE: the last read before which time may jump. After FEW_READS reads each one takes four times as long as the
 * one before, so that loops that wait for a time end. */
enum { LAST_CHANCE = 8, FEW_READS = 16, MOST_GROWTH = 9 /* up to 0.26 s */ };

/* May time jump before the thread's read of this number? Only before the first, second, fourth and eighth, because the
 * choices of several threads multiply. */
static int is_chance(const hd_thread *t, uint32_t number)
{
    return !t->was_slow && !t->atomic_blocks && number <= LAST_CHANCE && !(number & (number - 1));
}

static uint64_t time_of_read(uint32_t read)
{
    uint32_t growth = read > FEW_READS ? read - FEW_READS : 0;
    return (uint64_t)LOOK << 2 * (growth < MOST_GROWTH ? growth : MOST_GROWTH);
}

/* A read that may matter: records it, because time may also pass in ways that are not explored, and offers the choice.
 */
static void let_time_pass(void)
{
    hd_thread *t = hd_current;
    const hd_site *site = hd_call_site;
    uint32_t read = ++t->clock_reads;
    if (!hd_rt.outcome->clocked)
        hd_rt.outcome->clocked = site;
    if (is_chance(t, read) && hd_choice_of_time(jump)) {
        t->was_slow = 1;
        hd_passing_add(jump);
    }
    hd_call_site = site;
    hd_passing_add(time_of_read(read - 1));
}

static uint64_t read_clock(const void *function)
{
    int matters = hd_exploring() && (shown != function || !hd_owners_indifferent_are_libcs());
    shown = NULL;
    hd_effect();
    if (matters)
        let_time_pass();
    else
        hd_passing_add(LOOK);
    return hd_current->now;
}

static struct timespec as_timespec(uint64_t now, int64_t base)
{
    return (struct timespec) { .tv_sec = base + (int64_t)(now / SECOND), .tv_nsec = (long)(now % SECOND) };
}

static struct timeval as_timeval(uint64_t now, int64_t base)
{
    return (struct timeval) { .tv_sec = base + (int64_t)(now / SECOND), .tv_usec = (long)(now % SECOND / 1000) };
}

static void put(void *to, const void *from, size_t size, const hd_site *site)
{
    hd_access_range(to, size, site, 1);
    __builtin_memcpy(to, from, size);
}

/* --- clocks ------------------------------------------------------------------------ */

HD_FACE int hd_clock_gettime(clockid_t clock, struct timespec *to)
{
    int of_cpu = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
    if (clock < 0 || clock > CLOCK_TAI) {
        errno = EINVAL;
        return -1;
    }
    struct timespec now = as_timespec(read_clock((const void *)hd_clock_gettime), of_cpu ? 0 : HD_EPOCH);
    put(to, &now, sizeof now, hd_call_site);
    return 0;
}

HD_FACE int hd_clock_getres(clockid_t clock, struct timespec *to)
{
    struct timespec resolution = { .tv_nsec = LOOK };
    (void)clock;
    if (to)
        put(to, &resolution, sizeof resolution, hd_call_site);
    return 0;
}

HD_FACE int hd_gettimeofday(struct timeval *to, void *zone)
{
    struct timeval value = as_timeval(read_clock((const void *)hd_gettimeofday), HD_EPOCH);
    (void)zone;
    put(to, &value, sizeof value, hd_call_site);
    return 0;
}

HD_FACE time_t hd_time(time_t *to)
{
    time_t now = HD_EPOCH + (time_t)(read_clock((const void *)hd_time) / SECOND);
    if (to)
        put(to, &now, sizeof now, hd_call_site);
    return now;
}

HD_FACE clock_t hd_clock(void)
{
    return (clock_t)(read_clock((const void *)hd_clock) / (SECOND / CLOCKS_PER_SEC));
}

HD_FACE int hd_timespec_get(struct timespec *to, int base)
{
    if (base != TIME_UTC)
        return 0;
    struct timespec now = as_timespec(read_clock((const void *)hd_timespec_get), HD_EPOCH);
    put(to, &now, sizeof now, hd_call_site);
    return base;
}

/* Real usage differs from run to run: the result has the virtual time, and zeros otherwise. */
HD_FACE int hd_getrusage(int who, struct rusage *to)
{
    struct rusage answer = { .ru_utime = as_timeval(read_clock((const void *)hd_getrusage), 0) };
    (void)who;
    put(to, &answer, sizeof answer, hd_call_site);
    return 0;
}

HD_FACE clock_t hd_times(struct tms *to)
{
    enum { TICKS = 100 /* a second, as sysconf(_SC_CLK_TCK) says */ };
    clock_t now = (clock_t)(read_clock((const void *)hd_times) / (SECOND / TICKS));
    struct tms answer = { .tms_utime = now };
    if (to)
        put(to, &answer, sizeof answer, hd_call_site);
    return now;
}

/* rdtsc: the virtual time in nanoseconds. */
HD_FACE uint64_t hd_timestamp(const hd_site *site)
{
    hd_call_site = site;
    return read_clock((const void *)hd_timestamp);
}

/* --- sleeping ---------------------------------------------------------------------- */

/* Lets the time pass; returns whether a signal has ended the sleep at once. */
int hd_time_pass(uint64_t nanoseconds)
{
    const hd_site *site = hd_call_site;
    int handled = hd_send_cancellation_point();
    hd_call_site = site;
    if (handled && hd_choose(2))
        return 1;
    hd_passing_add(nanoseconds);
    if (!hd_exploring())
        hd_yield_by_hand();
    return 0;
}

HD_FACE unsigned hd_sleep(unsigned seconds)
{
    return hd_time_pass((uint64_t)seconds * SECOND) ? seconds : 0;
}

HD_FACE int hd_usleep(useconds_t microseconds)
{
    if (!hd_time_pass((uint64_t)microseconds * 1000))
        return 0;
    errno = EINTR;
    return -1;
}

static int is_valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < SECOND;
}

static uint64_t in_nanoseconds(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

HD_FACE int hd_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    const hd_site *site = hd_call_site;
    hd_access_range(time, sizeof *time, site, 0);
    hd_call_site = site;
    if (clock < 0 || !is_valid(time))
        return EINVAL;
    struct timespec asked = *time;
    uint64_t until = in_nanoseconds(time);
    if (flags & TIMER_ABSTIME) {
        uint64_t now = (uint64_t)HD_EPOCH * SECOND + hd_current->now;
        return hd_time_pass(until > now ? until - now : 0) ? EINTR : 0;
    }
    if (!hd_time_pass(until))
        return 0;
    if (left)
        put(left, &asked, sizeof asked, site);
    return EINTR;
}

HD_FACE int hd_nanosleep(const struct timespec *time, struct timespec *left)
{
    int error = hd_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

HD_FACE int hd_thrd_sleep(const struct timespec *time, struct timespec *left)
{
    int error = hd_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    return error == EINTR ? -1 : error ? -2 : 0;
}

struct timespec hd_time_in(const struct timespec *span)
{
    return as_timespec(hd_current->now + in_nanoseconds(span), HD_EPOCH);
}

int hd_time_ran_out(int error, const struct timespec *until)
{
    uint64_t start = (uint64_t)HD_EPOCH * SECOND;
    if (error == ETIMEDOUT && is_valid(until) && in_nanoseconds(until) > start)
        hd_passing_catch_up(in_nanoseconds(until) - start);
    return error;
}

/* --- yielding: a hint that changes nothing ------------------------------------------- */

HD_FACE int hd_sched_yield(void)
{
    if (!hd_exploring())
        hd_yield_by_hand();
    return 0;
}

HD_FACE int hd_pthread_yield(void)
{
    return hd_sched_yield();
}

HD_FACE void hd_thrd_yield(void)
{
    hd_sched_yield();
}
