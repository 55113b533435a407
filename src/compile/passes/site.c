/* Sites: where in the source an operation stands. */
#include "compile/passes/unit.h"

#include "base/error.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hd_is_located(LLVMValueRef instruction)
{
    return LLVMInstructionGetDebugLoc(instruction) && LLVMGetDebugLocLine(instruction);
}

static hd_place place_of_function(LLVMValueRef function)
{
    hd_place place = { 0 };
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    if (!scope)
        return place;
    place.line = LLVMDISubprogramGetLine(scope);
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    if (file)
        place.file = LLVMDIFileGetFilename(file, &place.file_length);
    return place;
}

hd_place hd_unit_place(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    while (instruction && !hd_is_located(instruction))
        instruction = LLVMGetPreviousInstruction(instruction);
    if (!instruction)
        return place_of_function(LLVMGetBasicBlockParent(block));
    hd_place place = { .line = LLVMGetDebugLocLine(instruction), .column = LLVMGetDebugLocColumn(instruction) };
    place.file = LLVMGetDebugLocFilename(instruction, &place.file_length);
    return place;
}

LLVMValueRef hd_unit_text(hd_unit *unit, const char *text)
{
    size_t room = strlen(text) + sizeof "hd.text.";
    char *name = hd_alloc(&hd_heap, room);
    snprintf(name, room, "hd.text.%s", text);
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, name);
    if (!global) {
        LLVMValueRef value = LLVMConstStringInContext(unit->context, text, (unsigned)strlen(text), false);
        global = LLVMAddGlobal(unit->module, LLVMTypeOf(value), name);
        LLVMSetInitializer(global, value);
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
        LLVMSetAlignment(global, 1);
    }
    hd_release(&hd_heap, name, room);
    return global;
}

/* The name in the source; the one in the object may differ for `main`. */
static const char *name_of_function(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return *name == '\1' ? name + 1 : name;
}

LLVMValueRef hd_unit_site(hd_unit *unit, LLVMValueRef instruction)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    hd_place place = hd_unit_place(instruction);
    char *file = strndup(place.file ? place.file : unit->file, place.file ? place.file_length : strlen(unit->file));
    hd_assert(file);
    LLVMValueRef fields[] = { hd_unit_text(unit, file), hd_unit_text(unit, name_of_function(function)),
        hd_unit_i32(unit, place.line), hd_unit_i32(unit, place.column) };
    free(file);
    LLVMValueRef site = LLVMAddGlobal(unit->module, unit->site, "hd.site");
    LLVMSetInitializer(site, LLVMConstStructInContext(unit->context, fields, 4, false));
    LLVMSetGlobalConstant(site, true);
    LLVMSetLinkage(site, LLVMPrivateLinkage);
    LLVMSetAlignment(site, 8);
    return site;
}
