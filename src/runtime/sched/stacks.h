/* Call stacks of operations, recorded only when the engine asks for them: the return addresses in the program's
 * code, found by following frame pointers. All code that heddle compiles keeps frame pointers. */
#ifndef HD_RUNTIME_SCHED_STACKS_H
#define HD_RUNTIME_SCHED_STACKS_H

#include <stdint.h>

/* The stack of thread `id`'s pending operation, from frame `fp` on. */
void hd_stacks_record(uint32_t id, const void *fp);
void hd_stacks_record_creation(const void *fp); /* of the thread whose start was just logged */

/* The same where a signal interrupted the program at `pc`. */
void hd_stacks_record_at(uint32_t id, uint64_t pc, const void *fp);

/* The address in the program's code at which a signal interrupted it; the signal may have come inside a hook. */
uint64_t hd_stacks_user_pc(uint64_t pc, const void *fp, const void *sp);

/* The pending operation of `id` has become entry `at` of the log: keeps its stack, and the contents of the memory
 * that it is about to access. */
void hd_stacks_copy(uint32_t id, uint32_t at);

/* At the end of the execution: records where the current thread is. */
void hd_stacks_record_all(void);

#endif
