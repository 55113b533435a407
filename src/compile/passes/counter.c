#include "compile/passes/counter.h"

bool hd_cc_is_computation(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value);
}

/* Has the value the same result in every iteration? */
static bool is_invariant(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMValueRef value)
{
    if (!hd_cc_cfg_is_inside(cfg, loop, value))
        return true;
    if (!hd_cc_is_computation(value))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!is_invariant(cfg, loop, LLVMGetOperand(value, i)))
            return false;
    return true;
}

static bool is_header_phi(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMValueRef value)
{
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == cfg->blocks.items[loop->header];
}

/* Splits `value` into phi + step; the step is 0 if it is the phi itself. */
static bool split_step(LLVMValueRef value, LLVMValueRef *phi, long long *step)
{
    while (LLVMIsACastInst(value))
        value = LLVMGetOperand(value, 0);
    *phi = value;
    *step = 0;
    if (LLVMIsAPHINode(value))
        return true;
    if (!LLVMIsABinaryOperator(value) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return false;
    LLVMOpcode operation = LLVMGetInstructionOpcode(value);
    *phi = LLVMGetOperand(value, 0);
    *step = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    if (operation == LLVMSub)
        *step = -*step;
    return operation == LLVMAdd || operation == LLVMSub;
}

/* The change of the phi in every iteration, which must be the same on all edges back to the header; 0: not known. */
static long long growth(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMValueRef phi)
{
    long long all = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef base, value = LLVMGetIncomingValue(phi, i);
        long long step;
        if (!hd_cc_cfg_holds(cfg, loop, LLVMGetIncomingBlock(phi, i)))
            continue;
        if (!split_step(value, &base, &step) || base != phi || !step || (all && all != step))
            return 0;
        all = step;
    }
    return all;
}

/* Does a counter with this step make the condition false at some point? `!=` could be stepped over, so it needs a step
 * of one. */
static bool ends_by(LLVMIntPredicate goes_on, long long step)
{
    switch (goes_on) {
    case LLVMIntNE:
        return step == 1 || step == -1;
    case LLVMIntSLT:
    case LLVMIntSLE:
    case LLVMIntULT:
    case LLVMIntULE:
        return step > 0;
    case LLVMIntSGT:
    case LLVMIntSGE:
    case LLVMIntUGT:
    case LLVMIntUGE:
        return step < 0;
    default:
        return false;
    }
}

static LLVMIntPredicate opposite(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate table[] = { [LLVMIntEQ] = LLVMIntNE,
        [LLVMIntNE] = LLVMIntEQ,
        [LLVMIntUGT] = LLVMIntULE,
        [LLVMIntUGE] = LLVMIntULT,
        [LLVMIntULT] = LLVMIntUGE,
        [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntSGT] = LLVMIntSLE,
        [LLVMIntSGE] = LLVMIntSLT,
        [LLVMIntSLT] = LLVMIntSGE,
        [LLVMIntSLE] = LLVMIntSGT };
    return table[predicate];
}

/* The predicate with its operands exchanged. */
static LLVMIntPredicate mirrored(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate table[] = { [LLVMIntEQ] = LLVMIntEQ,
        [LLVMIntNE] = LLVMIntNE,
        [LLVMIntUGT] = LLVMIntULT,
        [LLVMIntUGE] = LLVMIntULE,
        [LLVMIntULT] = LLVMIntUGT,
        [LLVMIntULE] = LLVMIntUGE,
        [LLVMIntSGT] = LLVMIntSLT,
        [LLVMIntSGE] = LLVMIntSLE,
        [LLVMIntSLT] = LLVMIntSGT,
        [LLVMIntSLE] = LLVMIntSGE };
    return table[predicate];
}

/* Does the loop continue after this edge? A condition with && is two blocks: the first jumps to the branch of the
 * second with the constant "no", so that branch decides for this edge. */
static bool goes_on_behind(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    if (!hd_cc_cfg_holds(cfg, loop, to))
        return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(to);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return true;
    LLVMValueRef answer = LLVMGetCondition(end);
    if (!LLVMIsAPHINode(answer) || LLVMGetInstructionParent(answer) != to)
        return true;
    for (unsigned i = 0; i < LLVMCountIncoming(answer); i++)
        if (LLVMGetIncomingBlock(answer, i) == from && LLVMIsAConstantInt(LLVMGetIncomingValue(answer, i)))
            return hd_cc_cfg_holds(
                cfg, loop, LLVMGetSuccessor(end, !LLVMConstIntGetZExtValue(LLVMGetIncomingValue(answer, i))));
    return true;
}

/* How far past the bound the counter is when the condition becomes false. */
static long long passes_by(LLVMIntPredicate goes_on)
{
    switch (goes_on) {
    case LLVMIntSLE:
    case LLVMIntULE:
        return 1;
    case LLVMIntSGE:
    case LLVMIntUGE:
        return -1;
    default:
        return 0;
    }
}

/* Does `end` leave the loop when a counter has reached a fixed value? The counter is brought to the left side of the
 * comparison, and the predicate to the one under which the loop continues. */
static bool is_counted_exit(const hd_cc_cfg *cfg, const hd_cc_loop *loop, LLVMValueRef end, hd_cc_counter *counter)
{
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return false;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
    bool stays_if_true = goes_on_behind(cfg, loop, block, LLVMGetSuccessor(end, 0));
    bool stays_if_false = goes_on_behind(cfg, loop, block, LLVMGetSuccessor(end, 1));
    LLVMValueRef condition = LLVMGetCondition(end);
    LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
    LLVMIntPredicate goes_on = LLVMGetICmpPredicate(condition);
    if (stays_if_true == stays_if_false)
        return false;
    if (!stays_if_true)
        goes_on = opposite(goes_on);
    if (is_invariant(cfg, loop, left)) {
        goes_on = mirrored(goes_on);
        LLVMValueRef kept = left;
        left = right;
        right = kept;
    }
    counter->test = condition;
    counter->bound = right;
    counter->past = passes_by(goes_on);
    return is_invariant(cfg, loop, right) && split_step(left, &counter->phi, &counter->offset)
        && is_header_phi(cfg, loop, counter->phi) && ends_by(goes_on, growth(cfg, loop, counter->phi));
}

/* Every iteration passes the exit if its block dominates all latches. */
bool hd_cc_counter_find(const hd_cc_cfg *cfg, const hd_cc_loop *loop, hd_cc_counter *counter)
{
    const hd_cc_numbers *before = &cfg->before[loop->header];
    for (unsigned b = 0; b < cfg->blocks.count; b++) {
        if (!loop->holds[b] || !is_counted_exit(cfg, loop, LLVMGetBasicBlockTerminator(cfg->blocks.items[b]), counter))
            continue;
        bool every_round = true;
        for (size_t i = 0; i < before->count; i++)
            every_round &= !loop->holds[before->items[i]] || hd_cc_cfg_dominates(cfg, b, before->items[i]);
        if (every_round)
            return true;
    }
    return false;
}

/* --- loops that only count ---------------------------------------------------------- */

/* Is the value used for the test and for the next iteration alone? */
static bool is_for_counting(const hd_cc_counter *c, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user == c->test || user == c->phi)
            continue;
        if (!hd_cc_is_computation(user) || !is_for_counting(c, user))
            return false;
    }
    return true;
}

/* A loop with few iterations is explored as it is written. */
static bool is_short(const hd_cc_cfg *cfg, const hd_cc_loop *loop, const hd_cc_counter *c)
{
    enum { SHORT = 16 };
    for (unsigned i = 0; i < LLVMCountIncoming(c->phi); i++) {
        LLVMValueRef start = LLVMGetIncomingValue(c->phi, i);
        if (hd_cc_cfg_holds(cfg, loop, LLVMGetIncomingBlock(c->phi, i)))
            continue;
        if (!LLVMIsAConstantInt(start) || !LLVMIsAConstantInt(c->bound))
            return false;
        long long rounds = LLVMConstIntGetSExtValue(c->bound) - LLVMConstIntGetSExtValue(start);
        if (rounds > SHORT || rounds < -SHORT)
            return false;
    }
    return true;
}

bool hd_cc_counter_only_counts(const hd_cc_cfg *cfg, const hd_cc_loop *loop, const hd_cc_counter *c)
{
    return LLVMGetTypeKind(LLVMTypeOf(c->bound)) == LLVMIntegerTypeKind && !hd_cc_cfg_is_inside(cfg, loop, c->bound)
        && is_for_counting(c, c->phi) && !is_short(cfg, loop, c);
}

LLVMValueRef hd_cc_counter_last(const hd_cc_counter *c, LLVMBuilderRef builder)
{
    LLVMValueRef more = LLVMConstInt(LLVMTypeOf(c->bound), (unsigned long long)(c->past - c->offset), true);
    return LLVMBuildIntCast2(builder, LLVMBuildAdd(builder, c->bound, more, ""), LLVMTypeOf(c->phi), true, "");
}
