/* Shadows across calls: arguments and results, and what happens with them in functions without shadows. The record
 * (hd_call_record) names its callee, so a caller or callee without shadows in between cannot be mistaken for the
 * other side. */
#include "compile/passes/shadow.h"

#include "abi/shadow.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

typedef enum treatment { PASSED, FOLLOWED, CARRIED, SHOWN, PRINTED, PINNED } treatment;

static const struct row {
    const char *name;
    treatment treatment;
    bool stands_in; /* twins call it instead of a function that is not redirected otherwise */
} rows[] = {
#define FOLLOWS(name) { #name, FOLLOWED, false },
#define FOLLOWS_IN_TWINS(name) { #name, FOLLOWED, true },
#define CARRIES(name) { #name, CARRIED, false },
#define SHOWS(name) { #name, SHOWN, false },
#define PRINTS(name) { #name, PRINTED, false },
#include "abi/follow.def"
#undef FOLLOWS
#undef FOLLOWS_IN_TWINS
#undef CARRIES
#undef SHOWS
#undef PRINTS
};

static const struct row *row_of(const char *name)
{
    for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

static bool is_twin(const char *name)
{
    size_t length = strlen(name), suffix = strlen(HD_TWIN_SUFFIX);
    return length > suffix && !strcmp(name + length - suffix, HD_TWIN_SUFFIX);
}

static treatment treatment_of(LLVMValueRef call)
{
    const char *name = hd_cc_called_name(call);
    if (strncmp(name, "hd_", 3) || is_twin(name))
        return PASSED;
    const struct row *row = row_of(name + 3);
    return row ? row->treatment : PINNED;
}

/* --- before the call ----------------------------------------------------------------- */

static bool is_by_value(LLVMValueRef call, unsigned argument, uint64_t *bytes, LLVMTargetDataRef layout)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    if (attribute)
        *bytes = LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(attribute));
    return attribute != NULL;
}

typedef struct passing {
    hd_cc_values values; /* shadows, one for each record.values */
    hd_cc_values blocks;
    LLVMValueRef any;
} passing;

static LLVMValueRef callee_of(hd_cc_shadow *s, LLVMValueRef call)
{
    return hd_cc_twins_original(s->twins, LLVMGetCalledValue(call));
}

/* Variadic arguments are also passed like fixed ones: the function may have been called without a prototype. Memory
 * that is passed by value may contain shadows whenever there are any (hd_shadow_live). */
static passing prepare(hd_cc_shadow *s, LLVMValueRef call)
{
    passing p = { .any = hd_cc_unit_i32(s->unit, 0) };
    unsigned count = LLVMGetNumArgOperands(call);
    uint64_t bytes;
    for (unsigned n = 0; n < count; n++) {
        LLVMValueRef argument = LLVMGetOperand(call, n);
        if (is_by_value(call, n, &bytes, s->unit->layout))
            hd_vec_push(&p.blocks, argument);
        else
            hd_cc_shadow_leaves(s, LLVMTypeOf(argument), hd_cc_shadow_get(s, argument), &p.values);
    }
    for (size_t n = 0; n < p.values.count; n++)
        p.any = LLVMBuildOr(s->unit->builder, p.any, p.values.items[n], "");
    if (p.blocks.count)
        p.any = LLVMBuildOr(s->unit->builder, p.any, hd_cc_shadow_hook(s, hook_hd_shadow_live, NULL), "");
    return p;
}

static void pass_variadic(hd_cc_shadow *s, LLVMValueRef call, LLVMValueRef any)
{
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    LLVMValueRef nowhere = LLVMConstNull(s->unit->pointer);
    unsigned last = LLVMGetNumArgOperands(call);
    last = last > fixed + HD_PASSED_VALUES ? fixed + HD_PASSED_VALUES : last;
    for (unsigned n = fixed; n < last; n++) {
        LLVMValueRef argument = LLVMGetOperand(call, n), shadow = hd_cc_unit_i32(s->unit, 0), block = nowhere;
        uint64_t bytes = LLVMStoreSizeOfType(s->unit->layout, LLVMTypeOf(argument));
        hd_variadic_kind kind = HD_VARIADIC_GENERAL;
        LLVMTypeKind type = LLVMGetTypeKind(LLVMTypeOf(argument));
        if (is_by_value(call, n, &bytes, s->unit->layout)) {
            kind = HD_VARIADIC_STACK;
            block = argument;
        } else if (type == LLVMDoubleTypeKind || type == LLVMFloatTypeKind || type == LLVMVectorTypeKind) {
            kind = HD_VARIADIC_FLOATING;
        } else if (type == LLVMX86_FP80TypeKind) {
            kind = HD_VARIADIC_STACK;
        } else if (hd_cc_shadow_is_scalar(LLVMTypeOf(argument))) {
            shadow = hd_cc_shadow_get(s, argument);
        }
        uint32_t words = (uint32_t)(bytes + 7) / 8;
        hd_cc_shadow_hook(s, hook_hd_shadow_pass_variadic,
            (LLVMValueRef[]) { any, shadow, hd_cc_unit_i32(s->unit, kind | words << 16), block });
    }
}

/* If the arguments do not fit into the record, they are followed. */
static void pass_rest(hd_cc_shadow *s, LLVMValueRef call, const passing *p)
{
    if (p->values.count <= HD_PASSED_VALUES && p->blocks.count <= HD_PASSED_BLOCKS)
        return;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        hd_cc_shadow_bind(s, hook_hd_shadow_follow, LLVMGetOperand(call, n), call);
}

static void pass(hd_cc_shadow *s, LLVMValueRef call, const passing *p)
{
    size_t values = p->values.count < HD_PASSED_VALUES ? p->values.count : HD_PASSED_VALUES;
    hd_cc_shadow_hook(s, hook_hd_shadow_call,
        (LLVMValueRef[]) { p->any, callee_of(s, call), hd_cc_unit_i32(s->unit, (uint32_t)values) });
    for (size_t n = 0; n < values; n++)
        hd_cc_shadow_hook(s, hook_hd_shadow_pass,
            (LLVMValueRef[]) { p->any, hd_cc_unit_i32(s->unit, (uint32_t)n), p->values.items[n] });
    for (size_t n = 0; n < p->blocks.count && n < HD_PASSED_BLOCKS; n++)
        hd_cc_shadow_hook(s, hook_hd_shadow_pass_block,
            (LLVMValueRef[]) { p->any, hd_cc_unit_i32(s->unit, (uint32_t)n), p->blocks.items[n] });
    if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
        pass_variadic(s, call, p->any);
}

/* --- after the call ---------------------------------------------------------------------- */

static LLVMValueRef result(hd_cc_shadow *s, LLVMValueRef returned, unsigned number, unsigned width)
{
    if (number >= HD_PASSED_RESULTS)
        return hd_cc_unit_i32(s->unit, 0);
    return hd_cc_shadow_hook(s, hook_hd_shadow_result,
        (LLVMValueRef[]) { returned, hd_cc_unit_i32(s->unit, number), hd_cc_unit_i32(s->unit, width) });
}

static void take_result(hd_cc_shadow *s, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned number = 0;
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || !LLVMGetFirstUse(call))
        return;
    LLVMValueRef returned = hd_cc_shadow_hook(s, hook_hd_shadow_returned, (LLVMValueRef[]) { callee_of(s, call) });
    hd_cc_shadow_set(s, call, hd_cc_shadow_gather(s, type, &number, result, returned));
}

/* A function without a twin may read the memory behind its pointers: the expressions there are followed. Whether it has
 * a twin is known when the program is linked: a weak reference to the twin is null otherwise. */
static void follow_memory(hd_cc_shadow *s, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call), twin = NULL;
    if (s->is_library || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
        return;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMValueRef argument = LLVMGetOperand(call, n), nowhere = LLVMConstNull(s->unit->pointer);
        if (LLVMTypeOf(argument) != s->unit->pointer || LLVMIsNull(argument))
            continue;
        if (!twin) {
            char *name = hd_arena_print(&s->unit->texts, "%s" HD_TWIN_SUFFIX, hd_cc_called_name(call));
            twin = LLVMGetNamedFunction(s->unit->module, name);
            if (!twin) {
                twin = LLVMAddFunction(s->unit->module, name, LLVMGlobalGetValueType(callee));
                LLVMSetLinkage(twin, LLVMExternalWeakLinkage);
            }
        }
        LLVMValueRef unknown = LLVMBuildIsNull(s->unit->builder, twin, "");
        LLVMValueRef pointer = LLVMBuildSelect(s->unit->builder, unknown, argument, nowhere, "");
        hd_cc_shadow_hook(s, hook_hd_shadow_follow_memory,
            (LLVMValueRef[]) { pointer, hd_cc_unit_i64(s->unit, 0), hd_cc_shadow_site(s, call) });
    }
}

static bool is_terminal(LLVMValueRef call)
{
#if LLVM_VERSION_MAJOR >= 18
    return LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
#else
    (void)call;
    return false;
#endif
}

static void set_library_site(hd_cc_shadow *s)
{
    if (s->is_library)
        LLVMBuildStore(s->unit->builder, s->library_site, LLVMGetNamedGlobal(s->unit->module, "hd_call_site"));
}

/* `offered`: the callee is a function of the runtime, which ignores the record; but the program may have a function of
 * its own with that name, which takes it. */
static void call_with_shadows(hd_cc_shadow *s, LLVMValueRef call, bool offered)
{
    hd_cc_shadow_ahead(s, call);
    hd_cc_shadow_bind(s, hook_hd_shadow_pin, LLVMGetCalledValue(call), call);
    hd_cc_unit_before(s->unit, call);
    if (strncmp(hd_cc_called_name(call), "hd_", 3))
        follow_memory(s, call);
    passing p = prepare(s, call);
    if (!hd_cc_shadow_is_none(p.any)) {
        pass(s, call, &p);
        if (!offered)
            pass_rest(s, call, &p);
    }
    set_library_site(s);
    if (!is_terminal(call)) {
        hd_cc_shadow_behind(s, call);
        if (!hd_cc_shadow_is_none(p.any) && !offered)
            hd_cc_shadow_hook(
                s, hook_hd_shadow_untaken, (LLVMValueRef[]) { p.any, callee_of(s, call), hd_cc_shadow_site(s, call) });
        take_result(s, call);
    }
    hd_vec_fini(&p.values);
    hd_vec_fini(&p.blocks);
}

/* --- calls of functions without shadows --------------------------------------------------- */

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static void pin_pointer(hd_cc_shadow *s, LLVMValueRef call, LLVMValueRef argument)
{
    LLVMValueRef shadow = hd_cc_shadow_get(s, argument);
    if (!hd_cc_shadow_is_none(shadow))
        hd_cc_shadow_hook(s, hook_hd_shadow_address,
            (LLVMValueRef[]) { shadow, argument, hd_cc_unit_i64(s->unit, 0), hd_cc_shadow_site(s, call) });
}

static void bind_arguments(hd_cc_shadow *s, LLVMValueRef call, treatment t)
{
    hd_cc_shadow_ahead(s, call);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMValueRef argument = LLVMGetOperand(call, n);
        if (is_pointer(argument))
            pin_pointer(s, call, argument);
        else if (t == PINNED)
            hd_cc_shadow_bind(s, hook_hd_shadow_pin, argument, call);
        else if (t == PRINTED)
            hd_cc_shadow_bind(s, hook_hd_shadow_follow, argument, call);
    }
    hd_cc_unit_before(s->unit, call);
    set_library_site(s);
}

static void follow_assembly(hd_cc_shadow *s, LLVMValueRef call)
{
    hd_cc_shadow_ahead(s, call);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMValueRef argument = LLVMGetOperand(call, n);
        hd_cc_shadow_bind(s, hook_hd_shadow_follow, argument, call);
        if (is_pointer(argument))
            hd_cc_shadow_hook(s, hook_hd_shadow_follow_memory,
                (LLVMValueRef[]) { argument, hd_cc_unit_i64(s->unit, 0), hd_cc_shadow_site(s, call) });
    }
}

/* Replaces a C library function by the runtime's version, in twins only. */
static void stand_in(hd_cc_shadow *s, LLVMValueRef call)
{
    const struct row *row = row_of(hd_cc_called_name(call));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool is_librarys = LLVMIsAFunction(callee)
        && (LLVMIsDeclaration(callee) || LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage);
    if (!row || !row->stands_in || !is_librarys || s->is_library)
        return;
    char *name = hd_arena_print(&s->unit->texts, "hd_%s", row->name);
    LLVMValueRef other = LLVMGetNamedFunction(s->unit->module, name);
    if (!other)
        other = LLVMAddFunction(s->unit->module, name, LLVMGlobalGetValueType(callee));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
}

/* Tells the runtime whether the function computes concretely: then the expressions that it reads are followed, and
 * those that it overwrites are dropped. */
static void say_how(hd_cc_shadow *s, LLVMValueRef call, treatment t)
{
    if (t == PASSED)
        return;
    hd_cc_unit_before(s->unit, call);
    bool plainly = (t == PINNED || t == PRINTED) && !s->is_library;
    hd_cc_shadow_hook(s, hook_hd_shadow_plainly, (LLVMValueRef[]) { hd_cc_unit_i32(s->unit, plainly) });
}

/* Functions of the runtime that have twins call the C library first, to examine the concrete data; such calls need no
 * shadows. */
static bool is_only_a_look(hd_cc_shadow *s, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return s->is_library && LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)
        && strncmp(hd_cc_called_name(call), "hd_", 3);
}

void hd_cc_shadow_call(hd_cc_shadow *s, LLVMValueRef call)
{
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
        follow_assembly(s, call);
        return;
    }
    if (hd_cc_unit_is_hook(hd_cc_called_name(call)) || hd_cc_shadow_intrinsic(s, call))
        return;
    if (is_only_a_look(s, call))
        return;
    stand_in(s, call);
    treatment t = treatment_of(call);
    say_how(s, call, t);
    switch (t) {
    case FOLLOWED:
        bind_arguments(s, call, FOLLOWED);
        call_with_shadows(s, call, false);
        break;
    case PASSED:
    case CARRIED:
        call_with_shadows(s, call, false);
        break;
    case SHOWN:
        if (LLVMGetFirstUse(call))
            bind_arguments(s, call, PRINTED);
        break;
    case PRINTED:
        bind_arguments(s, call, PRINTED);
        break;
    case PINNED:
        bind_arguments(s, call, PINNED);
        break;
    }
    bool is_runtimes = t == SHOWN || t == PRINTED || t == PINNED;
    if (is_runtimes && !s->is_library)
        call_with_shadows(s, call, true);
}

/* --- the other side ------------------------------------------------------------------------ */

static LLVMValueRef argument(hd_cc_shadow *s, LLVMValueRef entered, unsigned number, unsigned width)
{
    if (number >= HD_PASSED_VALUES)
        return hd_cc_unit_i32(s->unit, 0);
    return hd_cc_shadow_hook(s, hook_hd_shadow_argument,
        (LLVMValueRef[]) { entered, hd_cc_unit_i32(s->unit, number), hd_cc_unit_i32(s->unit, width) });
}

static LLVMValueRef va_intrinsic(hd_cc_shadow *s, const char *name)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    bool overloaded = LLVMIntrinsicIsOverloaded(id);
    return LLVMGetIntrinsicDeclaration(s->unit->module, id, &s->unit->pointer, overloaded ? 1 : 0);
}

static void call_va(hd_cc_shadow *s, const char *name, LLVMValueRef list)
{
    LLVMTypeRef type = LLVMFunctionType(s->unit->nothing, &s->unit->pointer, 1, false);
    LLVMBuildCall2(s->unit->builder, type, va_intrinsic(s, name), &list, 1, "");
}

static void take_variadic(hd_cc_shadow *s, LLVMValueRef entered)
{
    enum { SIZE_OF_VA_LIST = 24 };
    LLVMTypeRef type = LLVMArrayType(LLVMInt8TypeInContext(s->unit->context), SIZE_OF_VA_LIST);
    LLVMBuilderRef b = s->unit->builder;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    LLVMValueRef place = LLVMGetFirstInstruction(here);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(b);
    LLVMPositionBuilderBefore(b, place);
    LLVMSetCurrentDebugLocation2(b, location);
    LLVMValueRef list = LLVMBuildAlloca(b, type, "");
    LLVMSetAlignment(list, 16);
    hd_cc_shadow_behind_variables(s);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(entered));
    LLVMSetCurrentDebugLocation2(b, location);
    call_va(s, "llvm.va_start", list);
    hd_cc_shadow_hook(s, hook_hd_shadow_variadic, (LLVMValueRef[]) { entered, list });
    call_va(s, "llvm.va_end", list);
}

static void take_parameters(hd_cc_shadow *s, LLVMValueRef entered)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5), number = 0;
    uint32_t blocks = 0;
    for (unsigned n = 0; n < LLVMCountParams(s->function); n++) {
        LLVMValueRef parameter = LLVMGetParam(s->function, n);
        LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(s->function, n + 1, kind);
        if (!by_value) {
            hd_cc_shadow_set(s, parameter, hd_cc_shadow_gather(s, LLVMTypeOf(parameter), &number, argument, entered));
            continue;
        }
        uint64_t bytes = LLVMABISizeOfType(s->unit->layout, LLVMGetTypeAttributeValue(by_value));
        if (blocks < HD_PASSED_BLOCKS)
            hd_cc_shadow_hook(s, hook_hd_shadow_block,
                (LLVMValueRef[]) {
                    entered, hd_cc_unit_i32(s->unit, blocks++), parameter, hd_cc_unit_i64(s->unit, bytes) });
    }
}

static LLVMValueRef site_variable(hd_cc_shadow *s)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(s->unit->module, "hd_call_site");
    return variable ? variable : LLVMAddGlobal(s->unit->module, s->unit->pointer, "hd_call_site");
}

void hd_cc_shadow_behind_entry(hd_cc_shadow *s)
{
    hd_cc_shadow_behind_variables(s);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(s->unit->builder);
    LLVMPositionBuilderBefore(s->unit->builder, LLVMGetNextInstruction(s->variables));
    LLVMSetCurrentDebugLocation2(s->unit->builder, location);
}

void hd_cc_shadow_entry(hd_cc_shadow *s)
{
    hd_cc_shadow_behind_variables(s);
    if (s->is_library)
        s->library_site = LLVMBuildLoad2(s->unit->builder, s->unit->pointer, site_variable(s), "");
    if (!s->is_library && hd_cc_shadow_has_variables(s))
        s->variables = hd_cc_shadow_hook(s, hook_hd_shadow_variables, NULL);
    bool variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(s->function));
    if (!LLVMCountParams(s->function) && !variadic)
        return;
    LLVMValueRef entered = hd_cc_shadow_hook(s, hook_hd_shadow_enter, (LLVMValueRef[]) { s->original });
    take_parameters(s, entered);
    if (variadic)
        take_variadic(s, entered);
}
