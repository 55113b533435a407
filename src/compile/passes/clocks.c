/* Branches on what a clock says: hd_clock_decides before each.
 *
 * Virtual time goes on in one way only, so such a branch goes one way where real
 * time could take it another. The verdict names the first one that is executed.
 *
 * What comes from a clock is followed through a unit, over all functions until
 * nothing is added: from the results of clock functions and the memory that they
 * write, through computations, variables, fields (of all objects of a type),
 * arguments and results. Other units and indirect calls are not looked at. */
#include "base/map.h"
#include "compile/passes/passes.h"

#include <string.h>

typedef struct pass {
    hd_unit *unit;
    hd_map marks; /* values, places in memory, functions whose result it is */
    bool grew;
} pass;

/* Functions that write the time to their argument, and those that return it (-1). */
static const struct source {
    const char *name;
    int argument;
} sources[] = { { "time", -1 }, { "time", 0 }, { "clock", -1 }, { "hd_timestamp", -1 }, { "clock_gettime", 1 },
    { "gettimeofday", 0 }, { "timespec_get", 0 }, { "getrusage", 1 }, { "times", 0 }, { "times", -1 }, { "ftime", 0 } };

static bool is_marked(const pass *p, uint64_t key)
{
    return hd_map_get(&p->marks, key) != NULL;
}

static void mark(pass *p, uint64_t key)
{
    uint64_t *known = hd_map_put(&p->marks, key);
    p->grew |= !*known;
    *known = 1;
}

static bool is_time_structure(LLVMTypeRef type)
{
    static const char *const names[] = { "struct.timespec", "struct.timeval", "struct.rusage", "struct.tms" };
    const char *name = LLVMGetStructName(type);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

/* What stands for the memory behind a pointer. */
static uint64_t place_of(LLVMValueRef pointer)
{
    bool steps = LLVMIsAGetElementPtrInst(pointer)
        || (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
    if (!steps)
        return (uintptr_t)pointer;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    LLVMValueRef last = LLVMGetOperand(pointer, (unsigned)LLVMGetNumOperands(pointer) - 1);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMIsAConstantInt(last) || is_time_structure(type))
        return place_of(LLVMGetOperand(pointer, 0));
    return hd_hash((uintptr_t)type ^ hd_hash(LLVMConstIntGetZExtValue(last)));
}

static void mark_source(pass *p, LLVMValueRef call)
{
    const char *name = hd_called_name(call);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        int argument = sources[i].argument;
        if (strcmp(name, sources[i].name))
            continue;
        if (argument < 0)
            mark(p, (uintptr_t)call);
        else if ((unsigned)argument < LLVMGetNumArgOperands(call))
            mark(p, place_of(LLVMGetOperand(call, (unsigned)argument)));
    }
}

static bool any_operand(const pass *p, LLVMValueRef i)
{
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (operand && is_marked(p, (uintptr_t)operand))
            return true;
    }
    return false;
}

/* Is an argument that is no pointer marked? Functions of the library compute with it. */
static bool any_number(const pass *p, LLVMValueRef call)
{
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMValueRef given = LLVMGetOperand(call, n);
        if (LLVMGetTypeKind(LLVMTypeOf(given)) != LLVMPointerTypeKind && is_marked(p, (uintptr_t)given))
            return true;
    }
    return false;
}

static void follow_call(pass *p, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    mark_source(p, call);
    if (!LLVMIsAFunction(callee))
        return;
    if (!strncmp(hd_called_name(call), "llvm.mem", strlen("llvm.mem")) && LLVMGetNumArgOperands(call) > 1
        && is_marked(p, place_of(LLVMGetOperand(call, 1))))
        mark(p, place_of(LLVMGetOperand(call, 0)));
    if (LLVMIsDeclaration(callee)) {
        if (any_number(p, call))
            mark(p, (uintptr_t)call);
        return;
    }
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call) && n < LLVMCountParams(callee); n++) {
        LLVMValueRef given = LLVMGetOperand(call, n), taken = LLVMGetParam(callee, n);
        if (is_marked(p, (uintptr_t)given) || is_marked(p, place_of(given)))
            mark(p, (uintptr_t)taken);
        if (is_marked(p, (uintptr_t)taken) && LLVMGetTypeKind(LLVMTypeOf(taken)) == LLVMPointerTypeKind)
            mark(p, place_of(given));
    }
    if (is_marked(p, (uintptr_t)callee))
        mark(p, (uintptr_t)call);
}

static void follow(pass *p, LLVMValueRef function, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        follow_call(p, i);
        break;
    case LLVMLoad:
        if (is_marked(p, place_of(LLVMGetOperand(i, 0))))
            mark(p, (uintptr_t)i);
        break;
    case LLVMStore:
        if (is_marked(p, (uintptr_t)LLVMGetOperand(i, 0)))
            mark(p, place_of(LLVMGetOperand(i, 1)));
        break;
    case LLVMRet:
        if (any_operand(p, i))
            mark(p, (uintptr_t)function);
        break;
    case LLVMGetElementPtr:
    case LLVMBr:
    case LLVMSwitch:
        break;
    default:
        if (any_operand(p, i))
            mark(p, (uintptr_t)i);
    }
}

/* Comparisons that bring a fraction of a second into its range, and those with the
 * error of a clock, say nothing of how much time has passed. */
static bool is_harmless(LLVMValueRef condition)
{
    static const int64_t bounds[] = { 1000000000, 999999999, 1000000, 999999, -1 };
    LLVMValueRef bound = LLVMIsAICmpInst(condition) ? LLVMGetOperand(condition, 1) : NULL;
    for (size_t i = 0; bound && LLVMIsAConstantInt(bound) && i < sizeof bounds / sizeof *bounds; i++)
        if (LLVMConstIntGetSExtValue(bound) == bounds[i])
            return true;
    return false;
}

static LLVMValueRef condition_of(LLVMValueRef i)
{
    bool decides = (LLVMIsABranchInst(i) && LLVMIsConditional(i)) || LLVMIsASwitchInst(i) || LLVMIsASelectInst(i);
    return decides ? LLVMGetOperand(i, LLVMIsABranchInst(i) ? (unsigned)LLVMGetNumOperands(i) - 3 : 0) : NULL;
}

static void tell(pass *p, LLVMValueRef i)
{
    LLVMValueRef condition = condition_of(i);
    if (!condition || !is_marked(p, (uintptr_t)condition) || is_harmless(condition))
        return;
    LLVMValueRef site = hd_unit_site(p->unit, i);
    hd_unit_before(p->unit, i);
    hd_unit_call(p->unit, hook_hd_clock_decides, &site);
}

void hd_pass_clocks(hd_unit *unit)
{
    pass p = { .unit = unit, .grew = true };
    hd_map_init(&p.marks, &hd_heap);
    while (p.grew) {
        p.grew = false;
        for (size_t f = 0; f < unit->functions.count; f++) {
            const hd_values *instructions = hd_unit_instructions(unit, unit->functions.items[f]);
            for (size_t i = 0; i < instructions->count; i++)
                follow(&p, unit->functions.items[f], instructions->items[i]);
        }
    }
    for (size_t f = 0; f < unit->functions.count; f++) {
        const hd_values *instructions = hd_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            tell(&p, instructions->items[i]);
    }
    hd_map_fini(&p.marks);
}
