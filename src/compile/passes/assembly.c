/* Lifts inline assembly, and warns of what cannot be lifted. */
#include "compile/passes/assembly.h"
#include "compile/passes/passes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\n;")];
}

static bool has_pointers(const hd_cc_asm_operands *o)
{
    for (unsigned i = 0; i < o->count; i++)
        if (o->items[i].is_memory || (o->items[i].value && LLVMGetTypeKind(o->items[i].type) == LLVMPointerTypeKind))
            return true;
    return false;
}

static bool stays_in_operands(const hd_cc_asm *a)
{
    hd_cc_asm_program program;
    if (!hd_cc_asm_parse(a, &program))
        return false;
    for (unsigned i = 0; i < program.count; i++)
        if (!hd_cc_asm_stays_in_operands(&program.items[i]))
            return false;
    return true;
}

/* --- memory accesses in the text, without operands ------------------------------------ */

static bool is_string_instruction(const char *word, size_t length)
{
    static const char *const names[] = { "movs", "stos", "lods", "cmps", "scas", "ins", "outs" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length == strlen(names[i]) + 1 && !strncmp(word, names[i], length - 1) && strchr("bwldq", word[length - 1]))
            return true;
    return length == 5 && !strncmp(word, "xlatb", length);
}

/* Is the parenthesis at `at` that of an address? Not if it belongs to alternatives or to a register of the x87 unit. */
static bool is_address(const char *text, const char *at)
{
    if (*at == '[')
        return true;
    bool is_alternative = at > text && at[-1] == '$', is_x87 = at > text + 1 && !strncmp(at - 2, "st", 2);
    return *at == '(' && !is_alternative && !is_x87;
}

/* `at` is the start of an operand. An operand that is neither a register nor a constant is a memory address. */
static bool is_bare_address(const char *at)
{
    return isalnum((unsigned char)*at) || *at == '_' || *at == '.' || *at == '-';
}

/* Does one statement in AT&T syntax, up to `end`, access memory? Targets of jumps and operands of directives do not
 * count. */
static bool statement_accesses(const char *text, const char *at, const char *end)
{
    size_t length = strcspn(at, " \t\n;");
    if (*at == '.' || *at == 'j' || !strncmp(at, "call", 4) || !strncmp(at, "loop", 4))
        return false;
    if (is_string_instruction(at, length))
        return true;
    bool is_start = true; /* of an operand */
    for (at += length; at < end; at++) {
        if (is_address(text, at) || (is_start && is_bare_address(at)))
            return true;
        is_start = *at == ',' || (is_start && isspace((unsigned char)*at));
    }
    return false;
}

static size_t skip_prefix(const char *at)
{
    static const char *const prefixes[] = { "lock", "rep", "repz", "repe", "repnz", "repne" };
    size_t length = strcspn(at, " \t\n;");
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (length == strlen(prefixes[i]) && !strncmp(at, prefixes[i], length))
            return length;
    return 0;
}

/* Does the text access memory without an operand for it? The address may also be a number. */
static bool accesses_on_its_own(const char *text)
{
    for (const char *at = text; *at;) {
        at += strspn(at, " \t\n;");
        size_t label = strcspn(at, ":\n; \t"), prefix = skip_prefix(at);
        if (at[label] == ':' && label && at[0] != '%')
            at += label + 1;
        else if (prefix)
            at += prefix;
        else {
            const char *end = at + strcspn(at, "\n;");
            if (statement_accesses(text, at, end))
                return true;
            at = end;
        }
    }
    return false;
}

static hd_cc_assembly_kind kind_of(const hd_cc_asm *a)
{
    if (is_blank(a->text))
        return HD_ASSEMBLY_NOTHING;
    if (a->operands.is_understood && !a->operands.clobbers_memory && !has_pointers(&a->operands))
        return a->is_intel || accesses_on_its_own(a->text) ? HD_ASSEMBLY_UNSEEN : HD_ASSEMBLY_REGISTERS;
    return stays_in_operands(a) ? HD_ASSEMBLY_OPERANDS : HD_ASSEMBLY_UNSEEN;
}

hd_cc_assembly_kind hd_cc_assembly_judge(LLVMValueRef call)
{
    hd_cc_asm a;
    hd_cc_asm_open(&a, call);
    hd_cc_assembly_kind kind = kind_of(&a);
    hd_cc_asm_close(&a);
    return kind;
}

static void warn(hd_cc_location location, const char *what)
{
    fprintf(stderr, "%s:%u:%u: warning: %s is not understood by heddle: a check that executes it is not complete\n",
        location.file, location.line, location.column, what);
}

static void visit(hd_cc_unit *unit, LLVMValueRef call, bool warns)
{
    hd_cc_asm a;
    hd_cc_asm_open(&a, call);
    if (!hd_cc_asm_lift(unit, call, &a) && warns && kind_of(&a) == HD_ASSEMBLY_UNSEEN)
        warn(hd_cc_unit_location(unit, call), "inline assembly that accesses memory");
    hd_cc_asm_close(&a);
}

/* --- functions that are assembly ---------------------------------------------------- */

/* Does assembly outside of functions define a label with this name? */
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

/* Calls hd_unseen wherever code refers to a function that is assembly: it may call it. */
static void tell_users(hd_cc_unit *unit, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user))
            continue;
        hd_cc_unit_before(unit, user);
        hd_cc_unit_call(unit, hook_hd_unseen, (LLVMValueRef[]) { hd_cc_unit_site(unit, user) });
    }
}

static void functions_of_assembly(hd_cc_unit *unit, bool warns)
{
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(unit->module, &length);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        bool is_assembly = LLVMIsDeclaration(f) ? *name && is_label(text, name) : hd_cc_is_naked(f);
        if (!is_assembly || !LLVMGetFirstUse(f))
            continue;
        char what[200];
        snprintf(what, sizeof what, "the function %s, which is assembly,", name);
        if (warns)
            warn((hd_cc_location) { unit->file, name, 1, 1 }, what);
        tell_users(unit, f);
    }
}

void hd_cc_pass_assembly(hd_cc_unit *unit, bool warns)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            if (hd_cc_is_assembly(instructions->items[i]))
                visit(unit, instructions->items[i], warns);
    }
    functions_of_assembly(unit, warns);
}
