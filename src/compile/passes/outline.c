/* Hooks that are not inlined. An inline hook adds up to three blocks to its function, and LLVM's passes take time in
 * proportion to blocks and to the values that live across them: a function with hundreds of hooks would take a hundred
 * times as long to compile as without them. A call of a function that saves all registers adds none.
 *
 * So hooks are inlined where time is spent: on cycles of the control flow without calls, whose hooks would be all the
 * calls that they have, and in functions and files that do not have too many hooks. */
#include "compile/passes/cfg.h"
#include "compile/passes/passes.h"

#include <string.h>

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* Hooks without branches are smaller than calls of them. */
static bool may_be_apart(LLVMValueRef i)
{
    static const char *const straight[] = { "hd_watched", "hd_symbolic", "hd_shadow_variables", "hd_shadow_forget",
        "hd_shadow_live", "hd_shadow_plainly", "hd_shadow_return", NULL };
    return LLVMIsACallInst(i) && hd_cc_unit_inline_hook(hd_cc_called_name(i))
        && !is_one_of(hd_cc_called_name(i), straight);
}

/* Is it a call that takes longer than an access? Atomic operations are calls of the runtime. */
static bool takes_long(LLVMValueRef i)
{
    if (!hd_cc_is_call(i))
        return false;
    const char *name = hd_cc_called_name(i);
    return !hd_cc_unit_inline_hook(name) && !hd_cc_unit_apart_hook(name) && strncmp(name, "llvm.", 5) != 0
        && strncmp(name, "hd_loop", 7) != 0;
}

/* --- hot blocks ------------------------------------------------------------------- */

static bool has_call(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (takes_long(i))
            return true;
    return false;
}

/* Marks the blocks on cycles through the loop's header. Edges back to the headers of inner loops can be ignored: a
 * block that needs them is on a cycle of that loop. So each direction takes one sweep over the blocks, which are in
 * reverse postorder. */
static void find_hot_in(const hd_cc_cfg *cfg, const hd_cc_loop *loop, const bool *calls, bool *hot)
{
    size_t count = cfg->blocks.count;
    bool *from = hd_alloc(&hd_heap, count), *to = hd_alloc(&hd_heap, count);
    for (unsigned b = loop->header; b < count; b++) {
        bool reached = b == loop->header;
        for (size_t p = 0; p < cfg->before[b].count; p++)
            reached |= from[cfg->before[b].items[p]];
        from[b] = reached && loop->holds[b] && !calls[b];
    }
    for (size_t p = 0; p < cfg->before[loop->header].count; p++)
        to[cfg->before[loop->header].items[p]] = true;
    for (unsigned b = (unsigned)count; b-- > loop->header;) {
        bool on_cycle = from[b] && to[b];
        for (size_t p = 0; p < cfg->before[b].count && on_cycle; p++)
            to[cfg->before[b].items[p]] = true;
        hot[b] |= on_cycle;
    }
    hd_release(&hd_heap, from, count);
    hd_release(&hd_heap, to, count);
}

/* By block of the function: is it on a cycle without calls? */
static bool *find_hot(const hd_cc_cfg *cfg)
{
    size_t count = cfg->blocks.count;
    bool *calls = hd_alloc(&hd_heap, count), *hot = hd_alloc(&hd_heap, count);
    for (size_t b = 0; b < count; b++)
        calls[b] = has_call(cfg->blocks.items[b]);
    for (size_t l = 0; l < cfg->loops.count; l++)
        find_hot_in(cfg, &cfg->loops.items[l], calls, hot);
    hd_release(&hd_heap, calls, count);
    return hot;
}

/* --- calls ------------------------------------------------------------------------ */

/* Hooks whose result depends on their arguments alone: LLVM may remove and merge the calls. */
static void say_pure(hd_cc_unit *unit, LLVMValueRef function)
{
    static const char *const attributes[] = { "memory", "willreturn", "nounwind", NULL };
    for (const char *const *name = attributes; *name; name++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(*name, strlen(*name));
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(unit->context, kind, 0));
    }
}

static LLVMValueRef function_of(hd_cc_unit *unit, LLVMValueRef hook)
{
    static const char *const pure[] = { "hd_shadow_unary", "hd_shadow_binary", "hd_shadow_select", "hd_shadow_funnel",
        "hd_shadow_pointer", NULL };
    size_t length;
    const char *name = LLVMGetValueName2(hook, &length);
    LLVMValueRef function = hd_cc_unit_function(
        unit, hd_arena_print(&unit->texts, "%s" HD_APART_SUFFIX, name), LLVMGlobalGetValueType(hook));
    LLVMSetFunctionCallConv(function, LLVMPreserveMostCallConv);
    if (is_one_of(name, pure))
        say_pure(unit, function);
    return function;
}

static void call_apart(hd_cc_unit *unit, LLVMValueRef call)
{
    unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMSetOperand(call, callee, function_of(unit, LLVMGetOperand(call, callee)));
    LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
}

static void call_all_apart(hd_cc_unit *unit, const hd_cc_values *instructions)
{
    for (size_t i = 0; i < instructions->count; i++)
        if (may_be_apart(instructions->items[i]))
            call_apart(unit, instructions->items[i]);
}

static void call_cold_apart(hd_cc_unit *unit, LLVMValueRef function, const hd_cc_values *instructions)
{
    hd_cc_cfg cfg;
    hd_cc_cfg_open(&cfg, function);
    bool *hot = find_hot(&cfg), cold = true;
    for (size_t i = 0; i < instructions->count; i++) {
        unsigned block;
        if (!may_be_apart(instructions->items[i]))
            continue;
        if (hd_cc_cfg_number(&cfg, instructions->items[i], &block) && hot[block])
            cold = false;
        else
            call_apart(unit, instructions->items[i]);
    }
    if (cold)
        LLVMAddTargetDependentFunctionAttr(function, HD_COLD, "");
    else /* the original of a twin may be cold */
        LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, HD_COLD, sizeof HD_COLD - 1);
    hd_release(&hd_heap, hot, cfg.blocks.count);
    hd_cc_cfg_close(&cfg);
}

static size_t count(const hd_cc_values *instructions)
{
    size_t found = 0;
    for (size_t i = 0; i < instructions->count; i++)
        found += may_be_apart(instructions->items[i]);
    return found;
}

/* The functions of a large file may be small, but all of them are compiled. */
void hd_cc_pass_outline(hd_cc_unit *unit, hd_cc_inline_limits most)
{
    size_t all = 0;
    for (size_t f = 0; f < unit->functions.count; f++)
        all += count(hd_cc_unit_instructions(unit, unit->functions.items[f]));
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        if (all > most.file || count(instructions) > most.function) {
            LLVMAddTargetDependentFunctionAttr(unit->functions.items[f], HD_LARGE, "");
            call_all_apart(unit, instructions);
        } else
            call_cold_apart(unit, unit->functions.items[f], instructions);
    }
}
