/* Units without twins (compile/kept.h). */
#include "abi/site.h"
#include "compile/passes/passes.h"

#include <string.h>

/* All of them are defined in runtime/face/inputs.c. */
static const char *const askers[] = {
#define NONDET(name, type) "__VERIFIER_nondet_" #name,
#include "abi/nondet.def"
#undef NONDET
    "__VERIFIER_nondet_memory", "__VERIFIER_nondet_bool", "__VERIFIER_nondet__Bool", "__VERIFIER_nondet_float",
    "__VERIFIER_nondet_double", "__VERIFIER_nondet_int128", "__VERIFIER_nondet_uint128", "heddle_bool", "heddle_char",
    "heddle_schar", "heddle_uchar", "heddle_short", "heddle_ushort", "heddle_int", "heddle_uint", "heddle_long",
    "heddle_ulong", "heddle_llong", "heddle_ullong", "heddle_size", "heddle_int8", "heddle_uint8", "heddle_int16",
    "heddle_uint16", "heddle_int32", "heddle_uint32", "heddle_int64", "heddle_uint64", "heddle_range", "heddle_bytes"
};

bool hd_cc_asks_for_inputs(hd_cc_unit *unit)
{
    for (size_t i = 0; i < sizeof askers / sizeof *askers; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, askers[i]);
        if (function && LLVMIsDeclaration(function) && LLVMGetFirstUse(function))
            return true;
    }
    return false;
}

static void add_note(hd_cc_unit *unit)
{
    hd_cc_unit_assembly(unit, ".section .note.heddle.plain, \"a\", @note");
    hd_cc_unit_assembly(unit, ".p2align 2");
    hd_cc_unit_assembly(unit, ".long %zu, %zu, %d", sizeof HD_NOTE, strlen(unit->file) + 1, HD_NOTE_PLAIN);
    hd_cc_unit_assembly(unit, ".asciz \"%s\"", HD_NOTE);
    hd_cc_unit_assembly(unit, ".p2align 2");
    hd_cc_unit_assembly(unit, ".asciz %s", hd_cc_unit_quoted(unit, unit->file));
    hd_cc_unit_assembly(unit, ".p2align 2");
}

static const char mark[] = "hd-plain";

void hd_cc_pass_keep(hd_cc_unit *unit, const char *const *options, const char *bitcode)
{
    for (size_t i = 0; i < unit->functions.count; i++)
        LLVMAddTargetDependentFunctionAttr(unit->functions.items[i], mark, "");
    add_note(unit);
    hd_cc_unit_assembly(unit, ".section " HD_KEPT_SECTION ", \"\", @progbits");
    hd_cc_unit_assembly(unit, ".p2align 3");
    hd_cc_unit_assembly(unit, ".quad 3f - 1f, 2f - 1f");
    hd_cc_unit_assembly(unit, "1:");
    for (; *options; options++)
        hd_cc_unit_assembly(unit, ".asciz %s", hd_cc_unit_quoted(unit, *options));
    hd_cc_unit_assembly(unit, "2:");
    hd_cc_unit_assembly(unit, ".incbin %s", hd_cc_unit_quoted(unit, bitcode));
    hd_cc_unit_assembly(unit, "3:");
    hd_cc_unit_assembly(unit, ".text");
}

static void name_plain(hd_cc_unit *unit, const char *function, LLVMLinkage linkage)
{
    const char *name = hd_cc_unit_quoted(unit, hd_arena_print(&unit->texts, "%s" HD_PLAIN_SUFFIX, function));
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) {
        hd_cc_unit_assembly(unit, ".weak %s", name);
        hd_cc_unit_assembly(unit, ".hidden %s", name);
    }
    hd_cc_unit_assembly(unit, ".set %s, %s", name, hd_cc_unit_quoted(unit, function));
}

void hd_cc_pass_name_plain(hd_cc_unit *unit)
{
    size_t length;
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage
            && LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, mark, sizeof mark - 1))
            name_plain(unit, LLVMGetValueName2(f, &length), LLVMGetLinkage(f));
}
