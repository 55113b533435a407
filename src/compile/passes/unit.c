#include "compile/passes/unit.h"

#include "base/error.h"

#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VOID, PTR, I32, I64, END, MOST_ARGUMENTS = 8 };

static const struct hook_row {
    const char *name;
    bool is_inline;
    int types[MOST_ARGUMENTS + 2]; /* the result, the arguments, END */
} hook_rows[] = {
#define HOOK(name, ...) { #name, false, { __VA_ARGS__, END } },
#define INLINE_HOOK(name, ...) { #name, true, { __VA_ARGS__, END } },
#include "abi/hooks.def"
#undef HOOK
#undef INLINE_HOOK
};

static LLVMTypeRef type_of(hd_cc_unit *unit, int type)
{
    LLVMTypeRef types[] = { [VOID] = unit->nothing, [PTR] = unit->pointer, [I32] = unit->i32, [I64] = unit->i64 };
    return types[type];
}

static LLVMTypeRef hook_type(hd_cc_unit *unit, const struct hook_row *row)
{
    LLVMTypeRef arguments[MOST_ARGUMENTS];
    unsigned count = 0;
    for (; row->types[count + 1] != END; count++)
        arguments[count] = type_of(unit, row->types[count + 1]);
    return LLVMFunctionType(type_of(unit, row->types[0]), arguments, count, false);
}

/* The working folder as clang writes it into debug information: $PWD, if that is correct. */
static const char *working_folder(hd_arena *arena)
{
    char real[PATH_MAX];
    struct stat here, there;
    const char *shell = getenv("PWD");
    if (shell && shell[0] == '/' && !stat(shell, &here) && !stat(".", &there) && here.st_dev == there.st_dev
        && here.st_ino == there.st_ino)
        return shell;
    return getcwd(real, sizeof real) ? hd_arena_copy(arena, real) : "";
}

bool hd_cc_is_naked(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

void hd_cc_unit_open(hd_cc_unit *unit, LLVMModuleRef module, const char *file)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    *unit = (hd_cc_unit) {
        .file = file,
        .context = context,
        .module = module,
        .builder = LLVMCreateBuilderInContext(context),
        .layout = LLVMGetModuleDataLayout(module),
        .nothing = LLVMVoidTypeInContext(context),
        .pointer = LLVMPointerTypeInContext(context, 0),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
    };
    hd_arena_init(&unit->texts, &hd_heap);
    unit->folder = working_folder(&unit->texts);
    for (int i = 0; i < HD_HOOK_COUNT; i++)
        unit->hook_types[i] = hook_type(unit, &hook_rows[i]);
    hd_cc_unit_collect(unit);
}

/* Is it the resolver of an ifunc? It runs while the program is being loaded, before the runtime is initialised. */
static bool is_resolver(hd_cc_unit *unit, LLVMValueRef function)
{
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(unit->module); i; i = LLVMGetNextGlobalIFunc(i))
        if (LLVMGetGlobalIFuncResolver(i) == function)
            return true;
    return false;
}

/* Naked functions and resolvers of ifuncs get no hooks. */
void hd_cc_unit_collect(hd_cc_unit *unit)
{
    hd_vec_clear(&unit->functions);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !hd_cc_is_naked(f) && !is_resolver(unit, f))
            hd_vec_push(&unit->functions, f);
}

void hd_cc_unit_close(hd_cc_unit *unit)
{
    hd_vec_fini(&unit->functions);
    hd_vec_fini(&unit->instructions);
    hd_arena_fini(&unit->texts);
    LLVMDisposeBuilder(unit->builder);
    LLVMDisposeModule(unit->module);
}

hd_cc_values *hd_cc_unit_instructions(hd_cc_unit *unit, LLVMValueRef function)
{
    hd_vec_clear(&unit->instructions);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            hd_vec_push(&unit->instructions, i);
    return &unit->instructions;
}

LLVMValueRef hd_cc_unit_function(hd_cc_unit *unit, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    return function ? function : LLVMAddFunction(unit->module, name, type);
}

LLVMValueRef hd_cc_unit_i32(hd_cc_unit *unit, uint32_t value)
{
    return LLVMConstInt(unit->i32, value, false);
}

LLVMValueRef hd_cc_unit_i64(hd_cc_unit *unit, uint64_t value)
{
    return LLVMConstInt(unit->i64, value, false);
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

void hd_cc_unit_before(hd_cc_unit *unit, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(unit->builder, instruction);
    if (LLVMGetCurrentDebugLocation2(unit->builder))
        return;
    LLVMMetadataRef scope = LLVMGetSubprogram(function_of(instruction));
    hd_cc_location location = hd_cc_unit_location(unit, instruction);
    LLVMSetCurrentDebugLocation2(unit->builder,
        scope ? LLVMDIBuilderCreateDebugLocation(unit->context, location.line, location.column, scope, NULL) : NULL);
}

void hd_cc_unit_at_top(hd_cc_unit *unit, LLVMBasicBlockRef block)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMPositionBuilderBeforeInstrAndDbgRecords(unit->builder, LLVMGetFirstInstruction(block));
#else
    LLVMPositionBuilderBefore(unit->builder, LLVMGetFirstInstruction(block));
#endif
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
}

LLVMValueRef hd_cc_unit_call(hd_cc_unit *unit, hd_cc_hook hook, LLVMValueRef *arguments)
{
    LLVMValueRef *function = &unit->hooks[hook];
    LLVMTypeRef type = unit->hook_types[hook];
    if (!*function)
        *function = LLVMGetNamedFunction(unit->module, hook_rows[hook].name);
    if (!*function)
        *function = LLVMAddFunction(unit->module, hook_rows[hook].name, type);
    return LLVMBuildCall2(unit->builder, type, *function, arguments, LLVMCountParamTypes(type), "");
}

const char *hd_cc_unit_quoted(hd_cc_unit *unit, const char *text)
{
    char *into = hd_arena_alloc(&unit->texts, 4 * strlen(text) + 3), *at = into;
    *at++ = '"';
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < ' ' || *c == '"' || *c == '\\' || *c > '~')
            at += sprintf(at, "\\%03o", *c);
        else
            *at++ = (char)*c;
    }
    *at++ = '"';
    *at = '\0';
    return into;
}

void hd_cc_unit_assembly(hd_cc_unit *unit, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    hd_assert(length >= 0 && (size_t)length < sizeof line - 1);
    line[length] = '\n';
    LLVMAppendModuleInlineAsm(unit->module, line, (size_t)length + 1);
}

static const struct hook_row *hook_named(const char *name, size_t length)
{
    for (int i = 0; i < HD_HOOK_COUNT && !strncmp(name, "hd_", 3); i++)
        if (!strncmp(hook_rows[i].name, name, length) && !hook_rows[i].name[length])
            return &hook_rows[i];
    return NULL;
}

bool hd_cc_unit_is_hook(const char *name)
{
    return hook_named(name, strlen(name)) || hd_cc_unit_apart_hook(name);
}

bool hd_cc_unit_inline_hook(const char *name)
{
    const struct hook_row *row = hook_named(name, strlen(name));
    return row && row->is_inline;
}

bool hd_cc_unit_apart_hook(const char *name)
{
    size_t length = strlen(name), behind = strlen(HD_APART_SUFFIX);
    if (length <= behind || strcmp(name + length - behind, HD_APART_SUFFIX) != 0)
        return false;
    const struct hook_row *row = hook_named(name, length - behind);
    return row && row->is_inline;
}

bool hd_cc_is_call(LLVMValueRef i)
{
    return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

const char *hd_cc_called_name(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}
