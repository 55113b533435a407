/* Shadows of memory: for each byte, which byte of which expression it holds.
 * Only lines (of 64 bytes) that hold some are kept.
 *
 * Code without shadows writes to memory too. So a byte is believed to hold what
 * its shadow says only as long as it has the value that the expression has.
 */
#ifndef HD_RUNTIME_SYMBOLIC_LINES_H
#define HD_RUNTIME_SYMBOLIC_LINES_H

#include "abi/shadow.h"

void hd_lines_init(void);
void hd_lines_reset(void);

/* The shadow of the value that stands there, in memory order; `held`: what the
 * bytes held, if not what they hold now. At most 8 bytes. */
uint32_t hd_lines_load(const void *address, uint32_t bytes, const void *held);
void hd_lines_store(void *address, uint32_t bytes, uint32_t a);

void hd_lines_copy(void *to, const void *from, uint64_t bytes);
void hd_lines_fill(void *to, uint32_t a, uint64_t bytes); /* `a` is a byte's */
void hd_lines_clear(void *to, uint64_t bytes);

/* Is there any expression in these bytes? */
int hd_lines_hold(const void *address, uint64_t bytes);

/* All of them are followed concretely. */
void hd_lines_follow(const void *address, uint64_t bytes, const hd_site *site);

#endif
