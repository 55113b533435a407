/* Three versions of a function: one that reports its accesses, for the time when
 * several threads exist; one that only has them checked, while one thread exists; and
 * a quiet one, when an earlier execution has checked what the one thread does. All are
 * part of the function. The runtime's flag decides at the entry and, because the flag
 * can change in calls, after every call: control passes between the versions there.
 *
 * With inputs, an execution may differ from all earlier ones before its second thread.
 * So the quiet version of a twin checks its accesses, but has no hooks that look for
 * shadows: there are none. Once a call has created some, or threads, the quiet version is
 * left for good, because the function's own variables may have shadows from then on. A
 * twin has no other version for one thread: its hooks test the number of threads.
 *
 * A large function, whose hooks are not inline, has the reporting version alone: its hooks test the number of threads,
 * and LLVM would take too long for several versions.
 *
 * Correctness of the copies: reg2mem puts every value that lives across blocks into a
 * stack slot, which all versions share. So the blocks of a version can be copied and
 * connected without phis, and control can pass between versions at any block boundary.
 * The optimiser removes the slots again. */
#include "abi/site.h"
#include "base/map.h"
#include "compile/passes/backend.h"
#include "compile/passes/passes.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

typedef struct pass {
    hd_cc_unit *unit;
    LLVMValueRef function;
    bool twin;
    hd_map copies[HD_WATCH_ALL]; /* instruction or block of the reporting version → its copy */
    hd_cc_values switches; /* jumps where control may pass to another version */
} pass;

static bool is_hook(LLVMValueRef call)
{
    return !strncmp(hd_cc_called_name(call), "hd_", 3) && hd_cc_unit_is_hook(hd_cc_called_name(call));
}

static bool is_call_of(LLVMValueRef i, const char *name)
{
    return LLVMIsACallInst(i) && !strcmp(hd_cc_called_name(i), name);
}

static bool is_inline(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && hd_cc_unit_inline_hook(hd_cc_called_name(i));
}

static bool is_apart(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && hd_cc_unit_apart_hook(hd_cc_called_name(i));
}

/* Is it the hook with this name, inline or apart? */
static bool is_access_hook(LLVMValueRef i, const char *name)
{
    size_t length = strlen(name);
    if (!is_inline(i) && !is_apart(i))
        return false;
    const char *called = hd_cc_called_name(i);
    return !strncmp(called, name, length) && (!called[length] || !strcmp(called + length, HD_APART_SUFFIX));
}

/* Hooks that do nothing and return 0 as long as there are no shadows. */
static bool is_about_shadows(LLVMValueRef i)
{
    static const char *const always[] = { "hd_shadow_variables", "hd_shadow_variable", "hd_shadow_forget",
        "hd_shadow_plainly" };
    if (!LLVMIsACallInst(i) || strncmp(hd_cc_called_name(i), "hd_shadow_", 10) != 0)
        return false;
    for (size_t n = 0; n < sizeof always / sizeof *always; n++)
        if (is_access_hook(i, always[n]))
            return false;
    return true;
}

/* Can the round be PURE? A single thread can wait only in such loops. */
static bool can_be_pure(LLVMValueRef loop_hook)
{
    enum { KIND = 1 };
    LLVMValueRef kind = LLVMGetOperand(loop_hook, KIND);
    return !LLVMIsAConstantInt(kind) || LLVMConstIntGetZExtValue(kind) == HD_LOOP_PURE;
}

/* Does the version need the hook? The quiet version repeats what an earlier execution did: that one did not wait
 * forever, and its plain accesses were checked. The quiet version of a twin may be the first to run, so it checks both.
 */
static bool is_needed(const pass *p, LLVMValueRef i, hd_watch version)
{
    if (is_call_of(i, "hd_loop") && version != HD_WATCH_ALL)
        return can_be_pure(i) && (p->twin || version != HD_WATCH_NOTHING);
    return version != HD_WATCH_NOTHING || !(p->twin ? is_about_shadows(i) : is_inline(i) || is_apart(i));
}

/* Tells the hook of a plain access whether several threads exist: the version implies it. */
static void say_version(hd_cc_unit *unit, LLVMValueRef i, hd_watch version)
{
    enum { INFO = 1 };
    if (!is_access_hook(i, "hd_read") && !is_access_hook(i, "hd_write"))
        return;
    uint64_t info = LLVMConstIntGetZExtValue(LLVMGetOperand(i, INFO));
    info |= version == HD_WATCH_ALL ? HD_INFO_SEVERAL : HD_INFO_ALONE;
    LLVMSetOperand(i, INFO, hd_cc_unit_i32(unit, (uint32_t)info));
}

/* Is it a call in which the flag can change? */
static bool may_switch(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && !is_hook(i)
        && strncmp(hd_cc_called_name(i), "llvm.", 5) != 0;
}

static bool has_attribute(LLVMValueRef call, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind)
        || (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

/* Functions with these get no versions: blocks whose address is taken, exceptional control flow, functions that return
 * twice, stack variables of variable size. */
static bool is_awkward(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMIndirectBr:
    case LLVMCallBr:
    case LLVMInvoke:
        return true;
    case LLVMAlloca:
        return !LLVMIsAConstantInt(LLVMGetOperand(i, 0));
    case LLVMCall:
        return has_attribute(i, "returns_twice") || has_attribute(i, "convergent");
    default:
        return false;
    }
}

static bool has_mark(LLVMValueRef function, const char *mark)
{
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, mark, (unsigned)strlen(mark));
}

/* A twin takes so much longer to compile that it has versions only if some of its hooks are executed often. */
static bool is_worth_it(hd_cc_unit *unit, LLVMValueRef function, bool twin)
{
    if (has_mark(function, HD_LARGE) || (twin && has_mark(function, HD_COLD)))
        return false;
    enum { MOST_INSTRUCTIONS = 20000 };
    hd_cc_values *instructions = hd_cc_unit_instructions(unit, function);
    bool tells = false;
    for (size_t i = 0; i < instructions->count; i++) {
        if (is_awkward(instructions->items[i]))
            return false;
        tells |= is_call_of(instructions->items[i], "hd_loop") || is_inline(instructions->items[i])
            || is_apart(instructions->items[i]);
    }
    return tells && instructions->count <= MOST_INSTRUCTIONS;
}

/* Twins have twice as many values that live across calls, and every call adds edges between the versions: large files
 * would take minutes to compile. */
static bool is_too_large(hd_cc_unit *unit)
{
    enum { MOST_INSTRUCTIONS = 4000 };
    size_t count = 0;
    for (size_t i = 0; i < unit->functions.count; i++)
        count += hd_cc_unit_instructions(unit, unit->functions.items[i])->count;
    return count > MOST_INSTRUCTIONS;
}

static void move_to(hd_cc_unit *unit, LLVMValueRef first, LLVMBasicBlockRef block, bool (*stays)(LLVMValueRef))
{
    LLVMPositionBuilderAtEnd(unit->builder, block);
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    for (LLVMValueRef i = first, next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (stays && stays(i))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(unit->builder, i);
    }
}

/* Moves what follows `instruction` to a new block, so that control can pass to another version in between. */
static void split_behind(pass *p, LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(p->unit->context, p->function, "");
    LLVMMoveBasicBlockAfter(rest, block);
    move_to(p->unit, LLVMGetNextInstruction(instruction), rest, NULL);
    LLVMPositionBuilderAtEnd(p->unit->builder, block);
    hd_vec_push(&p->switches, LLVMBuildBr(p->unit->builder, rest));
}

static void split_behind_calls(pass *p)
{
    hd_cc_values *instructions = hd_cc_unit_instructions(p->unit, p->function);
    for (size_t n = 0; n < instructions->count; n++) {
        LLVMValueRef i = instructions->items[n], next = LLVMGetNextInstruction(i);
        if (may_switch(i) && !LLVMIsAReturnInst(next) && !LLVMIsAUnreachableInst(next))
            split_behind(p, i);
    }
}

static bool is_alloca(LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) != NULL;
}

/* The entry block keeps the stack variables, which all versions share. */
static LLVMBasicBlockRef split_entry(pass *p)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->function);
    LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(p->unit->context, p->function, "");
    LLVMMoveBasicBlockAfter(rest, entry);
    move_to(p->unit, LLVMGetFirstInstruction(entry), rest, is_alloca);
    return rest;
}

static LLVMValueRef copy_of(const pass *p, LLVMValueRef value, hd_watch version)
{
    const uint64_t *copy = version == HD_WATCH_ALL ? NULL : hd_map_get(&p->copies[version], (uintptr_t)value);
    return copy ? (LLVMValueRef)(uintptr_t)*copy : value;
}

static LLVMBasicBlockRef block_of(const pass *p, LLVMBasicBlockRef block, hd_watch version)
{
    return LLVMValueAsBasicBlock(copy_of(p, LLVMBasicBlockAsValue(block), version));
}

static void remember_copy(pass *p, LLVMValueRef value, LLVMValueRef copy, hd_watch version)
{
    *hd_map_put(&p->copies[version], (uintptr_t)value) = (uintptr_t)copy;
}

/* A hook that is left out counts as 0 for instructions that use its result. */
static void copy_block(pass *p, LLVMBasicBlockRef block, hd_watch version)
{
    LLVMBasicBlockRef into = LLVMAppendBasicBlockInContext(p->unit->context, p->function, "");
    remember_copy(p, LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(into), version);
    LLVMPositionBuilderAtEnd(p->unit->builder, into);
    LLVMSetCurrentDebugLocation2(p->unit->builder, NULL);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_needed(p, i, version) || (LLVMIsACallInst(i) && !strncmp(hd_cc_called_name(i), "llvm.dbg.", 9))) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
                remember_copy(p, i, LLVMConstNull(LLVMTypeOf(i)), version);
            continue;
        }
        LLVMValueRef copy = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(p->unit->builder, copy);
        remember_copy(p, i, copy, version);
        say_version(p->unit, copy, version);
    }
}

static void wire_copy(pass *p, LLVMBasicBlockRef block, hd_watch version)
{
    LLVMBasicBlockRef copy = block_of(p, block, version);
    for (LLVMValueRef i = LLVMGetFirstInstruction(copy); i; i = LLVMGetNextInstruction(i))
        for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++) {
            LLVMValueRef operand = LLVMGetOperand(i, n);
            if (operand)
                LLVMSetOperand(i, n, copy_of(p, operand, version));
        }
}

/* Reads the runtime's flag at the builder's position. */
static LLVMValueRef build_flag(pass *p)
{
    LLVMSetCurrentDebugLocation2(p->unit->builder, NULL);
    return hd_cc_unit_call(p->unit, p->twin ? hook_hd_shadow_watched : hook_hd_watched, NULL);
}

/* Does the function have this version? */
static bool has_version(const pass *p, hd_watch v)
{
    return v != HD_WATCH_BOUNDS || !p->twin;
}

/* At the builder's position: jumps to the version of `telling` that the flag asks for. */
static void build_choice(pass *p, LLVMBasicBlockRef telling)
{
    LLVMValueRef choice = LLVMBuildSwitch(p->unit->builder, build_flag(p), telling, HD_WATCH_ALL);
    for (hd_watch v = HD_WATCH_NOTHING; v < HD_WATCH_ALL; v++)
        if (has_version(p, v))
            LLVMAddCase(choice, hd_cc_unit_i32(p->unit, v), block_of(p, telling, v));
}

/* A block that jumps to the right version of `telling` after a change of version. */
static LLVMBasicBlockRef crossing(pass *p, LLVMBasicBlockRef telling)
{
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(p->unit->context, p->function, "");
    LLVMPositionBuilderAtEnd(p->unit->builder, block);
    build_choice(p, telling);
    return block;
}

/* Version `v` of `jump` continues in its own version, unless the flag has changed. */
static void choose_in(pass *p, LLVMValueRef jump, hd_watch v, LLVMBasicBlockRef others)
{
    LLVMBuilderRef b = p->unit->builder;
    LLVMBasicBlockRef telling = LLVMGetSuccessor(jump, 0);
    LLVMValueRef own = copy_of(p, jump, v);
    LLVMPositionBuilderBefore(b, own);
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, build_flag(p), hd_cc_unit_i32(p->unit, v), "");
    LLVMBuildCondBr(b, same, block_of(p, telling, v), others);
    if (v != HD_WATCH_ALL)
        LLVMInstructionEraseFromParent(own);
}

/* A twin leaves its quiet version, and never returns to it. */
static void choose_at(pass *p, LLVMValueRef jump)
{
    LLVMBasicBlockRef telling = LLVMGetSuccessor(jump, 0);
    if (p->twin) {
        choose_in(p, jump, HD_WATCH_NOTHING, telling);
        return;
    }
    LLVMBasicBlockRef others = crossing(p, telling);
    for (hd_watch v = HD_WATCH_NOTHING; v <= HD_WATCH_ALL; v++)
        choose_in(p, jump, v, others);
    LLVMInstructionEraseFromParent(jump);
}

static void copy_version(pass *p, const hd_cc_values *blocks, hd_watch v)
{
    for (size_t i = 0; i < blocks->count; i++)
        copy_block(p, LLVMValueAsBasicBlock(blocks->items[i]), v);
    for (size_t i = 0; i < blocks->count; i++)
        wire_copy(p, LLVMValueAsBasicBlock(blocks->items[i]), v);
}

static void copy_function(pass *p)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->function), start = split_entry(p);
    hd_cc_values blocks = { 0 };
    for (LLVMBasicBlockRef b = start; b; b = LLVMGetNextBasicBlock(b))
        hd_vec_push(&blocks, LLVMBasicBlockAsValue(b));
    for (hd_watch v = HD_WATCH_NOTHING; v < HD_WATCH_ALL; v++)
        if (has_version(p, v))
            copy_version(p, &blocks, v);
    for (size_t b = 0; b < blocks.count && !p->twin; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMValueAsBasicBlock(blocks.items[b])); i;
             i = LLVMGetNextInstruction(i))
            say_version(p->unit, i, HD_WATCH_ALL);
    hd_vec_fini(&blocks);
    for (size_t i = 0; i < p->switches.count; i++)
        choose_at(p, p->switches.items[i]);
    LLVMPositionBuilderAtEnd(p->unit->builder, entry);
    build_choice(p, start);
}

static void keep_debug_instructions(hd_cc_unit *unit)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(unit->module, false);
#else
    (void)unit;
#endif
}

void hd_cc_pass_versions(hd_cc_unit *unit, LLVMTargetMachineRef machine, bool twins)
{
    hd_vec(pass) passes = { 0 };
    keep_debug_instructions(unit);
    if (twins && is_too_large(unit))
        return;
    for (size_t i = 0; i < unit->functions.count; i++) {
        LLVMValueRef function = unit->functions.items[i];
        if (is_worth_it(unit, function, twins))
            hd_vec_push(&passes, ((pass) { .unit = unit, .function = function, .twin = twins }));
    }
    hd_cc_backend_values_to_slots(unit, machine);
    for (size_t i = 0; i < passes.count; i++)
        split_behind_calls(&passes.items[i]);
    hd_cc_backend_values_to_slots(unit, machine);
    for (size_t i = 0; i < passes.count; i++) {
        pass *p = &passes.items[i];
        for (hd_watch v = HD_WATCH_NOTHING; v < HD_WATCH_ALL; v++)
            hd_map_init(&p->copies[v], &hd_heap);
        copy_function(p);
        for (hd_watch v = HD_WATCH_NOTHING; v < HD_WATCH_ALL; v++)
            hd_map_fini(&p->copies[v]);
        hd_vec_fini(&p->switches);
    }
    hd_vec_fini(&passes);
}
