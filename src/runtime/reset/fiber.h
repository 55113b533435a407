/* Fibers: the threads of the tested program, as stacks on one thread of the system. A
 * switch takes a dozen instructions; the scheduler is a function, not a fiber. Stack i
 * is always at the same address, with a guard page at its low end.
 *
 * A stack consists of zeros when its thread starts. Its old contents would matter: a
 * variable may be read before it is set, and dead slots are part of the state by which
 * rounds of loops are compared (runtime/sched/spin.h). So where several executions run
 * in one process, a stack is write-protected below its highest page. The first write
 * below opens it from there on, and the open part is cleared before the stack is used
 * again. */
#ifndef HD_RUNTIME_RESET_FIBER_H
#define HD_RUNTIME_RESET_FIBER_H

#include <stdint.h>

enum { HD_FIBER_GUARD = 4096 };

/* Reserves the stacks; once per process. */
void hd_fibers_init(void);

/* Clears stack `i`, prepares it to enter `entry`, and returns its saved stack pointer. `entry` must not return. It
 * starts with the floating-point environment of the caller. */
void *hd_fiber_prepare(uint32_t i, void (*entry)(void));

/* The same on another stack, which ends at `top`. */
void *hd_fiber_enter(void *top, void (*entry)(void));

/* The part of stack `i` that may differ from zeros begins here, if its thread's stack pointer is `sp`. */
uint64_t hd_fiber_open_from(uint32_t i, const void *sp);

/* A write to `address` faulted. If it was in the protected part of a stack, opens that part and returns 1. */
int hd_fiber_fault(uint64_t address);

void hd_fiber_switch(void **save, void *to);

/* Does every fiber have a floating-point environment of its own? A switch takes
 * twice as long then. */
extern uint8_t hd_fiber_floats;

/* The words from `low` to the top of stack `i`, hashed. */
uint64_t hd_fiber_hash(uint32_t i, const uint64_t *low);
void *hd_fiber_top(uint32_t i);

/* Is `address` in a guard page? */
int hd_fiber_guard_holds(uint64_t address);

#endif
