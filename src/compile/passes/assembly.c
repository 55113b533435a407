/* Inline assembly is not looked into: one warning per file says so. */
#include "compile/passes/assembly.h"
#include "compile/passes/passes.h"

#include <stdio.h>
#include <string.h>

/* "TEXT", "CONSTRAINTS" of an inline assembly value, as LLVM prints it. The C
 * API of LLVM 16 has no other way. */
static void split(char *printed, char **text, char **constraints)
{
    *text = *constraints = "";
    char *open = strchr(printed, '"');
    char *close = open ? strchr(open + 1, '"') : NULL;
    char *second = close ? strchr(close + 1, '"') : NULL;
    char *end = second ? strchr(second + 1, '"') : NULL;
    if (!end)
        return;
    *close = *end = '\0';
    *text = open + 1;
    *constraints = second + 1;
}

static bool is_pause(const char *text)
{
    static const char *const pauses[] = { "", "pause", "rep; nop", "rep;nop", "rep nop", "nop", "yield" };
    while (*text == ' ' || *text == '\t')
        text++;
    size_t length = strcspn(text, "\\");
    while (length && strchr(" \t;", text[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++)
        if (strlen(pauses[i]) == length && !strncmp(text, pauses[i], length))
            return !text[strcspn(text, "\\")] || !strchr(text, ' ');
    return false;
}

hd_assembly hd_assembly_kind(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    char *printed = LLVMPrintValueToString(callee), *text, *constraints;
    split(printed, &text, &constraints);
    hd_assembly kind = HD_ASSEMBLY_REGISTERS;
    if (is_pause(text))
        kind = HD_ASSEMBLY_PAUSE;
    else if (strstr(constraints, "~{memory}") || strchr(constraints, '*'))
        kind = HD_ASSEMBLY_MEMORY;
    for (unsigned i = 0; kind == HD_ASSEMBLY_REGISTERS && i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            kind = HD_ASSEMBLY_MEMORY;
    LLVMDisposeMessage(printed);
    return kind;
}

static LLVMValueRef first_in(hd_unit *unit, LLVMValueRef function)
{
    hd_values *instructions = hd_unit_instructions(unit, function);
    for (size_t i = 0; i < instructions->count; i++) {
        LLVMValueRef call = instructions->items[i];
        if (hd_is_call(call) && LLVMIsAInlineAsm(LLVMGetCalledValue(call))
            && hd_assembly_kind(call) == HD_ASSEMBLY_MEMORY)
            return call;
    }
    return NULL;
}

void hd_pass_assembly(hd_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        LLVMValueRef call = first_in(unit, unit->functions.items[f]);
        if (!call)
            continue;
        hd_place place = hd_unit_place(unit, call);
        fprintf(stderr, "%s:%u:%u: warning: the memory accesses of inline assembly are not seen by heddle\n",
            place.file, place.line, place.column);
        return;
    }
}
