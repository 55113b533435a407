#include "runtime/sched/compose.h"

#include "runtime/sched/access.h"
#include "runtime/sched/log.h"

hd_composed_cell hd_composed_cells[HD_COMPOSE_CELLS];
uint64_t hd_compose_since;

static int is_lock(const hd_op *op)
{
    return hd_objects[hd_kinds[op->kind].object].waits_for == HD_WAITS_HOLDER;
}

static int takes(const hd_op *op)
{
    return hd_kinds[op->kind].role == HD_ROLE_TAKES || hd_kinds[op->kind].role == HD_ROLE_SHARES;
}

static int gives(const hd_op *op)
{
    return hd_kinds[op->kind].role == HD_ROLE_GIVES || hd_kinds[op->kind].role == HD_ROLE_UNSHARES;
}

static int is_looked_at(const void *lock)
{
    for (uint32_t i = 0; i < hd_known->looked_at_count && i < HD_LOOKED_AT; i++)
        if (hd_known->looked_at[i] == lock)
            return 1;
    return hd_known->looked_at_count > HD_LOOKED_AT;
}

static int is_invisible(const hd_op *op)
{
    if (hd_kind_is_memory(op->kind))
        return hd_kind_is_plain(op->kind);
    if (hd_rt.options->exits)
        return is_lock(op) && (gives(op) || (takes(op) && !(op->flags & HD_OP_TRY)));
    return is_lock(op) && gives(op) && !is_looked_at((const void *)op->object);
}

/* The only operation of a step that can take a lock is its first. */
static void note_section(const hd_thread *t, hd_op *given)
{
    hd_op *first = &hd_rt.log[t->step];
    if (!takes(first) || first->object != given->object || first->flags & HD_OP_SECTION)
        return;
    first->flags |= HD_OP_SECTION;
    given->flags |= HD_OP_SECTION;
}

/* Runs without composed steps are the same with this knowledge. */
static void learn(void)
{
    if (hd_rt.options->compose == HD_COMPOSES_NOW)
        hd_learned();
}

void hd_compose_ask(void)
{
    if (!hd_rt.options->compose || hd_known->asks)
        return;
    hd_known->asks = 1;
    learn();
}

int hd_compose_ends(const hd_op *op)
{
    return hd_rt.options->exits && is_lock(op) && gives(op);
}

int hd_compose(hd_thread *t)
{
    const hd_op *op = &t->view->pending;
    if (!t->goes_on || !is_invisible(op))
        return 0;
    hd_rt.outcome->composed = 1;
    if (hd_kind_is_memory(op->kind)) {
        int writes = !hd_kind_looks(op->kind);
        if (hd_compose_repeats(op->object, op->mask, writes))
            return 1;
        hd_log_operation(t, HD_OP_CONTINUES | HD_OP_COMPOSED);
        hd_compose_access(op->object, op->mask, writes);
    } else {
        hd_log_operation(t, HD_OP_CONTINUES | HD_OP_COMPOSED);
        hd_compose_forget();
        note_section(t, &hd_rt.log[*hd_rt.log_count - 1]);
        t->goes_on = !hd_compose_ends(op);
    }
    return 1;
}

void hd_compose_note(const hd_op *op)
{
    if (!is_lock(op))
        return;
    int role = hd_kinds[op->kind].role;
    int looks = op->flags & HD_OP_TRY || hd_kind_looks(op->kind) || role == HD_ROLE_MAKES || role == HD_ROLE_DESTROYS;
    if (!looks || is_looked_at((const void *)op->object))
        return;
    if (hd_known->looked_at_count < HD_LOOKED_AT)
        hd_known->looked_at[hd_known->looked_at_count] = (const void *)op->object;
    hd_known->looked_at_count++;
    learn();
}
