#include "compile/passes/cfg.h"

#include <stdint.h>

typedef struct frame {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to visit */
} frame;

static unsigned successor_count(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef block, unsigned n)
{
    return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), n);
}

/* Blocks in postorder; `numbers` marks those seen. */
static void walk(hd_cc_cfg *cfg, LLVMBasicBlockRef entry)
{
    hd_vec(frame) stack = { 0 };
    hd_vec_push(&stack, ((frame) { entry, 0 }));
    *hd_map_put(&cfg->numbers, (uintptr_t)entry) = 1;
    while (stack.count) {
        frame *top = hd_vec_last(&stack);
        if (top->next == successor_count(top->block)) {
            hd_vec_push(&cfg->blocks, top->block);
            stack.count--;
            continue;
        }
        LLVMBasicBlockRef next = successor(top->block, top->next++);
        uint64_t *seen = hd_map_put(&cfg->numbers, (uintptr_t)next);
        if (!*seen) {
            *seen = 1;
            hd_vec_push(&stack, ((frame) { next, 0 }));
        }
    }
    hd_vec_fini(&stack);
}

/* Reverses the postorder: from here on `numbers` gives the number of a block. */
static void number_blocks(hd_cc_cfg *cfg)
{
    for (size_t i = 0; i < cfg->blocks.count / 2; i++) {
        LLVMBasicBlockRef *a = &cfg->blocks.items[i], *b = &cfg->blocks.items[cfg->blocks.count - 1 - i];
        LLVMBasicBlockRef kept = *a;
        *a = *b;
        *b = kept;
    }
    for (size_t i = 0; i < cfg->blocks.count; i++)
        *hd_map_put(&cfg->numbers, (uintptr_t)cfg->blocks.items[i]) = i;
}

static void find_predecessors(hd_cc_cfg *cfg)
{
    cfg->before = hd_alloc(&hd_heap, cfg->blocks.count * sizeof *cfg->before);
    for (unsigned i = 0; i < cfg->blocks.count; i++)
        for (unsigned n = 0; n < successor_count(cfg->blocks.items[i]); n++) {
            uint64_t to = *hd_map_get(&cfg->numbers, (uintptr_t)successor(cfg->blocks.items[i], n));
            hd_vec_push(&cfg->before[to], i);
        }
}

/* The nearest common ancestor in the dominator tree. A dominator has a smaller number than the blocks that it
 * dominates, because blocks are numbered in reverse postorder. */
static unsigned common_dominator(const unsigned *dominators, unsigned a, unsigned b)
{
    while (a != b) {
        while (a > b)
            a = dominators[a];
        while (b > a)
            b = dominators[b];
    }
    return a;
}

/* Cooper, Harvey and Kennedy: "A Simple, Fast Dominance Algorithm". */
static void find_dominators(hd_cc_cfg *cfg)
{
    size_t count = cfg->blocks.count;
    unsigned unknown = (unsigned)count;
    unsigned *dominators = cfg->dominators = hd_alloc(&hd_heap, count * sizeof *dominators);
    for (size_t i = 1; i < count; i++)
        dominators[i] = unknown;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 1; b < count; b++) {
            unsigned best = unknown;
            for (size_t p = 0; p < cfg->before[b].count; p++) {
                unsigned from = cfg->before[b].items[p];
                if (dominators[from] != unknown)
                    best = best == unknown ? from : common_dominator(dominators, best, from);
            }
            changed |= best != dominators[b];
            dominators[b] = best;
        }
    }
}

bool hd_cc_cfg_dominates(const hd_cc_cfg *cfg, unsigned a, unsigned b)
{
    while (b > a)
        b = cfg->dominators[b];
    return a == b;
}

static hd_cc_loop *loop_with_header(hd_cc_cfg *cfg, unsigned header)
{
    for (size_t i = 0; i < cfg->loops.count; i++)
        if (cfg->loops.items[i].header == header)
            return &cfg->loops.items[i];
    hd_cc_loop *loop = hd_vec_add(&cfg->loops);
    *loop = (hd_cc_loop) { header, hd_alloc(&hd_heap, cfg->blocks.count * sizeof(bool)) };
    loop->holds[header] = true;
    return loop;
}

/* Adds all blocks from which `latch` can be reached without passing the header. */
static void grow_loop(const hd_cc_cfg *cfg, hd_cc_loop *loop, unsigned latch)
{
    hd_cc_numbers open = { 0 };
    hd_vec_push(&open, latch);
    while (open.count) {
        unsigned b = hd_vec_pop(&open);
        if (loop->holds[b])
            continue;
        loop->holds[b] = true;
        for (size_t p = 0; p < cfg->before[b].count; p++)
            hd_vec_push(&open, cfg->before[b].items[p]);
    }
    hd_vec_fini(&open);
}

static void find_loops(hd_cc_cfg *cfg)
{
    for (unsigned b = 0; b < cfg->blocks.count; b++)
        for (size_t p = 0; p < cfg->before[b].count; p++)
            if (hd_cc_cfg_dominates(cfg, b, cfg->before[b].items[p]))
                grow_loop(cfg, loop_with_header(cfg, b), cfg->before[b].items[p]);
}

void hd_cc_cfg_open(hd_cc_cfg *cfg, LLVMValueRef function)
{
    *cfg = (hd_cc_cfg) { 0 };
    hd_map_init(&cfg->numbers, &hd_heap);
    walk(cfg, LLVMGetEntryBasicBlock(function));
    number_blocks(cfg);
    find_predecessors(cfg);
    find_dominators(cfg);
    find_loops(cfg);
}

void hd_cc_cfg_close(hd_cc_cfg *cfg)
{
    size_t count = cfg->blocks.count;
    for (size_t i = 0; i < count; i++)
        hd_vec_fini(&cfg->before[i]);
    hd_release(&hd_heap, cfg->before, count * sizeof *cfg->before);
    hd_release(&hd_heap, cfg->dominators, count * sizeof *cfg->dominators);
    for (size_t i = 0; i < cfg->loops.count; i++)
        hd_release(&hd_heap, cfg->loops.items[i].holds, count * sizeof(bool));
    hd_vec_fini(&cfg->loops);
    hd_map_fini(&cfg->numbers);
    hd_vec_fini(&cfg->blocks);
}

bool hd_cc_cfg_number(const hd_cc_cfg *cfg, LLVMValueRef instruction, unsigned *number)
{
    const uint64_t *found = hd_map_get(&cfg->numbers, (uintptr_t)LLVMGetInstructionParent(instruction));
    if (found)
        *number = (unsigned)*found;
    return found != NULL;
}

bool hd_cc_cfg_holds(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMBasicBlockRef block)
{
    const uint64_t *number = hd_map_get(&cfg->numbers, (uintptr_t)block);
    return number && loop->holds[*number];
}

bool hd_cc_cfg_is_inside(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && hd_cc_cfg_holds(cfg, loop, LLVMGetInstructionParent(value));
}
