/* Internals shared by script*.c.
 *
 *   script.c              the run, and local steps between operations
 *   script_operations.c   operations: when they are enabled, their effects
 *   script_inputs.c       inputs and the values computed from them */
#ifndef HD_TARGET_SCRIPT_INTERNAL_H
#define HD_TARGET_SCRIPT_INTERNAL_H

#include "target/script.h"

#include <stdbool.h>

/* Addresses of objects: a range per class; APART bytes from one object to the next. */
enum { CELLS = 0x1000, MUTEXES = 0x2000, CONDITIONS = 0x3000, SEMAPHORES = 0x4000, APART = 8 };

/* Phases of a wait on a condition. */
enum { BEGINS, SLEEPS, TAKES_BACK };

static inline const hd_script_step *step_of(const hd_script *s, uint32_t id)
{
    return &s->program.threads[id][s->threads[id].at];
}

static inline uint32_t number_of(const hd_op *op)
{
    return (uint32_t)(op->object & 0xfff) / APART;
}

/* Ends the run with this outcome, caused by thread `id`. */
void hd_script_end(hd_script *s, uint32_t id, uint32_t kind, const char *message);

/* Appends an entry to the log. At the bound on operations the run ends instead. */
void hd_script_append(hd_script *s, hd_op op);
void hd_script_edge(hd_script *s, uint32_t to, uint32_t from, hd_wait_reason reason);

/* Queues the thread to run its local steps. */
void hd_script_make_local(hd_script *s, uint32_t id);

/* --- script_operations.c --- */

int hd_script_enabled(hd_script *s, uint32_t id);

/* Performs the thread's pending operation. */
void hd_script_perform(hd_script *s, uint32_t id);

#endif
