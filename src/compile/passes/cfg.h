/* The control flow of a function: its reachable blocks in reverse postorder (the
 * entry is 0), the dominator tree, and its natural loops.
 *
 * A natural loop has one header, which dominates all of it; its latches are the
 * blocks that jump back to the header. Loops that share a header are one loop.
 * Cycles with several entries (irreducible ones) have no header and are not found.
 *
 * The structure is open: passes iterate over its blocks and loops. */
#ifndef HD_COMPILE_PASSES_CFG_H
#define HD_COMPILE_PASSES_CFG_H

#include "base/map.h"
#include "base/vec.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef hd_vec(unsigned) hd_cc_numbers;

typedef struct hd_cc_loop {
    unsigned header;
    bool *holds; /* by block: is it in the loop? */
} hd_cc_loop;

typedef struct hd_cc_cfg {
    hd_vec(LLVMBasicBlockRef) blocks;
    hd_map numbers; /* block → its number */
    hd_cc_numbers *before; /* predecessors, one entry per edge */
    unsigned *dominators; /* immediate dominators; the entry's is itself */
    hd_vec(hd_cc_loop) loops;
} hd_cc_cfg;

void hd_cc_cfg_open(hd_cc_cfg *cfg, LLVMValueRef function);
void hd_cc_cfg_close(hd_cc_cfg *cfg);

bool hd_cc_cfg_dominates(const hd_cc_cfg *cfg, unsigned a, unsigned b);

/* The number of the instruction's block; false: it is unreachable. */
bool hd_cc_cfg_number(const hd_cc_cfg *cfg, LLVMValueRef instruction, unsigned *number);

bool hd_cc_cfg_holds(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMBasicBlockRef block);

/* Is `value` computed inside the loop? */
bool hd_cc_cfg_is_inside(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMValueRef value);

#endif
