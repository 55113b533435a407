/* What the files of scripts share; only for script*.c.
 *
 *   script.c              runs, and what threads do by themselves between operations
 *   script_operations.c   operations: when they may happen, what they do
 *   script_inputs.c       inputs and what is computed from them
 */
#ifndef HD_TARGET_SCRIPT_PARTS_H
#define HD_TARGET_SCRIPT_PARTS_H

#include "target/script.h"

#include <stdbool.h>

/* Objects of one class stand this far apart; classes further. */
enum { CELLS = 0x1000, MUTEXES = 0x2000, CONDITIONS = 0x3000, SEMAPHORES = 0x4000, APART = 8 };

/* What a wait consists of. */
enum { BEGINS, SLEEPS, TAKES_BACK };

static inline const hd_script_step *step_of(const hd_script *s, uint32_t id)
{
    return &s->program.threads[id][s->threads[id].at];
}

static inline uint32_t number_of(const hd_op *op)
{
    return (uint32_t)(op->object & 0xfff) / APART;
}

/* The run ends, by this thread. */
void hd_script_end(hd_script *s, uint32_t id, uint32_t kind, const char *message);

/* One more entry of the log. */
void hd_script_append(hd_script *s, hd_op op);
void hd_script_edge(hd_script *s, uint32_t to, uint32_t from, hd_wait_reason reason);

/* The thread goes on by itself. */
void hd_script_make_local(hd_script *s, uint32_t id);

/* --- script_operations.c --- */

int hd_script_enabled(hd_script *s, uint32_t id);

/* Does the thread's pending operation. */
void hd_script_perform(hd_script *s, uint32_t id);

#endif
