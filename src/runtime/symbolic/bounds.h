/* The object that a pointer points into, if it is known: a block of the heap, a global variable, or an array or
 * structure on a stack. */
#ifndef HD_RUNTIME_SYMBOLIC_BOUNDS_H
#define HD_RUNTIME_SYMBOLIC_BOUNDS_H

#include "abi/fast.h"

void hd_bounds_init(void);
void hd_bounds_reset(void);

/* Another thread gets the stack: it has no variables yet. */
void hd_bounds_new_thread(uint32_t id);

/* Thread `to` is a copy of thread `from`. */
void hd_bounds_copy(uint32_t from, uint32_t to);

/* Another thread runs from now on. */
void hd_bounds_switch(uint32_t from, uint32_t to);

/* Sets the bounds of the object; 0: unknown. A pointer to the end of one object that is the start of another one is
 * unknown, too: the program may mean either. */
int hd_bounds_of(uint64_t pointer, hd_bounds *out);

#endif
