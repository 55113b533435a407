#include "compile/passes/escape.h"

#include "compile/passes/assembly.h"

#include <string.h>

enum { ESCAPES = 1, STAYS = 2 };

void hd_cc_escape_open(hd_cc_escape *escape)
{
    hd_map_init(&escape->known, &hd_heap);
}

void hd_cc_escape_close(hd_cc_escape *escape)
{
    hd_map_fini(&escape->known);
}

static bool starts_with_one_of(const char *name, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (!strncmp(name, *prefixes, strlen(*prefixes)))
            return true;
    return false;
}

/* Intrinsics that neither keep a pointer argument nor pass it on. */
static bool keeps_nothing(LLVMValueRef call)
{
    static const char *const names[] = { "llvm.lifetime.", "llvm.dbg.", "llvm.memcpy.", "llvm.memmove.", "llvm.memset.",
        "llvm.objectsize.", "llvm.va_start", "llvm.va_end", "llvm.va_copy", "llvm.invariant.", "llvm.prefetch", NULL };
    return starts_with_one_of(hd_cc_called_name(call), names);
}

/* Is the pointer used only as memory operands of inline assembly? Assembly that may do more with it is executed
 * unseen, and the verdict says so. */
static bool is_memory_operand(LLVMValueRef call, LLVMValueRef pointer)
{
    if (!hd_cc_is_assembly(call))
        return false;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        if (LLVMGetOperand(call, n) == pointer && !hd_cc_asm_is_memory_operand(call, n))
            return false;
    return true;
}

/* The result is the pointer, or a pointer into the same object: its uses count, too. */
static bool passes_on(LLVMValueRef user)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMSelect:
    case LLVMPHI:
    case LLVMFreeze:
        return true;
    default:
        return false;
    }
}

/* A use that does not pass the address on: the access itself, but not the storing of the pointer as a value. */
static bool harmless(LLVMValueRef user, LLVMValueRef pointer)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) != pointer;
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) != pointer;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) != pointer && LLVMGetOperand(user, 2) != pointer;
    case LLVMCall:
        return keeps_nothing(user) || is_memory_operand(user, pointer);
    default:
        return false;
    }
}

/* `seen` holds the values that are visited already: a cycle of phis adds no further use. */
static bool escapes(LLVMValueRef pointer, hd_map *seen)
{
    uint64_t *visited = hd_map_put(seen, (uintptr_t)pointer);
    if (*visited)
        return false;
    *visited = 1;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            return true;
        if (passes_on(user) ? escapes(user, seen) : !harmless(user, pointer))
            return true;
    }
    return false;
}

static bool stays(hd_cc_escape *escape, LLVMValueRef variable)
{
    uint64_t *known = hd_map_put(&escape->known, (uintptr_t)variable);
    if (!*known) {
        hd_map seen;
        hd_map_init(&seen, &hd_heap);
        *known = escapes(variable, &seen) ? ESCAPES : STAYS;
        hd_map_fini(&seen);
    }
    return *known == STAYS;
}

static bool is_by_value(LLVMValueRef argument)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == argument)
            return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
    return false;
}

static bool is_stack_variable(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) || (LLVMIsAArgument(value) && is_by_value(value));
}

/* The pointer that this one was computed from; NULL: it is a base. */
static LLVMValueRef step(LLVMValueRef pointer)
{
    bool instruction = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) || LLVMIsAFreezeInst(pointer);
    bool constant = LLVMIsAConstantExpr(pointer)
        && (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr || LLVMGetConstOpcode(pointer) == LLVMBitCast);
    return instruction || constant ? LLVMGetOperand(pointer, 0) : NULL;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
    for (LLVMValueRef next; (next = step(pointer));)
        pointer = next;
    return pointer;
}

LLVMValueRef hd_cc_escape_variable(LLVMValueRef pointer)
{
    pointer = base_of(pointer);
    return is_stack_variable(pointer) ? pointer : NULL;
}

/* Is every base that `pointer` may have a stack variable that does not escape, or (with `fixed_too`) a constant? A base
 * that is visited already counts as yes: it was judged at its first visit. Anything else, such as a loaded pointer or
 * a parameter, is unknown and counts as no. */
static bool every_base(hd_cc_escape *escape, LLVMValueRef pointer, bool fixed_too, hd_map *seen)
{
    pointer = base_of(pointer);
    uint64_t *visited = hd_map_put(seen, (uintptr_t)pointer);
    if (*visited)
        return true;
    *visited = 1;
    if (is_stack_variable(pointer))
        return stays(escape, pointer);
    if (LLVMIsAGlobalVariable(pointer))
        return fixed_too && LLVMIsGlobalConstant(pointer);
    if (LLVMIsASelectInst(pointer))
        return every_base(escape, LLVMGetOperand(pointer, 1), fixed_too, seen)
            && every_base(escape, LLVMGetOperand(pointer, 2), fixed_too, seen);
    if (!LLVMIsAPHINode(pointer))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++)
        if (!every_base(escape, LLVMGetIncomingValue(pointer, i), fixed_too, seen))
            return false;
    return true;
}

static bool all_bases(hd_cc_escape *escape, LLVMValueRef pointer, bool fixed_too)
{
    hd_map seen;
    hd_map_init(&seen, &hd_heap);
    bool result = every_base(escape, pointer, fixed_too, &seen);
    hd_map_fini(&seen);
    return result;
}

bool hd_cc_escape_is_local(hd_cc_escape *escape, LLVMValueRef pointer)
{
    return all_bases(escape, pointer, false);
}

bool hd_cc_escape_is_private(hd_cc_escape *escape, LLVMValueRef pointer)
{
    return all_bases(escape, pointer, true);
}
