#include "compile/passes/allowed.h"

#include "compile/passes/assembly.h"
#include "compile/passes/escape.h"
#include "compile/wrap.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef struct pass {
    hd_cc_unit *unit;
    hd_cc_bounds *bounds;
    hd_map numbers; /* function → its number + 1 */
    hd_cc_escape escape;
    hd_map known; /* hash of an item of the current function → 1 */
    hd_map pointers; /* pointer variable → 1 */
    hd_map sites; /* number of a site of the unit → 1 */
} pass;

typedef enum callee_kind { UNLISTED, CONFINED, KEEPS, REGISTERS } callee_kind;

static const struct callee {
    const char *name;
    callee_kind kind;
    int called;
    uint64_t size; /* of what its first argument points to; 0: unknown */
} callees[] = {
#define CONFINED(name) { #name, CONFINED, -1, 0 },
#define SYNC(name, type) { #name, CONFINED, -1, sizeof(type) },
#define KEEPS(name, called) { #name, KEEPS, called, 0 },
#define REGISTERS(name) { #name, REGISTERS, -1, 0 },
#include "abi/confined.def"
#undef CONFINED
#undef SYNC
#undef KEEPS
#undef REGISTERS
};

static const char *const modelled[] = {
#define REDIRECT(name) #name,
#define PROVIDE(name) #name,
#define REDIRECT_AS(name, other) #name,
#define REDIRECT_UNUSED(name) #name,
#define UNMODELLED(name) #name,
#include "abi/redirect.def"
#undef REDIRECT
#undef PROVIDE
#undef REDIRECT_AS
#undef REDIRECT_UNUSED
#undef UNMODELLED
};

/* --- items ------------------------------------------------------------------------------- */

static void add_at(pass *p, hd_allowed_kind kind, LLVMValueRef symbol, uint64_t offset, uint64_t number)
{
    size_t length;
    uint64_t key[] = { (uint64_t)kind, (uintptr_t)symbol, offset, number };
    uint64_t *known = hd_map_put(&p->known, hd_hash_bytes(key, sizeof key, 1));
    if (*known)
        return;
    *known = 1;
    const char *name = symbol ? hd_arena_copy(&p->unit->texts, LLVMGetValueName2(symbol, &length)) : NULL;
    hd_vec_push(&p->bounds->items, ((hd_cc_bound) { kind, name, offset, number }));
}

static void add(pass *p, hd_allowed_kind kind, LLVMValueRef symbol, uint64_t number)
{
    add_at(p, kind, symbol, 0, number);
}

/* --- calls --------------------------------------------------------------------------------- */

static bool is_intrinsic(const char *name)
{
    return !strncmp(name, "llvm.", strlen("llvm."));
}

/* A function of another file, about which abi/confined.def says something; intrinsics are confined. */
static struct callee callee_of(LLVMValueRef call)
{
    const char *name = hd_cc_called_name(call);
    LLVMValueRef function = LLVMGetCalledValue(call);
    if (is_intrinsic(name))
        return (
            struct callee) { name, LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind ? KEEPS : CONFINED, -1, 0 };
    for (size_t i = 0; *name && i < sizeof callees / sizeof *callees; i++)
        if (!strcmp(callees[i].name, name) && LLVMIsDeclaration(function))
            return callees[i];
    return (struct callee) { name, UNLISTED, -1, 0 };
}

/* --- which variables and functions unknown pointers may point to --------------------------------- */

static bool leaks(LLVMValueRef pointer, hd_map *seen);

static bool leaks_by_call(LLVMValueRef call, LLVMValueRef pointer)
{
    struct callee callee = callee_of(call);
    if (LLVMGetCalledValue(call) == pointer)
        return false;
    return hd_cc_is_assembly(call) || callee.kind != CONFINED;
}

static bool leaks_by_use(LLVMValueRef user, LLVMValueRef pointer, hd_map *seen)
{
    if (LLVMIsAConstantExpr(user))
        return LLVMGetConstOpcode(user) != LLVMGetElementPtr || leaks(user, seen);
    if (!LLVMIsAInstruction(user))
        return true;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return false;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMSelect:
    case LLVMPHI:
    case LLVMFreeze:
        return leaks(user, seen);
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, LLVMIsAStoreInst(user) ? 0 : 1) == pointer
            || (LLVMIsAAtomicCmpXchgInst(user) && LLVMGetOperand(user, 2) == pointer);
    default:
        return !hd_cc_is_call(user) || leaks_by_call(user, pointer);
    }
}

static bool leaks(LLVMValueRef pointer, hd_map *seen)
{
    uint64_t *visited = hd_map_put(seen, (uintptr_t)pointer);
    if (*visited)
        return false;
    *visited = 1;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (leaks_by_use(LLVMGetUser(use), pointer, seen))
            return true;
    return false;
}

static bool may_be_known(LLVMValueRef global)
{
    hd_map seen;
    hd_map_init(&seen, &hd_heap);
    bool result = leaks(global, &seen);
    hd_map_fini(&seen);
    return result;
}

static uint64_t size_of(const pass *p, LLVMValueRef global)
{
    return LLVMTypeIsSized(LLVMGlobalGetValueType(global))
        ? LLVMABISizeOfType(p->unit->layout, LLVMGlobalGetValueType(global))
        : 0;
}

/* A function as a callee: by its number, if no other object can replace it. */
static void add_function(pass *p, LLVMValueRef function, hd_allowed_kind here, hd_allowed_kind elsewhere)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool is_final = linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    const uint64_t *number = hd_map_get(&p->numbers, (uintptr_t)function);
    if (number && is_final)
        add(p, here, NULL, *number - 1);
    else
        add(p, elsewhere, function, 0);
}

/* Is the address used other than by calls and by starting threads? */
static bool is_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !hd_cc_is_call(user))
            return true;
        int called = callee_of(user).called;
        for (int i = 0; i < (int)LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == function && i != called)
                return true;
    }
    return false;
}

static bool is_defined(const pass *p, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(p->unit->module, name);
    return function && !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage;
}

/* Does the unit register functions that other threads run, or replace a function that others rely on? */
static bool is_unbounded(const pass *p, const struct callee *c)
{
    if (c->kind == REGISTERS)
        return LLVMGetNamedFunction(p->unit->module, c->name) != NULL;
    return is_defined(p, c->name) || is_defined(p, hd_arena_print(&p->unit->texts, HD_WRAP "%s", c->name));
}

/* A list of LLVM's, such as llvm.compiler.used: it becomes no variable. */
static bool is_list(LLVMValueRef global)
{
    size_t length;
    return is_intrinsic(LLVMGetValueName2(global, &length));
}

/* --- objects of the heap ----------------------------------------------------------------------- */

static bool has_name(LLVMValueRef global)
{
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return *name && *name != '\1' && LLVMGetLinkage(global) != LLVMPrivateLinkage
        && strncmp(name, "__start_", strlen("__start_")) && strncmp(name, "__stop_", strlen("__stop_"));
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* Does the unit load and store the variable as a whole pointer, and do nothing else with it? */
static bool is_pointer_variable(LLVMValueRef global)
{
    LLVMValueRef initial = LLVMGetInitializer(global);
    if (LLVMGetTypeKind(LLVMGlobalGetValueType(global)) != LLVMPointerTypeKind || !has_name(global)
        || (initial && !LLVMIsNull(initial)))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool loads = LLVMIsALoadInst(user) && is_pointer(user);
        bool stores =
            LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != global && is_pointer(LLVMGetOperand(user, 0));
        if (!loads && !stores)
            return false;
    }
    return true;
}

/* Is it a function of another unit, or one of which heddle knows nothing? */
static bool may_be_foreign(LLVMValueRef function)
{
    const char *name = LLVMGetValueName(function);
    if (!LLVMIsDeclaration(function) || is_intrinsic(name) || hd_cc_unit_is_hook(name))
        return false;
    for (size_t i = 0; i < sizeof modelled / sizeof *modelled; i++)
        if (!strcmp(modelled[i], name))
            return false;
    return true;
}

static bool is_in(const hd_map *map, uint64_t key)
{
    return hd_map_get(map, key) != NULL;
}

static uint64_t place_of(pass *p, LLVMValueRef call)
{
    hd_cc_location at = hd_cc_unit_location(p->unit, call);
    return hd_allowed_site_number(at.file, at.line, at.column);
}

/* The number of the site, if it is a call that allocates; otherwise 0. */
static uint64_t site_of(pass *p, LLVMValueRef value)
{
    if (!LLVMIsACallInst(value) || !hd_cc_is_located(value) || callee_of(value).kind != CONFINED)
        return 0;
    const char *name = hd_cc_called_name(value);
    bool allocates = !strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "aligned_alloc");
    return allocates ? place_of(p, value) : 0;
}

/* May unknown pointers point to what the site allocates? Not because of stores to pointer variables. */
static bool site_escapes(pass *p, LLVMValueRef allocated)
{
    hd_map seen;
    bool escapes = false;
    hd_map_init(&seen, &hd_heap);
    for (LLVMUseRef use = LLVMGetFirstUse(allocated); use && !escapes; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool held = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == allocated
            && is_in(&p->pointers, (uintptr_t)LLVMGetOperand(user, 1));
        escapes = !held && leaks_by_use(user, allocated, &seen);
    }
    hd_map_fini(&seen);
    return escapes;
}

static void add_site(pass *p, LLVMValueRef call)
{
    uint64_t number = site_of(p, call);
    if (number)
        add(p, site_escapes(p, call) ? HD_ALLOWED_SITE_ESCAPES : HD_ALLOWED_SITE, NULL, number);
    else if (hd_cc_is_call(call) && !is_intrinsic(hd_cc_called_name(call)) && is_in(&p->sites, place_of(p, call)))
        add(p, HD_ALLOWED_SITE_ESCAPES, NULL,
            place_of(p, call)); /* it may allocate, too, in the same place of a macro */
}

static void add_stored(pass *p, LLVMValueRef variable, LLVMValueRef value)
{
    uint64_t number = site_of(p, value);
    if (number)
        add(p, HD_ALLOWED_HOLDS, variable, number);
    else if (!LLVMIsAConstant(value) || !LLVMIsNull(value))
        add(p, HD_ALLOWED_HOLDS_UNKNOWN, variable, 0);
}

static void add_pointer_variable(pass *p, LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user))
            add_stored(p, variable, LLVMGetOperand(user, 0));
        else if (may_be_known(user))
            add(p, HD_ALLOWED_GIVES, variable, 0);
    }
}

static void add_heap(pass *p)
{
    for (size_t f = 0; f < p->unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(p->unit, p->unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            if (site_of(p, instructions->items[i]))
                *hd_map_put(&p->sites, site_of(p, instructions->items[i])) = 1;
    }
    for (size_t f = 0; f < p->unit->functions.count && p->sites.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(p->unit, p->unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            add_site(p, instructions->items[i]);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->unit->module); g; g = LLVMGetNextGlobal(g))
        if (is_in(&p->pointers, (uintptr_t)g))
            add_pointer_variable(p, g);
}

static void add_variable_item(pass *p, LLVMValueRef global)
{
    bool known = may_be_known(global), points = !known && is_pointer_variable(global);
    if (points)
        *hd_map_put(&p->pointers, (uintptr_t)global) = 1;
    add(p, known ? HD_ALLOWED_ESCAPES : points ? HD_ALLOWED_POINTS : HD_ALLOWED_STAYS, global, size_of(p, global));
}

static void add_unit(pass *p)
{
    add(p, HD_ALLOWED_UNIT, NULL, 0);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->unit->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsGlobalConstant(g) && !LLVMIsThreadLocal(g) && !is_list(g))
            add_variable_item(p, g);
    add_heap(p);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->unit->module); f; f = LLVMGetNextFunction(f))
        if (may_be_foreign(f))
            add(p, HD_ALLOWED_FOREIGN, f, 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->unit->module); f; f = LLVMGetNextFunction(f))
        if (is_taken(f))
            add_function(p, f, HD_ALLOWED_TAKEN, HD_ALLOWED_TAKEN_ELSEWHERE);
    for (size_t i = 0; i < sizeof callees / sizeof *callees; i++)
        if (is_unbounded(p, &callees[i]))
            add(p, HD_ALLOWED_UNBOUNDED, NULL, 0);
}

/* --- what a function does ---------------------------------------------------------------------- */

/* The pointer that this one is computed from, as a pointer into the same object; NULL: it is a base. */
static LLVMValueRef origin(LLVMValueRef pointer)
{
    if (LLVMIsAConstantExpr(pointer))
        return LLVMGetConstOpcode(pointer) == LLVMGetElementPtr ? LLVMGetOperand(pointer, 0) : NULL;
    bool steps = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) || LLVMIsAFreezeInst(pointer);
    return steps ? LLVMGetOperand(pointer, 0) : NULL;
}

/* An access to memory that a pointer points to. */
typedef struct access_use {
    hd_allowed_kind kind; /* READS, CHANGES or USES */
    uint64_t size; /* 0: up to the end of the object; ANYWHERE: the pointer may be moved */
} access_use;

#define ANYWHERE (1ull << 62)

/* The same through an unknown pointer. */
static hd_allowed_kind unknown(hd_allowed_kind kind)
{
    return kind == HD_ALLOWED_READS ? HD_ALLOWED_READS_UNKNOWN
        : kind == HD_ALLOWED_USES   ? HD_ALLOWED_USES_UNKNOWN
                                    : HD_ALLOWED_CHANGES_UNKNOWN;
}

static LLVMValueRef index_of(LLVMValueRef pointer, unsigned n)
{
    LLVMValueRef index = LLVMGetOperand(pointer, n);
    return LLVMIsAConstantInt(index) ? index : NULL;
}

/* The offset that the address computation adds to its pointer; false: it is not constant. */
static bool add_offset(const pass *p, LLVMValueRef pointer, int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(pointer); n++) {
        LLVMValueRef index = index_of(pointer, n);
        if (!index)
            return false;
        int64_t value = LLVMConstIntGetSExtValue(index);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += (int64_t)LLVMOffsetOfElement(p->unit->layout, type, (unsigned)value);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)value);
            continue;
        }
        if (n > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return false;
        type = n > 1 ? LLVMGetElementType(type) : type;
        *offset += value * (int64_t)LLVMABISizeOfType(p->unit->layout, type);
    }
    return true;
}

/* The offset of the pointer in the object that it is computed from; false: it is not known. */
static bool offset_of(const pass *p, LLVMValueRef pointer, int64_t *offset)
{
    *offset = 0;
    for (LLVMValueRef next; (next = origin(pointer)); pointer = next) {
        bool computes = LLVMIsAGetElementPtrInst(pointer) || LLVMIsAConstantExpr(pointer);
        if (computes && !add_offset(p, pointer, offset))
            return false;
    }
    return true;
}

/* The part of the variable that an access at this pointer may touch. */
static void add_part(pass *p, LLVMValueRef global, LLVMValueRef pointer, access_use use)
{
    int64_t at;
    uint64_t size = size_of(p, global);
    if (!offset_of(p, pointer, &at) || at < 0 || (uint64_t)at >= size || (uint64_t)at + use.size > size)
        add(p, use.kind, global, size);
    else
        add_at(p, use.kind, global, (uint64_t)at, use.size ? use.size : size - (uint64_t)at);
}

static void add_variable(pass *p, LLVMValueRef global, LLVMValueRef pointer, access_use use)
{
    if (LLVMIsGlobalConstant(global))
        return;
    if (LLVMIsThreadLocal(global))
        add(p, unknown(use.kind), NULL, 0);
    else if (!size_of(p, global) || !has_name(global))
        add(p, HD_ALLOWED_ANYTHING, NULL, 0);
    else
        add_part(p, global, pointer, use);
}

/* An access through a pointer that is loaded, allocated or given. */
static void add_pointed_to(pass *p, LLVMValueRef pointer, hd_allowed_kind kind)
{
    hd_allowed_kind how = kind == HD_ALLOWED_READS ? HD_ALLOWED_READS_OBJECT : HD_ALLOWED_CHANGES_OBJECT;
    LLVMValueRef variable = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    uint64_t number = site_of(p, pointer);
    if (number)
        add(p, how, NULL, number);
    else if (variable && is_in(&p->pointers, (uintptr_t)variable))
        add(p, how, variable, 0);
    else
        add(p, unknown(kind), NULL, 0);
}

/* An access to each object that the pointer may point to. */
static void add_objects(pass *p, LLVMValueRef pointer, access_use use, hd_map *seen)
{
    LLVMValueRef whole = pointer;
    for (LLVMValueRef next; (next = origin(pointer));)
        pointer = next;
    uint64_t *visited = hd_map_put(seen, (uintptr_t)pointer);
    if (*visited || hd_cc_escape_is_private(&p->escape, pointer))
        return;
    *visited = 1;
    if (LLVMIsASelectInst(pointer)) {
        use.size = ANYWHERE;
        add_objects(p, LLVMGetOperand(pointer, 1), use, seen);
        add_objects(p, LLVMGetOperand(pointer, 2), use, seen);
    } else if (LLVMIsAPHINode(pointer)) {
        for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++)
            add_objects(p, LLVMGetIncomingValue(pointer, i), (access_use) { use.kind, ANYWHERE }, seen);
    } else if (LLVMIsAGlobalVariable(pointer)) {
        add_variable(p, pointer, whole, use);
    } else if (LLVMIsAGlobalAlias(pointer) || LLVMIsAConstantExpr(pointer)) {
        add(p, HD_ALLOWED_ANYTHING, NULL, 0);
    } else if (!LLVMIsNull(pointer) && !LLVMIsAFunction(pointer)) {
        add_pointed_to(p, pointer, use.kind);
    }
}

static void add_access(pass *p, LLVMValueRef pointer, hd_allowed_kind kind, uint64_t size)
{
    hd_map seen;
    hd_map_init(&seen, &hd_heap);
    add_objects(p, pointer, (access_use) { kind, size }, &seen);
    hd_map_fini(&seen);
}

static void add_called(pass *p, LLVMValueRef function)
{
    if (LLVMIsAFunction(function))
        add_function(p, function, HD_ALLOWED_CALLS, HD_ALLOWED_CALLS_ELSEWHERE);
    else
        add(p, LLVMIsAGlobalAlias(function) ? HD_ALLOWED_ANYTHING : HD_ALLOWED_CALLS_UNKNOWN, NULL, 0);
}

static void add_call(pass *p, LLVMValueRef call)
{
    struct callee callee = callee_of(call);
    if (hd_cc_is_assembly(call)) {
        if (hd_cc_assembly_judge(call) != HD_ASSEMBLY_NOTHING)
            add(p, HD_ALLOWED_ANYTHING, NULL, 0);
        return;
    }
    if (callee.kind != CONFINED && callee.kind != KEEPS) {
        add_called(p, LLVMGetCalledValue(call));
        return;
    }
    for (int i = 0; i < (int)LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, (unsigned)i);
        if (i == callee.called)
            add_called(p, argument);
        else if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
            add_access(p, argument, !i && callee.size ? HD_ALLOWED_USES : HD_ALLOWED_CHANGES, i ? 0 : callee.size);
    }
}

static bool is_atomic(LLVMValueRef access)
{
    return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static uint64_t bytes_of(const pass *p, LLVMValueRef value)
{
    return LLVMStoreSizeOfType(p->unit->layout, LLVMTypeOf(value));
}

static void add_instruction(pass *p, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        add_access(p, LLVMGetOperand(i, 0), is_atomic(i) ? HD_ALLOWED_USES : HD_ALLOWED_READS, bytes_of(p, i));
        break;
    case LLVMStore:
        add_access(p, LLVMGetOperand(i, 1), is_atomic(i) ? HD_ALLOWED_USES : HD_ALLOWED_CHANGES,
            bytes_of(p, LLVMGetOperand(i, 0)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        add_access(p, LLVMGetOperand(i, 0), HD_ALLOWED_USES, 0);
        break;
    case LLVMVAArg:
        add_access(p, LLVMGetOperand(i, 0), HD_ALLOWED_CHANGES, 0);
        break;
    case LLVMFence:
        if (!LLVMIsAtomicSingleThread(i))
            add(p, HD_ALLOWED_ANYTHING, NULL, 0);
        break;
    default:
        if (hd_cc_is_call(i))
            add_call(p, i);
    }
}

static void add_body(pass *p, LLVMValueRef function)
{
    hd_map_clear(&p->known);
    add(p, HD_ALLOWED_FUNCTION, function, 0);
    if (hd_cc_is_naked(function))
        add(p, HD_ALLOWED_ANYTHING, NULL, 0);
    hd_cc_escape_open(&p->escape);
    hd_cc_values *instructions = hd_cc_unit_instructions(p->unit, function);
    for (size_t i = 0; i < instructions->count; i++)
        add_instruction(p, instructions->items[i]);
    hd_cc_escape_close(&p->escape);
}

void hd_cc_bounds_open(hd_cc_bounds *bounds, hd_cc_unit *unit)
{
    *bounds = (hd_cc_bounds) { 0 };
    pass p = { .unit = unit, .bounds = bounds };
    hd_map_init(&p.numbers, &hd_heap);
    hd_map_init(&p.known, &hd_heap);
    hd_map_init(&p.pointers, &hd_heap);
    hd_map_init(&p.sites, &hd_heap);
    for (size_t i = 0; i < unit->functions.count; i++)
        *hd_map_put(&p.numbers, (uintptr_t)unit->functions.items[i]) = i + 1;
    add_unit(&p);
    for (size_t i = 0; i < unit->functions.count; i++)
        add_body(&p, unit->functions.items[i]);
    hd_map_fini(&p.numbers);
    hd_map_fini(&p.known);
    hd_map_fini(&p.pointers);
    hd_map_fini(&p.sites);
}

void hd_cc_bounds_close(hd_cc_bounds *bounds)
{
    hd_vec_fini(&bounds->items);
}

/* --- writing --------------------------------------------------------------------------------------- */

/* Does the object refer to the symbol? */
static bool is_there(const hd_cc_unit *unit, const char *symbol)
{
    LLVMValueRef value = LLVMGetNamedFunction(unit->module, symbol);
    value = value ? value : LLVMGetNamedGlobal(unit->module, symbol);
    return value && (!LLVMIsDeclaration(value) || LLVMGetFirstUse(value))
        && LLVMGetLinkage(value) != LLVMAvailableExternallyLinkage && LLVMGetLinkage(value) != LLVMPrivateLinkage;
}

static void write_item(const hd_cc_bound *item, hd_cc_unit *unit, FILE *out)
{
    bool is_symbol = item->symbol && *item->symbol && *item->symbol != '\1' && is_there(unit, item->symbol);
    fprintf(out, ".quad %d, %s+%llu, %llu\n", (int)item->kind, is_symbol ? hd_cc_unit_quoted(unit, item->symbol) : "0",
        is_symbol ? (unsigned long long)item->offset : 0, (unsigned long long)item->number);
}

void hd_cc_bounds_write(const hd_cc_bounds *bounds, hd_cc_unit *unit)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fputs(".section " HD_ALLOWED_SECTION ", \"\", @progbits\n.p2align 3\n", out);
    for (size_t i = 0; i < bounds->items.count; i++)
        write_item(&bounds->items.items[i], unit, out);
    fputs(".text\n", out);
    fclose(out);
    LLVMAppendModuleInlineAsm(unit->module, text, size);
    free(text);
}
