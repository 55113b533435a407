/* The heap of the tested program: an arena per thread at a fixed address, so
 * that addresses depend on the thread's own history alone. Freed blocks stay
 * unusable until the thread has freed 8 MB more (the quarantine). A byte of
 * shadow per cell says which of its bytes may be accessed (abi/fast.h), for the
 * heap and for the rest of the address space.
 */
#ifndef HD_RUNTIME_RESET_HEAP_H
#define HD_RUNTIME_RESET_HEAP_H

#include "abi/fast.h"

#include <stddef.h>

void hd_heap_init(void);

/* Blocks that constructors have allocated (hd_heap_save) exist at the start of every run; hd_heap_reset frees all
 * others. */
void hd_heap_save(void);
void hd_heap_reset(void);

void *hd_heap_alloc(size_t size, size_t alignment, int zeroed);
void *hd_heap_resize(void *block, size_t size);
void hd_heap_free(void *block);

/* The start of the arena of thread `id`. */
char *hd_heap_base(uint32_t id);

/* Blocks that thread `id` will allocate, unless it reuses one, begin at this address or after it. */
const char *hd_heap_next(uint32_t id);

/* The bytes of the block belong to no process: fork does not copy them. */
void hd_heap_share(void *block);

/* The block is a private copy of a file. */
void hd_heap_mark_of_file(void *block);
int hd_heap_is_of_file(const void *address);

/* Makes bytes of the heap zeros. What was never touched costs nothing. */
void hd_heap_clear(char *from, size_t size);

/* Calls `visit` for the memory of the arena of thread `id` from `from` on that fork copies: all bytes but those of
 * shared blocks, and their shadow. */
typedef void hd_heap_visit(char *start, size_t size);
void hd_heap_private_parts(uint32_t id, char *from, hd_heap_visit *visit);

/* Is `block` the start of an allocated block? Sets its size. */
int hd_heap_is_live(const void *block, size_t *size);

/* May these bytes be accessed? True for memory that is neither the heap nor heddle's own. */
int hd_heap_allows(const void *address, size_t bytes);

/* Is it an address inside a freed block? Its contents are kept while it is in quarantine. */
int hd_heap_is_freed(const void *address);

/* Ends the execution if these bytes are in the heap or heddle's own memory and may not be accessed. */
void hd_heap_look(const void *address, size_t bytes, const hd_site *site, int is_write);

static inline void hd_heap_check(const void *address, size_t bytes, const hd_site *site, int is_write)
{
    if (!hd_is_plain_range(address, bytes))
        hd_heap_look(address, bytes, site, is_write);
}

/* A fault at `address`: if it was a read of shadow that is not mapped yet, maps it with values that forbid all
 * accesses. Returns 0 if the fault has another cause. */
int hd_heap_shadow_fault(uint64_t address);

/* See hd_runtime. */
int hd_heap_describe(uint64_t address, hd_block_view *out);

/* The first block that is still allocated, for leaks; NULL if none. */
const void *hd_heap_first_leak(size_t *size, const hd_site **site);

/* Is the heap as it must be (abi/valid.h)?
 * - The used part of each arena lies in it, its shadow is mapped, and it consists of blocks and of gaps of zeros.
 * - A block has room for its header, its bytes and a cell that may not be accessed, and ends inside the used part.
 * - The shadow allows the bytes of allocated blocks, and nothing else.
 * - The lists of a thread contain freed blocks only. The sizes of those in quarantine add up to `quarantined`,
 *   which is at most 8 MB unless there is only one; reusable ones are in the list of their size.
 * - No list has a cycle, and the lists contain as many small blocks as are freed. */
int hd_heap_is_valid(void);
uint64_t hd_heap_cost_of_check(void);

#endif
