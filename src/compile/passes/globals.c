/* Puts the program's variables into the sections hd_data and hd_bss, so that the runtime
 * can restore them, and its constructors and destructors into hd_init, so that the
 * runtime can run them. Adds a constructor that registers these sections: one per
 * executable or shared library, however many units it has. */
#include "abi/init.h"
#include "abi/shadow.h"
#include "compile/passes/passes.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_movable(LLVMValueRef g)
{
    const char *section = LLVMGetSection(g);
    return !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) && !LLVMIsThreadLocal(g)
        && LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage && !(section && *section)
        && strncmp(LLVMGetValueName(g), "llvm.", 5) != 0;
}

static void move(LLVMValueRef g)
{
    if (LLVMGetLinkage(g) == LLVMCommonLinkage)
        LLVMSetLinkage(g, LLVMWeakAnyLinkage);
    LLVMSetSection(g, LLVMIsNull(LLVMGetInitializer(g)) ? "hd_bss" : "hd_data");
}

static bool is_literal(LLVMValueRef g)
{
    LLVMValueRef value = LLVMGetInitializer(g);
    return value && LLVMIsGlobalConstant(g) && LLVMGetLinkage(g) == LLVMPrivateLinkage
        && !strncmp(LLVMGetValueName(g), ".str", strlen(".str")) && LLVMIsAConstantDataArray(value)
        && LLVMIsConstantString(value);
}

/* Adds a guard byte to a string literal, under a name that the runtime recognises (HD_LITERAL): so a pointer to the end
 * of a literal is not the start of the next object. */
static void guard(hd_cc_unit *unit, LLVMValueRef literal)
{
    size_t length;
    const char *text = LLVMGetAsString(LLVMGetInitializer(literal), &length);
    LLVMValueRef longer = LLVMConstStringInContext(unit->context, text, (unsigned)length, false);
    LLVMValueRef guarded = LLVMAddGlobal(unit->module, LLVMTypeOf(longer), HD_LITERAL);
    LLVMSetInitializer(guarded, longer);
    LLVMSetGlobalConstant(guarded, true);
    LLVMSetLinkage(guarded, LLVMInternalLinkage);
    LLVMSetUnnamedAddress(guarded, LLVMGetUnnamedAddress(literal));
    LLVMSetAlignment(guarded, LLVMGetAlignment(literal));
    LLVMReplaceAllUsesWith(literal, guarded);
    LLVMDeleteGlobal(literal);
}

static void guard_literals(hd_cc_unit *unit)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_literal(g))
            guard(unit, g);
    }
}

/* Declares hd_bss as a section without contents: LLVM assumes data otherwise, and object files would contain the zeros.
 */
static void declare_sections(hd_cc_unit *unit)
{
    hd_cc_unit_assembly(unit, ".section hd_bss, \"aw\", @nobits");
    hd_cc_unit_assembly(unit, ".text");
}

static LLVMValueRef boundary(hd_cc_unit *unit, const char *name)
{
    LLVMTypeRef bytes = LLVMArrayType(LLVMInt8TypeInContext(unit->context), 0);
    LLVMValueRef symbol = LLVMAddGlobal(unit->module, bytes, name);
    LLVMSetLinkage(symbol, LLVMExternalWeakLinkage);
    LLVMSetVisibility(symbol, LLVMHiddenVisibility);
    return symbol;
}

static LLVMValueRef add_constructor(hd_cc_unit *unit)
{
    enum { BOUNDS = 6 };
    LLVMTypeRef types[BOUNDS];
    for (int i = 0; i < BOUNDS; i++)
        types[i] = unit->pointer;
    LLVMTypeRef type = LLVMFunctionType(unit->nothing, types, BOUNDS, false);
    LLVMValueRef enrol = LLVMAddFunction(unit->module, "hd_register_module", type);
    LLVMValueRef constructor =
        LLVMAddFunction(unit->module, "hd_module_constructor", LLVMFunctionType(unit->nothing, NULL, 0, false));
    LLVMSetLinkage(constructor, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(constructor, LLVMHiddenVisibility);
    LLVMSetComdat(constructor, LLVMGetOrInsertComdat(unit->module, "hd_module_constructor"));
    LLVMPositionBuilderAtEnd(unit->builder, LLVMAppendBasicBlockInContext(unit->context, constructor, ""));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMValueRef bounds[BOUNDS] = { boundary(unit, "__start_hd_data"), boundary(unit, "__stop_hd_data"),
        boundary(unit, "__start_hd_bss"), boundary(unit, "__stop_hd_bss"), boundary(unit, "__start_hd_init"),
        boundary(unit, "__stop_hd_init") };
    LLVMBuildCall2(unit->builder, type, enrol, bounds, BOUNDS, "");
    LLVMBuildRetVoid(unit->builder);
    return constructor;
}

/* Adds `g` to the symbols that are kept although nothing refers to them. */
static void keep(hd_cc_unit *unit, LLVMValueRef g)
{
    static const char name[] = "llvm.used";
    hd_cc_values kept = { 0 };
    LLVMValueRef old = LLVMGetNamedGlobal(unit->module, name), list = old ? LLVMGetInitializer(old) : NULL;
    for (unsigned i = 0; list && i < LLVMGetArrayLength(LLVMTypeOf(list)); i++)
        hd_vec_push(&kept, LLVMGetAggregateElement(list, i));
    hd_vec_push(&kept, g);
    if (old)
        LLVMDeleteGlobal(old);
    list = LLVMConstArray(unit->pointer, kept.items, (unsigned)kept.count);
    LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(list), name);
    LLVMSetLinkage(global, LLVMAppendingLinkage);
    LLVMSetSection(global, "llvm.metadata");
    LLVMSetInitializer(global, list);
    hd_vec_fini(&kept);
}

/* The only constructor that the loader runs. Not in llvm.global_ctors: LLVM would put it into .ctors, which not every
 * linker treats as a list of constructors. */
static void list_constructor(hd_cc_unit *unit, LLVMValueRef constructor)
{
    LLVMValueRef entry = LLVMAddGlobal(unit->module, unit->pointer, "hd.module_entry");
    LLVMSetInitializer(entry, constructor);
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    LLVMSetSection(entry, ".init_array.1");
    LLVMSetAlignment(entry, 8);
    LLVMSetComdat(entry, LLVMGetComdat(constructor));
    keep(unit, entry);
}

/* --- the program's own constructors and destructors ------------------------------ */

static void add_init(
    hd_cc_unit *unit, hd_cc_values *inits, LLVMValueRef function, uint64_t priority, bool is_destructor)
{
    if (!LLVMIsAFunction(function))
        return;
    LLVMValueRef fields[] = { function, hd_cc_unit_i32(unit, (uint32_t)priority), hd_cc_unit_i32(unit, is_destructor) };
    hd_vec_push(inits, LLVMConstStructInContext(unit->context, fields, 3, false));
}

/* Takes the constructors that attributes have created: entries are { priority, function, key }. */
static void take_list(hd_cc_unit *unit, hd_cc_values *inits, const char *name, bool is_destructor)
{
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, name);
    if (!global)
        return;
    LLVMValueRef list = LLVMGetInitializer(global);
    unsigned length = LLVMIsAConstantArray(list) ? LLVMGetArrayLength(LLVMTypeOf(list)) : 0;
    for (unsigned i = 0; i < length; i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(list, i);
        uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(entry, 0));
        add_init(unit, inits, LLVMGetAggregateElement(entry, 1), priority, is_destructor);
    }
    LLVMDeleteGlobal(global);
}

/* Takes functions that the source has put into a list of the loader itself, as in
 * `__attribute__((section(".init_array.101")))`: one function, or an array. */
static void take_variable(hd_cc_unit *unit, hd_cc_values *inits, LLVMValueRef g, bool is_destructor)
{
    const char *section = LLVMGetSection(g), *number = strchr(section + 1, '.');
    uint64_t priority = number ? strtoull(number + 1, NULL, 10) : HD_INIT_LAST;
    LLVMValueRef value = LLVMGetInitializer(g);
    if (LLVMIsAConstantArray(value))
        for (unsigned i = 0; i < LLVMGetArrayLength(LLVMTypeOf(value)); i++)
            add_init(unit, inits, LLVMGetAggregateElement(value, i), priority, is_destructor);
    else
        add_init(unit, inits, value, strncmp(section, ".preinit", strlen(".preinit")) ? priority : 0, is_destructor);
    LLVMSetSection(g, "");
}

static bool begins(const char *text, const char *start)
{
    return text && !strncmp(text, start, strlen(start));
}

static void list_inits(hd_cc_unit *unit, const hd_cc_values *inits)
{
    LLVMValueRef list = LLVMConstArray(LLVMTypeOf(inits->items[0]), inits->items, (unsigned)inits->count);
    LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(list), "hd.init");
    LLVMSetInitializer(global, list);
    LLVMSetGlobalConstant(global, false);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetSection(global, "hd_init");
    LLVMSetAlignment(global, 8);
    keep(unit, global);
}

static bool move_inits(hd_cc_unit *unit)
{
    hd_cc_values inits = { 0 };
    take_list(unit, &inits, "llvm.global_ctors", false);
    take_list(unit, &inits, "llvm.global_dtors", true);
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g)) {
        const char *section = LLVMGetSection(g);
        bool is_destructor = begins(section, ".fini_array");
        if (is_destructor || begins(section, ".init_array") || begins(section, ".preinit_array"))
            take_variable(unit, &inits, g, is_destructor);
    }
    bool any = inits.count > 0;
    if (any)
        list_inits(unit, &inits);
    hd_vec_fini(&inits);
    return any;
}

static void rename_main(hd_cc_unit *unit)
{
    LLVMValueRef user_main = LLVMGetNamedFunction(unit->module, "main");
    if (user_main)
        LLVMSetValueName2(user_main, "hd_user_main", strlen("hd_user_main"));
}

void hd_cc_pass_sections(hd_cc_unit *unit)
{
    for (size_t i = 0; i < unit->functions.count; i++) {
        LLVMValueRef f = unit->functions.items[i];
        const char *section = LLVMGetSection(f);
        char name[512];
        if (!(section && *section)
            && (size_t)snprintf(name, sizeof name, ".text.%s", LLVMGetValueName(f)) < sizeof name)
            LLVMSetSection(f, name);
    }
}

void hd_cc_pass_globals(hd_cc_unit *unit)
{
    bool moved = move_inits(unit);
    guard_literals(unit);
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g))
        if (is_movable(g)) {
            move(g);
            moved = true;
        }
    if (moved) {
        declare_sections(unit);
        list_constructor(unit, add_constructor(unit));
    }
    rename_main(unit);
}
