/* Inserts hd_loop into loops that may wait for another thread.
 *
 * A loop that counts to a fixed end waits only for a while. If it changes nothing but
 * its counter, and the counter does nothing but count, hd_loop_counted tells it when
 * its iterations repeat: then it leaves as if it had counted to the end. Other counting
 * loops are left alone. Of the remaining loops, those get a hook that contain an atomic
 * or volatile access or a call, those that only read memory, and those without an exit.
 *
 * A round (iteration) is PURE if the loop changes nothing except by hooked operations,
 * and every value that it carries to the next round is the value that it was given.
 * The first part is proved here; the second is proved here or compared at run time, in
 * which case the kind is not a constant.
 *
 * Proof that the comparison is complete: a value is carried from one round to the next
 * by a phi of the header or by memory. Any other value that a round uses was computed
 * in the same round or before the loop, because its definition dominates the use.
 * Memory carries nothing unless the round stores (HD_EFFECT_CHANGES). */
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
    unsigned effects; /* of all instructions; a store that outlives its round counts as HD_EFFECT_CHANGES */
    bool endless, counts;
    hd_cc_counter counter; /* if it counts */
    bool comparable; /* can all of `varying` be compared at run time? */
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

/* Does the lifetime of the stored variable begin in the loop, before the store? Then the stored value does not exist in
 * the next round. The lifetime marker must dominate the store. */
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

/* Is the value used only by computations whose results are not used otherwise? `seen`: values that are being visited,
 * for cycles of phis. */
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

/* May the phi differ from round to round? Not if it is dead, or if all its values but itself are the same. */
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
    v.counts = hd_cc_counter_find(&p->cfg, loop, &v.counter);
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_of(p, loop)); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (varies(i)) {
            v.comparable &= is_comparable(LLVMTypeOf(i));
            hd_vec_push(&v.varying, i);
        }
    return v;
}

/* A loop of plain reads may wait only if nothing else changes from round to round. */
static bool may_wait(const verdict *v)
{
    if (v->counts)
        return false;
    bool looks_only = (v->effects & HD_EFFECT_READS) && !(v->effects & HD_EFFECT_CHANGES) && !v->varying.count;
    return v->endless || (v->effects & HD_EFFECT_WAITS) || looks_only;
}

/* May it wait for a while, until it has counted to its end? */
static bool may_wait_counting(const pass *p, const hd_cc_loop *loop, const verdict *v)
{
    return v->counts && (v->effects & (HD_EFFECT_READS | HD_EFFECT_WAITS)) && !(v->effects & HD_EFFECT_CHANGES)
        && v->varying.count == 1 && v->varying.items[0] == v->counter.phi
        && hd_cc_counter_only_counts(&p->cfg, loop, &v->counter);
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
        if (LLVMGetIncomingBlock(phi, n) == block)
            return LLVMGetIncomingValue(phi, n);
    return NULL;
}

/* Adds a phi to the header: `outside` when the loop is entered (NULL: the value of `like` then), `inside` when an
 * iteration comes back. Unreachable blocks may also jump to the header; they count as outside. */
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

/* The kind as computed at run time: PURE if the varying phis have the values of the round before. All phis are created
 * first, because phis must come before other instructions. */
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

/* The location of the loop in reports: its first instruction that has one. */
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

/* The variable that the instruction reads, if its address is a constant; otherwise NULL. */
static LLVMValueRef looked_at(LLVMValueRef i)
{
    bool looks = LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    return looks && is_of_all_threads(LLVMGetOperand(i, 0)) ? LLVMGetOperand(i, 0) : NULL;
}

/* For reports: the first variable that the loop reads. */
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

static LLVMValueRef site_of(pass *p, const hd_cc_loop *loop)
{
    return hd_cc_unit_loop_site(p->unit, first_located(header_of(p, loop)), looked_at_in(p, loop));
}

/* 1 when the loop is entered, 0 in further iterations. */
static LLVMValueRef add_first(pass *p, const hd_cc_loop *loop)
{
    return add_phi(p, loop, p->unit->i32, hd_cc_unit_i32(p->unit, 1), NULL, hd_cc_unit_i32(p->unit, 0));
}

/* Behind the hook, the counter has its last value if the hook says so. */
static void add_counting_hook(pass *p, const hd_cc_loop *loop, const hd_cc_counter *counter)
{
    enum { OTHERWISE = 2 };
    hd_cc_unit *unit = p->unit;
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef position = first_behind_phis(header_of(p, loop)), site = site_of(p, loop), first = add_first(p, loop);
    hd_cc_unit_before(unit, position);
    LLVMValueRef over = hd_cc_unit_call(unit, hook_hd_loop_counted, (LLVMValueRef[]) { first, site });
    over = LLVMBuildICmp(b, LLVMIntNE, over, hd_cc_unit_i32(unit, 0), "");
    LLVMValueRef value = LLVMBuildSelect(b, over, hd_cc_counter_last(counter, b), counter->phi, "");
    LLVMReplaceAllUsesWith(counter->phi, value);
    LLVMSetOperand(value, OTHERWISE, counter->phi);
}

static void add_hook(pass *p, const hd_cc_loop *loop, const verdict *v)
{
    hd_cc_unit *unit = p->unit;
    LLVMValueRef position = first_behind_phis(header_of(p, loop)), site = site_of(p, loop), first = add_first(p, loop);
    bool calm = !(v->effects & HD_EFFECT_CHANGES) && v->comparable;
    LLVMValueRef kind = hd_cc_unit_i32(unit, calm ? HD_LOOP_PURE : HD_LOOP_UNKNOWN);
    if (calm && v->varying.count)
        kind = compared_kind(p, loop, v, position);
    hd_cc_unit_before(unit, position);
    hd_cc_unit_call(unit, hook_hd_loop, (LLVMValueRef[]) { first, kind, site });
}

/* All loops are judged before the first hook is inserted: hooks are calls, which would count as effects. */
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
        else if (may_wait_counting(p, &p->cfg.loops.items[i], &verdicts.items[i]))
            add_counting_hook(p, &p->cfg.loops.items[i], &verdicts.items[i].counter);
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
