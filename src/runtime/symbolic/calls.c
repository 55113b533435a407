#include "runtime/symbolic/calls.h"

#include "runtime/core/state.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/hook.h"
#include "runtime/symbolic/lines.h"

hd_call_record hd_call_shadows;

void hd_calls_reset(void)
{
    hd_call_shadows.callee = hd_call_shadows.returner = NULL;
}

uint32_t hd_passed_to(const void *function, uint32_t argument)
{
    if (hd_call_shadows.callee != function || argument >= hd_call_shadows.value_count)
        return 0;
    uint32_t a = hd_call_shadows.values[argument];
    hd_call_shadows.values[argument] = 0;
    return a;
}

void hd_returns_from(const void *function, uint32_t a)
{
    hd_call_shadows.returner = a ? function : NULL;
    hd_call_shadows.results[0] = a;
}

void hd_pass_to(const void *function, uint32_t a)
{
    hd_call_shadows.callee = a ? function : NULL;
    hd_call_shadows.value_count = 1;
    hd_call_shadows.variadic_count = 0;
    hd_call_shadows.values[0] = a;
}

uint32_t hd_returned_by(const void *function)
{
    if (hd_call_shadows.returner != function)
        return 0;
    hd_call_shadows.returner = NULL;
    return hd_call_shadows.results[0];
}

/* --- hooks ---------------------------------------------------------------------- */

/* A function may be called through a pointer of another type: then the width of the shadow may be wrong, and the value
 * is only followed. */
HOOK_ENTRY uint32_t hd_follow_passed(uint32_t a, uint32_t width)
{
    if (!a || hd_expr_width(a) == width)
        return a;
    hd_branch_follow(a, hd_call_site);
    return 0;
}

/* The callee did not take its shadows (it was not compiled by heddle): the arguments are followed. */
HOOK_ENTRY void hd_follow_untaken(const void *callee, const hd_site *site)
{
    if (hd_call_shadows.callee != callee)
        return;
    hd_call_shadows.callee = NULL;
    for (uint32_t i = 0; i < hd_call_shadows.value_count; i++)
        hd_branch_follow(hd_call_shadows.values[i], site);
}

HOOK_ENTRY void hd_follow_block(uint32_t entered, uint32_t which, void *copy, uint64_t bytes)
{
    if (entered)
        hd_lines_copy(copy, hd_call_shadows.blocks[which], bytes);
    else
        hd_lines_clear(copy, bytes);
}

/* va_list of the x86-64 ABI. */
typedef struct argument_list {
    uint32_t general, floating; /* offsets of the next general and floating-point register in `registers` */
    char *others, *registers;
} argument_list;

enum { GENERAL_END = 48, FLOATING_END = 176, FLOATING_SIZE = 16 };

/* Stores the shadow of one variadic argument where the ABI puts the argument: in a register's slot, or on the stack. */
static void place_argument(argument_list *l, const hd_variadic *v)
{
    uint32_t bytes = 8u * v->words;
    if (v->kind == HD_VARIADIC_FLOATING && l->floating < FLOATING_END) {
        l->floating += FLOATING_SIZE;
        return;
    }
    if (v->kind == HD_VARIADIC_GENERAL && l->general + bytes <= GENERAL_END) {
        hd_lines_store(l->registers + l->general, 8, 0);
        if (v->shadow)
            hd_lines_store(l->registers + l->general, hd_expr_width(v->shadow) / 8, v->shadow);
        l->general += bytes;
        return;
    }
    if (v->kind == HD_VARIADIC_STACK && v->words == 2 && !v->block)
        l->others = (char *)(((uintptr_t)l->others + 15) & ~(uintptr_t)15); /* long double */
    hd_lines_clear(l->others, bytes);
    if (v->block)
        hd_lines_copy(l->others, v->block, bytes);
    else if (v->shadow)
        hd_lines_store(l->others, hd_expr_width(v->shadow) / 8, v->shadow);
    l->others += bytes;
}

HOOK_ENTRY void hd_follow_variadic(uint32_t entered, void *list)
{
    argument_list l = *(argument_list *)list;
    hd_lines_clear(l.registers, FLOATING_END);
    for (uint32_t i = 0; entered && i < hd_call_shadows.variadic_count; i++)
        place_argument(&l, &hd_call_shadows.variadic[i]);
    if (!entered)
        hd_lines_clear(l.others, 256);
}
