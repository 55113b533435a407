/* Which object a pointer points into, as far as it is known: a block of the
 * heap, a global variable, or an array or structure on a stack. */
#ifndef HD_RUNTIME_SYMBOLIC_BOUNDS_H
#define HD_RUNTIME_SYMBOLIC_BOUNDS_H

#include "abi/fast.h"

void hd_bounds_init(void);
void hd_bounds_reset(void);

/* The current thread is another. */
void hd_bounds_switch(uint32_t from, uint32_t to);

/* 0: unknown. A pointer behind the end of one object and at the start of
 * another is unknown too. */
int hd_bounds_of(uint64_t pointer, hd_bounds *out);

#endif
