/* Which object a pointer points into, as far as it is known: a block of the
 * heap, a global variable, or an array or structure on a stack. */
#ifndef HD_RUNTIME_SYMBOLIC_BOUNDS_H
#define HD_RUNTIME_SYMBOLIC_BOUNDS_H

#include <stdint.h>

typedef struct hd_bounds {
    uint64_t start, size;
} hd_bounds;

void hd_bounds_reset(void);

/* A variable of the current thread's innermost call. */
void hd_bounds_add(uint64_t address, uint64_t size);

/* 0: unknown. A pointer behind the end of one object and at the start of
 * another is unknown too. */
int hd_bounds_of(uint64_t pointer, hd_bounds *out);

#endif
