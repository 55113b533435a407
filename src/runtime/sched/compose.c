#include "runtime/sched/compose.h"

hd_composed_cell hd_composed_cells[HD_COMPOSE_CELLS];
uint64_t hd_compose_since, hd_compose_flows;
uint8_t hd_compose_kinds[HD_OP_KINDS];

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

static int wakes(const hd_op *op)
{
    uint8_t role = hd_kinds[hd_kind_strongest(op->kind)].role;
    return role == HD_ROLE_WAKES_ONE || role == HD_ROLE_WAKES_ALL;
}

static uint8_t bits_of(uint8_t kind)
{
    const hd_op op = { .kind = kind };
    uint8_t role = hd_kinds[kind].role;
    int continues =
        hd_kind_is_memory(kind) ? hd_kind_is_plain(kind) : wakes(&op) || (is_lock(&op) && (gives(&op) || takes(&op)));
    int looks = is_lock(&op) || role == HD_ROLE_MAKES || role == HD_ROLE_DESTROYS;
    return (uint8_t)((hd_is_for_blocks(hd_kind_strongest(kind)) ? HD_COMPOSE_BEGINS : 0)
        | (continues ? HD_COMPOSE_CONTINUES : 0) | (looks ? HD_COMPOSE_LOOKS : 0));
}

void hd_compose_init(void)
{
    for (uint8_t kind = 0; kind < HD_OP_KINDS; kind++)
        hd_compose_kinds[kind] = bits_of(kind);
}

static int is_looked_at(const void *object)
{
    for (uint32_t i = 0; i < hd_known->looked_at_count && i < HD_LOOKED_AT; i++)
        if (hd_known->looked_at[i] == object)
            return 1;
    return hd_known->looked_at_count > HD_LOOKED_AT;
}

static int is_invisible(const hd_op *op)
{
    if (hd_kind_is_memory(op->kind))
        return hd_kind_is_plain(op->kind);
    if (hd_rt.options->exits)
        return is_lock(op) && (gives(op) || (takes(op) && !(op->flags & HD_OP_TRY)));
    if (wakes(op))
        return hd_compose_mutex((const void *)hd_op_address(op)) != NULL;
    return is_lock(op) && gives(op) && !is_looked_at((const void *)hd_op_address(op));
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

void hd_compose_ask(void)
{
    if (!hd_rt.options->compose || hd_known->asks)
        return;
    hd_known->asks = 1;
    hd_compose_stop();
    hd_learned();
}

int hd_compose_ends(const hd_op *op)
{
    return hd_rt.options->exits && is_lock(op) && gives(op);
}

int hd_compose(hd_thread *t)
{
    const hd_op *op = &t->view->pending;
    if (!is_invisible(op))
        return 0;
    hd_rt.outcome->composed = 1;
    if (hd_kind_is_memory(op->kind)) {
        uint64_t cell = hd_op_address(op);
        if (hd_compose_repeats(cell, op->mask, op->kind, op->site))
            return 1;
        hd_log_operation(t, HD_OP_CONTINUES | HD_OP_COMPOSED);
        hd_compose_access(cell, op->mask, !hd_kind_looks(op->kind), *hd_rt.log_count - 1);
    } else {
        hd_log_operation(t, HD_OP_CONTINUES | HD_OP_COMPOSED);
        hd_compose_forget();
        note_section(t, &hd_rt.log[*hd_rt.log_count - 1]);
        t->goes_on = !hd_compose_ends(op);
    }
    return 1;
}

void hd_compose_look_at(const void *object)
{
    if (!hd_rt.options->compose || is_looked_at(object))
        return;
    if (hd_known->looked_at_count < HD_LOOKED_AT)
        hd_known->looked_at[hd_known->looked_at_count] = object;
    hd_known->looked_at_count++;
    hd_learned();
}

static struct hd_condition *find_condition(const void *condition)
{
    for (uint32_t i = 0; i < hd_known->condition_count; i++)
        if (hd_known->conditions[i].condition == condition)
            return &hd_known->conditions[i];
    return NULL;
}

/* Signals and cancellations end waits without the mutex, and so do spurious wake-ups. */
const void *hd_compose_mutex(const void *condition)
{
    const struct hd_condition *c = find_condition(condition);
    int ends = hd_known->signals | hd_known->cancels | hd_rt.options->settings.spurious;
    return c && !ends && !is_looked_at(condition) ? c->mutex : NULL;
}

void hd_compose_wait(const void *condition, const void *mutex, int timed)
{
    struct hd_condition *c = find_condition(condition);
    if (!hd_rt.options->compose)
        return;
    if (timed || (c && c->mutex != mutex) || (!c && hd_known->condition_count == HD_CONDITIONS)) {
        hd_compose_look_at(condition);
    } else if (!c) {
        hd_known->conditions[hd_known->condition_count++] = (struct hd_condition) { condition, mutex };
        hd_learned();
    }
}

void hd_compose_note(const hd_op *op)
{
    const void *object = (const void *)hd_op_address(op);
    int role = hd_kinds[op->kind].role;
    if (role == HD_ROLE_MAKES || role == HD_ROLE_DESTROYS) {
        if (is_lock(op) || find_condition(object))
            hd_compose_look_at(object);
    } else if (is_lock(op) && (op->flags & HD_OP_TRY || hd_kind_looks(op->kind))) {
        hd_compose_look_at(object);
    }
}
