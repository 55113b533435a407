#include "runtime/symbolic/bounds.h"

#include "abi/fast.h"
#include "runtime/heap.h"
#include "runtime/sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- stacks ------------------------------------------------------------------- */

enum { VARIABLES = 512 };

/* The variables of each thread's calls, outermost first. */
static struct {
    uint32_t count;
    hd_bounds of[VARIABLES];
} variables[HD_MAX_THREADS];

void hd_bounds_reset(void)
{
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        variables[i].count = 0;
}

/* Stacks grow down: what lies below the innermost call has ended. */
static void drop_ended(uint32_t id, uint64_t innermost)
{
    while (variables[id].count && variables[id].of[variables[id].count - 1].start < innermost)
        variables[id].count--;
}

static int overlaps(const hd_bounds *a, const hd_bounds *b)
{
    return a->start < b->start + b->size && b->start < a->start + a->size;
}

/* Variables of one call come in any order; those of calls that have ended may
 * lie where this one is now. */
void hd_bounds_add(uint64_t address, uint64_t size)
{
    uint32_t id = hd_current->id, kept = 0;
    hd_bounds new = { address, size };
    for (uint32_t i = 0; i < variables[id].count; i++)
        if (!overlaps(&variables[id].of[i], &new))
            variables[id].of[kept++] = variables[id].of[i];
    variables[id].count = kept;
    if (kept < VARIABLES)
        variables[id].of[variables[id].count++] = new;
}

static int on_stack(uint64_t pointer, hd_bounds *out)
{
    uint64_t offset = pointer - HD_STACK_BASE;
    if (offset >= HD_STACK_SPAN * HD_MAX_THREADS)
        return 0;
    uint32_t id = (uint32_t)(offset / HD_STACK_SPAN);
    if (id == hd_current->id)
        drop_ended(id, (uint64_t)__builtin_frame_address(0));
    for (uint32_t i = variables[id].count; i-- > 0;)
        if (pointer - variables[id].of[i].start < variables[id].of[i].size) {
            *out = variables[id].of[i];
            return 1;
        }
    return 0;
}

/* --- global variables -------------------------------------------------------------- */

static hd_bounds *globals;
static size_t global_count, global_room;

static int by_start(const void *a, const void *b)
{
    uint64_t x = ((const hd_bounds *)a)->start, y = ((const hd_bounds *)b)->start;
    return x < y ? -1 : x > y;
}

/* Called by a constructor in every unit that has arrays or structures. */
__attribute__((visibility("default"))) void hd_register_objects(const hd_bounds *objects, uint64_t count)
{
    if (global_count + count > global_room) {
        global_room = 2 * (global_count + count);
        globals = realloc(globals, global_room * sizeof *globals);
    }
    if (!globals) {
        fprintf(stderr, "heddle: no memory for the bounds of global variables\n");
        exit(2);
    }
    memcpy(globals + global_count, objects, count * sizeof *objects);
    global_count += count;
    qsort(globals, global_count, sizeof *globals, by_start);
}

static int is_global(uint64_t pointer, hd_bounds *out)
{
    size_t low = 0, high = global_count;
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
