/* Queries of the processor, without the C library: the thread pointer (%fs) and the clock (rdtsc). All threads of the
 * program run on one thread of the system, so the runtime answers. */
#include "compile/passes/passes.h"

#include <string.h>

enum { SPACE_OF_FS = 257 };

static bool is_in_thread(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == SPACE_OF_FS;
}

/* Replaces an address relative to %fs by the same address in ordinary memory. */
static void rebase(hd_cc_unit *unit, LLVMValueRef instruction, unsigned operand)
{
    LLVMValueRef pointer = LLVMGetOperand(instruction, operand);
    if (!is_in_thread(pointer))
        return;
    hd_cc_unit_before(unit, instruction);
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef offset = LLVMBuildPtrToInt(b, pointer, unit->i64, "");
    LLVMValueRef base = LLVMBuildPtrToInt(b, hd_cc_unit_call(unit, hook_hd_thread_pointer, NULL), unit->i64, "");
    LLVMSetOperand(instruction, operand, LLVMBuildIntToPtr(b, LLVMBuildAdd(b, base, offset, ""), unit->pointer, ""));
}

static void replace(LLVMValueRef call, LLVMValueRef value)
{
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

/* The counter and, for rdtscp, the number of the processor. */
static void clock(hd_cc_unit *unit, LLVMValueRef call)
{
    hd_cc_unit_before(unit, call);
    LLVMValueRef site = hd_cc_unit_site(unit, call);
    LLVMValueRef value = hd_cc_unit_call(unit, hook_hd_timestamp, &site);
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        value = LLVMBuildInsertValue(unit->builder, LLVMConstNull(type), value, 0, "");
    replace(call, value);
}

static void call(hd_cc_unit *unit, LLVMValueRef i)
{
    const char *name = hd_cc_called_name(i);
    if (!strncmp(name, "llvm.thread.pointer", 19)) {
        hd_cc_unit_before(unit, i);
        replace(i, hd_cc_unit_call(unit, hook_hd_thread_pointer, NULL));
    } else if (!strcmp(name, "llvm.x86.rdtsc") || !strcmp(name, "llvm.x86.rdtscp")
        || !strcmp(name, "llvm.readcyclecounter")) {
        clock(unit, i);
    }
}

static void visit(hd_cc_unit *unit, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        rebase(unit, i, 0);
        break;
    case LLVMStore:
        rebase(unit, i, 1);
        break;
    case LLVMCall:
        call(unit, i);
        break;
    default:
        break;
    }
}

void hd_cc_pass_machine(hd_cc_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            visit(unit, instructions->items[i]);
    }
}
