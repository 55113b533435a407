/* For suites that must reach every statement and every branch: a hook where a block begins,
 * and one in front of every jump that goes one of two ways. */
#include "abi/site.h"
#include "compile/passes/passes.h"

/* The first instruction that the user wrote, or NULL. */
static LLVMValueRef first_written(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsAAllocaInst(i) && hd_is_located(i))
            return i;
    return NULL;
}

static void add_hook(hd_unit *unit, LLVMValueRef before, LLVMValueRef what)
{
    LLVMValueRef site = hd_unit_site(unit, before);
    hd_unit_before(unit, before);
    if (LLVMGetTypeKind(LLVMTypeOf(what)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(what)) == 1)
        what = LLVMBuildZExt(unit->builder, what, unit->i32, "");
    hd_unit_call(unit, hook_hd_cover, (LLVMValueRef[]) { site, what });
}

static void visit_block(hd_unit *unit, LLVMBasicBlockRef block)
{
    LLVMValueRef first = first_written(block), end = LLVMGetBasicBlockTerminator(block);
    if (first)
        add_hook(unit, first, hd_unit_i32(unit, HD_COVER_STATEMENT));
    if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && hd_is_located(end))
        add_hook(unit, end, LLVMGetCondition(end));
}

void hd_pass_cover(hd_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(unit->functions.items[f]); b; b = LLVMGetNextBasicBlock(b))
            visit_block(unit, b);
}
