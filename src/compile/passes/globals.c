/* The program's variables in the sections hd_data and hd_bss, so that the
 * runtime can save and restore them, and a constructor that tells it where
 * they are: one per executable or shared library, however many units it has. */
#include "abi/shadow.h"
#include "compile/passes/passes.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
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

/* The literal with one byte more, under a name that tells the runtime where it ends: a pointer past its
 * end is not the next one's beginning (HD_LITERAL). */
static void guard(hd_unit *unit, LLVMValueRef literal)
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

static void guard_literals(hd_unit *unit)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_literal(g))
            guard(unit, g);
    }
}

/* LLVM takes a section for data unless it has seen it declared otherwise:
 * without this, zeros would fill object files. */
static void declare_sections(hd_unit *unit)
{
    hd_unit_assembly(unit, ".section hd_bss, \"aw\", @nobits");
    hd_unit_assembly(unit, ".text");
}

static LLVMValueRef boundary(hd_unit *unit, const char *name)
{
    LLVMTypeRef bytes = LLVMArrayType(LLVMInt8TypeInContext(unit->context), 0);
    LLVMValueRef symbol = LLVMAddGlobal(unit->module, bytes, name);
    LLVMSetLinkage(symbol, LLVMExternalWeakLinkage);
    LLVMSetVisibility(symbol, LLVMHiddenVisibility);
    return symbol;
}

static LLVMValueRef add_constructor(hd_unit *unit)
{
    LLVMTypeRef types[] = { unit->pointer, unit->pointer, unit->pointer, unit->pointer };
    LLVMTypeRef type = LLVMFunctionType(unit->nothing, types, 4, false);
    LLVMValueRef enrol = LLVMAddFunction(unit->module, "hd_register_module", type);
    LLVMValueRef constructor =
        LLVMAddFunction(unit->module, "hd_module_constructor", LLVMFunctionType(unit->nothing, NULL, 0, false));
    LLVMSetLinkage(constructor, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(constructor, LLVMHiddenVisibility);
    LLVMSetComdat(constructor, LLVMGetOrInsertComdat(unit->module, "hd_module_constructor"));
    LLVMPositionBuilderAtEnd(unit->builder, LLVMAppendBasicBlockInContext(unit->context, constructor, ""));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMValueRef bounds[] = { boundary(unit, "__start_hd_data"), boundary(unit, "__stop_hd_data"),
        boundary(unit, "__start_hd_bss"), boundary(unit, "__stop_hd_bss") };
    LLVMBuildCall2(unit->builder, type, enrol, bounds, 4, "");
    LLVMBuildRetVoid(unit->builder);
    return constructor;
}

/* The list of constructors with one more; entries are { priority, function, key }. */
static void append_constructor(hd_unit *unit, LLVMValueRef constructor)
{
    enum { BEFORE_THE_PROGRAMS = 1 };
    LLVMTypeRef types[] = { unit->i32, unit->pointer, unit->pointer };
    LLVMTypeRef entry_type = LLVMStructTypeInContext(unit->context, types, 3, false);
    LLVMValueRef fields[] = { hd_unit_i32(unit, BEFORE_THE_PROGRAMS), constructor, constructor };
    hd_values entries = { 0 };
    LLVMValueRef old = LLVMGetNamedGlobal(unit->module, "llvm.global_ctors");
    if (old) {
        LLVMValueRef list = LLVMGetInitializer(old);
        for (unsigned i = 0; i < LLVMGetArrayLength(LLVMTypeOf(list)); i++)
            hd_vec_push(&entries, LLVMGetAggregateElement(list, i));
        LLVMSetValueName2(old, "", 0);
        LLVMDeleteGlobal(old);
    }
    hd_vec_push(&entries, LLVMConstStructInContext(unit->context, fields, 3, false));
    LLVMValueRef list = LLVMConstArray(entry_type, entries.items, (unsigned)entries.count);
    LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(list), "llvm.global_ctors");
    LLVMSetLinkage(global, LLVMAppendingLinkage);
    LLVMSetInitializer(global, list);
    hd_vec_fini(&entries);
}

static void rename_main(hd_unit *unit)
{
    LLVMValueRef user_main = LLVMGetNamedFunction(unit->module, "main");
    if (user_main)
        LLVMSetValueName2(user_main, "hd_user_main", strlen("hd_user_main"));
}

void hd_pass_sections(hd_unit *unit)
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

void hd_pass_globals(hd_unit *unit)
{
    bool moved = false;
    guard_literals(unit);
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g))
        if (is_movable(g)) {
            move(g);
            moved = true;
        }
    if (moved) {
        declare_sections(unit);
        append_constructor(unit, add_constructor(unit));
    }
    rename_main(unit);
}
