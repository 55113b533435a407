/* The constraints of an inline assembly, and its operands. */
#include "compile/passes/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool hd_cc_is_assembly(LLVMValueRef instruction)
{
    return hd_cc_is_call(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
}

/* LLVM prints bytes that are not letters as \XX. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++)
        if (*from == '\\' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])) {
            char digits[] = { from[1], from[2], 0 };
            *to = (char)strtol(digits, NULL, 16);
            from += 3;
        } else {
            *to = *from++;
        }
    *to = '\0';
}

/* Splits asm FLAGS "TEXT", "CONSTRAINTS" as printed by LLVM: the C API of LLVM 16 has no functions for the parts. */
static const char *split(hd_cc_asm *a)
{
    char *open = strchr(a->printed, '"');
    char *close = open ? strchr(open + 1, '"') : NULL;
    char *second = close ? strchr(close + 1, '"') : NULL;
    char *end = second ? strchr(second + 1, '"') : NULL;
    a->text = "";
    if (!end)
        return "";
    *open = *close = *end = '\0';
    a->is_intel = strstr(a->printed, "inteldialect") != NULL;
    a->text = open + 1;
    unescape(a->text);
    return second + 1;
}

static const struct {
    const char *names[4]; /* of 64, 32, 16 and 8 bits */
} registers[HD_ASM_REGISTERS] = {
    { { "rax", "eax", "ax", "al" } },
    { { "rbx", "ebx", "bx", "bl" } },
    { { "rcx", "ecx", "cx", "cl" } },
    { { "rdx", "edx", "dx", "dl" } },
    { { "rsi", "esi", "si", "sil" } },
    { { "rdi", "edi", "di", "dil" } },
    { { "rbp", "ebp", "bp", "bpl" } },
    { { "rsp", "esp", "sp", "spl" } },
    { { "r8", "r8d", "r8w", "r8b" } },
    { { "r9", "r9d", "r9w", "r9b" } },
    { { "r10", "r10d", "r10w", "r10b" } },
    { { "r11", "r11d", "r11w", "r11b" } },
    { { "r12", "r12d", "r12w", "r12b" } },
    { { "r13", "r13d", "r13w", "r13b" } },
    { { "r14", "r14d", "r14w", "r14b" } },
    { { "r15", "r15d", "r15w", "r15b" } },
};

int hd_cc_asm_register(const char *name, size_t length, unsigned *width)
{
    for (int r = 0; r < HD_ASM_REGISTERS; r++)
        for (int size = 0; size < 4; size++)
            if (strlen(registers[r].names[size]) == length && !strncmp(registers[r].names[size], name, length)) {
                *width = 64u >> size;
                return r;
            }
    return HD_ASM_NO_REGISTER;
}

/* {NAME}, or the letter of a register. */
static int fixed_register(const char *code, size_t length)
{
    static const char letters[] = "abcdSD";
    static const char *const names[] = { "rax", "rbx", "rcx", "rdx", "rsi", "rdi" };
    unsigned width;
    if (length > 2 && code[0] == '{')
        return hd_cc_asm_register(code + 1, length - 2, &width);
    const char *letter = length == 1 ? strchr(letters, *code) : NULL;
    return letter ? hd_cc_asm_register(names[letter - letters], 3, &width) : HD_ASM_NO_REGISTER;
}

static void clobber(hd_cc_asm_operands *o, const char *name, size_t length)
{
    unsigned width;
    o->clobbers_memory |= length == 6 && !strncmp(name, "memory", 6);
    int r = hd_cc_asm_register(name, length, &width);
    if (r != HD_ASM_NO_REGISTER)
        o->clobbers[r] = true;
}

static LLVMTypeRef element_type(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* One part of the constraints: an operand. */
static void add_operand(hd_cc_asm_operands *o, LLVMValueRef call, const char *code, size_t length, unsigned *argument)
{
    if (o->count == HD_ASM_OPERANDS) {
        o->is_understood = false;
        return;
    }
    hd_cc_asm_operand *new = &o->items[o->count++];
    *new = (hd_cc_asm_operand) { .fixed = HD_ASM_NO_REGISTER, .tied = -1 };
    for (; length && strchr("=&*%", *code); code++, length--) {
        new->is_output |= *code == '=';
        new->is_memory |= *code == '*';
    }
    new->may_be_register = memchr(code, 'r', length) || memchr(code, 'q', length);
    if (length > 4 && !strncmp(code, "{@cc", 4))
        new->flag = code + 4;
    else if (length && isdigit((unsigned char)*code))
        new->tied = atoi(code);
    else
        new->fixed = fixed_register(code, length);
    if (new->is_output && !new->is_memory) {
        new->result = o->result_count++;
        return;
    }
    if (*argument >= LLVMGetNumArgOperands(call)) {
        o->is_understood = false;
        return;
    }
    new->argument = *argument;
    new->value = LLVMGetOperand(call, *argument);
    new->type = new->is_memory ? element_type(call, *argument) : LLVMTypeOf(new->value);
    o->is_understood &= new->type != NULL;
    ++*argument;
}

static void set_result_types(hd_cc_asm_operands *o, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    for (unsigned i = 0; i < o->count; i++) {
        hd_cc_asm_operand *operand = &o->items[i];
        if (operand->is_output && !operand->is_memory)
            operand->type = o->result_count > 1 ? LLVMStructGetTypeAtIndex(type, operand->result) : type;
        o->is_understood &= operand->tied < (int)i;
    }
}

static size_t length_of_code(const char *code)
{
    size_t length = 0;
    for (bool braces = false; code[length] && (braces || code[length] != ','); length++)
        braces = code[length] == '{' || (braces && code[length] != '}');
    return length;
}

static void read_constraints(hd_cc_asm_operands *o, LLVMValueRef call, const char *codes)
{
    unsigned argument = 0;
    *o = (hd_cc_asm_operands) { .is_understood = !LLVMIsACallBrInst(call) };
    for (size_t length; *codes; codes += length + (codes[length] == ',')) {
        length = length_of_code(codes);
        if (codes[0] == '~' && length > 3)
            clobber(o, codes + 2, length - 3);
        else if (codes[0] != '!')
            add_operand(o, call, codes, length, &argument);
    }
    set_result_types(o, call);
}

void hd_cc_asm_open(hd_cc_asm *a, LLVMValueRef call)
{
    *a = (hd_cc_asm) { .printed = LLVMPrintValueToString(LLVMGetCalledValue(call)) };
    read_constraints(&a->operands, call, split(a));
}

void hd_cc_asm_close(hd_cc_asm *a)
{
    LLVMDisposeMessage(a->printed);
}

bool hd_cc_asm_is_memory_operand(LLVMValueRef call, unsigned argument)
{
    return element_type(call, argument) != NULL;
}
