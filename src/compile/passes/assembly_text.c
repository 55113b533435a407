/* Parses the text of inline assembly in AT&T syntax, as LLVM stores it. */
#include "compile/passes/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const hd_cc_asm *assembly;
    const char *at;
} reader;

static bool starts(reader *r, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(r->at, text, length))
        return false;
    r->at += length;
    return true;
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

/* --- operands ----------------------------------------------------------------- */

/* A placeholder, $N or ${N:MODIFIER}; -1: it is none. */
static int hole(reader *r, char *modifier)
{
    bool braces = r->at[0] == '$' && r->at[1] == '{';
    const char *from = r->at + 1 + braces;
    if (r->at[0] != '$' || !isdigit((unsigned char)*from))
        return -1;
    char *end;
    int number = (int)strtol(from, &end, 10);
    *modifier = 0;
    if (braces && *end == ':' && end[1] != '}') {
        *modifier = end[1];
        end += 2;
    }
    if (braces && *end++ != '}')
        return -1;
    r->at = end;
    return number < (int)r->assembly->operands.count ? number : -1;
}

static unsigned width_of_modifier(char modifier)
{
    switch (modifier) {
    case 'b':
        return 8;
    case 'w':
        return 16;
    case 'k':
        return 32;
    case 'q':
        return 64;
    default:
        return 0;
    }
}

static int register_of_operand(const hd_cc_asm_operands *o, int number)
{
    if (o->items[number].tied >= 0)
        number = o->items[number].tied;
    int fixed = o->items[number].fixed;
    return fixed != HD_ASM_NO_REGISTER ? fixed : HD_ASM_REGISTERS + number;
}

/* %NAME. */
static int named_register(reader *r, unsigned *width)
{
    size_t length = 0;
    if (*r->at != '%')
        return HD_ASM_NO_REGISTER;
    while (isalnum((unsigned char)r->at[1 + length]))
        length++;
    int found = hd_cc_asm_register(r->at + 1, length, width);
    if (found != HD_ASM_NO_REGISTER)
        r->at += 1 + length;
    return found;
}

/* A register inside an address. */
static bool part_of_address(reader *r, int *out)
{
    unsigned width = 64;
    char modifier;
    skip_blanks(r);
    const char *start = r->at;
    int number = hole(r, &modifier);
    if (number >= 0 && !r->assembly->operands.items[number].is_memory && strchr("q", modifier))
        *out = register_of_operand(&r->assembly->operands, number);
    else {
        r->at = start;
        *out = named_register(r, &width);
    }
    skip_blanks(r);
    return *out != HD_ASM_NO_REGISTER && width == 64;
}

/* (BASE, INDEX, SCALE); only the base is required. */
static bool bracket(reader *r, hd_cc_asm_argument *a)
{
    unsigned width;
    if (!starts(r, "("))
        return true;
    const char *start = r->at;
    skip_blanks(r);
    int base = named_register(r, &width);
    skip_blanks(r);
    if (base == hd_cc_asm_register("rsp", 3, &width) && starts(r, ")")) {
        a->is_stack = true;
        return true;
    }
    r->at = start;
    if (*r->at != ',' && !part_of_address(r, &a->base))
        return false;
    if (starts(r, ",") && !part_of_address(r, &a->index))
        return false;
    if (starts(r, ",")) {
        char *end;
        a->scale = (unsigned)strtoul(r->at, &end, 10);
        r->at = end;
    }
    skip_blanks(r);
    return starts(r, ")");
}

static bool number(reader *r, int64_t *value)
{
    char *end;
    *value = (int64_t)strtoull(r->at, &end, 0);
    bool found = end != r->at;
    r->at = end;
    return found;
}

static bool is_constant(const hd_cc_asm_operand *o)
{
    return o->value && !o->is_memory && LLVMIsAConstantInt(o->value);
}

/* OFFSET, (…), OFFSET(…), a memory operand with or without an offset. */
static bool address(reader *r, hd_cc_asm_argument *a)
{
    char modifier;
    bool offset = number(r, &a->constant);
    starts(r, "+");
    const char *start = r->at;
    int operand = hole(r, &modifier);
    if (operand >= 0 && r->assembly->operands.items[operand].is_memory && !modifier) {
        a->operand = operand;
        return true;
    }
    if (operand >= 0 && is_constant(&r->assembly->operands.items[operand]) && strchr("cPp", modifier)) {
        a->constant_operand = operand;
        offset = true;
    } else {
        r->at = start;
    }
    bool brackets = *r->at == '(';
    return bracket(r, a) && (brackets || (offset && a->in_thread));
}

/* A placeholder that is a whole argument: a register, a constant, or memory. */
static bool operand_alone(reader *r, hd_cc_asm_argument *a)
{
    char modifier;
    int n = hole(r, &modifier);
    if (n < 0)
        return false;
    const hd_cc_asm_operands *o = &r->assembly->operands;
    const hd_cc_asm_operand *operand = &o->items[n];
    if (operand->flag)
        return false;
    if (modifier == 'a' && !operand->is_memory) {
        a->base = register_of_operand(o, n);
        return true;
    }
    if (operand->is_memory || (operand->tied >= 0 && o->items[operand->tied].is_memory)) {
        a->operand = operand->is_memory ? n : operand->tied;
        return !modifier || width_of_modifier(modifier);
    }
    a->storage = HD_ASM_REGISTER;
    a->reg = register_of_operand(o, n);
    a->width = width_of_modifier(modifier);
    return !modifier || a->width;
}

static bool argument(reader *r, hd_cc_asm_argument *a)
{
    static const hd_cc_asm_argument nowhere = { .storage = HD_ASM_MEMORY,
        .operand = -1,
        .constant_operand = -1,
        .base = HD_ASM_NO_REGISTER,
        .index = HD_ASM_NO_REGISTER,
        .scale = 1 };
    *a = nowhere;
    if (starts(r, "$$")) {
        a->storage = HD_ASM_CONSTANT;
        return number(r, &a->constant);
    }
    if (starts(r, "%fs:")) {
        a->in_thread = true;
        return address(r, a);
    }
    a->reg = named_register(r, &a->width);
    if (a->reg != HD_ASM_NO_REGISTER) {
        a->storage = HD_ASM_REGISTER;
        return true;
    }
    const char *start = r->at;
    if (operand_alone(r, a) && *r->at != '(')
        return true;
    r->at = start;
    *a = nowhere;
    return address(r, a);
}

/* --- statements ----------------------------------------------------------------- */

static bool is_end(char c)
{
    return !c || c == ';' || c == '\n';
}

static bool arguments(reader *r, hd_cc_asm_statement *s)
{
    for (skip_blanks(r); !is_end(*r->at); skip_blanks(r)) {
        if (s->count == HD_ASM_ARGUMENTS || (s->count && !starts(r, ",")))
            return false;
        skip_blanks(r);
        if (!argument(r, &s->arguments[s->count++]))
            return false;
    }
    return true;
}

static bool word(reader *r, char *out, size_t room)
{
    size_t length = 0;
    for (; isalnum((unsigned char)*r->at) || *r->at == '.' || *r->at == '_'; r->at++)
        if (length + 1 < room)
            out[length++] = *r->at;
    out[length] = '\0';
    return length > 0;
}

/* Skips a section in which the Linux kernel records its lock prefixes: it is not executed. */
static bool skip_section(reader *r)
{
    const char *end = strstr(r->at, ".popsection");
    if (strncmp(r->at, ".pushsection", 12) || !end)
        return false;
    r->at = end + 11;
    return true;
}

/* Prefixes may be followed by the instruction or by the end of a line. */
static bool prefix(const char *name, hd_cc_asm_statement *s)
{
    if (!strcmp(name, "lock"))
        s->is_locked = true;
    else if (!strcmp(name, "rep") || !strcmp(name, "repz") || !strcmp(name, "repe"))
        s->is_repeated = true;
    else
        return false;
    return true;
}

static void skip_between(reader *r)
{
    while (*r->at && strchr(" \t\n;", *r->at))
        r->at++;
}

/* Skips a numeric label. Only jumps use it, and text with jumps is not lifted. */
static bool skip_label(reader *r)
{
    size_t digits = strspn(r->at, "0123456789");
    if (!digits || r->at[digits] != ':')
        return false;
    r->at += digits + 1;
    return true;
}

/* Keeps the first of the alternatives {AT&T|Intel}, which LLVM stores as $(…$|…$). */
static char *first_alternatives(const char *text)
{
    char *copy = strdup(text), *to = copy;
    for (const char *from = copy; *from;) {
        if (from[0] == '$' && from[1] == '$') {
            *to++ = *from++;
            *to++ = *from++;
        } else if (from[0] == '$' && from[1] == '(') {
            from += 2;
        } else if (from[0] == '$' && from[1] == '|') {
            const char *end = strstr(from, "$)");
            from = end ? end + 2 : from + strlen(from);
        } else if (from[0] == '$' && from[1] == ')') {
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return copy;
}

static bool statements(reader *r, hd_cc_asm_program *program)
{
    hd_cc_asm_statement next = { 0 };
    for (skip_between(r); *r->at; skip_between(r)) {
        if (skip_section(r) || skip_label(r))
            continue;
        if (program->count == HD_ASM_STATEMENTS || !word(r, next.mnemonic, sizeof next.mnemonic))
            return false;
        if (prefix(next.mnemonic, &next))
            continue;
        if (!arguments(r, &next))
            return false;
        program->items[program->count++] = next;
        next = (hd_cc_asm_statement) { 0 };
    }
    return !next.is_locked && !next.is_repeated;
}

bool hd_cc_asm_parse(const hd_cc_asm *a, hd_cc_asm_program *program)
{
    char *text = first_alternatives(a->text);
    program->count = 0;
    reader r = { a, text };
    bool understood = a->operands.is_understood && statements(&r, program);
    for (unsigned i = 0; a->is_intel && i < program->count; i++)
        understood &= program->items[i].count == 0;
    free(text);
    return understood;
}
