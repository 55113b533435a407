/* Shadows of memory: for each byte, which byte of which expression it contains. Only lines of 64 bytes that contain any
 * are stored.
 *
 * Code without shadows writes to memory, too. So the shadow of a byte is used only while the byte has the value of the
 * expression; otherwise the byte has been overwritten.
 */
#ifndef HD_RUNTIME_SYMBOLIC_LINES_H
#define HD_RUNTIME_SYMBOLIC_LINES_H

#include "abi/shadow.h"

void hd_lines_init(void);
void hd_lines_reset(void);

/* The shadow of the value at the address, at most 8 bytes in memory order. `held`: the contents of the bytes, if they
 * are not the current ones; NULL otherwise. */
uint32_t hd_lines_load(const void *address, uint32_t bytes, const void *held);
void hd_lines_store(void *address, uint32_t bytes, uint32_t a);

void hd_lines_copy(void *to, const void *from, uint64_t bytes);
void hd_lines_fill(void *to, uint32_t a, uint64_t bytes); /* `a` is the shadow of one byte */
void hd_lines_clear(void *to, uint64_t bytes);

/* The same for a large range, which must consist of whole lines: takes time for the shadows that exist, not for the
 * bytes. */
void hd_lines_clear_region(uint64_t from, uint64_t bytes);

/* Does any of these bytes have a shadow? */
int hd_lines_hold(const void *address, uint64_t bytes);

/* Follows all expressions in these bytes (symbolic/branch.h). */
void hd_lines_follow(const void *address, uint64_t bytes, const hd_site *site);

#endif
