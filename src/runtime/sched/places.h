/* Which object an address stands for, if processes have different memory at the same address: memory of libraries
 * (reset/rewind.h), and memory that fork has copied (reset/images.h). To explorers these are different objects, with
 * the number of the process above the bits of the address. */
#ifndef HD_RUNTIME_SCHED_PLACES_H
#define HD_RUNTIME_SCHED_PLACES_H

#include "runtime/core/state.h"
#include "runtime/reset/images.h"
#include "runtime/reset/rewind.h"

/* The object of an operation in the current process: memory that fork may have copied. */
static inline uint64_t hd_copied_object_at(uint64_t address)
{
    uint64_t process = hd_current->process;
    int is_own = UNLIKELY(hd_image_parts) && hd_images_is_inherited((uint32_t)process, address);
    return is_own ? address | process << HD_ADDRESS_BITS : address;
}

/* The same for an access, which may be to the memory of a library. */
static inline uint64_t hd_object_at(uint64_t address)
{
    uint64_t process = hd_current->process;
    int is_own = UNLIKELY(process) && hd_rewind_is_apart(address);
    return is_own ? address | process << HD_ADDRESS_BITS : hd_copied_object_at(address);
}

/* Does the address stand for the same object in the thread's process and in the current one? */
int hd_sees_same(const hd_thread *t, const void *address);

/* The memory of processes that fork has made may leave its place now: notes which of their operations are enabled. Only
 * their own threads could change that. */
void hd_places_leave(void);

/* Is the published operation of the thread enabled? */
int hd_places_is_ready(hd_thread *t, hd_op *op);

/* Continues with a thread whose process's memory is not in place. */
void hd_places_switch(void **save, hd_thread *to);

/* Copies the memory of the current process for the process of `copy`, whose thread is a copy of the current one.
 * Returns twice: 0 in the current thread, and 1 in the copy when it is its turn. */
int hd_places_divide(hd_thread *copy);

#endif
