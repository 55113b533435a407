/* The state of timers, for timer.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_TIMER_INTERNAL_H
#define HD_RUNTIME_KERNEL_TIMER_INTERNAL_H

#include "runtime/kernel/gate.h"
#include "runtime/kernel/timer.h"

typedef struct hd_timer_state {
    uint64_t limit; /* hd_time_never: not armed */
    uint64_t interval; /* 0: it expires once */
    uint64_t expirations; /* that have not been read */
} hd_timer_state;

extern hd_timer_state hd_timer_states[HD_TIMERS];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_timer_data[HD_TIMERS];

#endif
