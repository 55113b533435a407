/* syscall(2): calls whose functions are modelled go to those functions; the others are limits of the model, named by
 * their name or number. */
#include "runtime/face/face.h"
#include "runtime/libc/libc.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"
#include "runtime/sync/choice.h"
#include "runtime/sync/futex.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
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

/* Does a signal end the wait? Only if the thread had to sleep; both outcomes are explored. */
static int is_interrupted(const uint32_t *word, uint32_t expected, const hd_site *site)
{
    int ended = 0;
    if (hd_send_interruption_point() & HD_HANDLED_ENDS) {
        ended = hd_futex_holds(word, expected, site);
        hd_call_site = site;
        ended = ended && hd_choose(2);
    }
    hd_call_site = site;
    return ended;
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
    if (is_interrupted(word, expected, site))
        return EINTR;
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

typeof(read) hd_file_read;
typeof(write) hd_file_write;
typeof(access) hd_file_access;
typeof(close) hd_close;
typeof(open) hd_open;
typeof(lseek) hd_lseek;
typeof(flock) hd_flock;
typeof(fcntl) hd_fcntl;
typeof(gettid) hd_gettid;
typeof(getpid) hd_getpid;
typeof(getppid) hd_getppid;
typeof(getrandom) hd_getrandom;
typeof(sched_yield) hd_sched_yield;
typeof(nanosleep) hd_nanosleep;
typeof(clock_nanosleep) hd_clock_nanosleep;
typeof(clock_gettime) hd_clock_gettime;
typeof(time) hd_time;
typeof(kill) hd_kill;
typeof(alarm) hd_alarm;
typeof(poll) hd_poll;
typeof(ppoll) hd_ppoll;
typeof(select) hd_select;
typeof(eventfd) hd_eventfd;
typeof(timerfd_create) hd_timerfd_create;
typeof(timerfd_settime) hd_timerfd_settime;
typeof(timerfd_gettime) hd_timerfd_gettime;
typeof(epoll_create) hd_epoll_create;
typeof(epoll_create1) hd_epoll_create1;
typeof(epoll_ctl) hd_epoll_ctl;
typeof(epoll_wait) hd_epoll_wait;
typeof(epoll_pwait) hd_epoll_pwait;
typeof(epoll_pwait2) hd_epoll_pwait2;
typeof(sched_getaffinity) hd_sched_getaffinity;
typeof(sched_setaffinity) hd_sched_setaffinity;
typeof(prctl) hd_prctl;
typeof(getcpu) hd_getcpu;
typeof(mmap) hd_mmap;
typeof(munmap) hd_munmap;
typeof(mprotect) hd_mprotect;
typeof(madvise) hd_madvise;
typeof(_exit) hd__exit;
typeof(pthread_exit) hd_pthread_exit;

/* Everything is sequentially consistent already. */
static long call_membarrier(int command)
{
    enum { ALL = (MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE << 1) - 1 };
    if (command == MEMBARRIER_CMD_QUERY)
        return ALL;
    return command & ~ALL ? answer(EINVAL) : 0;
}

/* The call gives the size of the kernel's set. */
static long call_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    return hd_sched_getaffinity(process, size, set) ? -1 : (long)(size < sizeof *set ? size : sizeof *set);
}

/* A slot may have had other threads before (sched/lives.h), so its number does not tell. */
static hd_thread *thread_of(long id)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_thread_lives(&hd_threads[i])
            && hd_getpid() - (long)hd_current->process + (long)hd_identity_of(&hd_threads[i]) == id)
            return &hd_threads[i];
    return NULL;
}

static long send_to(long id, int signal)
{
    hd_thread *t = thread_of(id);
    if (!t)
        return answer(ESRCH);
    if (signal)
        hd_send_signal(t, signal);
    return 0;
}

static const char *name_of(long number)
{
    switch (number) {
#define PLAIN(name) \
    case SYS_##name: \
        return #name;
#define LOOKS(name) PLAIN(name)
#define CHANGES(name) PLAIN(name)
#define CALL(name, handler) PLAIN(name)
#include "runtime/reset/calls.def"
#undef PLAIN
#undef LOOKS
#undef CHANGES
#undef CALL
    default:
        return NULL;
    }
}

/* The call is made if the program is run by hand. */
static void check_limit(long number)
{
    const char *name = name_of(number);
    if (!hd_exploring())
        return;
    if (name)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "syscall(SYS_%s) is not modelled yet", name);
    hd_end(HD_MODEL_LIMIT, hd_call_site, "syscall(%ld) is not modelled yet", number);
}

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
    case SYS_membarrier:
        return call_membarrier((int)a);
    case SYS_sched_yield:
        return hd_sched_yield();
    case SYS_getcpu:
        return hd_getcpu((unsigned *)a, (unsigned *)b);
    case SYS_sched_getaffinity:
        return call_getaffinity((pid_t)a, (size_t)b, (cpu_set_t *)c);
    case SYS_sched_setaffinity:
        return hd_sched_setaffinity((pid_t)a, (size_t)b, (const cpu_set_t *)c);
    case SYS_prctl:
        return hd_prctl((int)a, b, c, d, e);
    case SYS_mmap:
        return (long)hd_mmap((void *)a, (size_t)b, (int)c, (int)d, (int)e, (off_t)f);
    case SYS_munmap:
        return hd_munmap((void *)a, (size_t)b);
    case SYS_mprotect:
        return hd_mprotect((void *)a, (size_t)b, (int)c);
    case SYS_madvise:
        return hd_madvise((void *)a, (size_t)b, (int)c);
    case SYS_read:
        return hd_file_read((int)a, (void *)b, (size_t)c);
    case SYS_write:
        return hd_file_write((int)a, (const void *)b, (size_t)c);
    case SYS_open:
        return hd_open((const char *)a, (int)b, (mode_t)c);
    case SYS_openat:
        if ((int)a == AT_FDCWD)
            return hd_open((const char *)b, (int)c, (mode_t)d);
        check_limit(number);
        return openat((int)a, (const char *)b, (int)c, (mode_t)d);
    case SYS_lseek:
        return hd_lseek((int)a, (off_t)b, (int)c);
    case SYS_flock:
        return hd_flock((int)a, (int)b);
    case SYS_fcntl:
        return hd_fcntl((int)a, (int)b, c);
    case SYS_access:
        return hd_file_access((const char *)a, (int)b);
    case SYS_close:
        return hd_close((int)a);
    case SYS_eventfd:
        return hd_eventfd((unsigned)a, 0);
    case SYS_eventfd2:
        return hd_eventfd((unsigned)a, (int)b);
    case SYS_timerfd_create:
        return hd_timerfd_create((int)a, (int)b);
    case SYS_timerfd_settime:
        return hd_timerfd_settime((int)a, (int)b, (const struct itimerspec *)c, (struct itimerspec *)d);
    case SYS_timerfd_gettime:
        return hd_timerfd_gettime((int)a, (struct itimerspec *)b);
    case SYS_epoll_create:
        return hd_epoll_create((int)a);
    case SYS_epoll_create1:
        return hd_epoll_create1((int)a);
    case SYS_epoll_ctl:
        return hd_epoll_ctl((int)a, (int)b, (int)c, (struct epoll_event *)d);
    case SYS_epoll_wait:
        return hd_epoll_wait((int)a, (struct epoll_event *)b, (int)c, (int)d);
    case SYS_epoll_pwait:
        return hd_epoll_pwait((int)a, (struct epoll_event *)b, (int)c, (int)d, (const sigset_t *)e);
    case SYS_epoll_pwait2:
        return hd_epoll_pwait2(
            (int)a, (struct epoll_event *)b, (int)c, (const struct timespec *)d, (const sigset_t *)e);
    case SYS_poll:
        return hd_poll((struct pollfd *)a, (nfds_t)b, (int)c);
    case SYS_ppoll:
        return hd_ppoll((struct pollfd *)a, (nfds_t)b, (const struct timespec *)c, (const sigset_t *)d);
    case SYS_select:
        return hd_select((int)a, (fd_set *)b, (fd_set *)c, (fd_set *)d, (struct timeval *)e);
    case SYS_nanosleep:
        return hd_nanosleep((const struct timespec *)a, (struct timespec *)b);
    case SYS_clock_nanosleep:
        return answer(hd_clock_nanosleep((clockid_t)a, (int)b, (const struct timespec *)c, (struct timespec *)d));
    case SYS_clock_gettime:
        return hd_clock_gettime((clockid_t)a, (struct timespec *)b);
    case SYS_time:
        return hd_time((time_t *)a);
    case SYS_alarm:
        return hd_alarm((unsigned)a);
    case SYS_kill:
        return hd_kill((pid_t)a, (int)b);
    case SYS_tkill:
        return send_to(a, (int)b);
    case SYS_tgkill:
        return a == hd_getpid() ? send_to(b, (int)c) : answer(ESRCH);
    case SYS_exit:
        hd_pthread_exit(NULL);
    case SYS_exit_group:
        hd__exit((int)a);
    default:
        check_limit(number);
        return syscall(number, a, b, c, d, e, f);
    }
}
