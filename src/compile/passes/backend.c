#include "compile/passes/backend.h"

#include "base/error.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LLVMModuleRef hd_cc_backend_read(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        hd_panic("%s: %s", path, message);
    if (LLVMParseBitcodeInContext2(context, buffer, &module))
        hd_panic("%s: this is not bitcode of LLVM %d", path, LLVM_VERSION_MAJOR);
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

static bool flag_value(LLVMModuleRef module, const char *name, uint64_t *value)
{
    LLVMMetadataRef flag = LLVMGetModuleFlag(module, name, strlen(name));
    if (!flag)
        return false;
    *value = LLVMConstIntGetZExtValue(LLVMMetadataAsValue(LLVMGetModuleContext(module), flag));
    return true;
}

static LLVMCodeGenOptLevel effort(char level)
{
    switch (level) {
    case '0':
        return LLVMCodeGenLevelNone;
    case '1':
        return LLVMCodeGenLevelLess;
    case '3':
        return LLVMCodeGenLevelAggressive;
    default:
        return LLVMCodeGenLevelDefault;
    }
}

/* clang's numbering of -mcmodel: tiny, small, kernel, medium, large from 0. */
static LLVMCodeModel code_model(LLVMModuleRef module)
{
    uint64_t model;
    return flag_value(module, "Code Model", &model) ? (LLVMCodeModel)(LLVMCodeModelTiny + model) : LLVMCodeModelDefault;
}

LLVMTargetMachineRef hd_cc_backend_machine(LLVMModuleRef module, char level, const char *file)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &message)) {
        fprintf(
            stderr, "heddle cc: %s: heddle compiles for this machine only, not for %s\n", file, LLVMGetTarget(module));
        exit(HD_EXIT_USAGE);
    }
    uint64_t pic;
    LLVMRelocMode relocation = flag_value(module, "PIC Level", &pic) && pic ? LLVMRelocPIC : LLVMRelocStatic;
    return LLVMCreateTargetMachine(
        target, LLVMGetTarget(module), "", "", effort(level), relocation, code_model(module));
}

static void run_passes(hd_cc_unit *unit, const char *passes, LLVMTargetMachineRef machine, bool vectorise)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, vectorise);
    LLVMPassBuilderOptionsSetSLPVectorization(options, vectorise);
    LLVMErrorRef error = LLVMRunPasses(unit->module, passes, machine, options);
    if (error)
        hd_panic("%s: %s: %s", unit->file, passes, LLVMGetErrorMessage(error));
    LLVMDisposePassBuilderOptions(options);
}

static unsigned kind_named(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind_named(name)) != NULL;
}

static bool takes_by_value(LLVMValueRef function)
{
    for (unsigned i = 1; i <= LLVMCountParams(function); i++)
        if (LLVMGetEnumAttributeAtIndex(function, i, kind_named("byval")))
            return true;
    return false;
}

/* Functions that are not inlined. A call that passes a structure by value reads it at the call; inlined, the read would
 * be elsewhere. And inline versions of functions in the C library's headers may be modelled by heddle. */
static bool stays_apart(LLVMValueRef function)
{
    return !has_attribute(function, "noinline")
        && (takes_by_value(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage);
}

static void set_attribute(LLVMValueRef function, const char *name, bool on)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    if (on)
        LLVMAddAttributeAtIndex(
            function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind_named(name), 0));
    else
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind_named(name));
}

static const char apart[] = "hd-apart";

static void set_apart(LLVMValueRef function)
{
    bool always = has_attribute(function, "alwaysinline");
    LLVMAddTargetDependentFunctionAttr(function, apart, always ? "alwaysinline" : "");
    set_attribute(function, "alwaysinline", false);
    set_attribute(function, "noinline", true);
}

static void rejoin(LLVMValueRef function)
{
    unsigned length, name_length = sizeof apart - 1;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, apart, name_length);
    if (!mark)
        return;
    set_attribute(function, "noinline", false);
    set_attribute(function, "alwaysinline", *LLVMGetStringAttributeValue(mark, &length) != '\0');
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, apart, name_length);
}

static void inline_functions(hd_cc_unit *unit, LLVMTargetMachineRef machine)
{
    for (size_t i = 0; i < unit->functions.count; i++)
        if (stays_apart(unit->functions.items[i]))
            set_apart(unit->functions.items[i]);
    run_passes(unit, "cgscc(inline),function(sroa)", machine, false);
    hd_cc_unit_collect(unit);
    for (size_t i = 0; i < unit->functions.count; i++)
        rejoin(unit->functions.items[i]);
}

/* Only inlining and the promotion of variables whose address does not escape: they remove no access to memory that
 * could be shared. Other optimisations would remove racy accesses. Switches are kept, because jump tables make
 * interpreters 1.4 times as fast. */
void hd_cc_backend_prepare(hd_cc_unit *unit, LLVMTargetMachineRef machine, char level)
{
    run_passes(unit, "function(sroa)", machine, false);
    if (strchr("123", level))
        inline_functions(unit, machine);
}

void hd_cc_backend_values_to_slots(hd_cc_unit *unit, LLVMTargetMachineRef machine)
{
    run_passes(unit, "function(reg2mem)", machine, false);
}

void hd_cc_backend_verify(hd_cc_unit *unit)
{
    char *message = NULL;
    if (LLVMVerifyModule(unit->module, LLVMReturnStatusAction, &message))
        hd_panic("%s: the instrumented code is malformed: %.600s", unit->file, message);
    LLVMDisposeMessage(message);
}

/* The inlined hooks get the attributes of the functions that they become part of. */
static void adopt(LLVMValueRef function)
{
    static const char *const machine[] = { "target-cpu", "target-features", "tune-cpu", "frame-pointer" };
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++)
        LLVMRemoveStringAttributeAtIndex(
            function, LLVMAttributeFunctionIndex, machine[i], (unsigned)strlen(machine[i]));
    LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* Reads of a flag that never changes may be merged and moved. */
static void mark_unchanging(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = LLVMGetMDKindIDInContext(context, "invariant.load", 14);
    LLVMValueRef mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0));
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i))
            LLVMSetMetadata(i, kind, mark);
}

/* --- memory of hooks does not alias the program's -------------------------------- */

/* Hooks read memory that the program cannot access (an attempt would be caught), so an access of the program does not
 * change what a hook has read. The shadow bytes, which say what may be accessed, change only in calls of the program
 * and, where other threads can run in between, in hd_access; not in the hooks that track expressions. LLVM is told by
 * alias scopes. */
typedef struct own_memory {
    unsigned inside, outside; /* kinds of metadata */
    LLVMValueRef bounds, state, all; /* lists of scopes */
} own_memory;

static LLVMMetadataRef make_set(LLVMContextRef context, const char *name)
{
    LLVMMetadataRef heddle = LLVMMDStringInContext2(context, "heddle", 6);
    LLVMMetadataRef domain = LLVMMDNodeInContext2(context, &heddle, 1);
    LLVMMetadataRef parts[] = { LLVMMDStringInContext2(context, name, strlen(name)), domain };
    return LLVMMDNodeInContext2(context, parts, 2);
}

static LLVMValueRef make_list(LLVMContextRef context, LLVMMetadataRef *sets, size_t count)
{
    return LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, sets, count));
}

static own_memory describe_own_memory(LLVMContextRef context)
{
    LLVMMetadataRef sets[] = { make_set(context, "bounds"), make_set(context, "state") };
    return (own_memory) { .inside = LLVMGetMDKindIDInContext(context, "alias.scope", 11),
        .outside = LLVMGetMDKindIDInContext(context, "noalias", 7),
        .bounds = make_list(context, &sets[0], 1),
        .state = make_list(context, &sets[1], 1),
        .all = make_list(context, sets, 2) };
}

static bool accesses_memory(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)
        || LLVMIsAMemIntrinsic(i);
}

/* Does this hook, of those that track expressions, leave all memory that hooks read unchanged? */
static bool only_looks(const char *name)
{
    static const char *const names[] = { "load", "memory", "branch", "switch", "pin", "divide", "shift", "concretely",
        "passed" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name + strlen("hd_follow_"), names[i]))
            return true;
    return false;
}

static void place_in_hook(const own_memory *own, const char *function, LLVMValueRef i)
{
    bool looks = !strcmp(function, "hd_is_forbidden") || !strcmp(function, "hd_is_plain_range");
    if (accesses_memory(i))
        LLVMSetMetadata(i, own->inside, looks ? own->bounds : own->state);
    else if (hd_cc_is_call(i) && !strncmp(hd_cc_called_name(i), "hd_follow_", 10))
        LLVMSetMetadata(i, own->outside, only_looks(hd_cc_called_name(i)) ? own->all : own->bounds);
}

static void tell_apart(LLVMModuleRef module, bool hooks)
{
    own_memory own = describe_own_memory(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (hooks)
                    place_in_hook(&own, LLVMGetValueName(f), i);
                else if (accesses_memory(i))
                    LLVMSetMetadata(i, own.outside, own.all);
}

void hd_cc_backend_link_hooks(hd_cc_unit *unit, const char *inline_path)
{
    LLVMModuleRef hooks = hd_cc_backend_read(unit->context, inline_path);
    LLVMSetDataLayout(hooks, LLVMGetDataLayoutStr(unit->module));
    LLVMSetTarget(hooks, LLVMGetTarget(unit->module));
    tell_apart(hooks, true);
    tell_apart(unit->module, false);
    if (LLVMLinkModules2(unit->module, hooks))
        hd_panic("%s: the hooks of %s cannot be linked in", unit->file, inline_path);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && hd_cc_unit_inline_hook(LLVMGetValueName(f)))
            adopt(f);
    LLVMValueRef flag = LLVMGetNamedFunction(unit->module, "hd_symbolic");
    if (flag && !LLVMIsDeclaration(flag))
        mark_unchanging(flag);
}

void hd_cc_backend_optimise(hd_cc_unit *unit, LLVMTargetMachineRef machine, char level)
{
    char passes[64];
    if (level == '0')
        snprintf(passes, sizeof passes, "always-inline,globaldce");
    else
        snprintf(passes, sizeof passes, "always-inline,globaldce,default<O%c>", level);
    run_passes(unit, passes, machine, level != '0' && level != '1' && level != 'z');
}

static void emit_code(hd_cc_unit *unit, LLVMTargetMachineRef machine, LLVMCodeGenFileType type, const char *path)
{
    char *message = NULL;
    if (!LLVMTargetMachineEmitToFile(machine, unit->module, (char *)path, type, &message))
        return;
    fprintf(stderr, "heddle cc: %s: %s\n", path, message);
    exit(1);
}

static void emit_text(hd_cc_unit *unit, const char *path)
{
    char *message = NULL;
    if (!LLVMPrintModuleToFile(unit->module, strcmp(path, "-") ? path : "/dev/stdout", &message))
        return;
    fprintf(stderr, "heddle cc: %s: %s\n", path, message);
    exit(1);
}

static void emit_bitcode(hd_cc_unit *unit, const char *path)
{
    if (LLVMWriteBitcodeToFile(unit->module, strcmp(path, "-") ? path : "/dev/stdout")) {
        fprintf(stderr, "heddle cc: %s cannot be written\n", path);
        exit(1);
    }
}

void hd_cc_backend_emit(hd_cc_unit *unit, LLVMTargetMachineRef machine, hd_cc_emit what, const char *path)
{
    switch (what) {
    case HD_EMIT_OBJECT:
        emit_code(unit, machine, LLVMObjectFile, path);
        break;
    case HD_EMIT_ASSEMBLY:
        emit_code(unit, machine, LLVMAssemblyFile, path);
        break;
    case HD_EMIT_TEXT:
        emit_text(unit, path);
        break;
    case HD_EMIT_BITCODE:
        emit_bitcode(unit, path);
        break;
    }
}
