/* Shadows of memory: loads, stores, atomic updates, block copies. */
#include "compile/passes/shadow.h"

#include "abi/shadow.h"

#include <string.h>

static uint64_t bytes_of(hd_cc_shadow *s, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(s->unit->layout, type);
}

/* Constant memory, which has no shadows. */
static bool is_fixed(hd_cc_shadow *s, LLVMValueRef pointer)
{
    return hd_cc_escape_is_private(&s->escape, pointer) && !hd_cc_escape_is_local(&s->escape, pointer);
}

/* Pins the address of an access, before the hooks of the access itself. */
static void pin_address(hd_cc_shadow *s, LLVMValueRef i, LLVMValueRef pointer, LLVMValueRef bytes)
{
    LLVMValueRef shadow = hd_cc_shadow_get(s, pointer);
    if (hd_cc_shadow_is_none(shadow) || !hd_cc_shadow_is_scalar(LLVMTypeOf(pointer)))
        return;
    hd_cc_shadow_ahead(s, i);
    hd_cc_shadow_hook(s, hook_hd_shadow_address, (LLVMValueRef[]) { shadow, pointer, bytes, hd_cc_shadow_site(s, i) });
}

/* So an access with a symbolic address is explored for every address that inputs permit, one at a time. */
static void pin_access(hd_cc_shadow *s, LLVMValueRef i, LLVMValueRef pointer, LLVMTypeRef type)
{
    pin_address(s, i, pointer, hd_cc_unit_i64(s->unit, bytes_of(s, type)));
}

/* --- by scalars ----------------------------------------------------------------- */

/* The info word: number of bytes, and whether they may be on two lines. */
static LLVMValueRef extent(hd_cc_shadow *s, uint64_t bytes, unsigned alignment)
{
    bool crosses = alignment < bytes;
    return hd_cc_unit_i32(s->unit, (uint32_t)bytes | (crosses ? HD_SHADOW_CROSSES : 0));
}

static LLVMValueRef field(hd_cc_shadow *s, LLVMValueRef pointer, uint64_t at)
{
    LLVMValueRef offset = hd_cc_unit_i64(s->unit, at);
    LLVMTypeRef byte = LLVMInt8TypeInContext(s->unit->context);
    return at ? LLVMBuildGEP2(s->unit->builder, byte, pointer, &offset, 1, "") : pointer;
}

/* The alignment of a field at this offset. */
static unsigned aligned_at(unsigned alignment, uint64_t at)
{
    while (alignment > 1 && at % alignment)
        alignment /= 2;
    return alignment;
}

static LLVMValueRef load_scalar(hd_cc_shadow *s, LLVMTypeRef type, LLVMValueRef pointer, unsigned alignment)
{
    uint64_t bytes = bytes_of(s, type);
    LLVMValueRef shadow =
        hd_cc_shadow_hook(s, hook_hd_shadow_load, (LLVMValueRef[]) { pointer, extent(s, bytes, alignment) });
    return hd_cc_shadow_resize(s, shadow, (unsigned)bytes * 8, hd_cc_shadow_width(type), false);
}

static void store_scalar(
    hd_cc_shadow *s, LLVMTypeRef type, LLVMValueRef pointer, unsigned alignment, LLVMValueRef shadow)
{
    uint64_t bytes = bytes_of(s, type);
    shadow = hd_cc_shadow_resize(s, shadow, hd_cc_shadow_width(type), (unsigned)bytes * 8, false);
    hd_cc_shadow_hook(s, hook_hd_shadow_store, (LLVMValueRef[]) { pointer, extent(s, bytes, alignment), shadow });
}

/* --- field by field --------------------------------------------------------------- */

typedef struct fields {
    unsigned count;
    bool is_array;
} fields;

static fields fields_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return (fields) { LLVMCountStructElementTypes(type), false };
    case LLVMArrayTypeKind:
        return (fields) { LLVMGetArrayLength(type), true };
    default:
        return (fields) { 0, false };
    }
}

static LLVMTypeRef field_type(hd_cc_shadow *s, LLVMTypeRef type, fields f, unsigned n, uint64_t *at)
{
    LLVMTypeRef part = f.is_array ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, n);
    *at = f.is_array ? n * LLVMABISizeOfType(s->unit->layout, part) : LLVMOffsetOfElement(s->unit->layout, type, n);
    return part;
}

/* Field by field; a value of a type without shadows follows the expressions in its bytes. */
static LLVMValueRef load_any(
    hd_cc_shadow *s, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef pointer, unsigned alignment)
{
    fields f = fields_of(type);
    if (hd_cc_shadow_is_scalar(type))
        return load_scalar(s, type, pointer, alignment);
    LLVMValueRef whole = LLVMConstNull(hd_cc_shadow_type(s, type));
    if (!f.count) {
        LLVMValueRef info = extent(s, bytes_of(s, type), alignment);
        hd_cc_shadow_hook(s, hook_hd_shadow_follow_load, (LLVMValueRef[]) { pointer, info, hd_cc_shadow_site(s, i) });
        return whole;
    }
    for (unsigned n = 0; n < f.count; n++) {
        uint64_t at;
        LLVMTypeRef part = field_type(s, type, f, n, &at);
        LLVMValueRef shadow = load_any(s, i, part, field(s, pointer, at), aligned_at(alignment, at));
        whole = LLVMBuildInsertValue(s->unit->builder, whole, shadow, n, "");
    }
    return whole;
}

/* Field by field. A value without shadows must still overwrite those in memory. */
static void store_any(hd_cc_shadow *s, LLVMTypeRef type, LLVMValueRef pointer, unsigned alignment, LLVMValueRef shadow)
{
    fields f = fields_of(type);
    if (hd_cc_shadow_is_scalar(type)) {
        store_scalar(s, type, pointer, alignment, shadow);
        return;
    }
    if ((!f.count || hd_cc_shadow_is_none(shadow)) && bytes_of(s, type) <= 1u << HD_LINE_SHIFT) {
        LLVMValueRef info = extent(s, bytes_of(s, type), alignment);
        hd_cc_shadow_hook(s, hook_hd_shadow_store, (LLVMValueRef[]) { pointer, info, hd_cc_unit_i32(s->unit, 0) });
        return;
    }
    if (!f.count || hd_cc_shadow_is_none(shadow)) {
        LLVMValueRef bytes = hd_cc_unit_i64(s->unit, bytes_of(s, type));
        hd_cc_shadow_hook(s, hook_hd_shadow_fill, (LLVMValueRef[]) { pointer, hd_cc_unit_i32(s->unit, 0), bytes });
        return;
    }
    for (unsigned n = 0; n < f.count; n++) {
        uint64_t at;
        LLVMTypeRef part = field_type(s, type, f, n, &at);
        LLVMValueRef part_shadow = LLVMBuildExtractValue(s->unit->builder, shadow, n, "");
        store_any(s, part, field(s, pointer, at), aligned_at(alignment, at), part_shadow);
    }
}

/* --- instructions ------------------------------------------------------------------ */

static void load(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    pin_access(s, i, pointer, LLVMTypeOf(i));
    if (is_fixed(s, pointer) || !bytes_of(s, LLVMTypeOf(i)) || LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
        return;
    hd_cc_shadow_behind(s, i);
    hd_cc_shadow_set(s, i, load_any(s, i, LLVMTypeOf(i), pointer, LLVMGetAlignment(i)));
}

static void store(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    pin_access(s, i, pointer, type);
    if (!bytes_of(s, type) || LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
        return;
    hd_cc_shadow_behind(s, i);
    store_any(s, type, pointer, LLVMGetAlignment(i), hd_cc_shadow_get(s, value));
}

/* An update of a type without shadows is concrete: the expressions in its bytes are followed before it, and overwritten
 * after it. */
static void update(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(i);
    uint64_t bytes = bytes_of(s, type);
    pin_access(s, i, pointer, type);
    if (!hd_cc_shadow_is_scalar(type)) {
        hd_cc_shadow_ahead(s, i);
        hd_cc_shadow_hook(s, hook_hd_shadow_follow_memory,
            (LLVMValueRef[]) { pointer, hd_cc_unit_i64(s->unit, bytes), hd_cc_shadow_site(s, i) });
        hd_cc_shadow_behind(s, i);
        store_any(s, type, pointer, 1, LLVMConstNull(hd_cc_shadow_type(s, type)));
        return;
    }
    hd_cc_shadow_behind(s, i);
    LLVMValueRef info =
        hd_cc_unit_i32(s->unit, (uint32_t)bytes | (uint32_t)LLVMGetAtomicRMWBinOp(i) << HD_INFO_RMW_SHIFT);
    hd_cc_shadow_set(s, i,
        hd_cc_shadow_hook(s, hook_hd_shadow_update,
            (LLVMValueRef[]) { pointer, info, hd_cc_shadow_get(s, operand), hd_cc_shadow_word(s, operand),
                hd_cc_shadow_word(s, i), hd_cc_shadow_site(s, i) }));
}

static void exchange(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0), expected = LLVMGetOperand(i, 1), desired = LLVMGetOperand(i, 2);
    LLVMTypeRef type = LLVMTypeOf(expected);
    pin_access(s, i, pointer, type);
    hd_cc_shadow_behind(s, i);
    if (!hd_cc_shadow_is_scalar(type)) {
        hd_cc_shadow_hook(s, hook_hd_shadow_follow_memory,
            (LLVMValueRef[]) { pointer, hd_cc_unit_i64(s->unit, bytes_of(s, type)), hd_cc_shadow_site(s, i) });
        return;
    }
    LLVMValueRef old = LLVMBuildExtractValue(s->unit->builder, i, 0, "");
    LLVMValueRef shadow = hd_cc_shadow_hook(s, hook_hd_shadow_exchange,
        (LLVMValueRef[]) { pointer, hd_cc_unit_i32(s->unit, (uint32_t)bytes_of(s, type)), hd_cc_shadow_get(s, expected),
            hd_cc_shadow_get(s, desired), hd_cc_shadow_word(s, expected), hd_cc_shadow_word(s, desired),
            hd_cc_shadow_word(s, old), hd_cc_shadow_site(s, i) });
    LLVMValueRef whole = LLVMConstNull(hd_cc_shadow_type(s, LLVMTypeOf(i)));
    hd_cc_shadow_set(s, i, LLVMBuildInsertValue(s->unit->builder, whole, shadow, 0, ""));
}

/* The length is pinned before the addresses: the bounds checks of the addresses use it. */
void hd_cc_shadow_copy_block(hd_cc_shadow *s, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), length = LLVMGetOperand(call, 2);
    bool copies = strncmp(hd_cc_called_name(call), "llvm.memset.", 12) != 0;
    hd_cc_shadow_ahead(s, call);
    hd_cc_shadow_bind(s, hook_hd_shadow_pin, length, call);
    LLVMValueRef bytes = LLVMBuildIntCast2(s->unit->builder, length, s->unit->i64, false, "");
    pin_address(s, call, to, bytes);
    if (copies)
        pin_address(s, call, from, bytes);
    hd_cc_shadow_behind(s, call);
    if (copies)
        hd_cc_shadow_hook(s, hook_hd_shadow_copy, (LLVMValueRef[]) { to, from, bytes });
    else
        hd_cc_shadow_hook(s, hook_hd_shadow_fill, (LLVMValueRef[]) { to, hd_cc_shadow_get(s, from), bytes });
}

bool hd_cc_shadow_memory(hd_cc_shadow *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        load(s, i);
        return true;
    case LLVMStore:
        store(s, i);
        return true;
    case LLVMAtomicRMW:
        update(s, i);
        return true;
    case LLVMAtomicCmpXchg:
        exchange(s, i);
        return true;
    case LLVMFence:
        return true;
    default:
        return false;
    }
}
