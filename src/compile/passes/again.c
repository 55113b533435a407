/* Accesses to bytes that have been accessed on every path since the last call: their
 * hooks need not check again whether the access is allowed. It was allowed; that
 * changes only in calls and while other threads run. If another thread frees the
 * block, the cells are no longer owned by this thread (runtime/sched/access.h), and
 * the hook still checks the owner.
 *
 * A forward data-flow analysis over the control-flow graph. Equal addresses are
 * recognised by their form, since nothing has been optimised yet. */
#include "abi/site.h"
#include "compile/passes/cfg.h"
#include "compile/passes/passes.h"

#include <string.h>

enum { MOST_KNOWN = 16, DEEPEST = 6, INFO = 1 };

/* The hooks of accesses that are known to be allowed, the latest one last. */
typedef struct known {
    LLVMValueRef hooks[MOST_KNOWN];
    uint32_t count;
} known;

static bool is_plain_hook(LLVMValueRef i)
{
    return LLVMIsACallInst(i)
        && (!strcmp(hd_cc_called_name(i), "hd_read") || !strcmp(hd_cc_called_name(i), "hd_write"));
}

/* Does the result depend on the operands alone? */
static bool is_pure(LLVMValueRef i)
{
    return LLVMIsAGetElementPtrInst(i) || LLVMIsACastInst(i) || LLVMIsABinaryOperator(i);
}

static bool has_same_type(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMTypeOf(a) == LLVMTypeOf(b)
        && (!LLVMIsAGetElementPtrInst(a) || LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b));
}

/* Do both values always compute the same? They are compared structurally, up to a depth. */
static bool is_same(LLVMValueRef a, LLVMValueRef b, uint32_t depth)
{
    if (a == b)
        return true;
    if (depth == DEEPEST || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) || !is_pure(a)
        || LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) || !has_same_type(a, b)
        || LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(a); i++)
        if (!is_same(LLVMGetOperand(a, i), LLVMGetOperand(b, i), depth + 1))
            return false;
    return true;
}

static uint64_t info_of(LLVMValueRef hook)
{
    return LLVMConstIntGetZExtValue(LLVMGetOperand(hook, INFO));
}

static bool is_known(const known *k, LLVMValueRef hook)
{
    for (uint32_t i = k->count; i-- > 0;)
        if ((info_of(k->hooks[i]) & HD_INFO_SIZE) >= (info_of(hook) & HD_INFO_SIZE)
            && is_same(LLVMGetOperand(k->hooks[i], 0), LLVMGetOperand(hook, 0), 0))
            return true;
    return false;
}

static void learn(known *k, LLVMValueRef hook)
{
    if (k->count == MOST_KNOWN)
        memmove(k->hooks, k->hooks + 1, --k->count * sizeof *k->hooks);
    k->hooks[k->count++] = hook;
}

/* A call in which memory may be freed. */
static bool forgets(LLVMValueRef i)
{
    return hd_cc_is_call(i) && !is_plain_hook(i) && strncmp(hd_cc_called_name(i), "llvm.", 5) != 0
        && strcmp(hd_cc_called_name(i), "hd_read_range") != 0 && strcmp(hd_cc_called_name(i), "hd_write_range") != 0;
}

static void visit(hd_cc_unit *unit, known *k, LLVMValueRef i)
{
    if (forgets(i))
        k->count = 0;
    else if (is_plain_hook(i) && is_known(k, i))
        LLVMSetOperand(i, INFO, hd_cc_unit_i32(unit, (uint32_t)info_of(i) | HD_INFO_AGAIN));
    else if (is_plain_hook(i))
        learn(k, i);
}

static bool holds_call(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (forgets(i))
            return true;
    return false;
}

/* Is this the header of a loop without calls? What is known when the loop is entered then holds in every iteration. */
static bool is_calm_loop(const hd_cc_cfg *cfg, unsigned header)
{
    for (size_t l = 0; l < cfg->loops.count; l++) {
        const hd_cc_loop *loop = &cfg->loops.items[l];
        bool calm = loop->header == header;
        for (unsigned b = 0; calm && b < cfg->blocks.count; b++)
            calm = !loop->holds[b] || !holds_call(cfg->blocks.items[b]);
        if (calm)
            return true;
    }
    return false;
}

static void keep_common(known *k, const known *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < k->count; i++)
        for (uint32_t o = 0; o < other->count; o++)
            if (k->hooks[i] == other->hooks[o]) {
                k->hooks[kept++] = k->hooks[i];
                break;
            }
    k->count = kept;
}

/* What is known at the start of block `b`: the intersection over its predecessors. Blocks are in reverse postorder, so
 * an edge from a block that is not visited yet (from >= b) goes back to the header of a loop: it adds nothing if the
 * loop makes no calls, and otherwise nothing is known. */
static known known_before(const hd_cc_cfg *cfg, const known *after, unsigned b)
{
    known k = { .count = 0 };
    bool first = true, calm = false;
    for (size_t i = 0; i < cfg->before[b].count; i++) {
        unsigned from = cfg->before[b].items[i];
        if (from >= b && !calm && !(calm = is_calm_loop(cfg, b)))
            return (known) { .count = 0 };
        if (from >= b)
            continue;
        if (first)
            k = after[from];
        else
            keep_common(&k, &after[from]);
        first = false;
    }
    return k;
}

static void visit_function(hd_cc_unit *unit, LLVMValueRef function)
{
    hd_cc_cfg cfg;
    hd_cc_cfg_open(&cfg, function);
    known *after = hd_alloc(&hd_heap, cfg.blocks.count * sizeof *after);
    for (unsigned b = 0; b < cfg.blocks.count; b++) {
        known k = known_before(&cfg, after, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg.blocks.items[b]); i; i = LLVMGetNextInstruction(i))
            visit(unit, &k, i);
        after[b] = k;
    }
    hd_release(&hd_heap, after, cfg.blocks.count * sizeof *after);
    hd_cc_cfg_close(&cfg);
}

void hd_cc_pass_again(hd_cc_unit *unit)
{
    for (size_t i = 0; i < unit->functions.count; i++)
        visit_function(unit, unit->functions.items[i]);
}
