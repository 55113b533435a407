/* What the runtime's own functions do with shadows. */
#ifndef HD_RUNTIME_SYMBOLIC_FOLLOW_H
#define HD_RUNTIME_SYMBOLIC_FOLLOW_H

#include "abi/shadow.h"

/* The shadow of an operation on two operands; `kind` is one of HD_EXPR_… or HD_MADE_…. */
uint32_t hd_follow_make(uint32_t kind, uint32_t width, uint32_t a, uint64_t x, uint32_t b, uint64_t y);

/* Code without shadows reads this memory, or is about to write it: its expressions are followed, or dropped. */
void hd_follow_read(const void *address, uint64_t bytes, const hd_site *site);
void hd_follow_written(void *address, uint64_t bytes);

#endif
