/* Annotations: functions whose calls are operations on an object (abi/claim.h), and variables that one thread uses.
 * They are attributes of the source (include/heddle.h), or lines of a file:
 *
 *   atomic FUNCTION
 *   method FUNCTION
 *   unshared VARIABLE
 *   tentatively-unshared VARIABLE
 *   # a comment */
#include "compile/passes/passes.h"

#include "abi/claim.h"
#include "base/error.h"

#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMValueRef call(hd_cc_unit *unit, const char *name, LLVMTypeRef type, LLVMValueRef *arguments)
{
    return LLVMBuildCall2(
        unit->builder, type, hd_cc_unit_function(unit, name, type), arguments, LLVMCountParamTypes(type), "");
}

/* --- the object of a call ---------------------------------------------------------------- */

/* The function's first parameter in the source. A structure that is returned by a pointer comes before it. */
static LLVMValueRef first_parameter(LLVMValueRef function)
{
    unsigned sret = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    unsigned first = LLVMCountParams(function) && LLVMGetEnumAttributeAtIndex(function, 1, sret) ? 1 : 0;
    return first < LLVMCountParams(function) ? LLVMGetParam(function, first) : NULL;
}

static LLVMMetadataRef part_of(hd_cc_unit *unit, LLVMMetadataRef node, unsigned index)
{
    LLVMValueRef part = node ? hd_cc_unit_part(unit, node, index) : NULL;
    return part ? LLVMValueAsMetadata(part) : NULL;
}

/* The type without names and qualifiers: these are derived types without a size. */
static LLVMMetadataRef plain_type(hd_cc_unit *unit, LLVMMetadataRef type)
{
    enum { BASE = 3 };
    while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind && !LLVMDITypeGetSizeInBits(type))
        type = part_of(unit, type, BASE);
    return type;
}

/* The size of what the first parameter points to, by the debugging information; 0: it is no pointer to an object whose
 * type is known. */
static uint64_t object_size(hd_cc_unit *unit, LLVMValueRef function)
{
    enum { TYPE = 4, TYPES = 3, FIRST = 1, BASE = 3 };
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef types = part_of(unit, part_of(unit, subprogram, TYPE), TYPES);
    LLVMMetadataRef type = plain_type(unit, part_of(unit, types, FIRST));
    if (!type || LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind)
        return 0;
    LLVMMetadataRef object = plain_type(unit, part_of(unit, type, BASE));
    return object ? LLVMDITypeGetSizeInBits(object) / 8 : 0;
}

static LLVMValueRef object_of(hd_cc_unit *unit, LLVMValueRef function)
{
    LLVMValueRef parameter = first_parameter(function);
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    bool points = parameter && LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind
        && !LLVMGetEnumAttributeAtIndex(function, parameter == LLVMGetParam(function, 0) ? 1 : 2, byval);
    return points ? LLVMBuildPtrToInt(unit->builder, parameter, unit->i64, "") : hd_cc_unit_i64(unit, 0);
}

static _Noreturn void refuse_method(hd_cc_unit *unit, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    fprintf(stderr,
        "heddle: %s:%u: '%s' is annotated as a method, but its first argument does not point to an object whose type "
        "is complete here: annotate it as atomic, or pass the object first\n",
        unit->file, subprogram ? LLVMDISubprogramGetLine(subprogram) : 0, LLVMGetValueName(function));
    exit(1);
}

/* --- functions ------------------------------------------------------------------------------ */

/* The hd_claim of the function. */
static LLVMValueRef new_claim(hd_cc_unit *unit, LLVMValueRef function, bool is_method)
{
    LLVMValueRef fields[] = { hd_cc_unit_text(unit, LLVMGetValueName(function)),
        hd_cc_unit_i64(unit, is_method ? object_size(unit, function) : 0), hd_cc_unit_i32(unit, is_method) };
    LLVMValueRef value = LLVMConstStructInContext(unit->context, fields, 3, false);
    LLVMValueRef claim = LLVMAddGlobal(unit->module, LLVMTypeOf(value), "heddle.claim");
    LLVMSetInitializer(claim, value);
    LLVMSetGlobalConstant(claim, true);
    LLVMSetLinkage(claim, LLVMPrivateLinkage);
    return LLVMConstBitCast(claim, unit->pointer);
}

/* Calls the hooks where the function is entered and where it returns. The first one returns two words, the call in
 * which this one is made, and the second takes them. */
static void claim(hd_cc_unit *unit, LLVMValueRef function, bool is_method)
{
    LLVMTypeRef words[] = { unit->pointer, unit->i64 };
    LLVMTypeRef pair = LLVMStructTypeInContext(unit->context, words, 2, false);
    LLVMTypeRef begin = LLVMFunctionType(pair, words, 2, false), end = LLVMFunctionType(unit->nothing, words, 2, false);
    if (is_method && !object_size(unit, function))
        refuse_method(unit, function);
    hd_cc_unit_before(unit, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef with[] = { new_claim(unit, function, is_method), object_of(unit, function) };
    LLVMValueRef outer = call(unit, "heddle_claim_begin", begin, with);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(last))
            continue;
        hd_cc_unit_before(unit, last);
        LLVMValueRef back[] = { LLVMBuildExtractValue(unit->builder, outer, 0, ""),
            LLVMBuildExtractValue(unit->builder, outer, 1, "") };
        call(unit, "heddle_claim_end", end, back);
    }
}

/* --- variables ------------------------------------------------------------------------------ */

/* A constructor of the file tells the runtime of its unshared variables. */
static void disclaim(hd_cc_unit *unit, LLVMValueRef variable, const char *how, LLVMValueRef *constructor)
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
    call(unit, how, LLVMFunctionType(unit->nothing, pair, 2, false),
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

/* --- which annotations there are ------------------------------------------------------------ */

/* `word`: in a line of a file; with "heddle_" before it, the attribute. */
static const struct annotation {
    const char *word, *hook; /* hook: of a variable */
    bool is_method;
} annotations[] = {
    { "atomic", NULL, false },
    { "method", NULL, true },
    { "unshared", "heddle_unshared", false },
    { "tentatively-unshared", "heddle_tentatively_unshared", false },
};

static const struct annotation *annotation_of(const char *word)
{
    for (size_t i = 0; word && i < sizeof annotations / sizeof *annotations; i++)
        if (!strcmp(annotations[i].word, word))
            return &annotations[i];
    return NULL;
}

static void apply(hd_cc_unit *unit, LLVMValueRef to, const struct annotation *a, LLVMValueRef *constructor)
{
    if (!to || LLVMIsDeclaration(to))
        return;
    if (a->hook && LLVMIsAGlobalVariable(to))
        disclaim(unit, to, a->hook, constructor);
    else if (!a->hook && LLVMIsAFunction(to))
        claim(unit, to, a->is_method);
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
        const struct annotation *a =
            strncmp(words, prefix, sizeof prefix - 1) ? NULL : annotation_of(words + sizeof prefix - 1);
        if (a)
            apply(unit, LLVMGetOperand(row, 0), a, constructor);
    }
    if (list)
        LLVMDeleteGlobal(list); /* no variable of the program */
}

static _Noreturn void refuse(const char *path, unsigned line, const char *what)
{
    fprintf(stderr,
        "heddle: %s:%u: expected 'atomic FUNCTION', 'method FUNCTION', 'unshared VARIABLE' or 'tentatively-unshared "
        "VARIABLE', not '%s'\n",
        path, line, what);
    exit(1);
}

static void apply_line(hd_cc_unit *unit, char *text, const char *path, unsigned line, LLVMValueRef *constructor)
{
    char *rest, *whole = hd_arena_copy(&unit->texts, text);
    char *what = strtok_r(text, " \t\n", &rest), *name = strtok_r(NULL, " \t\n", &rest);
    if (!what || *what == '#')
        return;
    const struct annotation *a = annotation_of(what);
    whole[strcspn(whole, "\n")] = '\0';
    if (!a || !name || strtok_r(NULL, " \t\n", &rest))
        refuse(path, line, whole);
    apply(unit, a->hook ? LLVMGetNamedGlobal(unit->module, name) : LLVMGetNamedFunction(unit->module, name), a,
        constructor);
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
