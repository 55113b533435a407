/* Which reads of a clock cannot matter: hd_clock_shown is called before each of them.
 *
 * A read is *shown only* if nothing but output and waiting depends on it. That is
 * proved here for each read separately, by following its value, and the memory that
 * contains it, to all uses. The proof fails where the value decides something (a
 * branch, a divisor, an address), and where it can no longer be followed: memory that
 * is not a variable of the stack or of this file, an indirect call, another file. A
 * read without a proof may matter, so the analysis can only be too cautious.
 *
 * Memory is followed by whole variables: once a part of a variable contains the time,
 * all of it counts as the time. The proof fails if the address of such a variable can
 * no longer be followed. */
#include "base/map.h"
#include "compile/passes/passes.h"

#include <string.h>

typedef enum mark { NOTHING, NUMBER = 1, MEMORY = 2, TARGET = 4 } mark;

typedef struct item {
    LLVMValueRef value;
    mark what; /* NUMBER: it depends on the clock; MEMORY: it points to memory that does */
} item;

typedef struct proof {
    hd_map marks; /* value → the marks that it has. They only grow, so the work ends */
    hd_vec(item) work;
    bool fails;
} proof;

/* Functions that write the time to their argument, and those that return it (-1). */
static const struct source {
    const char *name;
    int argument;
} sources[] = { { "time", -1 }, { "time", 0 }, { "clock", -1 }, { "hd_timestamp", -1 }, { "clock_gettime", 1 },
    { "gettimeofday", 0 }, { "timespec_get", 0 }, { "getrusage", 1 }, { "times", 0 }, { "times", -1 } };

/* Functions that do not depend on the time: see abi/indifferent.def. */
static const struct row {
    const char *name;
    int written;
    mark result;
} rows[] = {
#define INDIFFERENT(name, written, result) { #name, written, result },
#include "abi/indifferent.def"
#undef INDIFFERENT
};

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* Returns whether the mark is new. */
static bool mark_as(proof *p, LLVMValueRef value, mark what)
{
    uint64_t *known = hd_map_put(&p->marks, (uintptr_t)value);
    bool is_new = !(*known & (uint64_t)what);
    *known |= (uint64_t)what;
    return is_new;
}

static void push(proof *p, LLVMValueRef value, mark what)
{
    if (mark_as(p, value, what))
        hd_vec_push(&p->work, ((item) { value, what }));
}

/* --- functions ------------------------------------------------------------------------ */

static bool is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function)
{
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
        return false;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(user); n++)
        if (LLVMGetOperand(user, n) == function)
            return false;
    return true;
}

/* Finds all calls of a function; false: another file or a pointer may call it, too. */
static bool find_calls(LLVMValueRef function, hd_cc_values *calls)
{
    if (!is_local(function))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        if (!is_call_of(LLVMGetUser(use), function))
            return false;
        hd_vec_push(calls, LLVMGetUser(use));
    }
    return true;
}

/* Does the call execute this body, whatever the program is linked with? */
static bool has_known_body(LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee)
        && (is_local(callee) || LLVMGetLinkage(callee) == LLVMExternalLinkage);
}

/* A returned time is the value of every call of the function. */
static void follow_return(proof *p, LLVMValueRef i)
{
    hd_cc_values calls = { 0 };
    p->fails |= !find_calls(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)), &calls);
    for (size_t c = 0; c < calls.count; c++)
        push(p, calls.items[c], NUMBER);
    hd_vec_fini(&calls);
}

/* --- memory ---------------------------------------------------------------------------- */

/* Is it a pointer into the object that its first operand points to? */
static bool is_part(LLVMValueRef pointer)
{
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        return true;
    LLVMOpcode code = LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer) : LLVMRet;
    return code == LLVMGetElementPtr || code == LLVMBitCast;
}

static unsigned number_of(LLVMValueRef argument)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned n = 0;
    while (LLVMGetParam(function, n) != argument)
        n++;
    return n;
}

static void hold(proof *p, LLVMValueRef pointer);

/* The time is stored through a parameter: the memory belongs to the callers. */
static void hold_in_callers(proof *p, LLVMValueRef argument)
{
    hd_cc_values calls = { 0 };
    if (!mark_as(p, argument, TARGET))
        return;
    push(p, argument, MEMORY);
    p->fails |= !find_calls(LLVMGetParamParent(argument), &calls);
    for (size_t c = 0; c < calls.count && !p->fails; c++)
        hold(p, LLVMGetOperand(calls.items[c], number_of(argument)));
    hd_vec_fini(&calls);
}

/* The variable that the pointer points into contains the time. The proof fails if it is not a variable of the stack or
 * of this file; a null pointer (`time(NULL)`) is no memory. */
static void hold(proof *p, LLVMValueRef pointer)
{
    while (is_part(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    if (LLVMIsAArgument(pointer))
        hold_in_callers(p, pointer);
    else if (LLVMIsAAllocaInst(pointer) || (LLVMIsAGlobalVariable(pointer) && is_local(pointer)))
        push(p, pointer, MEMORY);
    else
        p->fails |= !LLVMIsAConstantPointerNull(pointer);
}

/* --- calls ------------------------------------------------------------------------------ */

static const struct row *row_of(LLVMValueRef callee, const char *name)
{
    for (size_t i = 0; LLVMIsDeclaration(callee) && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name))
            return &rows[i];
    return NULL;
}

static void follow_row(proof *p, const struct row *row, LLVMValueRef call)
{
    if (row->written >= 0 && (unsigned)row->written < LLVMGetNumArgOperands(call))
        hold(p, LLVMGetOperand(call, (unsigned)row->written));
    if (row->result)
        push(p, call, row->result);
}

/* Returns whether the call reads a clock; its results are then followed. */
static bool follow_read(proof *p, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool reads = false;
    for (size_t i = 0; LLVMIsAFunction(callee) && i < sizeof sources / sizeof *sources; i++) {
        int argument = sources[i].argument;
        if (!LLVMIsDeclaration(callee) || strcmp(hd_cc_called_name(call), sources[i].name))
            continue;
        reads = true;
        if (argument < 0)
            push(p, call, NUMBER);
        else if ((unsigned)argument < LLVMGetNumArgOperands(call))
            hold(p, LLVMGetOperand(call, (unsigned)argument));
    }
    return reads;
}

/* Into the body of a function of this file. Variadic arguments cannot be followed. */
static void follow_arguments(proof *p, LLVMValueRef call, LLVMValueRef value, mark what)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        if (LLVMGetOperand(call, n) != value)
            continue;
        if (n < LLVMCountParams(callee))
            push(p, LLVMGetParam(callee, n), what);
        else
            p->fails = true;
    }
}

static void follow_intrinsic(proof *p, LLVMValueRef call, const char *name, LLVMValueRef value, mark what)
{
    if (begins(name, "llvm.lifetime.") || begins(name, "llvm.dbg."))
        return;
    bool copies = begins(name, "llvm.memcpy.") || begins(name, "llvm.memmove.");
    if (what == NUMBER && !copies && !begins(name, "llvm.memset."))
        push(p, call, NUMBER);
    else if (what == MEMORY && copies)
        hold(p, LLVMGetOperand(call, 0));
    else
        p->fails |= what == NUMBER || LLVMGetOperand(call, 0) != value;
}

static void follow_call(proof *p, LLVMValueRef call, LLVMValueRef value, mark what)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = hd_cc_called_name(call);
    const struct row *row = LLVMIsAFunction(callee) ? row_of(callee, name) : NULL;
    if (begins(name, "llvm."))
        follow_intrinsic(p, call, name, value, what);
    else if (row)
        follow_row(p, row, call);
    else if (has_known_body(callee))
        follow_arguments(p, call, value, what);
    else /* hooks only announce an access; another read of a clock overwrites a time with a time */
        p->fails |= !hd_cc_unit_is_hook(name) && !(what == MEMORY && follow_read(p, call));
}

/* --- uses --------------------------------------------------------------------------------- */

static bool is_returned_by_clock(LLVMValueRef value)
{
    for (size_t i = 0; LLVMIsACallInst(value) && i < sizeof sources / sizeof *sources; i++)
        if (sources[i].argument < 0 && !strcmp(hd_cc_called_name(value), sources[i].name))
            return true;
    return false;
}

/* Does this use of a variable leave only results of clocks in it? */
static bool leaves_answers(LLVMValueRef user)
{
    const char *name = LLVMIsACallInst(user) ? hd_cc_called_name(user) : "";
    return LLVMIsALoadInst(user) || hd_cc_unit_is_hook(name) || begins(name, "llvm.dbg.")
        || begins(name, "llvm.lifetime.") || (LLVMIsAStoreInst(user) && is_returned_by_clock(LLVMGetOperand(user, 0)));
}

/* Is the value the unchanged result of a clock, directly or through a variable that only contains such results? */
static bool is_answer(LLVMValueRef value)
{
    LLVMValueRef variable = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (!variable || !LLVMIsAAllocaInst(variable))
        return is_returned_by_clock(value);
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
        if (!leaves_answers(LLVMGetUser(use)))
            return false;
    return true;
}

/* A comparison of a clock's own result with -1 checks for an error. heddle's clocks do not fail, so the branch does not
 * depend on the time. */
static bool asks_for_error(LLVMValueRef condition)
{
    LLVMValueRef bound = LLVMIsAICmpInst(condition) ? LLVMGetOperand(condition, 1) : NULL;
    return bound && LLVMIsAConstantInt(bound) && LLVMConstIntGetSExtValue(bound) == -1
        && is_answer(LLVMGetOperand(condition, 0));
}

static bool may_trap(LLVMValueRef i, LLVMValueRef value)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(i);
    bool divides = code == LLVMUDiv || code == LLVMSDiv || code == LLVMURem || code == LLVMSRem;
    return divides && LLVMGetOperand(i, 1) == value;
}

static bool is_stack_variable(LLVMValueRef pointer)
{
    while (is_part(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) != NULL;
}

/* Has the instruction no other effect than its result, or a store to the stack? It must not trap either. */
static bool is_computation(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return is_stack_variable(LLVMGetOperand(i, 1));
    case LLVMLoad:
        return is_stack_variable(LLVMGetOperand(i, 0));
    case LLVMCall:
        return hd_cc_unit_is_hook(hd_cc_called_name(i)) || begins(hd_cc_called_name(i), "llvm.dbg.");
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    default:
        return !LLVMIsATerminatorInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i)
            && !LLVMIsAFenceInst(i);
    }
}

/* The successor of the block, if the block only computes; otherwise the block itself. */
static LLVMBasicBlockRef behind_computation(LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(last) || LLVMIsConditional(last))
        return block;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != last; i = LLVMGetNextInstruction(i))
        if (LLVMIsAPHINode(i) || !is_computation(i))
            return block;
    return LLVMGetSuccessor(last, 0);
}

static void hold_stores(proof *p, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i))
            hold(p, LLVMGetOperand(i, 1));
}

/* Do both sides of the branch only compute, and then join (for example to bring a fraction of a second into its
 * range)? Then the branch is part of the computation: what the sides store, and the phis at the join, depend on the
 * time, and nothing else does. */
static bool only_computes(proof *p, LLVMValueRef branch)
{
    LLVMBasicBlockRef sides[] = { LLVMGetSuccessor(branch, 0), LLVMGetSuccessor(branch, 1) };
    LLVMBasicBlockRef ends[] = { behind_computation(sides[0]), behind_computation(sides[1]) };
    LLVMBasicBlockRef join = ends[0] == ends[1] || ends[0] == sides[1] ? ends[0] : ends[1];
    if (join != ends[0] && join != sides[0])
        return false;
    for (int n = 0; n < 2; n++)
        if (sides[n] != join)
            hold_stores(p, sides[n]);
    for (LLVMValueRef i = LLVMGetFirstInstruction(join); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        push(p, i, NUMBER);
    return true;
}

/* A use of a value that depends on the time. */
static void use_number(proof *p, LLVMValueRef i, LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        follow_call(p, i, value, NUMBER);
        break;
    case LLVMStore:
        hold(p, LLVMGetOperand(i, 1));
        p->fails |= LLVMGetOperand(i, 1) == value;
        break;
    case LLVMRet:
        follow_return(p, i);
        break;
    case LLVMBr:
        p->fails |= !asks_for_error(value) && !only_computes(p, i);
        break;
    case LLVMLoad:
    case LLVMGetElementPtr:
    case LLVMIntToPtr:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        p->fails = true;
        break;
    default:
        p->fails |= may_trap(i, value) || LLVMIsATerminatorInst(i);
        push(p, i, NUMBER);
    }
}

/* A use of a pointer to memory that contains the time: loads give the time; the pointer itself must not be stored. */
static void use_memory(proof *p, LLVMValueRef i, LLVMValueRef pointer)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        follow_call(p, i, pointer, MEMORY);
        break;
    case LLVMLoad:
        push(p, i, NUMBER);
        break;
    case LLVMStore:
        p->fails |= LLVMGetOperand(i, 0) == pointer;
        break;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
        push(p, i, MEMORY);
        break;
    case LLVMICmp:
        break;
    default:
        p->fails = true;
    }
}

static void use(proof *p, LLVMValueRef user, item from)
{
    if (is_part(user) && LLVMIsAConstantExpr(user))
        push(p, user, from.what);
    else if (!LLVMIsAInstruction(user))
        p->fails = true;
    else if (from.what == NUMBER)
        use_number(p, user, from.value);
    else
        use_memory(p, user, from.value);
}

/* --- the proof ------------------------------------------------------------------------------- */

static bool is_shown_only(LLVMValueRef call)
{
    proof p = { 0 };
    hd_map_init(&p.marks, &hd_heap);
    bool reads = follow_read(&p, call);
    while (p.work.count && !p.fails) {
        item next = p.work.items[--p.work.count];
        for (LLVMUseRef u = LLVMGetFirstUse(next.value); u && !p.fails; u = LLVMGetNextUse(u))
            use(&p, LLVMGetUser(u), next);
    }
    hd_vec_fini(&p.work);
    hd_map_fini(&p.marks);
    return reads && !p.fails;
}

void hd_cc_pass_clocks(hd_cc_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        const hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++) {
            LLVMValueRef call = instructions->items[i];
            if (!LLVMIsACallInst(call) || !is_shown_only(call))
                continue;
            hd_cc_unit_before(unit, call);
            hd_cc_unit_call(unit, hook_hd_clock_shown, (LLVMValueRef[]) { LLVMGetCalledValue(call) });
        }
    }
}
