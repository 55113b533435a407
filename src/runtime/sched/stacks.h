/* Call stacks of operations, recorded only when the engine asks for them: the
 * user's return addresses, found by following frame pointers. */
#ifndef HD_RUNTIME_SCHED_STACKS_H
#define HD_RUNTIME_SCHED_STACKS_H

#include <stdint.h>

/* The stack of thread `id`'s pending operation, from frame `fp` on. */
void hd_stacks_record(uint32_t id, const void *fp);
void hd_stacks_record_creation(uint32_t id, const void *fp);

/* The same when a signal interrupted the user's code at `pc`. */
void hd_stacks_record_at(uint32_t id, uint64_t pc, const void *fp);

/* Where the user's code is that a signal interrupted, maybe in a hook. */
uint64_t hd_stacks_user_pc(uint64_t pc, const void *fp, const void *sp);

/* The pending operation of `id` has become entry `at` of the log: keeps its
 * stack, and what the memory held that it is about to access. */
void hd_stacks_copy(uint32_t id, uint32_t at);

/* At the end: where the current thread is. */
void hd_stacks_record_all(void);

#endif
