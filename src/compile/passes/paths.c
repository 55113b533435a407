/* Access paths: how the source gets to the memory that an instruction accesses (abi/site.h). They are noted as metadata
 * of the instructions while every variable is still in memory; inlining and promotion keep them, and sites copy them.
 */
#include "abi/site.h"
#include "base/map.h"
#include "base/sentence.h"
#include "compile/passes/passes.h"

#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 8, ROOM = 120 };

typedef struct pass {
    hd_cc_unit *unit;
    hd_map names; /* of variables: alloca or argument → text */
    unsigned kind;
} pass;

/* --- variables ----------------------------------------------------------------------- */

static void note_variable(pass *p, LLVMValueRef declaration)
{
    enum { NAME = 1 };
    LLVMValueRef variable = NULL, storage = LLVMGetOperand(declaration, 0);
    if (LLVMGetMDNodeNumOperands(storage) != 1)
        return;
    LLVMGetMDNodeOperands(storage, &variable);
    LLVMValueRef name = hd_cc_unit_part(p->unit, LLVMValueAsMetadata(LLVMGetOperand(declaration, 1)), NAME);
    unsigned length;
    const char *text = name ? LLVMGetMDString(name, &length) : NULL;
    if (variable && text && length)
        *hd_map_put(&p->names, (uintptr_t)variable) =
            (uintptr_t)hd_arena_print(&p->unit->texts, "%.*s", (int)length, text);
}

static void note_variables(pass *p, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && !strcmp(hd_cc_called_name(i), "llvm.dbg.declare"))
                note_variable(p, i);
}

/* Declarations of variables can be seen as instructions, which they are not by default since LLVM 19. */
static void show_declarations(hd_cc_unit *unit, bool shown)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(unit->module, !shown);
#else
    (void)unit;
    (void)shown;
#endif
}

/* --- paths --------------------------------------------------------------------------- */

static bool add_pointer(pass *p, LLVMValueRef pointer, hd_sentence *s, int depth);

/* Constants and casts are instructions or constant expressions. */
static bool is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) == op
                                 : LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == op;
}

/* The structure that the pointer is used as: it may be declared as void *. */
static void add_structure(LLVMTypeRef type, hd_sentence *s)
{
    static const char prefix[] = "struct.", none[] = "struct.anon";
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    if (name && !strncmp(name, prefix, strlen(prefix)) && strncmp(name, none, strlen(none)) != 0)
        hd_sentence_add(s, "{%s}", name + strlen(prefix));
}

typedef struct offset {
    uint64_t bytes; /* constant part */
    uint64_t strides[MOST_DEPTH];
    unsigned count;
} offset;

static bool add_index(offset *o, LLVMValueRef index, uint64_t stride)
{
    if (LLVMIsAConstantInt(index))
        o->bytes += (uint64_t)LLVMConstIntGetSExtValue(index) * stride;
    else if (o->count == MOST_DEPTH)
        return false;
    else
        o->strides[o->count++] = stride;
    return true;
}

static bool find_offset(pass *p, LLVMValueRef gep, offset *o)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            o->bytes += LLVMOffsetOfElement(p->unit->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        if (!LLVMTypeIsSized(type) || !add_index(o, index, LLVMABISizeOfType(p->unit->layout, type)))
            return false;
    }
    return true;
}

static bool add_element(pass *p, LLVMValueRef gep, hd_sentence *s, int depth)
{
    offset o = { 0 };
    LLVMValueRef base = LLVMGetOperand(gep, 0);
    if (!find_offset(p, gep, &o) || !add_pointer(p, base, s, depth))
        return false;
    if (*s->text != '&' && !is_op(base, LLVMGetElementPtr))
        add_structure(LLVMGetGEPSourceElementType(gep), s);
    if (o.bytes)
        hd_sentence_add(s, "%+lld", (long long)o.bytes);
    for (unsigned i = 0; i < o.count; i++)
        hd_sentence_add(s, "*%llu", (unsigned long long)o.strides[i]);
    return true;
}

static bool add_variable(pass *p, LLVMValueRef v, hd_sentence *s)
{
    size_t length;
    const uint64_t *name = hd_map_get(&p->names, (uintptr_t)v);
    if (name)
        hd_sentence_add(s, "&%s", (const char *)(uintptr_t)*name);
    else if (LLVMIsAGlobalVariable(v) && LLVMGetLinkage(v) != LLVMPrivateLinkage)
        hd_sentence_add(s, "&%s", LLVMGetValueName2(v, &length));
    else
        return false;
    return true;
}

/* The contents of a variable are called as the variable; contents of other memory are marked. */
static bool add_loaded(pass *p, LLVMValueRef load, hd_sentence *s, int depth)
{
    if (!add_pointer(p, LLVMGetOperand(load, 0), s, depth))
        return false;
    if (*s->text == '&' && !strpbrk(s->text, "+-*@")) {
        memmove(s->text, s->text + 1, s->length);
        s->length--;
    } else {
        hd_sentence_add(s, "@");
    }
    return true;
}

static bool add_pointer(pass *p, LLVMValueRef v, hd_sentence *s, int depth)
{
    if (!depth)
        return false;
    if (is_op(v, LLVMGetElementPtr))
        return add_element(p, v, s, depth - 1);
    if (LLVMIsALoadInst(v))
        return add_loaded(p, v, s, depth - 1);
    if (!LLVMIsACallInst(v) || !*hd_cc_called_name(v))
        return add_variable(p, v, s);
    if (!strncmp(hd_cc_called_name(v), "llvm.threadlocal.address", 24))
        return add_pointer(p, LLVMGetOperand(v, 0), s, depth - 1);
    hd_sentence_add(s, "%s()", hd_cc_called_name(v));
    return true;
}

static LLVMValueRef accessed(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ? LLVMGetOperand(i, 0)
        : LLVMIsAStoreInst(i)                                                           ? LLVMGetOperand(i, 1)
                                                                                        : NULL;
}

/* A call of a library's function: its name, and the path of its first argument. */
static bool add_call(pass *p, LLVMValueRef call, hd_sentence *s)
{
    char argument[ROOM];
    hd_sentence path = { argument, sizeof argument, 0 };
    const char *name = hd_cc_called_name(call);
    if (!*name || !LLVMIsDeclaration(LLVMGetCalledValue(call)) || !strncmp(name, "llvm.", 5))
        return false;
    bool has = LLVMGetNumArgOperands(call) > 0
        && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind
        && add_pointer(p, LLVMGetOperand(call, 0), &path, MOST_DEPTH);
    hd_sentence_add(s, "%s:%s", name, has ? argument : "");
    return true;
}

static void note_path(pass *p, LLVMValueRef i)
{
    char text[ROOM];
    hd_sentence s = { text, sizeof text, 0 };
    LLVMValueRef pointer = accessed(i);
    bool is_known = pointer ? add_pointer(p, pointer, &s, MOST_DEPTH) : hd_cc_is_call(i) && add_call(p, i, &s);
    if (!is_known || s.length + 1 >= sizeof text)
        return;
    LLVMMetadataRef words = LLVMMDStringInContext2(p->unit->context, text, s.length);
    LLVMMetadataRef node = LLVMMDNodeInContext2(p->unit->context, &words, 1);
    LLVMSetMetadata(i, p->kind, LLVMMetadataAsValue(p->unit->context, node));
}

void hd_cc_pass_paths(hd_cc_unit *unit)
{
    pass p = { .unit = unit, .kind = hd_cc_path_kind(unit) };
    hd_map_init(&p.names, &hd_heap);
    show_declarations(unit, true);
    for (size_t f = 0; f < unit->functions.count; f++)
        note_variables(&p, unit->functions.items[f]);
    show_declarations(unit, false);
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            note_path(&p, instructions->items[i]);
    }
    hd_map_fini(&p.names);
}
