#include "runtime/symbolic/bounds.h"

#include "abi/fast.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/reset/heap.h"
#include "runtime/symbolic/globals.h"

#include <string.h>

/* --- stacks ------------------------------------------------------------------- */

enum { VARIABLES = 4096 };

/* The variables of each thread's calls, outermost first. */
static hd_bounds (*variables)[VARIABLES];
static hd_bounds *ends[HD_MAX_THREADS]; /* of suspended threads; that of the running one is in hd_fast_state */

void hd_bounds_init(void)
{
    variables = hd_own_alloc(HD_MAX_THREADS * sizeof *variables);
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        ends[i] = variables[i];
}

static void make_current(uint32_t id)
{
    hd_fast_state.variable = ends[id];
    hd_fast_state.last_variable = variables[id] + VARIABLES;
}

void hd_bounds_new_thread(uint32_t id)
{
    if (variables)
        ends[id] = variables[id];
}

void hd_bounds_copy(uint32_t from, uint32_t to)
{
    if (!variables)
        return;
    const hd_bounds *end = from == hd_current->id ? hd_fast_state.variable : ends[from];
    size_t count = (size_t)(end - variables[from]);
    memcpy(variables[to], variables[from], count * sizeof **variables);
    ends[to] = variables[to] + count;
}

void hd_bounds_reset(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        ends[i] = variables[i];
    make_current(0);
}

void hd_bounds_switch(uint32_t from, uint32_t to)
{
    if (!variables)
        return;
    ends[from] = hd_fast_state.variable;
    make_current(to);
}

/* The innermost variable comes first: memory of finished calls is reused. */
static int on_stack(uint64_t pointer, hd_bounds *out)
{
    uint64_t offset = pointer - HD_STACK_BASE;
    if (offset >= HD_STACK_SPAN * HD_MAX_THREADS)
        return 0;
    uint32_t id = (uint32_t)(offset / HD_STACK_SPAN);
    if (id == hd_current->stack)
        id = hd_current->id;
    hd_bounds *end = id == hd_current->id ? hd_fast_state.variable : ends[id];
    for (const hd_bounds *v = end; v-- > variables[id];)
        if (pointer - v->start < v->size) {
            *out = *v;
            return 1;
        }
    return 0;
}

/* --- global variables -------------------------------------------------------------- */

/* Binary search for the last variable that begins at or before the pointer. */
static int is_global(uint64_t pointer, hd_bounds *out)
{
    size_t high;
    const hd_bounds *globals = hd_globals(&high);
    size_t low = 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (globals[middle].start <= pointer)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || pointer - globals[low - 1].start >= globals[low - 1].size)
        return 0;
    const hd_bounds *found = &globals[low - 1];
    if (pointer == found->start && low > 1 && globals[low - 2].start + globals[low - 2].size == pointer)
        return 0;
    *out = *found;
    return 1;
}

/* --- all ---------------------------------------------------------------------------- */

static int in_heap(uint64_t pointer, hd_bounds *out)
{
    hd_block_view block;
    if (!hd_heap_describe(pointer, &block) || block.freed || pointer - block.address > block.size)
        return 0;
    *out = (hd_bounds) { block.address, block.size };
    return 1;
}

int hd_bounds_of(uint64_t pointer, hd_bounds *out)
{
    if (hd_heap_holds((const void *)pointer))
        return in_heap(pointer, out);
    return on_stack(pointer, out) || is_global(pointer, out);
}
