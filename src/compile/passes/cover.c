/* For suites that must reach every statement and every branch: a hook at the start of a block, and one before every
 * jump with several targets.
 *
 * The shadow hook of a jump comes before its cover hook (hd_cc_shadow_ahead), so the target of a jump that depends on
 * inputs is recorded after the branch on them. */
#include "abi/site.h"
#include "base/map.h"
#include "compile/passes/passes.h"

#include <llvm-c/DebugInfo.h>

/* The first instruction with a location in the source, or NULL. */
static LLVMValueRef first_written(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsAAllocaInst(i) && hd_cc_is_located(i))
            return i;
    return NULL;
}

/* The number of earlier hooks of this kind at this location in the function. Copies of a block that was inlined several
 * times are one block of the source, so the copies are counted separately and get the same numbers. */
static uint32_t ordinal_of(hd_map *seen, LLVMValueRef at, bool is_jump)
{
    LLVMMetadataRef inlined = LLVMDILocationGetInlinedAt(LLVMInstructionGetDebugLoc(at));
    uint64_t key = hd_hash((uint64_t)LLVMGetDebugLocLine(at) << 32 | LLVMGetDebugLocColumn(at));
    uint64_t *count = hd_map_put(seen, hd_hash(key ^ (uintptr_t)inlined) ^ is_jump);
    return (uint32_t)(*count)++;
}

static void add_hook(hd_cc_unit *unit, LLVMValueRef before, LLVMValueRef what, uint32_t ordinal)
{
    LLVMValueRef site = hd_cc_unit_site(unit, before);
    hd_cc_unit_call(unit, hook_hd_cover, (LLVMValueRef[]) { site, what, hd_cc_unit_i32(unit, ordinal) });
}

static LLVMValueRef way_of_switch(hd_cc_unit *unit, LLVMValueRef jump)
{
    unsigned cases = LLVMGetNumSuccessors(jump) - 1;
    LLVMValueRef value = LLVMGetOperand(jump, 0), way = hd_cc_unit_i32(unit, HD_COVER_SWITCH);
    for (unsigned n = cases; n > 0; n--) {
        LLVMValueRef is = LLVMBuildICmp(unit->builder, LLVMIntEQ, value, LLVMGetOperand(jump, 2 * n), "");
        way = LLVMBuildSelect(unit->builder, is, hd_cc_unit_i32(unit, HD_COVER_SWITCH + n), way, "");
    }
    return way;
}

static LLVMValueRef way_of_branch(hd_cc_unit *unit, LLVMValueRef jump)
{
    LLVMValueRef taken = LLVMBuildZExt(unit->builder, LLVMGetCondition(jump), unit->i32, "");
    return LLVMBuildAdd(unit->builder, taken, hd_cc_unit_i32(unit, HD_COVER_NOT_TAKEN), "");
}

static void visit_block(hd_cc_unit *unit, hd_map *seen, LLVMBasicBlockRef block)
{
    LLVMValueRef first = first_written(block), end = LLVMGetBasicBlockTerminator(block);
    if (first) {
        hd_cc_unit_before(unit, first);
        add_hook(unit, first, hd_cc_unit_i32(unit, HD_COVER_BLOCK), ordinal_of(seen, first, false));
    }
    bool branches = LLVMIsABranchInst(end) && LLVMIsConditional(end);
    if ((!branches && !LLVMIsASwitchInst(end)) || !hd_cc_is_located(end))
        return;
    hd_cc_unit_before(unit, end);
    LLVMValueRef way = branches ? way_of_branch(unit, end) : way_of_switch(unit, end);
    add_hook(unit, end, way, ordinal_of(seen, end, true));
}

void hd_cc_pass_cover(hd_cc_unit *unit)
{
    hd_map seen;
    hd_map_init(&seen, &hd_heap);
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_map_clear(&seen);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(unit->functions.items[f]); b; b = LLVMGetNextBasicBlock(b))
            visit_block(unit, &seen, b);
    }
    hd_map_fini(&seen);
}
