/* Blocks: shared cells that are always accessed together are one object.
 *
 * So a memset of 10 MB is one operation and not 1.3 million. In the owner table the first cell of a block is
 * HD_OWNER_SHARED and the others are HD_OWNER_JOINED; a shared cell on its own is a block of one. An operation names
 * the first cell and all of its bytes, and stands for the whole block.
 *
 * Invariant: in a run that counts, every access to a block covers all of it. So two accesses conflict on the block if
 * and only if they conflict on each of its bytes, and the conflict relation, races and causes are exact although the
 * engine sees one cell. An access to a part of a block cuts the block there; the run does not count, as when a cell is
 * found to be shared. Blocks are only ever cut, so that happens finitely often.
 */
#ifndef HD_RUNTIME_SCHED_BLOCKS_H
#define HD_RUNTIME_SCHED_BLOCKS_H

#include "abi/fast.h"

static inline int hd_block_is_shared(uint32_t owner)
{
    return owner >= HD_OWNER_JOINED;
}

/* Is the cell a block on its own? */
static inline int hd_block_is_cell(const void *cell)
{
    return *hd_owner_of(cell) == HD_OWNER_SHARED && *hd_owner_of((const char *)cell + 8) != HD_OWNER_JOINED;
}

/* An access covers the cells from `from` up to `to`: blocks that it covers in part are cut. */
void hd_block_cut(uint64_t from, uint64_t to);

/* These cells, which are not shared yet, become a block. */
void hd_block_make(uint64_t from, uint64_t to);

/* The end of the block that begins at this cell. */
uint64_t hd_block_end(uint64_t cell);

/* The number of bytes that the operation stands for, from its cell on: more than 8 if it is on a block of several
 * cells.
 */
static inline uint64_t hd_block_bytes(const hd_op *op)
{
    return hd_block_end(hd_op_address(op)) - hd_op_address(op);
}

/* The bytes that the access uses: from `first` on, up to `end`. */
static inline void hd_block_span(const hd_op *access, uint64_t *first, uint64_t *end)
{
    uint64_t bytes = hd_block_bytes(access), cell = hd_op_address(access);
    *first = cell + (bytes > 8 ? 0 : (uint64_t)__builtin_ctz(access->mask | 256));
    *end = cell + (bytes > 8 ? bytes : 32 - (uint64_t)__builtin_clz(access->mask | 1u));
}

#endif
