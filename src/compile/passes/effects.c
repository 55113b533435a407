#include "compile/passes/effects.h"

#include "compile/passes/assembly.h"

#include <string.h>

enum { UNDER_JUDGEMENT = 1, CALM = 2, NOT_CALM = 3 };

static const char *const judged_by_runtime[] = {
#define JUDGED(name) #name,
#include "abi/judged.def"
#undef JUDGED
};

void hd_cc_effects_open(hd_cc_effects *effects, hd_cc_unit *unit)
{
    effects->unit = unit;
    hd_map_init(&effects->calm, &hd_heap);
}

void hd_cc_effects_close(hd_cc_effects *effects)
{
    hd_map_fini(&effects->calm);
}

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* A function of the C library whose effects the runtime judges in every round. The program may have its own function of
 * this name in another file: then the runtime treats no loop as PURE (hd_owners_judged_are_libcs). */
static bool is_judged_by_runtime(LLVMValueRef function, const char *name)
{
    if (!LLVMIsDeclaration(function))
        return false;
    for (size_t i = 0; i < sizeof judged_by_runtime / sizeof *judged_by_runtime; i++)
        if (!strcmp(name, judged_by_runtime[i]))
            return true;
    return false;
}

static bool touches_no_memory(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static unsigned effects_of_intrinsic(LLVMValueRef function, const char *name)
{
    static const char *const idle[] = { "llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.prefetch",
        "llvm.x86.sse2.pause" };
    static const char *const storing[] = { "llvm.memcpy.", "llvm.memmove.", "llvm.memset." };
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (starts_with(name, idle[i]))
            return 0;
    for (size_t i = 0; i < sizeof storing / sizeof *storing; i++)
        if (starts_with(name, storing[i]))
            return HD_EFFECT_STORES | HD_EFFECT_READS;
    return touches_no_memory(function) ? 0 : HD_EFFECT_CHANGES;
}

/* Does the store go to a stack variable of the function, which ends with the call? */
static bool stores_to_itself(LLVMValueRef instruction)
{
    LLVMValueRef variable = hd_cc_escape_variable(hd_cc_effect_target(instruction));
    return variable && LLVMIsAAllocaInst(variable);
}

static bool judge_calm(hd_cc_effects *effects, LLVMValueRef function)
{
    hd_cc_escape escape;
    hd_cc_escape_open(&escape);
    bool calm = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && calm; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && calm; i = LLVMGetNextInstruction(i)) {
            unsigned set = hd_cc_effects_of(effects, &escape, i);
            calm = !(set & HD_EFFECT_CHANGES) && (!(set & HD_EFFECT_STORES) || stores_to_itself(i));
        }
    hd_cc_escape_close(&escape);
    return calm;
}

/* A recursive function is not calm: while it is being judged, it counts as not calm. */
static bool is_calm(hd_cc_effects *effects, LLVMValueRef function)
{
    uint64_t *known = hd_map_put(&effects->calm, (uintptr_t)function);
    if (!*known) {
        *known = UNDER_JUDGEMENT;
        bool calm = judge_calm(effects, function);
        *hd_map_put(&effects->calm, (uintptr_t)function) = calm ? CALM : NOT_CALM;
        return calm;
    }
    return *known == CALM;
}

/* Is it a definition that no other object can replace when the program is linked? */
static bool is_final(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return !LLVMIsDeclaration(function) && linkage != LLVMWeakAnyLinkage && linkage != LLVMLinkOnceAnyLinkage;
}

static unsigned effects_of_call(hd_cc_effects *effects, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return hd_cc_assembly_judge(call) == HD_ASSEMBLY_NOTHING ? 0 : HD_EFFECT_WAITS | HD_EFFECT_CHANGES;
    if (!LLVMIsAFunction(callee))
        return HD_EFFECT_WAITS | HD_EFFECT_CHANGES;
    const char *name = hd_cc_called_name(call);
    if (starts_with(name, "llvm."))
        return effects_of_intrinsic(callee, name);
    if (is_judged_by_runtime(callee, name) || (is_final(callee) && is_calm(effects, callee)))
        return HD_EFFECT_WAITS;
    return HD_EFFECT_WAITS | HD_EFFECT_CHANGES;
}

LLVMValueRef hd_cc_effect_target(LLVMValueRef instruction)
{
    return LLVMGetOperand(instruction, LLVMIsAStoreInst(instruction) ? 1 : 0);
}

/* A store to a variable that does not escape is still reported: it may be carried to the next round. */
static unsigned effects_of_access(hd_cc_escape *escape, LLVMValueRef i)
{
    bool is_store = LLVMIsAStoreInst(i);
    bool special = LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    unsigned access = is_store ? HD_EFFECT_STORES : HD_EFFECT_READS;
    if (hd_cc_escape_is_private(escape, LLVMGetOperand(i, is_store ? 1 : 0)))
        return is_store ? access : 0;
    return special ? access | HD_EFFECT_WAITS : access;
}

static bool is_in_entry(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    return block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

unsigned hd_cc_effects_of(hd_cc_effects *effects, hd_cc_escape *escape, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
        return effects_of_access(escape, i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return hd_cc_escape_is_private(escape, LLVMGetOperand(i, 0)) ? HD_EFFECT_STORES : HD_EFFECT_WAITS;
    case LLVMFence:
        return LLVMIsAtomicSingleThread(i) ? 0 : HD_EFFECT_WAITS;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return effects_of_call(effects, i);
    case LLVMAlloca:
        return is_in_entry(i) ? 0 : HD_EFFECT_CHANGES;
    case LLVMVAArg:
        return HD_EFFECT_CHANGES;
    default:
        return 0;
    }
}
