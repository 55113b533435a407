#include "runtime/reset/tls.h"

#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/images.h"

#include <string.h>

enum { VARIABLES = 512 };

static struct variable {
    const void *initial;
    uint32_t offset, bytes;
} variables[VARIABLES];
static uint32_t used;
static uint32_t run;
static uint32_t last; /* one more than the place of the last variable that any thread has used */
static uint32_t filled[HD_MAX_THREADS][VARIABLES]; /* the run in which the copy was made */

void hd_tls_new_run(void)
{
    run++;
}

static uint32_t set[HD_MAX_THREADS]; /* the run in which the control block was */

void hd_tls_new_thread(uint32_t id)
{
    memset(filled[id], 0, last * sizeof *filled[id]);
    set[id] = 0;
}

void hd_tls_copy(uint32_t from, uint32_t to)
{
    memcpy(filled[to], filled[from], last * sizeof *filled[to]);
    set[to] = set[from];
}

static char *end_of_stack(uint32_t id)
{
    uint32_t stack = hd_current ? hd_threads[id].stack : id;
    return (char *)HD_STACK_BASE + (stack + 1) * HD_STACK_SPAN;
}

void hd_tls_each(void (*visit)(char *start, size_t size))
{
    uint32_t id = hd_current->id;
    char *end = end_of_stack(id);
    for (uint32_t i = 0; i < last; i++)
        if (variables[i].initial && filled[id][i] == run)
            visit(end - HD_TLS_SPAN + variables[i].offset, variables[i].bytes);
    if (set[id] == run)
        visit(end - HD_TLS_CONTROL, HD_TLS_CONTROL);
}

/* The current thread begins to use memory at the high end of its stack, which it may have in common with processes that
 * fork has made. */
static void begin_use(char *start, size_t size)
{
    if (hd_image_parts)
        hd_images_add_later((char *)hd_fiber_top(hd_current->stack) - 1, start, size);
}

void *hd_tls_thread_pointer(uint32_t id)
{
    void **control = (void **)(end_of_stack(id) - HD_TLS_CONTROL);
    if (set[id] != run) {
        set[id] = run;
        begin_use((char *)control, HD_TLS_CONTROL);
        memset(control, 0, HD_TLS_CONTROL);
        control[0] = control[2] = control;
    }
    return control;
}

/* The variable with this initial value, entered if it is new. Offsets stay the same in all runs of the process. */
static uint32_t find(const void *initial, uint64_t bytes)
{
    uint32_t i = (uint32_t)(((uintptr_t)initial >> 3) * 2654435761u) % VARIABLES;
    for (uint32_t tries = 0; variables[i].initial && variables[i].initial != initial; tries++) {
        if (tries == VARIABLES)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d thread-local variables", VARIABLES);
        i = (i + 1) % VARIABLES;
    }
    if (!variables[i].initial) {
        if (used + bytes + 16 > HD_TLS_SPAN - HD_TLS_CONTROL)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d bytes of thread-local variables",
                HD_TLS_SPAN - HD_TLS_CONTROL);
        variables[i] = (struct variable) { initial, used, (uint32_t)bytes };
        last = i < last ? last : i + 1;
        used += (uint32_t)(bytes + 15) & ~15u;
    }
    return i;
}

uint64_t hd_tls_initial(uint64_t address)
{
    uint64_t at = (address - HD_STACK_BASE) % HD_STACK_SPAN - (HD_STACK_SPAN - HD_TLS_SPAN);
    const struct variable *found = NULL;
    if (address - HD_STACK_BASE >= HD_STACK_SPAN * HD_MAX_THREADS || at >= used)
        return 0;
    for (const struct variable *v = variables; v < variables + VARIABLES; v++)
        if (v->initial && v->offset <= at && (!found || v->offset > found->offset))
            found = v;
    return found ? (uint64_t)found->initial + (at - found->offset) : 0;
}

__attribute__((visibility("default"))) void *hd_tls_address(void *initial, uint64_t bytes)
{
    uint32_t id = hd_current ? hd_current->id : 0;
    uint32_t i = find(initial, bytes);
    char *copy = end_of_stack(id) - HD_TLS_SPAN + variables[i].offset;
    if (!hd_current)
        return initial; /* a constructor, before any thread exists, sets the initial value itself */
    if (filled[id][i] != run) {
        filled[id][i] = run;
        begin_use(copy, bytes);
        memcpy(copy, initial, bytes);
    }
    return copy;
}
