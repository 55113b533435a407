#include "runtime/reset/tls.h"

#include "runtime/core/end.h"
#include "runtime/core/state.h"

#include <string.h>

enum { VARIABLES = 512, MORE = 4096 };

static struct variable {
    const void *initial;
    uint32_t offset;
} variables[VARIABLES];
static uint32_t used;
static uint32_t run;
static uint32_t copied; /* bytes of variables that a process which has forked has copied; 0: none has */
static uint32_t filled[HD_MAX_THREADS][VARIABLES]; /* the run in which the copy was made */

void hd_tls_new_run(void)
{
    copied = 0;
    run++;
}

static uint32_t set[HD_MAX_THREADS]; /* the run in which the control block was */

void hd_tls_new_thread(uint32_t id)
{
    memset(filled[id], 0, sizeof filled[id]);
    set[id] = 0;
}

void hd_tls_copy(uint32_t from, uint32_t to)
{
    memcpy(filled[to], filled[from], sizeof filled[to]);
    set[to] = set[from];
}

static char *end_of_stack(uint32_t id)
{
    uint32_t stack = hd_current ? hd_threads[id].stack : id;
    return (char *)HD_STACK_BASE + (stack + 1) * HD_STACK_SPAN;
}

hd_tls_room hd_tls_copied(const hd_thread *t)
{
    char *end = end_of_stack(t->id);
    copied = used + MORE < HD_TLS_SPAN - HD_TLS_CONTROL ? used + MORE : HD_TLS_SPAN - HD_TLS_CONTROL;
    return (hd_tls_room) { end - HD_TLS_SPAN, end - HD_TLS_CONTROL, copied };
}

void *hd_tls_thread_pointer(uint32_t id)
{
    void **control = (void **)(end_of_stack(id) - HD_TLS_CONTROL);
    if (set[id] != run) {
        set[id] = run;
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
        if (copied && used + bytes + 16 > copied)
            hd_end(HD_MODEL_LIMIT, hd_call_site,
                "more than %d bytes of thread-local variables that are first used after fork", MORE);
        if (used + bytes + 16 > HD_TLS_SPAN - HD_TLS_CONTROL)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d bytes of thread-local variables",
                HD_TLS_SPAN - HD_TLS_CONTROL);
        variables[i] = (struct variable) { initial, used };
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
        memcpy(copy, initial, bytes);
    }
    return copy;
}
