#include "compile/passes/twin.h"

#include "base/error.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(LLVMValueRef global)
{
    size_t length;
    return LLVMGetValueName2(global, &length);
}

static bool is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_llvms(LLVMValueRef global)
{
    return !strncmp(name_of(global), "llvm.", 5);
}

/* Symbols that are local to the module become visible, so that the copy can refer to them by name. */
static void expose(hd_cc_twins *t, LLVMValueRef global)
{
    if (!is_local(global) || is_llvms(global) || LLVMIsDeclaration(global))
        return;
    if (!*name_of(global))
        LLVMSetValueName2(global, "hd.unnamed", strlen("hd.unnamed"));
    hd_vec_push(&t->locals, global);
    hd_vec_push(&t->linkages, LLVMGetLinkage(global));
    LLVMSetLinkage(global, LLVMExternalLinkage);
}

static void expose_all(hd_cc_twins *t, hd_cc_unit *unit)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g))
        expose(t, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        expose(t, f);
}

/* --- the copy ----------------------------------------------------------------- */

static bool holds_labels(LLVMValueRef constant)
{
    if (LLVMIsABlockAddress(constant))
        return true;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++)
        if (!LLVMIsAGlobalValue(LLVMGetOperand(constant, (unsigned)i))
            && holds_labels(LLVMGetOperand(constant, (unsigned)i)))
            return true;
    return false;
}

/* A table of labels is copied with its function; all other variables remain in the unit and are only declared. */
static void declare_variable(LLVMValueRef g)
{
    LLVMValueRef value = LLVMGetInitializer(g);
    if (!value)
        return;
    LLVMSetComdat(g, NULL);
    if (holds_labels(value)) {
        LLVMSetLinkage(g, LLVMInternalLinkage);
        return;
    }
    LLVMSetInitializer(g, NULL);
    LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMSetSection(g, "");
}

static void declare_variables(LLVMModuleRef copy)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(copy), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_llvms(g))
            LLVMDeleteGlobal(g);
        else
            declare_variable(g);
    }
}

/* Aliases and ifuncs remain in the unit; the copy has declarations of them. The C API cannot delete an alias: it is
 * left without a name, as an alias of a function that has a body. */
static LLVMValueRef declaration_in_place_of(hd_cc_unit *unit, LLVMValueRef global, LLVMTypeRef type)
{
    char *name = hd_arena_copy(&unit->texts, name_of(global));
    LLVMSetValueName2(global, "", 0);
    LLVMValueRef declaration = LLVMGetTypeKind(type) == LLVMFunctionTypeKind ? LLVMAddFunction(unit->module, name, type)
                                                                             : LLVMAddGlobal(unit->module, type, name);
    LLVMReplaceAllUsesWith(global, declaration);
    return declaration;
}

static void declare_aliases(hd_cc_unit *unit)
{
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(unit->module); a; a = LLVMGetNextGlobalAlias(a)) {
        declaration_in_place_of(unit, a, LLVMGlobalGetValueType(a));
        LLVMSetLinkage(a, LLVMInternalLinkage);
        if (unit->functions.count)
            LLVMAliasSetAliasee(a, unit->functions.items[0]);
    }
    for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(unit->module), next; f; f = next) {
        next = LLVMGetNextGlobalIFunc(f);
        declaration_in_place_of(unit, f, LLVMGlobalGetValueType(f));
        LLVMEraseGlobalIFunc(f);
    }
}

static bool is_replaceable(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage;
}

/* Calls go directly to the twin, unless another definition may replace the function when the program is linked. Where
 * its address is taken, it is the original's: a function has one address. Labels remain the twin's own. */
static void replace_operands(LLVMValueRef user, LLVMValueRef twin, LLVMValueRef original, bool replaceable)
{
    bool calls = LLVMIsACallInst(user) && !replaceable;
    unsigned count = (unsigned)LLVMGetNumOperands(user) - (calls ? 1 : 0);
    for (unsigned n = 0; n < count; n++)
        if (LLVMGetOperand(user, n) == twin)
            LLVMSetOperand(user, n, original);
}

/* Decides for each use of the function whether it means the twin or the original. */
static void divide_uses(LLVMValueRef twin, LLVMValueRef original)
{
    bool replaceable = is_replaceable(twin), has_labels = false;
    hd_cc_values users = { 0 };
    for (LLVMUseRef use = LLVMGetFirstUse(twin); use; use = LLVMGetNextUse(use)) {
        hd_vec_push(&users, LLVMGetUser(use));
        has_labels |= LLVMIsABlockAddress(LLVMGetUser(use)) != NULL;
    }
    if (!has_labels)
        LLVMReplaceAllUsesWith(twin, original);
    for (size_t i = 0; i < users.count; i++) {
        LLVMValueRef user = users.items[i];
        if (has_labels && LLVMIsAInstruction(user))
            replace_operands(user, twin, original, replaceable);
        else if (!replaceable && LLVMIsACallInst(user) && LLVMGetCalledValue(user) == original)
            LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, twin);
    }
    hd_vec_fini(&users);
}

/* Twins of local functions are made local only after linking: the linker would drop them as unused. */
static LLVMLinkage linkage_of_twin(LLVMLinkage original, bool local)
{
    if (local || original == LLVMExternalLinkage || original == LLVMAvailableExternallyLinkage)
        return LLVMExternalLinkage;
    return LLVMWeakAnyLinkage;
}

/* Small functions were inlined before the twins were created. With its hooks, a twin is so large that inlining it would
 * take the optimiser minutes. */
static void forbid_inlining(hd_cc_unit *unit, LLVMValueRef function)
{
    unsigned forbid = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMRemoveEnumAttributeAtIndex(
        function, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName("alwaysinline", 12));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(unit->context, forbid, 0));
}

/* The function of the copy gets the twin's name; the old name is declared, and refers to the original in the unit. */
static void make_twin(hd_cc_twins *t, LLVMValueRef twin, bool local)
{
    hd_cc_unit *copy = &t->unit;
    char *name = hd_arena_copy(&copy->texts, name_of(twin));
    char *new_name = hd_arena_print(&copy->texts, "%s" HD_TWIN_SUFFIX, name);
    if (local || LLVMGetLinkage(twin) == LLVMAvailableExternallyLinkage)
        hd_vec_push(&t->local_twins, new_name);
    LLVMSetValueName2(twin, new_name, strlen(new_name));
    LLVMValueRef original = LLVMAddFunction(copy->module, name, LLVMGlobalGetValueType(twin));
    LLVMSetFunctionCallConv(original, LLVMGetFunctionCallConv(twin));
    divide_uses(twin, original);
    LLVMSetLinkage(twin, linkage_of_twin(LLVMGetLinkage(twin), local));
    LLVMSetComdat(twin, NULL);
    forbid_inlining(copy, twin);
    *hd_map_put(&t->originals, (uintptr_t)twin) = (uintptr_t)original;
}

/* Naked functions, which consist of assembly, have no twin. */
static void drop_naked(hd_cc_unit *unit, const hd_map *ours)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) || hd_map_get(ours, (uintptr_t)f))
            continue;
        declaration_in_place_of(unit, f, LLVMGlobalGetValueType(f));
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMSetComdat(f, NULL);
    }
}

static bool was_local(const hd_cc_twins *t, const char *name)
{
    for (size_t i = 0; i < t->locals.count; i++)
        if (LLVMIsAFunction(t->locals.items[i]) && !strcmp(name_of(t->locals.items[i]), name))
            return true;
    return false;
}

/* By writing and reading bitcode: LLVMCloneModule would leave labels of the first module in tables of labels. */
static LLVMModuleRef copy_of(hd_cc_unit *unit)
{
    LLVMModuleRef copy;
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(unit->module);
    if (LLVMParseBitcodeInContext2(unit->context, bitcode, &copy))
        hd_panic("%s: the twins of its functions cannot be made", unit->file);
    LLVMDisposeMemoryBuffer(bitcode);
    return copy;
}

/* Removes debug information about variables from twins: in functions of this size, maintaining it takes LLVM longer
 * than everything else. Line numbers are kept. */
static void drop_variables(hd_cc_unit *unit)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(unit->module, false);
#endif
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++) {
            LLVMValueRef call = instructions->items[i];
            if (LLVMIsACallInst(call) && !strncmp(hd_cc_called_name(call), "llvm.dbg.", 9))
                LLVMInstructionEraseFromParent(call);
        }
    }
}

/* Assembly outside of functions stays in the unit: twice, it would define its symbols twice. */
void hd_cc_twins_open(hd_cc_twins *t, hd_cc_unit *unit)
{
    *t = (hd_cc_twins) { 0 };
    expose_all(t, unit);
    hd_cc_unit_open(&t->unit, copy_of(unit), unit->file);
    drop_variables(&t->unit);
    hd_map_init(&t->originals, &hd_heap);
    LLVMSetModuleInlineAsm2(t->unit.module, "", 0);
    declare_aliases(&t->unit);
    for (size_t i = 0; i < t->unit.functions.count; i++) {
        LLVMValueRef f = t->unit.functions.items[i];
        make_twin(t, f, was_local(t, name_of(f)));
    }
    drop_naked(&t->unit, &t->originals);
    declare_variables(t->unit.module);
}

LLVMValueRef hd_cc_twins_original(const hd_cc_twins *t, LLVMValueRef twin)
{
    const uint64_t *original = hd_map_get(&t->originals, (uintptr_t)twin);
    return original ? (LLVMValueRef)(uintptr_t)*original : twin;
}

/* Linking consumes the copy. Then local symbols become local again. */
void hd_cc_twins_close(hd_cc_twins *t, hd_cc_unit *unit)
{
    if (LLVMLinkModules2(unit->module, t->unit.module))
        hd_panic("%s: the twins of its functions cannot be linked in", unit->file);
    t->unit.module = NULL;
    for (size_t i = 0; i < t->local_twins.count; i++)
        LLVMSetLinkage(LLVMGetNamedFunction(unit->module, t->local_twins.items[i]), LLVMInternalLinkage);
    hd_cc_unit_close(&t->unit);
    hd_vec_fini(&t->local_twins);
    for (size_t i = 0; i < t->locals.count; i++)
        LLVMSetLinkage(t->locals.items[i], t->linkages.items[i]);
    hd_vec_fini(&t->locals);
    hd_vec_fini(&t->linkages);
    hd_map_fini(&t->originals);
}

/* --- dispatch --------------------------------------------------------------------- */

static LLVMValueRef twin_of(hd_cc_unit *unit, LLVMValueRef function)
{
    char *name = hd_arena_print(&unit->texts, "%s" HD_TWIN_SUFFIX, name_of(function));
    return LLVMGetNamedFunction(unit->module, name);
}

static void copy_attributes(LLVMValueRef function, LLVMValueRef call)
{
    LLVMAttributeRef attributes[32];
    for (unsigned at = 0; at <= LLVMCountParams(function); at++) {
        unsigned count = LLVMGetAttributeCountAtIndex(function, at);
        if (count > 32)
            continue;
        LLVMGetAttributesAtIndex(function, at, attributes);
        for (unsigned i = 0; i < count; i++)
            LLVMAddCallSiteAttribute(call, at, attributes[i]);
    }
}

static void call_at_the_end(LLVMValueRef call)
{
#if LLVM_VERSION_MAJOR >= 18
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
#else
    (void)call;
#endif
}

/* The C API of LLVM 16 cannot pass variadic arguments on (musttail): there, the function ends the run with a message.
 */
static void build_call(hd_cc_unit *unit, LLVMValueRef function, LLVMValueRef twin)
{
    LLVMBuilderRef b = unit->builder;
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned count = LLVMCountParams(function);
    if (LLVM_VERSION_MAJOR < 18 && LLVMIsFunctionVarArg(type)) {
        LLVMValueRef site =
            hd_cc_unit_site(unit, LLVMGetFirstInstruction(LLVMGetNextBasicBlock(LLVMGetInsertBlock(b))));
        hd_cc_unit_call(unit, hook_hd_unmodelled,
            (LLVMValueRef[]) { hd_cc_unit_text(unit, "a variadic function called from another file"),
                LLVMConstNull(unit->pointer), site });
        LLVMBuildUnreachable(b);
        return;
    }
    LLVMValueRef *arguments = hd_arena_alloc(&unit->texts, (count + 1) * sizeof *arguments);
    LLVMGetParams(function, arguments);
    LLVMValueRef call = LLVMBuildCall2(b, type, twin, arguments, count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    copy_attributes(function, call);
    call_at_the_end(call);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, call);
}

/* Stack variables of fixed size must remain in the entry block. */
static void move_variables(hd_cc_unit *unit, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMPositionBuilderAtEnd(unit->builder, to);
    for (LLVMValueRef i = LLVMGetFirstInstruction(from), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(unit->builder, i);
    }
}

/* The flag never changes, so reads of it may be merged and moved. */
static LLVMValueRef build_flag(hd_cc_unit *unit)
{
    LLVMValueRef flag = hd_cc_unit_call(unit, hook_hd_symbolic, NULL);
    return LLVMBuildICmp(unit->builder, LLVMIntNE, flag, hd_cc_unit_i32(unit, 0), "");
}

/* The function's own line; NULL without debug information. */
static LLVMMetadataRef location_of(hd_cc_unit *unit, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    return subprogram
        ? LLVMDIBuilderCreateDebugLocation(unit->context, LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL)
        : NULL;
}

static void dispatch(hd_cc_unit *unit, LLVMValueRef function, LLVMValueRef twin)
{
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef away = LLVMInsertBasicBlockInContext(unit->context, body, "");
    LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(unit->context, away, "");
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    move_variables(unit, body, entry);
    LLVMPositionBuilderAtEnd(unit->builder, entry);
    LLVMMetadataRef location = location_of(unit, function);
    LLVMSetCurrentDebugLocation2(unit->builder, location);
    LLVMBuildCondBr(unit->builder, build_flag(unit), away, body);
    LLVMPositionBuilderAtEnd(unit->builder, away);
    LLVMSetCurrentDebugLocation2(unit->builder, location);
    build_call(unit, function, twin);
}

void hd_cc_twins_dispatch(hd_cc_unit *unit)
{
    for (size_t i = 0; i < unit->functions.count; i++) {
        LLVMValueRef twin = twin_of(unit, unit->functions.items[i]);
        if (twin)
            dispatch(unit, unit->functions.items[i], twin);
    }
}
