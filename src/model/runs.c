#include "model/bsra_internal.h"

#include <string.h>

enum { LONGEST_RUN = 5000 }; /* levels of recursion */

/* Adds the current run unless another one ends in the same local state with the same messages sent. */
static void add_run(hd_model_expander *e, int pid, hd_model_position *p)
{
    uint32_t size;
    const uint8_t *local = hd_model_position_local(e, p, pid, &size);
    /* Two runs are the same if they sent the same messages, in the same order, and end in the same
     * local state: nothing else of a run is visible to others. */
    size_t sent = e->mark.count;
    for (uint32_t i = 0; i < size; i++)
        hd_vec_push(&e->mark, local[i]);
    for (size_t i = 0; i < e->runs[pid].count; i++) {
        const hd_model_local_run *r = &e->runs[pid].items[i];
        if (r->mark_size == e->mark.count && !memcmp(r->mark, e->mark.items, r->mark_size)) {
            e->mark.count = sent;
            return;
        }
    }
    hd_model_local_run r = {
        .first = (uint32_t)e->run_moves.count, .count = (uint32_t)e->moves.count, .mark_size = (uint32_t)e->mark.count
    };
    /* Lives until the state has been expanded. */
    r.mark = hd_arena_alloc(&e->scratch, r.mark_size + 1);
    memcpy(r.mark, e->mark.items, r.mark_size);
    for (size_t i = 0; i < e->moves.count; i++)
        hd_vec_push(&e->run_moves, e->moves.items[i]);
    hd_vec_push(&e->runs[pid], r);
    e->mark.count = sent;
}

/* Does the run return to a local state? Then the process can run forever without receiving. If it
 * sends on the cycle, a port grows without bound: a fault. Otherwise the process need never block,
 * so standing in the cycle is one of its runs, and the others go on. */
static bool comes_back(hd_model_expander *e, hd_model_position *p, int pid, int line)
{
    uint32_t size;
    const uint8_t *local = hd_model_position_local(e, p, pid, &size);
    for (size_t i = 0; i < e->path.count; i++) {
        if (memcmp(e->path.items[i], local, size))
            continue;
        bool sends = false;
        /* The moves since the first visit are the cycle. */
        for (size_t k = i; k < e->moves.count; k++)
            sends |= e->moves.items[k].transition->action == HD_ACTION_SEND;
        if (sends) {
            e->stepper.machine.fault = (hd_model_fault) { HD_MODEL_FAULT_UNBOUNDED, line };
            hd_model_expander_fault(e, &e->moves);
        } else {
            add_run(e, pid, p);
        }
        __atomic_store_n(&e->b->result.diverges, line, __ATOMIC_RELAXED);
        return true;
    }
    return false;
}

/* Appends the message to the mark of the run. */
static void note_sent(hd_model_expander *e, hd_model_position *p)
{
    hd_model_machine *m = &e->stepper.machine;
    const hd_promela_channel *type;
    if (!m->sent_channel)
        return;
    hd_model_position_use(e, p);
    const uint8_t *c = hd_model_machine_channel(m, m->sent_channel, &type);
    uint32_t size = hd_model_message_size(m, type);
    hd_vec_push(&e->mark, (uint8_t)m->sent_channel);
    for (uint32_t i = 0; i < size; i++)
        hd_vec_push(&e->mark, c[HD_CHANNEL_HEADER + (uint32_t)m->sent_position * size + i]);
}

static void find_runs(hd_model_expander *e, int pid, hd_model_position *p, size_t depth);

/* Extends the run by one move, in a copy of the position. */
static void continue_run(
    hd_model_expander *e, int pid, hd_model_position *p, const hd_promela_transition *t, size_t depth)
{
    hd_model_position next = { hd_arena_alloc(&e->scratch, e->b->system.shape->size + 1),
        e->b->ordered ? hd_arena_alloc(&e->scratch, e->b->layout.size) : NULL };
    size_t sent = e->mark.count;
    hd_model_position_copy(e, &next, p);
    hd_vec_push(&e->moves, ((hd_model_move) { .transition = t, .pid = pid }));
    if (hd_model_expander_enabled(e, &next, pid, t, 0) == 1 && hd_model_expander_execute(e, &next, pid, t)) {
        note_sent(e, &next);
        if (!comes_back(e, &next, pid, t->step->element->node->location.line))
            find_runs(e, pid, &next, depth + 1);
    } else {
        hd_model_expander_fault(e, &e->moves);
    }
    e->moves.count--;
    e->mark.count = sent;
}

static void find_runs(hd_model_expander *e, int pid, hd_model_position *p, size_t depth)
{
    hd_model_machine *m = &e->stepper.machine;
    uint32_t size;
    if (hd_model_expander_stopped(e))
        return;
    /* A run that never repeats a local state, for example one that counts. */
    if (depth > LONGEST_RUN) {
        m->fault = (hd_model_fault) { HD_MODEL_FAULT_ENDLESS, 0 };
        hd_model_expander_fault(e, &e->moves);
        return;
    }
    hd_model_position_use(e, p);
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    int control = hd_model_machine_control(m, pid);
    bool stops = false, moved = false;
    hd_vec_push(&e->path, hd_model_position_local(e, p, pid, &size));
    for (int i = code->first[control]; i < code->first[control + 1]; i++) {
        const hd_promela_transition *t = &code->transitions[i];
        /* The run may stop here. Whether an `else` beside it can be taken depends on the other options. */
        if (t->action == HD_ACTION_RECEIVE || hd_model_expander_visible(e->b, code, t)) {
            stops = true;
            hd_model_position_use(e, p);
            hd_model_machine_select(m, pid);
            moved |= t->action != HD_ACTION_RECEIVE && !t->is_else && hd_model_expander_enabled(e, p, pid, t, 0) == 1;
            m->fault.kind = HD_MODEL_FAULT_NONE;
        } else if (!(t->is_else && moved) && hd_model_expander_enabled(e, p, pid, t, 0) == 1) {
            moved = true;
            continue_run(e, pid, p, t, depth);
        } else if (m->fault.kind != HD_MODEL_FAULT_NONE) {
            hd_model_expander_fault(e, &e->moves);
        }
    }
    e->path.count--;
    /* A run ends where the process may receive or has a visible transition, or where it cannot go on. */
    if (stops || !moved)
        add_run(e, pid, p);
}

void hd_model_expander_find_runs(hd_model_expander *e, int pid, hd_model_position *p)
{
    hd_vec_clear(&e->runs[pid]);
    hd_vec_clear(&e->moves);
    hd_vec_clear(&e->mark);
    hd_vec_clear(&e->path);
    find_runs(e, pid, p, 0);
    hd_vec_clear(&e->moves);
}
