/* hd_loop in the loops that may wait for another thread.
 *
 * A loop that counts to a fixed end never waits. Of the others those get a
 * hook that contain an atomic or volatile access or a call, those that do
 * nothing but look at memory, and those without an end.
 *
 * A round is PURE when the loop changes nothing but by hooked operations, and
 * every value that it hands to the next round is the one it was given. The
 * first part is proved here; the second is proved here or compared at run time,
 * where the kind is then no constant. What one round can hand to the next is
 * in the header's phis and in memory, because a value must be computed in the
 * round that uses it otherwise. */
#include "abi/site.h"
#include "compile/passes/counter.h"
#include "compile/passes/effects.h"
#include "compile/passes/passes.h"

#include <string.h>

typedef struct pass {
    hd_cc_unit *unit;
    hd_cc_effects effects;
    hd_cc_escape escape;
    hd_cc_cfg cfg;
} pass;

typedef struct verdict {
    unsigned effects; /* of all instructions, stores that outlive the round as HD_EFFECT_CHANGES */
    bool endless, counts;
    bool comparable; /* all of `varying` can be compared */
    hd_cc_values varying; /* header phis that may differ from round to round */
} verdict;

static LLVMBasicBlockRef header_of(const pass *p, const hd_cc_loop *loop)
{
    return p->cfg.blocks.items[loop->header];
}

static bool comes_first(LLVMValueRef a, LLVMValueRef b)
{
    while (b && b != a)
        b = LLVMGetPreviousInstruction(b);
    return b != NULL;
}

/* Whether the variable's life begins in the loop, before the store: what the
 * store writes is gone in the next round. */
static bool is_fresh(const pass *p, const hd_cc_loop *loop, LLVMValueRef store)
{
    LLVMValueRef variable = hd_cc_escape_variable(hd_cc_effect_target(store));
    unsigned at, start;
    if (!variable || !hd_cc_cfg_number(&p->cfg, store, &at))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || strncmp(hd_cc_called_name(user), "llvm.lifetime.start", 19)
            || !hd_cc_cfg_is_inside(&p->cfg, loop, user) || !hd_cc_cfg_number(&p->cfg, user, &start))
            continue;
        if (start == at ? comes_first(user, store) : hd_cc_cfg_dominates(&p->cfg, start, at))
            return true;
    }
    return false;
}

static unsigned effects_of_loop(pass *p, const hd_cc_loop *loop)
{
    unsigned all = 0;
    for (size_t b = 0; b < p->cfg.blocks.count; b++) {
        if (!loop->holds[b])
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->cfg.blocks.items[b]); i; i = LLVMGetNextInstruction(i)) {
            unsigned set = hd_cc_effects_of(&p->effects, &p->escape, i);
            if ((set & HD_EFFECT_STORES) && !is_fresh(p, loop, i))
                set |= HD_EFFECT_CHANGES;
            all |= set;
        }
    }
    return all;
}

static bool has_exit(const pass *p, const hd_cc_loop *loop)
{
    for (size_t b = 0; b < p->cfg.blocks.count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->cfg.blocks.items[b]);
        for (unsigned n = 0; loop->holds[b] && n < LLVMGetNumSuccessors(end); n++)
            if (!hd_cc_cfg_holds(&p->cfg, loop, LLVMGetSuccessor(end, n)))
                return true;
    }
    return false;
}

/* Whether the value ends in computations that nothing else uses. */
static bool is_dead(LLVMValueRef value, hd_map *seen)
{
    uint64_t *visited = hd_map_put(seen, (uintptr_t)value);
    if (*visited)
        return true;
    *visited = 1;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((!LLVMIsAPHINode(user) && !hd_cc_is_computation(user)) || !is_dead(user, seen))
            return false;
    }
    return true;
}

static bool varies(LLVMValueRef phi)
{
    hd_map seen;
    hd_map_init(&seen, &hd_heap);
    bool dead = is_dead(phi, &seen);
    hd_map_fini(&seen);
    LLVMValueRef only = NULL;
    bool same = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (value == phi)
            continue;
        same &= !only || only == value;
        only = value;
    }
    return !dead && !same;
}

static bool is_comparable(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

static verdict judge(pass *p, const hd_cc_loop *loop)
{
    verdict v = { .comparable = true, .effects = effects_of_loop(p, loop) };
    v.endless = !has_exit(p, loop);
    v.counts = hd_cc_counter_ends(&p->cfg, loop);
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_of(p, loop)); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (varies(i)) {
            v.comparable &= is_comparable(LLVMTypeOf(i));
            hd_vec_push(&v.varying, i);
        }
    return v;
}

static bool may_wait(const verdict *v)
{
    if (v->counts)
        return false;
    bool looks_only = (v->effects & HD_EFFECT_READS) && !(v->effects & HD_EFFECT_CHANGES) && !v->varying.count;
    return v->endless || (v->effects & HD_EFFECT_WAITS) || looks_only;
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
        if (LLVMGetIncomingBlock(phi, n) == block)
            return LLVMGetIncomingValue(phi, n);
    return NULL;
}

/* A phi in the header: `outside` when the loop is entered (NULL: whatever
 * `like` is then), `inside` when it comes round. Blocks that cannot be reached
 * may jump there too, and count as outside. */
static LLVMValueRef add_phi(
    pass *p, const hd_cc_loop *loop, LLVMTypeRef type, LLVMValueRef outside, LLVMValueRef like, LLVMValueRef inside)
{
    LLVMBasicBlockRef header = header_of(p, loop);
    hd_cc_unit_at_top(p->unit, header);
    LLVMValueRef phi = LLVMBuildPhi(p->unit->builder, type, "");
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(header)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef jump = LLVMGetUser(use);
        if (!LLVMIsATerminatorInst(jump))
            continue;
        LLVMBasicBlockRef from = LLVMGetInstructionParent(jump);
        LLVMValueRef value = outside ? outside : incoming_from(like, from);
        LLVMAddIncoming(phi, hd_cc_cfg_holds(&p->cfg, loop, from) ? &inside : &value, &from, 1);
    }
    return phi;
}

static LLVMValueRef bits_of(pass *p, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind)
        return value;
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(p->unit->layout, type);
    return LLVMBuildBitCast(p->unit->builder, value, LLVMIntTypeInContext(p->unit->context, bits), "");
}

/* The kind at run time: PURE if the varying phis are what they were. The
 * phis are all made before anything is built behind them. */
static LLVMValueRef compared_kind(pass *p, const hd_cc_loop *loop, const verdict *v, LLVMValueRef before)
{
    hd_cc_values old = { 0 };
    for (size_t i = 0; i < v->varying.count; i++) {
        LLVMValueRef phi = v->varying.items[i];
        hd_vec_push(&old, add_phi(p, loop, LLVMTypeOf(phi), NULL, phi, phi));
    }
    hd_cc_unit_before(p->unit, before);
    LLVMBuilderRef b = p->unit->builder;
    LLVMValueRef same = LLVMConstInt(LLVMInt1TypeInContext(p->unit->context), 1, false);
    for (size_t i = 0; i < v->varying.count; i++) {
        LLVMValueRef now = bits_of(p, v->varying.items[i]), then = bits_of(p, old.items[i]);
        same = LLVMBuildAnd(b, same, LLVMBuildICmp(b, LLVMIntEQ, now, then, ""), "");
    }
    hd_vec_fini(&old);
    return LLVMBuildSelect(
        b, same, hd_cc_unit_i32(p->unit, HD_LOOP_PURE), hd_cc_unit_i32(p->unit, HD_LOOP_UNKNOWN), "");
}

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* What stands for the loop in reports: the first thing it does. */
static LLVMValueRef first_located(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = first_behind_phis(block); i; i = LLVMGetNextInstruction(i))
        if (hd_cc_is_located(i))
            return i;
    return LLVMGetBasicBlockTerminator(block);
}

static bool is_of_all_threads(LLVMValueRef pointer)
{
    while (LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAGlobalVariable(pointer) && !LLVMIsThreadLocal(pointer) && !LLVMIsGlobalConstant(pointer);
}

/* A variable that the instruction looks at, if its address is a constant; NULL: it is not. */
static LLVMValueRef looked_at(LLVMValueRef i)
{
    bool looks = LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    return looks && is_of_all_threads(LLVMGetOperand(i, 0)) ? LLVMGetOperand(i, 0) : NULL;
}

/* The first that is found stands for all in reports. */
static LLVMValueRef looked_at_in(const pass *p, const hd_cc_loop *loop)
{
    LLVMValueRef variable = NULL;
    for (size_t b = 0; b < p->cfg.blocks.count && !variable; b++)
        if (loop->holds[b])
            for (LLVMValueRef i = LLVMGetFirstInstruction(p->cfg.blocks.items[b]); i && !variable;
                 i = LLVMGetNextInstruction(i))
                variable = looked_at(i);
    return variable;
}

static void add_hook(pass *p, const hd_cc_loop *loop, const verdict *v)
{
    hd_cc_unit *unit = p->unit;
    LLVMValueRef place = first_behind_phis(header_of(p, loop));
    LLVMValueRef site = hd_cc_unit_loop_site(unit, first_located(header_of(p, loop)), looked_at_in(p, loop));
    LLVMValueRef first = add_phi(p, loop, unit->i32, hd_cc_unit_i32(unit, 1), NULL, hd_cc_unit_i32(unit, 0));
    bool calm = !(v->effects & HD_EFFECT_CHANGES) && v->comparable;
    LLVMValueRef kind = hd_cc_unit_i32(unit, calm ? HD_LOOP_PURE : HD_LOOP_UNKNOWN);
    if (calm && v->varying.count)
        kind = compared_kind(p, loop, v, place);
    hd_cc_unit_before(unit, place);
    hd_cc_unit_call(unit, hook_hd_loop, (LLVMValueRef[]) { first, kind, site });
}

/* All loops are judged before the first hook goes in. */
static void visit(pass *p, LLVMValueRef function)
{
    hd_cc_cfg_open(&p->cfg, function);
    hd_cc_escape_open(&p->escape);
    hd_vec(verdict) verdicts = { 0 };
    for (size_t i = 0; i < p->cfg.loops.count; i++)
        hd_vec_push(&verdicts, judge(p, &p->cfg.loops.items[i]));
    for (size_t i = 0; i < p->cfg.loops.count; i++) {
        if (may_wait(&verdicts.items[i]))
            add_hook(p, &p->cfg.loops.items[i], &verdicts.items[i]);
        hd_vec_fini(&verdicts.items[i].varying);
    }
    hd_vec_fini(&verdicts);
    hd_cc_escape_close(&p->escape);
    hd_cc_cfg_close(&p->cfg);
}

void hd_cc_pass_loops(hd_cc_unit *unit)
{
    pass p = { .unit = unit };
    hd_cc_effects_open(&p.effects, unit);
    for (size_t f = 0; f < unit->functions.count; f++)
        visit(&p, unit->functions.items[f]);
    hd_cc_effects_close(&p.effects);
}
