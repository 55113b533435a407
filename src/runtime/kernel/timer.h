/* Timers with a descriptor (timerfd).
 *
 * A timer that is armed expires when virtual time has reached its limit. Every thread has its own time
 * (sched/passing.h), so a timer *fires* when a call looks at it: if the time of the thread has reached the limit, it
 * has expired for certain. Otherwise it may have expired: a call that waits for it lets time pass until its limit, as a
 * wait with a time limit does that times out (sched/expiry.h): at any time, or when no thread can run. A call that does
 * not wait chooses whether that much time has passed, as often as a wait may time out at any time; then it has passed.
 *
 * The gate of data (kernel/gate.h) is open while an expiration has not been read. Calls that wait look at the timer,
 * and again when another thread has changed it (sched/spin.h), because setting it changes what they wait for. */
#ifndef HD_RUNTIME_KERNEL_TIMER_H
#define HD_RUNTIME_KERNEL_TIMER_H

#include <stdint.h>

struct hd_description;
struct itimerspec;

enum { HD_TIMERS = 128 };

/* Before a run: there is none. */
void hd_timers_reset(void);

struct hd_description *hd_timer_make(int flags);
int hd_timer_is(const struct hd_description *d);

/* timerfd_settime and timerfd_gettime: what the timer was or is set to, as the time that is left and the interval, in
 * nanoseconds. `at`: the time is a time, not a span. */
typedef struct hd_timer_setting {
    uint64_t value, interval; /* value 0: disarmed */
} hd_timer_setting;
hd_timer_setting hd_timer_set(struct hd_description *d, hd_timer_setting to, int at);
hd_timer_setting hd_timer_get(struct hd_description *d);

/* Part of a step that looks at the timer: it fires if its limit has been reached. Returns its limit; hd_time_never: it
 * is not armed, or has fired. */
uint64_t hd_timer_update(struct hd_description *d);

/* Before a look that does not wait: chooses whether time has passed up to the limit. */
void hd_timer_let_pass(struct hd_description *d);

/* Its gate is as its expirations say (abi/valid.h). */
int hd_timer_is_valid(uint32_t number);

#endif
