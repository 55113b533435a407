/* Two versions of every function: one that tells of its accesses, and a quiet
 * one that does not, for the time when nobody needs to hear of them (one thread
 * exists, and what it does has been checked before). Both are in the function;
 * the runtime's flag decides at the entry and, because the flag can change in
 * calls, behind every call, so control passes between the versions there.
 *
 * LLVM does the hard part: reg2mem puts every value that lives across blocks in
 * a stack slot, so that the blocks can be copied and wired at will, and the
 * optimiser takes the slots away again. */
#include "base/map.h"
#include "compile/passes/backend.h"
#include "compile/passes/passes.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

typedef struct pass {
    hd_unit *unit;
    LLVMValueRef function;
    hd_map copies; /* instruction or block of the telling version → of the quiet one */
    hd_values switches; /* jumps where control may pass to the other version */
} pass;

static bool is_hook(LLVMValueRef call)
{
    return !strncmp(hd_called_name(call), "hd_", 3) && hd_unit_is_hook(hd_called_name(call));
}

/* Not needed while nobody listens: plain accesses, and loops, in which one
 * thread alone waits for nobody. */
static bool is_quiet_hook(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i))
        return false;
    const char *name = hd_called_name(i);
    return hd_unit_inline_hook(name) || !strcmp(name, "hd_loop");
}

/* A call in which the flag can change. */
static bool may_switch(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && !is_hook(i)
        && strncmp(hd_called_name(i), "llvm.", 5) != 0;
}

static bool has_attribute(LLVMValueRef call, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind)
        || (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

/* What cannot be copied so simply: blocks whose address is known, exceptional
 * control flow, functions that return twice, stack of variable size. */
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

static bool is_worth_it(hd_unit *unit, LLVMValueRef function)
{
    enum { MOST_INSTRUCTIONS = 20000 };
    hd_values *instructions = hd_unit_instructions(unit, function);
    bool tells = false;
    for (size_t i = 0; i < instructions->count; i++) {
        if (is_awkward(instructions->items[i]))
            return false;
        tells |= is_quiet_hook(instructions->items[i]);
    }
    return tells && instructions->count <= MOST_INSTRUCTIONS;
}

static void move_to(hd_unit *unit, LLVMValueRef first, LLVMBasicBlockRef block, bool (*stays)(LLVMValueRef))
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

/* What stands behind `instruction` goes to a block of its own. */
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
    hd_values *instructions = hd_unit_instructions(p->unit, p->function);
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

/* The entry keeps the stack variables, which both versions share. */
static LLVMBasicBlockRef split_entry(pass *p)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->function);
    LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(p->unit->context, p->function, "");
    LLVMMoveBasicBlockAfter(rest, entry);
    move_to(p->unit, LLVMGetFirstInstruction(entry), rest, is_alloca);
    return rest;
}

static LLVMValueRef copy_of(const pass *p, LLVMValueRef value)
{
    const uint64_t *copy = hd_map_get(&p->copies, (uintptr_t)value);
    return copy ? (LLVMValueRef)(uintptr_t)*copy : value;
}

static void remember_copy(pass *p, LLVMValueRef value, LLVMValueRef copy)
{
    *hd_map_put(&p->copies, (uintptr_t)value) = (uintptr_t)copy;
}

static void copy_block(pass *p, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef quiet = LLVMAppendBasicBlockInContext(p->unit->context, p->function, "");
    remember_copy(p, LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(quiet));
    LLVMPositionBuilderAtEnd(p->unit->builder, quiet);
    LLVMSetCurrentDebugLocation2(p->unit->builder, NULL);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (is_quiet_hook(i) || (LLVMIsACallInst(i) && !strncmp(hd_called_name(i), "llvm.dbg.", 9)))
            continue;
        LLVMValueRef copy = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(p->unit->builder, copy);
        remember_copy(p, i, copy);
    }
}

static void wire_copy(pass *p, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef quiet = LLVMValueAsBasicBlock(copy_of(p, LLVMBasicBlockAsValue(block)));
    for (LLVMValueRef i = LLVMGetFirstInstruction(quiet); i; i = LLVMGetNextInstruction(i))
        for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++) {
            LLVMValueRef operand = LLVMGetOperand(i, n);
            if (operand)
                LLVMSetOperand(i, n, copy_of(p, operand));
        }
}

/* At the builder's place: to the telling version if the runtime wants to hear. */
static void build_choice(pass *p, LLVMBasicBlockRef telling, LLVMBasicBlockRef quiet)
{
    LLVMBuilderRef b = p->unit->builder;
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef flag = hd_unit_call(p->unit, hook_hd_watched, NULL);
    LLVMValueRef wanted = LLVMBuildICmp(b, LLVMIntNE, flag, hd_unit_i32(p->unit, 0), "");
    LLVMBuildCondBr(b, wanted, telling, quiet);
}

static void choose_at(pass *p, LLVMValueRef jump, LLVMBasicBlockRef telling, LLVMBasicBlockRef quiet)
{
    LLVMPositionBuilderBefore(p->unit->builder, jump);
    build_choice(p, telling, quiet);
    LLVMInstructionEraseFromParent(jump);
}

static void copy_function(pass *p)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->function), start = split_entry(p);
    hd_values blocks = { 0 };
    for (LLVMBasicBlockRef b = start; b; b = LLVMGetNextBasicBlock(b))
        hd_vec_push(&blocks, LLVMBasicBlockAsValue(b));
    for (size_t i = 0; i < blocks.count; i++)
        copy_block(p, LLVMValueAsBasicBlock(blocks.items[i]));
    for (size_t i = 0; i < blocks.count; i++)
        wire_copy(p, LLVMValueAsBasicBlock(blocks.items[i]));
    hd_vec_fini(&blocks);
    for (size_t i = 0; i < p->switches.count; i++) {
        LLVMValueRef jump = p->switches.items[i], quiet_jump = copy_of(p, jump);
        LLVMBasicBlockRef telling = LLVMGetSuccessor(jump, 0), quiet = LLVMGetSuccessor(quiet_jump, 0);
        choose_at(p, jump, telling, quiet);
        choose_at(p, quiet_jump, telling, quiet);
    }
    LLVMPositionBuilderAtEnd(p->unit->builder, entry);
    build_choice(p, start, LLVMValueAsBasicBlock(copy_of(p, LLVMBasicBlockAsValue(start))));
}

static void keep_debug_instructions(hd_unit *unit)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(unit->module, false);
#else
    (void)unit;
#endif
}

void hd_pass_versions(hd_unit *unit, LLVMTargetMachineRef machine)
{
    hd_vec(pass) passes = { 0 };
    keep_debug_instructions(unit);
    for (size_t i = 0; i < unit->functions.count; i++)
        if (is_worth_it(unit, unit->functions.items[i]))
            hd_vec_push(&passes, ((pass) { .unit = unit, .function = unit->functions.items[i] }));
    hd_backend_values_to_slots(unit, machine);
    for (size_t i = 0; i < passes.count; i++)
        split_behind_calls(&passes.items[i]);
    hd_backend_values_to_slots(unit, machine);
    for (size_t i = 0; i < passes.count; i++) {
        pass *p = &passes.items[i];
        hd_map_init(&p->copies, &hd_heap);
        copy_function(p);
        hd_map_fini(&p->copies);
        hd_vec_fini(&p->switches);
    }
    hd_vec_fini(&passes);
}
