/* Hooks of plain accesses that are not inlined. An inline hook adds three blocks to its function, and LLVM's passes
 * take time in proportion to blocks and to the values that live across them: a function with hundreds of hooks would
 * take a hundred times as long to compile as without them. A call of a function that saves all registers adds none. */
#include "compile/passes/passes.h"

#include <string.h>

static const struct {
    const char *name;
    hd_cc_hook apart;
} rows[] = { { "hd_read", hook_hd_read_apart }, { "hd_write", hook_hd_write_apart } };

static bool find(LLVMValueRef i, hd_cc_hook *apart)
{
    for (size_t n = 0; n < sizeof rows / sizeof *rows && LLVMIsACallInst(i); n++)
        if (!strcmp(hd_cc_called_name(i), rows[n].name)) {
            *apart = rows[n].apart;
            return true;
        }
    return false;
}

static size_t count(hd_cc_values *instructions)
{
    size_t found = 0;
    hd_cc_hook apart;
    for (size_t i = 0; i < instructions->count; i++)
        found += find(instructions->items[i], &apart);
    return found;
}

static void outline(hd_cc_unit *unit, hd_cc_values *instructions)
{
    enum { ADDRESS, INFO, SITE, ARGUMENTS };
    hd_cc_hook apart;
    for (size_t i = 0; i < instructions->count; i++) {
        LLVMValueRef old = instructions->items[i];
        if (!find(old, &apart))
            continue;
        LLVMValueRef arguments[ARGUMENTS];
        for (unsigned n = 0; n < ARGUMENTS; n++)
            arguments[n] = LLVMGetOperand(old, n);
        hd_cc_unit_before(unit, old);
        LLVMValueRef new = hd_cc_unit_call(unit, apart, arguments);
        LLVMSetInstructionCallConv(new, LLVMPreserveMostCallConv);
        LLVMSetFunctionCallConv(LLVMGetCalledValue(new), LLVMPreserveMostCallConv);
        LLVMInstructionEraseFromParent(old);
    }
}

void hd_cc_pass_outline(hd_cc_unit *unit, bool everywhere)
{
    enum { MOST_INLINE = 48 };
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        if (everywhere || count(instructions) > MOST_INLINE)
            outline(unit, instructions);
    }
}

bool hd_cc_is_outlined(LLVMValueRef i)
{
    return LLVMIsACallInst(i)
        && (!strcmp(hd_cc_called_name(i), "hd_read_apart") || !strcmp(hd_cc_called_name(i), "hd_write_apart"));
}
