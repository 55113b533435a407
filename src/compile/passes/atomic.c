/* Functions that are atomic blocks by their name (SV-COMP), and annotations: functions whose accesses are one step, and
 * variables that one thread uses. Annotations are attributes of the source (include/heddle.h), or lines of a file:
 *
 *   atomic FUNCTION
 *   method FUNCTION
 *   unshared VARIABLE
 *   # a comment */
#include "compile/passes/passes.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMValueRef call(hd_cc_unit *unit, const char *name, LLVMTypeRef type, LLVMValueRef *arguments)
{
    return LLVMBuildCall2(
        unit->builder, type, hd_cc_unit_function(unit, name, type), arguments, LLVMCountParamTypes(type), "");
}

/* Calls `begin` where the function is entered, and `end` where it returns; each with the last arguments of `arguments`
 * that its type has. */
typedef struct brackets {
    const char *begin, *end;
    LLVMTypeRef begin_type, end_type;
    LLVMValueRef *begin_with, *end_with;
} brackets;

static void enclose(hd_cc_unit *unit, LLVMValueRef function, const brackets *with)
{
    hd_cc_unit_before(unit, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    call(unit, with->begin, with->begin_type, with->begin_with);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(end))
            continue;
        hd_cc_unit_before(unit, end);
        call(unit, with->end, with->end_type, with->end_with);
    }
}

void hd_cc_pass_atomic_functions(hd_cc_unit *unit)
{
    static const char prefix[] = "__VERIFIER_atomic_";
    LLVMTypeRef type = LLVMFunctionType(unit->nothing, NULL, 0, false);
    brackets block = { "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", type, type, NULL, NULL };
    for (size_t f = 0; f < unit->functions.count; f++)
        if (!strncmp(LLVMGetValueName(unit->functions.items[f]), prefix, sizeof prefix - 1))
            enclose(unit, unit->functions.items[f], &block);
}

/* --- annotations ------------------------------------------------------------------------- */

static void claim(hd_cc_unit *unit, LLVMValueRef function, bool is_method)
{
    LLVMTypeRef pair[] = { unit->pointer, unit->i32 };
    LLVMValueRef begin[] = { hd_cc_unit_text(unit, LLVMGetValueName(function)), hd_cc_unit_i32(unit, is_method) };
    brackets with = { "heddle_claim_begin", "heddle_claim_end", LLVMFunctionType(unit->nothing, pair, 2, false),
        LLVMFunctionType(unit->nothing, pair + 1, 1, false), begin, begin + 1 };
    enclose(unit, function, &with);
}

/* A constructor of the file tells the runtime of its unshared variables. */
static void disclaim(hd_cc_unit *unit, LLVMValueRef variable, LLVMValueRef *constructor)
{
    LLVMTypeRef nothing = LLVMFunctionType(unit->nothing, NULL, 0, false);
    LLVMTypeRef pair[] = { unit->pointer, unit->i64 };
    if (!*constructor) {
        *constructor = LLVMAddFunction(unit->module, "heddle.unshared", nothing);
        LLVMSetLinkage(*constructor, LLVMInternalLinkage);
        LLVMPositionBuilderAtEnd(
            unit->builder, LLVMAppendBasicBlockInContext(unit->context, *constructor, "variables"));
        LLVMBuildRetVoid(unit->builder);
    }
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(unit->module), LLVMGlobalGetValueType(variable));
    LLVMPositionBuilderBefore(unit->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(*constructor)));
    call(unit, "heddle_unshared", LLVMFunctionType(unit->nothing, pair, 2, false),
        (LLVMValueRef[]) { variable, hd_cc_unit_i64(unit, size) });
}

/* Adds the function to the constructors of the module, behind those that it has. */
static void add_constructor(hd_cc_unit *unit, LLVMValueRef function)
{
    LLVMValueRef old = LLVMGetNamedGlobal(unit->module, "llvm.global_ctors");
    unsigned count = old ? (unsigned)LLVMGetNumOperands(LLVMGetInitializer(old)) : 0;
    LLVMValueRef *rows = hd_arena_alloc(&unit->texts, (count + 1) * sizeof *rows);
    for (unsigned i = 0; i < count; i++)
        rows[i] = LLVMGetOperand(LLVMGetInitializer(old), i);
    LLVMValueRef row[] = { hd_cc_unit_i32(unit, 101), function, LLVMConstNull(unit->pointer) };
    rows[count] = LLVMConstStructInContext(unit->context, row, 3, false);
    LLVMValueRef all = LLVMConstArray(LLVMTypeOf(rows[count]), rows, count + 1);
    LLVMValueRef new = LLVMAddGlobal(unit->module, LLVMTypeOf(all), "heddle.constructors");
    LLVMSetInitializer(new, all);
    LLVMSetLinkage(new, LLVMAppendingLinkage);
    if (old)
        LLVMDeleteGlobal(old);
    LLVMSetValueName2(new, "llvm.global_ctors", strlen("llvm.global_ctors"));
}

static void apply(hd_cc_unit *unit, LLVMValueRef to, const char *what, LLVMValueRef *constructor)
{
    if (!to || LLVMIsDeclaration(to))
        return;
    if (!strcmp(what, "unshared") && LLVMIsAGlobalVariable(to))
        disclaim(unit, to, constructor);
    else if (strcmp(what, "unshared") && LLVMIsAFunction(to))
        claim(unit, to, !strcmp(what, "method"));
}

/* The attributes of the source: clang lists them in a constant, each with its object and its text. */
static void apply_attributes(hd_cc_unit *unit, LLVMValueRef *constructor)
{
    static const char prefix[] = "heddle_";
    LLVMValueRef list = LLVMGetNamedGlobal(unit->module, "llvm.global.annotations");
    LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
    for (unsigned i = 0; rows && i < (unsigned)LLVMGetNumOperands(rows); i++) {
        LLVMValueRef row = LLVMGetOperand(rows, i), text = LLVMGetInitializer(LLVMGetOperand(row, 1));
        size_t length;
        const char *words = LLVMIsConstantString(text) ? LLVMGetAsString(text, &length) : "";
        if (!strncmp(words, prefix, sizeof prefix - 1))
            apply(unit, LLVMGetOperand(row, 0), words + sizeof prefix - 1, constructor);
    }
    if (list)
        LLVMDeleteGlobal(list); /* no variable of the program */
}

static _Noreturn void refuse(const char *path, unsigned line, const char *what)
{
    fprintf(stderr, "heddle: %s:%u: expected 'atomic FUNCTION', 'method FUNCTION' or 'unshared VARIABLE', not '%s'\n",
        path, line, what);
    exit(1);
}

static void apply_line(hd_cc_unit *unit, char *text, const char *path, unsigned line, LLVMValueRef *constructor)
{
    char *rest, *whole = hd_arena_copy(&unit->texts, text);
    char *what = strtok_r(text, " \t\n", &rest), *name = strtok_r(NULL, " \t\n", &rest);
    if (!what || *what == '#')
        return;
    bool known = !strcmp(what, "atomic") || !strcmp(what, "method") || !strcmp(what, "unshared");
    whole[strcspn(whole, "\n")] = '\0';
    if (!known || !name || strtok_r(NULL, " \t\n", &rest))
        refuse(path, line, whole);
    LLVMValueRef of_kind =
        strcmp(what, "unshared") ? LLVMGetNamedFunction(unit->module, name) : LLVMGetNamedGlobal(unit->module, name);
    apply(unit, of_kind, what, constructor);
}

void hd_cc_pass_annotations(hd_cc_unit *unit, const char *path)
{
    LLVMValueRef constructor = NULL;
    char line[1024];
    unsigned number = 0;
    apply_attributes(unit, &constructor);
    FILE *file = path ? fopen(path, "r") : NULL;
    if (path && !file) {
        fprintf(stderr, "heddle: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    while (file && fgets(line, sizeof line, file))
        apply_line(unit, line, path, ++number, &constructor);
    if (file)
        fclose(file);
    if (!constructor)
        return;
    add_constructor(unit, constructor);
    hd_cc_unit_collect(unit);
}
