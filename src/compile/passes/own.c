/* Functions of the program that have the name of a modelled function (runtime/image/owners.h), and the note that heddle
 * compiled the object. */
#include "abi/site.h"
#include "compile/passes/passes.h"
#include "compile/wrap.h"

#include <string.h>

static const struct row {
    const char *name, *face;
} rows[] = {
#define REDIRECT(name) { #name, "hd_" #name },
#define REDIRECT_AS(name, other) { #name, "hd_" #other },
#define REDIRECT_UNUSED(name) { #name, "hd_" #name "_unused" },
#define UNMODELLED(name)
#include "abi/redirect.def"
#undef REDIRECT
#undef REDIRECT_AS
#undef REDIRECT_UNUSED
#undef UNMODELLED
#define FOLLOWS(name)
#define CARRIES(name)
#define SHOWS(name)
#define PRINTS(name)
#define FOLLOWS_IN_TWINS(name) { #name, "hd_" #name },
#include "abi/follow.def"
#undef FOLLOWS
#undef CARRIES
#undef SHOWS
#undef PRINTS
#undef FOLLOWS_IN_TWINS
};

static LLVMValueRef named(hd_cc_unit *unit, const char *name)
{
    size_t length = strlen(name);
    LLVMValueRef found = LLVMGetNamedFunction(unit->module, name);
    found = found ? found : LLVMGetNamedGlobalAlias(unit->module, name, length);
    return found ? found : LLVMGetNamedGlobalIFunc(unit->module, name, length);
}

/* Is it a definition that other objects can call? */
static bool is_offered(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return !LLVMIsDeclaration(function) && linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage
        && linkage != LLVMAvailableExternallyLinkage;
}

/* In assembly, because that works for functions, aliases and ifuncs alike. */
static void offer_as(hd_cc_unit *unit, LLVMValueRef function, const char *name)
{
    static const char *const visibilities[] = {
        [LLVMDefaultVisibility] = "", [LLVMHiddenVisibility] = ".hidden", [LLVMProtectedVisibility] = ".protected"
    };
    const char *visibility = visibilities[LLVMGetVisibility(function)];
    const char *binding = LLVMGetLinkage(function) == LLVMExternalLinkage ? ".globl" : ".weak";
    size_t length;
    hd_cc_unit_assembly(unit, "%s %s", binding, name);
    if (*visibility)
        hd_cc_unit_assembly(unit, "%s %s", visibility, name);
    hd_cc_unit_assembly(unit, ".set %s, %s", name, LLVMGetValueName2(function, &length));
}

/* If the module defines a function called `prefix` + the row's name, `prefix` + the row's face is the same function. */
static void offer(hd_cc_unit *unit, const struct row *row, const char *prefix)
{
    LLVMValueRef function = named(unit, hd_arena_print(&unit->texts, "%s%s", prefix, row->name));
    if (function && is_offered(function))
        offer_as(unit, function, hd_arena_print(&unit->texts, "%s%s", prefix, row->face));
}

void hd_cc_pass_own(hd_cc_unit *unit)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        offer(unit, row, "");
        offer(unit, row, HD_WRAP);
    }
    hd_cc_unit_assembly(unit, ".section .note.heddle, \"aG\", @note, hd_note, comdat");
    hd_cc_unit_assembly(unit, ".p2align 2");
    hd_cc_unit_assembly(unit, ".long %zu, 0, %d", sizeof HD_NOTE, HD_NOTE_MADE);
    hd_cc_unit_assembly(unit, ".asciz \"%s\"", HD_NOTE);
    hd_cc_unit_assembly(unit, ".p2align 2");
    hd_cc_unit_assembly(unit, ".section " HD_FOLDERS_SECTION ", \"MS\", @progbits, 1");
    hd_cc_unit_assembly(unit, ".asciz %s", hd_cc_unit_quoted(unit, unit->folder));
    hd_cc_unit_assembly(unit, ".text");
}
