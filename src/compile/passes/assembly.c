/* Lifts inline assembly, and names what cannot be lifted. */
#include "compile/passes/assembly.h"
#include "compile/passes/passes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\n;")];
}

static bool has_pointers(const hd_asm_operands *o)
{
    for (unsigned i = 0; i < o->count; i++)
        if (o->items[i].is_memory || (o->items[i].value && LLVMGetTypeKind(o->items[i].type) == LLVMPointerTypeKind))
            return true;
    return false;
}

static bool stays_in_operands(const hd_asm *a)
{
    hd_asm_program program;
    if (!hd_asm_parse(a, &program))
        return false;
    for (unsigned i = 0; i < program.count; i++)
        if (!hd_asm_stays_in_operands(&program.items[i]))
            return false;
    return true;
}

static hd_assembly_kind kind_of(const hd_asm *a)
{
    if (is_blank(a->text))
        return HD_ASSEMBLY_NOTHING;
    if (a->operands.is_understood && !a->operands.clobbers_memory && !has_pointers(&a->operands))
        return HD_ASSEMBLY_REGISTERS;
    return stays_in_operands(a) ? HD_ASSEMBLY_OPERANDS : HD_ASSEMBLY_UNSEEN;
}

hd_assembly_kind hd_assembly_judge(LLVMValueRef call)
{
    hd_asm a;
    hd_asm_open(&a, call);
    hd_assembly_kind kind = kind_of(&a);
    hd_asm_close(&a);
    return kind;
}

static void warn(hd_place place, const char *what)
{
    fprintf(stderr, "%s:%u:%u: warning: %s is not understood by heddle: a check that executes it is not complete\n",
        place.file, place.line, place.column, what);
}

static void visit(hd_unit *unit, LLVMValueRef call, bool warns)
{
    hd_asm a;
    hd_asm_open(&a, call);
    if (!hd_asm_lift(unit, call, &a) && warns && kind_of(&a) == HD_ASSEMBLY_UNSEEN)
        warn(hd_unit_place(unit, call), "inline assembly that accesses memory");
    hd_asm_close(&a);
}

/* --- functions that are assembly ---------------------------------------------------- */

/* Whether assembly outside of functions has a label with this name. */
static bool is_label(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        bool begins = at == text || strchr(" \t\n;", at[-1]);
        const char *behind = at + length + strspn(at + length, " \t");
        if (begins && *behind == ':')
            return true;
    }
    return false;
}

/* What refers to the function may call it. */
static void tell_users(hd_unit *unit, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user))
            continue;
        hd_unit_before(unit, user);
        hd_unit_call(unit, hook_hd_unseen, (LLVMValueRef[]) { hd_unit_site(unit, user) });
    }
}

static void functions_of_assembly(hd_unit *unit, bool warns)
{
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(unit->module, &length);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        bool is_assembly = LLVMIsDeclaration(f) ? *name && is_label(text, name) : hd_is_naked(f);
        if (!is_assembly || !LLVMGetFirstUse(f))
            continue;
        char what[200];
        snprintf(what, sizeof what, "the function %s, which is assembly,", name);
        if (warns)
            warn((hd_place) { unit->file, name, 1, 1 }, what);
        tell_users(unit, f);
    }
}

void hd_pass_assembly(hd_unit *unit, bool warns)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_values *instructions = hd_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            if (hd_is_assembly(instructions->items[i]))
                visit(unit, instructions->items[i], warns);
    }
    functions_of_assembly(unit, warns);
}
