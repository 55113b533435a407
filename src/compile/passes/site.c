/* Sites: the source locations of operations. */
#include "compile/passes/unit.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

bool hd_cc_is_located(LLVMValueRef instruction)
{
    return LLVMInstructionGetDebugLoc(instruction) && LLVMGetDebugLocLine(instruction);
}

/* The name of a file as the user knows it. clang stores it relative to the folder that gives the shortest name. */
static const char *user_name(
    hd_cc_unit *unit, const char *folder, unsigned folder_length, const char *name, unsigned length)
{
    if (!name || !length)
        return unit->file;
    if (name[0] == '/' || !folder_length)
        return hd_arena_print(&unit->texts, "%.*s", (int)length, name);
    char *full = hd_arena_print(&unit->texts, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
    if (!strcmp(full, unit->file))
        return unit->file;
    bool here = strlen(unit->folder) == folder_length && !strncmp(folder, unit->folder, folder_length);
    return here ? full + folder_length + 1 : full;
}

/* The name in the source; a leading \1 tells LLVM to leave a name unchanged. */
static const char *name_of_function(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return *name == '\1' ? name + 1 : name;
}

LLVMValueRef hd_cc_unit_part(hd_cc_unit *unit, LLVMMetadataRef node, unsigned index)
{
    LLVMValueRef parts[32], value = LLVMMetadataAsValue(unit->context, node);
    unsigned count = LLVMGetMDNodeNumOperands(value);
    if (index >= count || count > sizeof parts / sizeof *parts)
        return NULL;
    LLVMGetMDNodeOperands(value, parts);
    return parts[index];
}

/* The function in which the instruction was written; it may have been inlined into another one. */
static const char *function_at(hd_cc_unit *unit, LLVMValueRef instruction)
{
    enum { SCOPE = 1, NAME = 2 };
    LLVMMetadataRef scope = LLVMDILocationGetScope(LLVMInstructionGetDebugLoc(instruction));
    while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        LLVMValueRef outer = hd_cc_unit_part(unit, scope, SCOPE);
        scope = outer ? LLVMValueAsMetadata(outer) : NULL;
    }
    LLVMValueRef name = scope ? hd_cc_unit_part(unit, scope, NAME) : NULL;
    if (!name)
        return name_of_function(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
    unsigned length;
    const char *text = LLVMGetMDString(name, &length);
    return hd_arena_print(&unit->texts, "%.*s", (int)length, text);
}

static hd_cc_location location_of_function(hd_cc_unit *unit, LLVMValueRef function)
{
    hd_cc_location location = { .file = unit->file, .function = name_of_function(function) };
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (!file)
        return location;
    unsigned length, folder_length;
    const char *name = LLVMDIFileGetFilename(file, &length);
    const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
    location.file = user_name(unit, folder, folder_length, name, length);
    location.line = LLVMDISubprogramGetLine(scope);
    return location;
}

hd_cc_location hd_cc_unit_location(hd_cc_unit *unit, LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    while (instruction && !hd_cc_is_located(instruction))
        instruction = LLVMGetPreviousInstruction(instruction);
    if (!instruction)
        return location_of_function(unit, LLVMGetBasicBlockParent(block));
    unsigned length, folder_length;
    const char *name = LLVMGetDebugLocFilename(instruction, &length);
    const char *folder = LLVMGetDebugLocDirectory(instruction, &folder_length);
    return (hd_cc_location) { user_name(unit, folder, folder_length, name, length), function_at(unit, instruction),
        LLVMGetDebugLocLine(instruction), LLVMGetDebugLocColumn(instruction) };
}

LLVMValueRef hd_cc_unit_text(hd_cc_unit *unit, const char *text)
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

unsigned hd_cc_path_kind(hd_cc_unit *unit)
{
    static const char name[] = "heddle.path";
    return LLVMGetMDKindIDInContext(unit->context, name, sizeof name - 1);
}

/* The distance from the site to the text of the instruction's path: unlike a pointer, it needs no relocation when the
 * program is loaded. */
static LLVMValueRef path_of_site(hd_cc_unit *unit, LLVMValueRef instruction, LLVMValueRef site)
{
    LLVMValueRef node = LLVMGetMetadata(instruction, hd_cc_path_kind(unit)), words = NULL;
    if (!node)
        return hd_cc_unit_i32(unit, 0);
    LLVMGetMDNodeOperands(node, &words);
    unsigned length;
    const char *path = LLVMGetMDString(words, &length);
    LLVMValueRef text = hd_cc_unit_text(unit, hd_arena_print(&unit->texts, "%.*s", (int)length, path));
    LLVMValueRef distance = LLVMConstSub(LLVMConstPtrToInt(text, unit->i64), LLVMConstPtrToInt(site, unit->i64));
    return LLVMConstTrunc(distance, unit->i32);
}

static LLVMTypeRef site_type(hd_cc_unit *unit)
{
    LLVMTypeRef fields[] = { unit->pointer, unit->pointer, unit->i32, unit->i32, unit->i32 };
    return LLVMStructTypeInContext(unit->context, fields, 5, false);
}

static LLVMValueRef value_of_site(hd_cc_unit *unit, LLVMValueRef instruction, LLVMValueRef site)
{
    hd_cc_location location = hd_cc_unit_location(unit, instruction);
    LLVMValueRef fields[] = { hd_cc_unit_text(unit, location.file), hd_cc_unit_text(unit, location.function),
        hd_cc_unit_i32(unit, location.line), hd_cc_unit_i32(unit, location.column),
        path_of_site(unit, instruction, site) };
    return LLVMConstStructInContext(unit->context, fields, 5, false);
}

static LLVMValueRef add_site(hd_cc_unit *unit, LLVMTypeRef type)
{
    LLVMValueRef site = LLVMAddGlobal(unit->module, type, "hd.site");
    LLVMSetGlobalConstant(site, true);
    LLVMSetLinkage(site, LLVMPrivateLinkage);
    LLVMSetAlignment(site, 8);
    return site;
}

LLVMValueRef hd_cc_unit_site(hd_cc_unit *unit, LLVMValueRef instruction)
{
    LLVMValueRef site = add_site(unit, site_type(unit));
    LLVMSetInitializer(site, value_of_site(unit, instruction, site));
    return site;
}

LLVMValueRef hd_cc_unit_loop_site(hd_cc_unit *unit, LLVMValueRef instruction, LLVMValueRef looks_at)
{
    LLVMTypeRef types[] = { site_type(unit), unit->pointer };
    LLVMValueRef site = add_site(unit, LLVMStructTypeInContext(unit->context, types, 2, false));
    LLVMValueRef fields[] = { value_of_site(unit, instruction, site),
        looks_at ? looks_at : LLVMConstNull(unit->pointer) };
    LLVMSetInitializer(site, LLVMConstStructInContext(unit->context, fields, 2, false));
    return site;
}
