/* Translates instructions of inline assembly to LLVM instructions.
 *
 * The registers of the assembly, fixed ones and those that the compiler would choose,
 * are values of 64 bits. An access to memory is one atomic access if the machine
 * performs it as one: a load, a store, or an update with a lock prefix. An update
 * without the prefix is a plain load and a plain store, which can race.
 *
 * If any instruction is not understood, nothing is changed (`undo`): a half-lifted
 * text would have another meaning.
 */
#include "compile/passes/assembly.h"
#include "compile/passes/assembly_flags.h"

#include <string.h>

enum { VIRTUAL_REGISTERS = HD_ASM_REGISTERS + HD_ASM_OPERANDS, RAX = 0, RBX = 1, RCX = 2, RDX = 3 };

#define WIDENS(from, to, is_signed) ((from) | (to) << 8 | (is_signed) << 16)

typedef struct lift {
    hd_cc_unit *unit;
    LLVMBuilderRef b;
    LLVMValueRef call;
    const hd_cc_asm *assembly;
    LLVMValueRef registers[VIRTUAL_REGISTERS]; /* values of registers; NULL: unknown */
    bool may_be_read[HD_ASM_REGISTERS]; /* although its value is unknown */
    hd_cc_asm_flags flags;
} lift;

static LLVMTypeRef type_of_width(lift *l, unsigned width)
{
    return LLVMIntTypeInContext(l->unit->context, width);
}

static bool is_width(uint64_t bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* --- values and registers ------------------------------------------------------- */

/* A value of the program as 64 bits; NULL: it has another size or kind. */
static LLVMValueRef as_bits(lift *l, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t bits = LLVMSizeOfTypeInBits(l->unit->layout, type);
    if (kind == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) == 0 ? LLVMBuildPtrToInt(l->b, value, l->unit->i64, "") : NULL;
    if ((kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) || bits > 64)
        return NULL;
    value = LLVMBuildBitCast(l->b, value, type_of_width(l, (unsigned)bits), "");
    return LLVMBuildZExt(l->b, value, l->unit->i64, "");
}

/* The opposite. */
static LLVMValueRef as_type(lift *l, LLVMValueRef bits, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(l->b, bits, type, "");
    uint64_t width = LLVMSizeOfTypeInBits(l->unit->layout, type);
    if ((kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) || width > 64)
        return NULL;
    bits = LLVMBuildTrunc(l->b, bits, type_of_width(l, (unsigned)width), "");
    return LLVMBuildBitCast(l->b, bits, type, "");
}

static LLVMValueRef known_register(lift *l, int reg)
{
    if (!l->registers[reg] && reg < HD_ASM_REGISTERS && l->may_be_read[reg])
        return hd_cc_unit_i64(l->unit, 0);
    return l->registers[reg];
}

static LLVMValueRef get_register(lift *l, int reg, unsigned width)
{
    LLVMValueRef value = known_register(l, reg);
    return value ? LLVMBuildTrunc(l->b, value, type_of_width(l, width), "") : NULL;
}

/* Writing 32 bits clears the rest; writing fewer leaves it. */
static void put_register(lift *l, int reg, unsigned width, LLVMValueRef value)
{
    value = LLVMBuildZExt(l->b, value, l->unit->i64, "");
    if (width < 32 && l->registers[reg]) {
        LLVMValueRef mask = hd_cc_unit_i64(l->unit, ~0ull << width);
        value = LLVMBuildOr(l->b, LLVMBuildAnd(l->b, l->registers[reg], mask, ""), value, "");
    }
    l->registers[reg] = value;
}

static LLVMValueRef thread_pointer(lift *l)
{
    LLVMValueRef pointer = hd_cc_unit_call(l->unit, hook_hd_thread_pointer, NULL);
    return LLVMBuildPtrToInt(l->b, pointer, l->unit->i64, "");
}

static LLVMValueRef sum(lift *l, LLVMValueRef a, LLVMValueRef b)
{
    return a && b ? LLVMBuildAdd(l->b, a, b, "") : NULL;
}

/* The address of a memory argument; NULL: unknown. */
static LLVMValueRef address_of(lift *l, const hd_cc_asm_argument *a)
{
    LLVMValueRef at = hd_cc_unit_i64(l->unit, (uint64_t)a->constant);
    const hd_cc_asm_operand *operands = l->assembly->operands.items;
    if (a->is_stack)
        return NULL;
    if (a->operand >= 0 && !a->constant && !a->in_thread)
        return operands[a->operand].value;
    if (a->operand >= 0)
        at = sum(l, at, as_bits(l, operands[a->operand].value));
    if (a->constant_operand >= 0)
        at = sum(l, at, as_bits(l, operands[a->constant_operand].value));
    if (a->base != HD_ASM_NO_REGISTER)
        at = sum(l, at, known_register(l, a->base));
    if (a->index != HD_ASM_NO_REGISTER && known_register(l, a->index))
        at = sum(l, at, LLVMBuildMul(l->b, known_register(l, a->index), hd_cc_unit_i64(l->unit, a->scale), ""));
    else if (a->index != HD_ASM_NO_REGISTER)
        return NULL;
    if (a->in_thread)
        at = sum(l, at, thread_pointer(l));
    return at ? LLVMBuildIntToPtr(l->b, at, l->unit->pointer, "") : NULL;
}

/* The ordering of an instruction's single access. */
static LLVMAtomicOrdering order_of(lift *l, const hd_cc_asm_argument *a)
{
    bool is_variable = a->operand >= 0 && l->assembly->operands.items[a->operand].may_be_register;
    return is_variable ? LLVMAtomicOrderingNotAtomic : LLVMAtomicOrderingMonotonic;
}

static LLVMValueRef load(lift *l, LLVMValueRef pointer, unsigned width, LLVMAtomicOrdering order)
{
    LLVMValueRef value = LLVMBuildLoad2(l->b, type_of_width(l, width), pointer, "");
    LLVMSetAlignment(value, order == LLVMAtomicOrderingNotAtomic ? 1 : width / 8);
    LLVMSetOrdering(value, order);
    return value;
}

static void store(lift *l, LLVMValueRef pointer, LLVMValueRef value, unsigned width, LLVMAtomicOrdering order)
{
    LLVMValueRef instruction = LLVMBuildStore(l->b, value, pointer);
    LLVMSetAlignment(instruction, order == LLVMAtomicOrderingNotAtomic ? 1 : width / 8);
    LLVMSetOrdering(instruction, order);
}

static LLVMValueRef get(lift *l, const hd_cc_asm_argument *a, unsigned width)
{
    if (a->storage == HD_ASM_REGISTER)
        return get_register(l, a->reg, width);
    if (a->storage == HD_ASM_CONSTANT)
        return LLVMConstInt(type_of_width(l, width), (uint64_t)a->constant, true);
    LLVMValueRef pointer = address_of(l, a);
    return pointer ? load(l, pointer, width, order_of(l, a)) : NULL;
}

static bool put(lift *l, const hd_cc_asm_argument *a, unsigned width, LLVMValueRef value)
{
    if (a->storage == HD_ASM_CONSTANT)
        return false;
    if (a->storage == HD_ASM_REGISTER) {
        put_register(l, a->reg, width, value);
        return true;
    }
    LLVMValueRef pointer = address_of(l, a);
    if (pointer)
        store(l, pointer, value, width, order_of(l, a));
    return pointer != NULL;
}

/* --- instructions ----------------------------------------------------------------- */

typedef struct instruction {
    const hd_cc_asm_statement *statement;
    const hd_cc_asm_argument *from, *to; /* source and target; the same argument if there is only one */
    unsigned width; /* 0: not given */
    int detail;
} instruction;

static bool move(lift *l, const instruction *i)
{
    if (i->statement->count != 2 || !i->width || i->statement->is_locked)
        return false;
    LLVMValueRef value = get(l, i->from, i->width);
    return value && put(l, i->to, i->width, value);
}

static bool widen(lift *l, const instruction *i)
{
    unsigned from = i->detail & 0xff, to = i->detail >> 8 & 0xff;
    LLVMValueRef value = i->statement->count == 2 ? get(l, i->from, from) : NULL;
    LLVMTypeRef type = type_of_width(l, to);
    if (!value)
        return false;
    value = i->detail >> 16 ? LLVMBuildSExt(l->b, value, type, "") : LLVMBuildZExt(l->b, value, type, "");
    return put(l, i->to, to, value);
}

static bool load_address(lift *l, const instruction *i)
{
    bool is_address = i->statement->count == 2 && i->from->storage == HD_ASM_MEMORY && !i->from->in_thread;
    LLVMValueRef pointer = is_address && i->width == 64 ? address_of(l, i->from) : NULL;
    return pointer && put(l, i->to, 64, LLVMBuildPtrToInt(l->b, pointer, l->unit->i64, ""));
}

static LLVMValueRef compute(lift *l, int operation, LLVMValueRef left, LLVMValueRef right)
{
    switch (operation) {
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(l->b, left, right, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(l->b, left, right, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(l->b, left, right, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(l->b, left, right, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(l->b, left, right, "");
    default:
        return right;
    }
}

static LLVMValueRef update_memory(lift *l, LLVMValueRef pointer, int operation, LLVMValueRef by)
{
    return LLVMBuildAtomicRMW(
        l->b, (LLVMAtomicRMWBinOp)operation, pointer, by, LLVMAtomicOrderingSequentiallyConsistent, false);
}

/* Updates the target with one operand; returns its old value. */
static LLVMValueRef change(lift *l, const instruction *i, int operation, LLVMValueRef by, bool locked)
{
    if (!i->width || !by || (locked && i->to->storage != HD_ASM_MEMORY))
        return NULL;
    if (i->to->storage != HD_ASM_MEMORY) {
        LLVMValueRef old = get(l, i->to, i->width);
        return old && put(l, i->to, i->width, compute(l, operation, old, by)) ? old : NULL;
    }
    LLVMValueRef pointer = address_of(l, i->to);
    if (!pointer)
        return NULL;
    if (locked)
        return update_memory(l, pointer, operation, by);
    LLVMValueRef old = load(l, pointer, i->width, LLVMAtomicOrderingNotAtomic);
    store(l, pointer, compute(l, operation, old, by), i->width, LLVMAtomicOrderingNotAtomic);
    return old;
}

static void set_flags(lift *l, int operation, LLVMValueRef left, LLVMValueRef right)
{
    hd_cc_asm_flag_source source = operation == LLVMAtomicRMWBinOpAdd ? HD_FLAGS_OF_SUM
        : operation == LLVMAtomicRMWBinOpSub                          ? HD_FLAGS_OF_DIFFERENCE
                                                                      : HD_FLAGS_OF_LOGIC;
    l->flags = (hd_cc_asm_flags) {
        .source = source, .left = left, .right = right, .result = compute(l, operation, left, right)
    };
}

static bool emit_fence(lift *l)
{
    LLVMBuildFence(l->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    return true;
}

/* lock; addl $0, (%rsp): a full fence that is cheaper than mfence. */
static bool is_stack_fence(const instruction *i)
{
    return i->to->is_stack && i->statement->is_locked && i->statement->count == 2 && i->from->storage == HD_ASM_CONSTANT
        && i->from->constant == 0 && (i->detail == LLVMAtomicRMWBinOpAdd || i->detail == LLVMAtomicRMWBinOpOr);
}

static bool update(lift *l, const instruction *i)
{
    if (is_stack_fence(i)) {
        l->flags.source = HD_FLAGS_UNKNOWN;
        return emit_fence(l);
    }
    bool clears = i->detail == LLVMAtomicRMWBinOpXor && i->from->storage == HD_ASM_REGISTER
        && i->to->storage == HD_ASM_REGISTER && i->from->reg == i->to->reg && i->width;
    if (clears && !known_register(l, i->to->reg))
        l->registers[i->to->reg] = hd_cc_unit_i64(l->unit, 0);
    LLVMValueRef by = i->statement->count == 2 && i->width ? get(l, i->from, i->width) : NULL;
    LLVMValueRef old = change(l, i, i->detail, by, i->statement->is_locked);
    if (old)
        set_flags(l, i->detail, old, by);
    return old != NULL;
}

/* inc and dec, which do not change the carry. */
static bool step(lift *l, const instruction *i)
{
    LLVMValueRef one = i->width ? LLVMConstInt(type_of_width(l, i->width), 1, false) : NULL;
    LLVMValueRef old = i->statement->count == 1 ? change(l, i, i->detail, one, i->statement->is_locked) : NULL;
    if (!old)
        return false;
    set_flags(l, i->detail, old, one);
    l->flags.keeps_carry = true;
    return true;
}

static bool invert(lift *l, const instruction *i)
{
    LLVMValueRef ones = i->width ? LLVMConstAllOnes(type_of_width(l, i->width)) : NULL;
    return i->statement->count == 1 && change(l, i, LLVMAtomicRMWBinOpXor, ones, i->statement->is_locked);
}

static void atomic_block(lift *l, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(l->unit->nothing, NULL, 0, false);
    LLVMBuildCall2(l->b, type, hd_cc_unit_function(l->unit, name, type), NULL, 0, "");
}

/* LLVM has no atomic negation: a load and a store in an atomic block. */
static bool negate(lift *l, const instruction *i)
{
    bool locked = i->statement->is_locked;
    if (i->statement->count != 1 || !i->width || (locked && i->to->storage != HD_ASM_MEMORY))
        return false;
    if (locked)
        atomic_block(l, "heddle_atomic_begin");
    LLVMValueRef old = get(l, i->to, i->width);
    LLVMValueRef zero = LLVMConstNull(type_of_width(l, i->width));
    if (!old || !put(l, i->to, i->width, LLVMBuildSub(l->b, zero, old, "")))
        return false;
    if (locked)
        atomic_block(l, "heddle_atomic_end");
    set_flags(l, LLVMAtomicRMWBinOpSub, zero, old);
    return true;
}

/* sbb of a register from itself sets all bits to the carry. */
static bool spread_carry(lift *l, const instruction *i)
{
    bool is_itself = i->statement->count == 2 && i->from->storage == HD_ASM_REGISTER
        && i->to->storage == HD_ASM_REGISTER && i->from->reg == i->to->reg && i->width;
    LLVMValueRef bit = is_itself ? hd_cc_asm_condition(l->b, &l->flags, "c") : NULL;
    return bit && put(l, i->to, i->width, LLVMBuildSExt(l->b, bit, type_of_width(l, i->width), ""));
}

static bool shift(lift *l, const instruction *i)
{
    bool is_constant =
        i->statement->count == 2 && i->from->storage == HD_ASM_CONSTANT && i->to->storage == HD_ASM_REGISTER;
    if (!is_constant || !i->width || (uint64_t)i->from->constant >= i->width)
        return false;
    LLVMValueRef old = get(l, i->to, i->width), by = get(l, i->from, i->width);
    l->flags.source = HD_FLAGS_UNKNOWN;
    return old && put(l, i->to, i->width, LLVMBuildBinOp(l->b, (LLVMOpcode)i->detail, old, by, ""));
}

static bool compare(lift *l, const instruction *i)
{
    if (i->statement->count != 2 || !i->width || i->statement->is_locked)
        return false;
    LLVMValueRef right = get(l, i->from, i->width), left = right ? get(l, i->to, i->width) : NULL;
    if (left)
        set_flags(l, i->detail, left, right);
    return left != NULL;
}

/* bt, bts, btr, btc: a bit number in a register may be beyond the word that the operand names. */
static bool bit(lift *l, const instruction *i)
{
    if (i->statement->count != 2 || !i->width || i->width == 8 || i->to->is_stack)
        return false;
    LLVMTypeRef type = type_of_width(l, i->width);
    LLVMValueRef number = get(l, i->from, i->width), pointer = NULL, old;
    if (!number)
        return false;
    LLVMValueRef in_word = LLVMBuildAnd(l->b, number, LLVMConstInt(type, i->width - 1, false), "");
    LLVMValueRef mask = LLVMBuildShl(l->b, LLVMConstInt(type, 1, false), in_word, "");
    LLVMValueRef by = i->detail == LLVMAtomicRMWBinOpAnd ? LLVMBuildNot(l->b, mask, "") : mask;
    if (i->to->storage == HD_ASM_MEMORY) {
        unsigned log = i->width == 64 ? 6 : i->width == 32 ? 5 : 4;
        LLVMValueRef word = LLVMBuildAShr(l->b, number, LLVMConstInt(type, log, false), "");
        LLVMValueRef base = address_of(l, i->to), index = LLVMBuildSExt(l->b, word, l->unit->i64, "");
        pointer = base && i->from->storage == HD_ASM_REGISTER ? LLVMBuildGEP2(l->b, type, base, &index, 1, "") : base;
    }
    if (i->to->storage == HD_ASM_MEMORY && !pointer)
        return false;
    if (pointer && i->detail == LLVMAtomicRMWBinOpXchg)
        old = load(l, pointer, i->width, LLVMAtomicOrderingMonotonic);
    else if (pointer && i->statement->is_locked)
        old = update_memory(l, pointer, i->detail, by);
    else
        old = pointer ? load(l, pointer, i->width, LLVMAtomicOrderingNotAtomic) : get(l, i->to, i->width);
    if (!old)
        return false;
    bool changes = i->detail != LLVMAtomicRMWBinOpXchg;
    if (changes && pointer && !i->statement->is_locked)
        store(l, pointer, compute(l, i->detail, old, by), i->width, LLVMAtomicOrderingNotAtomic);
    if (changes && !pointer && !put(l, i->to, i->width, compute(l, i->detail, old, by)))
        return false;
    LLVMValueRef set = LLVMBuildAnd(l->b, old, mask, "");
    l->flags = (hd_cc_asm_flags) { .source = HD_FLAGS_OF_BIT,
        .left = LLVMBuildICmp(l->b, LLVMIntNE, set, LLVMConstNull(type), "") };
    return true;
}

/* xchg and xadd: the register gets the old value of the memory. xchg is always locked. */
static bool exchange(lift *l, const instruction *i)
{
    if (i->statement->count != 2)
        return false;
    instruction turned = *i;
    if (i->from->storage == HD_ASM_MEMORY && i->detail == LLVMAtomicRMWBinOpXchg) {
        turned.from = i->to;
        turned.to = i->from;
    }
    bool locked =
        turned.to->storage == HD_ASM_MEMORY && (i->statement->is_locked || i->detail == LLVMAtomicRMWBinOpXchg);
    if (turned.from->storage != HD_ASM_REGISTER || !i->width)
        return false;
    LLVMValueRef by = get(l, turned.from, i->width);
    LLVMValueRef old = change(l, &turned, i->detail, by, locked);
    if (!old)
        return false;
    if (i->detail == LLVMAtomicRMWBinOpAdd)
        set_flags(l, i->detail, old, by);
    return put(l, turned.from, i->width, old);
}

/* cmpxchg: the accumulator is compared with the memory, and gets its old value. */
static bool compare_exchange(lift *l, const instruction *i)
{
    bool known = i->statement->count == 2 && i->width && i->statement->is_locked && i->to->storage == HD_ASM_MEMORY;
    LLVMValueRef pointer = known ? address_of(l, i->to) : NULL;
    if (!pointer)
        return false;
    LLVMValueRef expected = get_register(l, RAX, i->width), desired = get(l, i->from, i->width);
    if (!expected || !desired)
        return false;
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    LLVMValueRef both = LLVMBuildAtomicCmpXchg(l->b, pointer, expected, desired, order, order, false);
    LLVMValueRef old = LLVMBuildExtractValue(l->b, both, 0, "");
    set_flags(l, LLVMAtomicRMWBinOpSub, expected, old);
    put_register(l, RAX, i->width, old);
    return true;
}

static LLVMValueRef wide(lift *l, LLVMValueRef low, LLVMValueRef high)
{
    LLVMTypeRef type = type_of_width(l, 128);
    high = LLVMBuildShl(l->b, LLVMBuildZExt(l->b, high, type, ""), LLVMConstInt(type, 64, false), "");
    return LLVMBuildOr(l->b, LLVMBuildZExt(l->b, low, type, ""), high, "");
}

/* A new stack variable, for a call that writes its results to memory. */
static LLVMValueRef variable(lift *l, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(l->call));
    hd_cc_unit_at_top(l->unit, LLVMGetEntryBasicBlock(function));
    LLVMValueRef variable = LLVMBuildAlloca(l->b, type, "");
    LLVMSetAlignment(variable, 16);
    hd_cc_unit_before(l->unit, l->call);
    return variable;
}

/* cmpxchg16b: a call of libatomic's function, which heddle models. */
static bool compare_exchange_16(lift *l, const instruction *i)
{
    LLVMValueRef parts[4];
    bool known = i->statement->count == 1 && i->statement->is_locked && i->to->storage == HD_ASM_MEMORY;
    for (int r = RAX; known && r <= RDX; r++)
        known = (parts[r] = known_register(l, r)) != NULL;
    LLVMValueRef pointer = known ? address_of(l, i->to) : NULL;
    if (!pointer)
        return false;
    LLVMTypeRef bits = type_of_width(l, 128), boolean = type_of_width(l, 8), word = l->unit->i64;
    LLVMTypeRef types[] = { l->unit->pointer, l->unit->pointer, bits, l->unit->i32, l->unit->i32 };
    LLVMTypeRef type = LLVMFunctionType(boolean, types, 5, false);
    LLVMValueRef function = hd_cc_unit_function(l->unit, "__atomic_compare_exchange_16", type);
    LLVMValueRef expected = variable(l, bits), order = hd_cc_unit_i32(l->unit, 5), second = hd_cc_unit_i64(l->unit, 1);
    LLVMBuildStore(l->b, wide(l, parts[RAX], parts[RDX]), expected);
    LLVMValueRef done = LLVMBuildCall2(l->b, type, function,
        (LLVMValueRef[]) { pointer, expected, wide(l, parts[RBX], parts[RCX]), order, order }, 5, "");
    l->registers[RAX] = LLVMBuildLoad2(l->b, word, expected, "");
    l->registers[RDX] = LLVMBuildLoad2(l->b, word, LLVMBuildGEP2(l->b, word, expected, &second, 1, ""), "");
    LLVMValueRef failed = LLVMBuildXor(l->b, done, LLVMConstInt(boolean, 1, false), "");
    l->flags = (hd_cc_asm_flags) { .source = HD_FLAGS_OF_LOGIC, .result = failed };
    return true;
}

static bool fence(lift *l, const instruction *i)
{
    return i->statement->count == 0 && emit_fence(l);
}

/* pause, rep; nop, prefetch: no effect that a program can observe. */
static bool idle(lift *l, const instruction *i)
{
    (void)l;
    return !i->statement->is_locked;
}

static bool read_clock(lift *l, const instruction *i)
{
    LLVMValueRef site = hd_cc_unit_site(l->unit, l->call);
    LLVMValueRef now = hd_cc_unit_call(l->unit, hook_hd_timestamp, &site);
    LLVMValueRef high = LLVMBuildLShr(l->b, now, hd_cc_unit_i64(l->unit, 32), "");
    put_register(l, RAX, 32, LLVMBuildTrunc(l->b, now, l->unit->i32, ""));
    put_register(l, RDX, 32, LLVMBuildTrunc(l->b, high, l->unit->i32, ""));
    if (i->detail)
        l->registers[RCX] = hd_cc_unit_i64(l->unit, 0);
    return i->statement->count == 0;
}

static bool identify(lift *l, const instruction *i)
{
    LLVMValueRef leaf = get_register(l, RAX, 32), part = get_register(l, RCX, 32);
    if (!leaf || i->statement->count)
        return false;
    LLVMValueRef answer = variable(l, LLVMArrayType(l->unit->i32, 4));
    hd_cc_unit_call(
        l->unit, hook_hd_cpuid, (LLVMValueRef[]) { leaf, part ? part : hd_cc_unit_i32(l->unit, 0), answer });
    for (int r = RAX; r <= RDX; r++) {
        LLVMValueRef index = hd_cc_unit_i64(l->unit, (uint64_t)r);
        LLVMValueRef at = LLVMBuildGEP2(l->b, l->unit->i32, answer, &index, 1, "");
        put_register(l, r, 32, LLVMBuildLoad2(l->b, l->unit->i32, at, ""));
    }
    return true;
}

static bool set_if(lift *l, const instruction *i, const char *condition)
{
    LLVMValueRef value = i->statement->count == 1 ? hd_cc_asm_condition(l->b, &l->flags, condition) : NULL;
    return value && put(l, i->to, 8, LLVMBuildZExt(l->b, value, type_of_width(l, 8), ""));
}

/* --- the table --------------------------------------------------------------------- */

typedef bool meaning(lift *l, const instruction *i);

static const struct row {
    const char *mnemonic;
    meaning *meaning; /* NULL: STAYS_IN_OPERANDS */
    int detail;
} rows[] = {
#define INSTRUCTION(mnemonic, meaning, detail) { #mnemonic, meaning, detail },
#define STAYS_IN_OPERANDS(mnemonic) { #mnemonic, NULL, 0 },
#include "compile/passes/assembly.def"
#undef INSTRUCTION
#undef STAYS_IN_OPERANDS
};

static const struct row *row_named(const char *name, size_t length)
{
    for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++)
        if (strlen(r->mnemonic) == length && !strncmp(r->mnemonic, name, length))
            return r;
    return NULL;
}

/* The row of a mnemonic; sets the width by its suffix, or 0. */
static const struct row *row_of(const char *mnemonic, unsigned *width)
{
    static const char suffixes[] = "bwlq";
    size_t length = strlen(mnemonic);
    const struct row *row = row_named(mnemonic, length);
    const char *suffix = length > 1 ? strchr(suffixes, mnemonic[length - 1]) : NULL;
    *width = 0;
    if (row || !suffix)
        return row;
    *width = 8u << (suffix - suffixes);
    return row_named(mnemonic, length - 1);
}

bool hd_cc_asm_stays_in_operands(const hd_cc_asm_statement *statement)
{
    unsigned width;
    const struct row *row = row_of(statement->mnemonic, &width);
    return row && !row->meaning;
}

/* The width of a register by its name, or that of the variable in it. */
static unsigned width_of(lift *l, const hd_cc_asm_argument *a)
{
    const hd_cc_asm_operands *o = &l->assembly->operands;
    if (a->storage != HD_ASM_REGISTER || a->width || a->reg < HD_ASM_REGISTERS)
        return a->storage == HD_ASM_REGISTER ? a->width : 0;
    uint64_t bits = LLVMSizeOfTypeInBits(l->unit->layout, o->items[a->reg - HD_ASM_REGISTERS].type);
    return is_width(bits) ? (unsigned)bits : 0;
}

static bool lift_statement(lift *l, const hd_cc_asm_statement *s)
{
    instruction i = { .statement = s };
    i.from = s->count ? &s->arguments[0] : NULL;
    i.to = s->count ? &s->arguments[s->count - 1] : NULL;
    if (!strncmp(s->mnemonic, "set", 3))
        return set_if(l, &i, s->mnemonic + 3);
    const struct row *row = row_of(s->mnemonic, &i.width);
    if (!row || !row->meaning || (s->is_repeated && row->meaning != idle))
        return false;
    for (unsigned n = 0; !i.width && n < s->count; n++)
        i.width = width_of(l, &s->arguments[n]);
    i.detail = row->detail;
    return row->meaning(l, &i);
}

/* --- the whole ------------------------------------------------------------------------ */

static int register_of(const hd_cc_asm_operand *o, unsigned number)
{
    return o->fixed != HD_ASM_NO_REGISTER ? o->fixed : HD_ASM_REGISTERS + (int)number;
}

static bool take_inputs(lift *l)
{
    const hd_cc_asm_operands *o = &l->assembly->operands;
    for (unsigned n = 0; n < o->count; n++) {
        const hd_cc_asm_operand *operand = &o->items[n];
        const hd_cc_asm_operand *shared = operand->tied >= 0 ? &o->items[operand->tied] : operand;
        int at = register_of(shared, operand->tied >= 0 ? (unsigned)operand->tied : n);
        if (at < HD_ASM_REGISTERS)
            l->may_be_read[at] = true;
        if (operand->is_output || operand->is_memory || shared->is_memory)
            continue;
        l->registers[at] = as_bits(l, operand->value);
        if (!l->registers[at])
            return false;
    }
    for (int r = 0; r < HD_ASM_REGISTERS; r++)
        l->may_be_read[r] |= o->clobbers[r];
    l->may_be_read[RBX] = true; /* position-independent code saves it around cpuid */
    return true;
}

static LLVMValueRef result(lift *l, unsigned number)
{
    const hd_cc_asm_operand *o = &l->assembly->operands.items[number];
    if (o->flag) {
        LLVMValueRef bit = hd_cc_asm_condition(l->b, &l->flags, o->flag);
        bool is_integer = LLVMGetTypeKind(o->type) == LLVMIntegerTypeKind;
        return bit && is_integer ? LLVMBuildZExt(l->b, bit, o->type, "") : NULL;
    }
    LLVMValueRef bits = l->registers[register_of(o, number)];
    return bits ? as_type(l, bits, o->type) : NULL;
}

/* The result of the call; NULL: a part of it is unknown. */
static LLVMValueRef results(lift *l)
{
    const hd_cc_asm_operands *o = &l->assembly->operands;
    LLVMValueRef all = LLVMGetUndef(LLVMTypeOf(l->call));
    for (unsigned n = 0; n < o->count; n++) {
        const hd_cc_asm_operand *operand = &o->items[n];
        if (!operand->is_output || operand->is_memory)
            continue;
        LLVMValueRef one = result(l, n);
        if (!one)
            return NULL;
        all = o->result_count == 1 ? one : LLVMBuildInsertValue(l->b, all, one, operand->result, "");
    }
    return all;
}

static bool lift_all(lift *l)
{
    hd_cc_asm_program program;
    if (!hd_cc_asm_parse(l->assembly, &program) || !take_inputs(l))
        return false;
    for (unsigned i = 0; i < program.count; i++)
        if (!lift_statement(l, &program.items[i]))
            return false;
    if (l->assembly->operands.clobbers_memory)
        LLVMBuildFence(l->b, LLVMAtomicOrderingSequentiallyConsistent, true, "");
    LLVMValueRef value = l->assembly->operands.result_count ? results(l) : NULL;
    if (value)
        LLVMReplaceAllUsesWith(l->call, value);
    return value || !l->assembly->operands.result_count;
}

/* Removes what was inserted between `before` and the call. */
static void undo(LLVMValueRef before, LLVMValueRef call)
{
    for (LLVMValueRef i; (i = LLVMGetPreviousInstruction(call)) && i != before;)
        LLVMInstructionEraseFromParent(i);
}

bool hd_cc_asm_lift(hd_cc_unit *unit, LLVMValueRef call, const hd_cc_asm *a)
{
    lift l = { .unit = unit, .b = unit->builder, .call = call, .assembly = a };
    LLVMValueRef before = LLVMGetPreviousInstruction(call);
    hd_cc_unit_before(unit, call);
    bool lifted = lift_all(&l);
    if (lifted)
        LLVMInstructionEraseFromParent(call);
    else
        undo(before, call);
    return lifted;
}
