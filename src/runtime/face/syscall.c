/* syscall(2): calls whose functions are modelled go to those functions; the others are limits of the model, named by
 * their number. */
#include "runtime/face/face.h"
#include "runtime/libc/libc.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* --- futex(2) -------------------------------------------------------------------------- */

static const char *const futex_names[] = { "WAIT", "WAKE", "FD", "REQUEUE", "CMP_REQUEUE", "WAKE_OP", "LOCK_PI",
    "UNLOCK_PI", "TRYLOCK_PI", "WAIT_BITSET", "WAKE_BITSET", "WAIT_REQUEUE_PI", "CMP_REQUEUE_PI", "LOCK_PI2" };

static int is_valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

/* The time limit of FUTEX_WAIT is a span, that of FUTEX_WAIT_BITSET a time. */
static int wait(const uint32_t *word, uint32_t expected, uint32_t bits, const struct timespec *limit, int is_span)
{
    const hd_site *site = hd_call_site;
    struct timespec until = { 0 };
    if (limit) {
        hd_access_range(limit, sizeof *limit, site, 0);
        until = *limit;
    }
    if (!bits || !is_valid(&until))
        return EINVAL;
    if (is_span)
        until = hd_time_in(&until);
    hd_call_site = site;
    return hd_time_ran_out(hd_futex_wait(word, expected, bits, limit ? &until : NULL), &until);
}

static long requeue(const uint32_t *word, int wakes, int moves, const uint32_t *to, const uint32_t *expected)
{
    if (wakes < 0 || moves < 0)
        return answer(EINVAL);
    int served = hd_futex_requeue(word, (uint32_t)wakes, (uint32_t)moves, to, expected);
    return served < 0 ? answer(EAGAIN) : served;
}

/* The kernel wakes one sleeper if it is asked for none. */
static long wake(const uint32_t *word, int most, uint32_t bits)
{
    return bits ? (long)hd_futex_wake(word, most < 1 ? 1 : (uint32_t)most, bits) : answer(EINVAL);
}

static long call_futex(uint32_t *word, int op, uint32_t value, uint64_t limit, uint32_t *other, uint32_t last)
{
    enum { FLAGS = FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME, KNOWN = sizeof futex_names / sizeof *futex_names };
    int command = op & ~FLAGS;
    if ((uintptr_t)word & 3)
        return answer(EINVAL);
    switch (command) {
    case FUTEX_WAIT:
        return answer(wait(word, value, HD_FUTEX_ANY, (const struct timespec *)limit, 1));
    case FUTEX_WAIT_BITSET:
        return answer(wait(word, value, last, (const struct timespec *)limit, 0));
    case FUTEX_WAKE:
        return wake(word, (int)value, HD_FUTEX_ANY);
    case FUTEX_WAKE_BITSET:
        return wake(word, (int)value, last);
    case FUTEX_REQUEUE:
        return requeue(word, (int)value, (int)limit, other, NULL);
    case FUTEX_CMP_REQUEUE:
        return requeue(word, (int)value, (int)limit, other, &last);
    default:
        if (hd_exploring())
            hd_end(HD_MODEL_LIMIT, hd_call_site, "syscall(SYS_futex, FUTEX_%s) is not modelled yet",
                command < KNOWN ? futex_names[command] : "?");
        return answer(ENOSYS);
    }
}

/* --- the others -------------------------------------------------------------------------- */

pid_t hd_gettid(void);
pid_t hd_getpid(void);
pid_t hd_getppid(void);
ssize_t hd_getrandom(void *to, size_t n, unsigned flags);

HD_FACE long hd_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    switch (number) {
    case SYS_gettid:
        return hd_gettid();
    case SYS_getpid:
        return hd_getpid();
    case SYS_getppid:
        return hd_getppid();
    case SYS_getrandom:
        return hd_getrandom((void *)a, (size_t)b, (unsigned)c);
    case SYS_futex:
        return call_futex((uint32_t *)a, (int)b, (uint32_t)c, (uint64_t)d, (uint32_t *)e, (uint32_t)f);
    default:
        if (hd_exploring())
            hd_end(HD_MODEL_LIMIT, hd_call_site, "syscall %ld is not modelled yet", number);
        return syscall(number, a, b, c, d, e, f);
    }
}
