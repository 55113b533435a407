/* Hooks for loads, stores, block copies, atomics and fences, before the instruction. A hook may switch threads; the
 * instruction follows without interruption, so both are one step. */
#include "abi/site.h"
#include "compile/passes/assembly.h"
#include "compile/passes/escape.h"
#include "compile/passes/passes.h"

#include <string.h>

enum { LARGEST_BUFFERED_COPY = 256 };

typedef struct pass {
    hd_cc_unit *unit;
    hd_cc_escape escape;
    LLVMValueRef function;
} pass;

static bool is_default_space(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0;
}

/* Does an access through the pointer need a hook? */
static bool is_shared(pass *p, LLVMValueRef pointer)
{
    return is_default_space(pointer) && !hd_cc_escape_is_private(&p->escape, pointer);
}

static bool is_word(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static uint64_t bytes_of(pass *p, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(p->unit->layout, type);
}

static LLVMValueRef info(pass *p, uint64_t bytes, LLVMAtomicOrdering order, bool is_volatile, unsigned operation)
{
    return hd_cc_unit_i32(p->unit,
        (uint32_t)(bytes & HD_INFO_SIZE) | (uint32_t)order << HD_INFO_ORDER_SHIFT | (is_volatile ? HD_INFO_VOLATILE : 0)
            | operation);
}

/* An aligned access of up to 8 bytes is within one cell and has the fast hook; all others are ranges. */
static void plain(pass *p, LLVMValueRef instruction, LLVMValueRef pointer, LLVMTypeRef type, bool is_write)
{
    uint64_t bytes = bytes_of(p, type);
    LLVMValueRef site = hd_cc_unit_site(p->unit, instruction);
    if (is_word(bytes) && LLVMGetAlignment(instruction) >= bytes) {
        LLVMValueRef word = info(p, bytes, LLVMAtomicOrderingNotAtomic, LLVMGetVolatile(instruction), 0);
        hd_cc_unit_call(p->unit, is_write ? hook_hd_write : hook_hd_read, (LLVMValueRef[]) { pointer, word, site });
    } else if (bytes) {
        LLVMValueRef count = hd_cc_unit_i64(p->unit, bytes);
        hd_cc_unit_call(
            p->unit, is_write ? hook_hd_write_range : hook_hd_read_range, (LLVMValueRef[]) { pointer, count, site });
    }
}

/* A value as the 64 bits that are passed to hooks. */
static LLVMValueRef as_i64(pass *p, LLVMValueRef value)
{
    LLVMBuilderRef b = p->unit->builder;
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(b, value, p->unit->i64, "");
    if (kind != LLVMIntegerTypeKind) {
        unsigned bits = (unsigned)LLVMSizeOfTypeInBits(p->unit->layout, type);
        value = LLVMBuildBitCast(b, value, LLVMIntTypeInContext(p->unit->context, bits), "");
    }
    return LLVMBuildIntCast2(b, value, p->unit->i64, false, "");
}

static void load(pass *p, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    if (!is_shared(p, pointer))
        return;
    hd_cc_unit_before(p->unit, i);
    LLVMAtomicOrdering order = LLVMGetOrdering(i);
    if (order == LLVMAtomicOrderingNotAtomic) {
        plain(p, i, pointer, LLVMTypeOf(i), false);
        return;
    }
    LLVMValueRef word = info(p, bytes_of(p, LLVMTypeOf(i)), order, LLVMGetVolatile(i), 0);
    hd_cc_unit_call(p->unit, hook_hd_atomic_load, (LLVMValueRef[]) { pointer, word, hd_cc_unit_site(p->unit, i) });
}

static void store(pass *p, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
    if (!is_shared(p, pointer))
        return;
    hd_cc_unit_before(p->unit, i);
    LLVMAtomicOrdering order = LLVMGetOrdering(i);
    if (order == LLVMAtomicOrderingNotAtomic) {
        plain(p, i, pointer, LLVMTypeOf(value), true);
        return;
    }
    LLVMValueRef word = info(p, bytes_of(p, LLVMTypeOf(value)), order, LLVMGetVolatile(i), 0);
    LLVMValueRef site = hd_cc_unit_site(p->unit, i);
    hd_cc_unit_call(p->unit, hook_hd_atomic_store, (LLVMValueRef[]) { pointer, word, site, as_i64(p, value) });
}

/* The runtime is told whether the operand is a constant: then it does not depend on inputs. */
static void read_modify_write(pass *p, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
    if (!is_shared(p, pointer))
        return;
    hd_cc_unit_before(p->unit, i);
    unsigned operation = (unsigned)LLVMGetAtomicRMWBinOp(i) << HD_INFO_RMW_SHIFT;
    if (LLVMIsConstant(operand))
        operation |= HD_INFO_CONSTANT;
    LLVMValueRef word = info(p, bytes_of(p, LLVMTypeOf(operand)), LLVMGetOrdering(i), LLVMGetVolatile(i), operation);
    LLVMValueRef site = hd_cc_unit_site(p->unit, i);
    hd_cc_unit_call(p->unit, hook_hd_atomic_rmw, (LLVMValueRef[]) { pointer, word, site, as_i64(p, operand) });
}

static void compare_exchange(pass *p, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0), expected = LLVMGetOperand(i, 1), desired = LLVMGetOperand(i, 2);
    if (!is_shared(p, pointer))
        return;
    hd_cc_unit_before(p->unit, i);
    LLVMValueRef word =
        info(p, bytes_of(p, LLVMTypeOf(expected)), LLVMGetCmpXchgSuccessOrdering(i), LLVMGetVolatile(i), 0);
    LLVMValueRef site = hd_cc_unit_site(p->unit, i);
    hd_cc_unit_call(
        p->unit, hook_hd_atomic_cas, (LLVMValueRef[]) { pointer, word, site, as_i64(p, expected), as_i64(p, desired) });
}

/* From the printed instruction: the C API of LLVM 16 has no function for the ordering of a fence. */
static LLVMAtomicOrdering fence_order(LLVMValueRef i)
{
    static const struct {
        const char *name;
        LLVMAtomicOrdering order;
    } orders[] = { { " acquire", LLVMAtomicOrderingAcquire }, { " release", LLVMAtomicOrderingRelease },
        { " acq_rel", LLVMAtomicOrderingAcquireRelease } };
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    char *text = LLVMPrintValueToString(i);
    for (size_t n = 0; n < sizeof orders / sizeof *orders; n++)
        if (strstr(text, orders[n].name))
            order = orders[n].order;
    LLVMDisposeMessage(text);
    return order;
}

static void fence(pass *p, LLVMValueRef i)
{
    if (LLVMIsAtomicSingleThread(i))
        return;
    hd_cc_unit_before(p->unit, i);
    LLVMValueRef word = info(p, 0, fence_order(i), false, 0);
    hd_cc_unit_call(p->unit, hook_hd_fence, (LLVMValueRef[]) { word, hd_cc_unit_site(p->unit, i) });
}

static bool is_nothing(LLVMValueRef length)
{
    return LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) == 0;
}

static void range(pass *p, hd_cc_hook hook, LLVMValueRef pointer, LLVMValueRef length, LLVMValueRef site)
{
    LLVMValueRef bytes = LLVMBuildIntCast2(p->unit->builder, length, p->unit->i64, false, "");
    hd_cc_unit_call(p->unit, hook, (LLVMValueRef[]) { pointer, bytes, site });
}

/* A copy whose source and target are both shared reads and writes in two steps. The bytes go through a buffer, so that
 * they are those at the time of the read. */
static void copy_in_two_steps(pass *p, LLVMValueRef i, uint64_t bytes)
{
    hd_cc_unit *unit = p->unit;
    LLVMValueRef target = LLVMGetOperand(i, 0), source = LLVMGetOperand(i, 1);
    LLVMValueRef count = hd_cc_unit_i64(unit, bytes), site = hd_cc_unit_site(unit, i);
    LLVMTypeRef type = LLVMArrayType(LLVMInt8TypeInContext(unit->context), (unsigned)bytes);
    hd_cc_unit_at_top(unit, LLVMGetEntryBasicBlock(p->function));
    LLVMValueRef buffer = LLVMBuildAlloca(unit->builder, type, "");
    LLVMSetAlignment(buffer, 16);
    hd_cc_unit_before(unit, i);
    range(p, hook_hd_read_range, source, count, site);
    LLVMBuildMemCpy(unit->builder, buffer, 16, source, 1, count);
    range(p, hook_hd_write_range, target, count, site);
    LLVMBuildMemCpy(unit->builder, target, 1, buffer, 16, count);
    LLVMInstructionEraseFromParent(i);
}

/* The same for any length: the runtime's memmove performs both steps. */
static void copy_in_runtime(pass *p, LLVMValueRef i)
{
    hd_cc_unit *unit = p->unit;
    LLVMTypeRef types[] = { unit->pointer, unit->pointer, unit->i64 };
    LLVMTypeRef type = LLVMFunctionType(unit->pointer, types, 3, false);
    LLVMValueRef memmove = hd_cc_unit_function(unit, "memmove", type);
    hd_cc_unit_before(unit, i);
    LLVMValueRef length = LLVMBuildIntCast2(unit->builder, LLVMGetOperand(i, 2), unit->i64, false, "");
    LLVMBuildCall2(
        unit->builder, type, memmove, (LLVMValueRef[]) { LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), length }, 3, "");
    LLVMInstructionEraseFromParent(i);
}

/* A copy of which only one side is shared is one access, before the copy itself. */
static void copy(pass *p, LLVMValueRef i)
{
    LLVMValueRef target = LLVMGetOperand(i, 0), source = LLVMGetOperand(i, 1), length = LLVMGetOperand(i, 2);
    bool reads = is_shared(p, source), writes = is_shared(p, target);
    if (is_nothing(length))
        return;
    bool constant = LLVMIsAConstantInt(length);
    if (reads && writes && constant && LLVMConstIntGetZExtValue(length) <= LARGEST_BUFFERED_COPY) {
        copy_in_two_steps(p, i, LLVMConstIntGetZExtValue(length));
    } else if (reads && writes) {
        copy_in_runtime(p, i);
    } else if (reads || writes) {
        hd_cc_unit_before(p->unit, i);
        range(p, reads ? hook_hd_read_range : hook_hd_write_range, reads ? source : target, length,
            hd_cc_unit_site(p->unit, i));
    }
}

static void set(pass *p, LLVMValueRef i)
{
    if (is_nothing(LLVMGetOperand(i, 2)) || !is_shared(p, LLVMGetOperand(i, 0)))
        return;
    hd_cc_unit_before(p->unit, i);
    range(p, hook_hd_write_range, LLVMGetOperand(i, 0), LLVMGetOperand(i, 2), hd_cc_unit_site(p->unit, i));
}

/* The call itself copies structures that are passed by value on the stack: it reads them. */
static void by_value_arguments(pass *p, LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(call, n + 1, kind);
        LLVMValueRef pointer = LLVMGetOperand(call, n);
        if (!by_value || !is_shared(p, pointer))
            continue;
        uint64_t bytes = LLVMABISizeOfType(p->unit->layout, LLVMGetTypeAttributeValue(by_value));
        hd_cc_unit_before(p->unit, call);
        range(p, hook_hd_read_range, pointer, hd_cc_unit_i64(p->unit, bytes), hd_cc_unit_site(p->unit, call));
    }
}

/* Assembly that was not lifted accesses its memory operands. If it may access other shared memory, hd_unseen is called
 * before it. */
static void assembly(pass *p, LLVMValueRef call)
{
    hd_cc_asm a;
    hd_cc_asm_open(&a, call);
    hd_cc_assembly_kind kind = hd_cc_assembly_judge(call);
    bool unseen = kind == HD_ASSEMBLY_UNSEEN && (a.operands.clobbers_memory || !a.operands.is_understood);
    bool has_pointers = false; /* without any, it gets its addresses elsewhere */
    hd_cc_unit_before(p->unit, call);
    for (unsigned n = 0; kind != HD_ASSEMBLY_NOTHING && n < a.operands.count; n++) {
        const hd_cc_asm_operand *o = &a.operands.items[n];
        bool is_pointer = o->value && LLVMGetTypeKind(LLVMTypeOf(o->value)) == LLVMPointerTypeKind;
        has_pointers |= is_pointer;
        if (!is_pointer || !is_shared(p, o->value))
            continue;
        unseen |= kind == HD_ASSEMBLY_UNSEEN;
        if (o->is_memory)
            range(p, o->is_output ? hook_hd_write_range : hook_hd_read_range, o->value,
                hd_cc_unit_i64(p->unit, bytes_of(p, o->type)), hd_cc_unit_site(p->unit, call));
    }
    if (unseen || (kind == HD_ASSEMBLY_UNSEEN && !has_pointers))
        hd_cc_unit_call(p->unit, hook_hd_unseen, (LLVMValueRef[]) { hd_cc_unit_site(p->unit, call) });
    hd_cc_asm_close(&a);
}

static void call(pass *p, LLVMValueRef i)
{
    if (hd_cc_is_assembly(i)) {
        assembly(p, i);
        return;
    }
    const char *name = hd_cc_called_name(i);
    if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13))
        copy(p, i);
    else if (!strncmp(name, "llvm.memset.", 12))
        set(p, i);
    else
        by_value_arguments(p, i);
}

static void visit(pass *p, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        load(p, i);
        break;
    case LLVMStore:
        store(p, i);
        break;
    case LLVMAtomicRMW:
        read_modify_write(p, i);
        break;
    case LLVMAtomicCmpXchg:
        compare_exchange(p, i);
        break;
    case LLVMFence:
        fence(p, i);
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        call(p, i);
        break;
    default:
        break;
    }
}

void hd_cc_pass_accesses(hd_cc_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        pass p = { .unit = unit, .function = unit->functions.items[f] };
        hd_cc_escape_open(&p.escape);
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, p.function);
        for (size_t i = 0; i < instructions->count; i++)
            visit(&p, instructions->items[i]);
        hd_cc_escape_close(&p.escape);
    }
}
