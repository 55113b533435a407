#include "model/engine.h"

#include <string.h>

/* --- positions ---------------------------------------------------------------------------------- */

void hd_position_init(hd_engine *e, hd_position *p)
{
    p->bytes = hd_alloc(&hd_heap, HD_STATE_MOST_BYTES + 1);
    p->order = e->b->ordered ? hd_alloc(&hd_heap, e->b->layout.size) : NULL;
}

void hd_position_fini(hd_engine *e, hd_position *p)
{
    hd_release(&hd_heap, p->bytes, HD_STATE_MOST_BYTES + 1);
    hd_release(&hd_heap, p->order, e->b->layout.size);
}

void hd_position_copy(hd_engine *e, hd_position *to, const hd_position *from)
{
    memcpy(to->bytes, from->bytes, e->b->system.shape->size);
    if (e->b->ordered)
        memcpy(to->order, from->order, e->b->layout.size);
}

void hd_position_use(hd_engine *e, const hd_position *p)
{
    hd_machine_load(&e->stepper.machine, p->bytes, e->b->system.shape);
}

int hd_channel_length(const hd_machine *m, int channel)
{
    const hd_promela_channel *type;
    return hd_machine_channel(m, channel, &type)[1];
}

uint32_t hd_position_key(hd_engine *e, hd_position *p)
{
    hd_bsra *b = e->b;
    uint32_t size = b->system.shape->size;
    memcpy(e->key, p->bytes, size);
    if (!b->ordered)
        return size;
    /* The order is part of the key only as far as it can still matter. */
    hd_ports sends[HD_MOST_SENDERS];
    hd_position_use(e, p);
    for (int i = 0; i < b->system.processes; i++)
        sends[i] = b->system.sends[i][hd_machine_control(&e->stepper.machine, i)];
    return size + (uint32_t)hd_order_write(&b->layout, p->order, &e->stepper.machine, sends, e->key + size);
}

uint8_t *hd_position_local(hd_engine *e, hd_position *p, int pid, uint32_t *size)
{
    const hd_shape *s = e->b->system.shape;
    uint32_t from = s->offsets[s->process_component[pid]];
    *size = s->offsets[s->process_component[pid] + 1] - from;
    return p->bytes + from;
}

/* --- moves ---------------------------------------------------------------------------------------- */

bool hd_engine_visible(const hd_bsra *b, const hd_promela_code *code, const hd_promela_transition *t)
{
    return b->system.visible[code->proctype->index][t - code->transitions];
}

int hd_engine_enabled(hd_engine *e, hd_position *p, int pid, const hd_promela_transition *t, int choice)
{
    hd_machine *m = &e->stepper.machine;
    hd_position_use(e, p);
    hd_machine_select(m, pid);
    if (t->action == HD_ACTION_END || !hd_stepper_enabled(&e->stepper, pid, t, choice))
        return 0;
    if (t->action != HD_ACTION_RECEIVE || !e->b->ordered)
        return 1;
    int length = hd_channel_length(m, m->matched_channel);
    /* No message that precedes it may wait in the port. */
    return hd_order_first(&e->b->layout, p->order, m->matched_channel, m->matched_position, length) ? 1 : -1;
}

bool hd_engine_execute(hd_engine *e, hd_position *p, int pid, const hd_promela_transition *t)
{
    hd_machine *m = &e->stepper.machine;
    hd_bsra *b = e->b;
    int channel = m->matched_channel, at = m->matched_position;
    int length = t->action == HD_ACTION_RECEIVE ? hd_channel_length(m, channel) : 0;
    /* Set by a send, so that the order of messages can be updated below. */
    m->sent_channel = 0;
    if (t->effect)
        hd_machine_run(m, t->effect);
    if (m->fault.kind != HD_FAULT_NONE)
        return false;
    hd_machine_go(m, t->target);
    const hd_promela_code *code = hd_machine_code(m, pid);
    __atomic_store_n(&b->executed[code->proctype->index][t - code->transitions], true, __ATOMIC_RELAXED);
    if (!b->ordered)
        return true;
    if (t->action == HD_ACTION_RECEIVE)
        hd_order_receive(&b->layout, p->order, pid, channel, at, length);
    if (m->sent_channel
        && !hd_order_send(
            &b->layout, p->order, pid, m->sent_channel, m->sent_position, hd_channel_length(m, m->sent_channel))) {
        m->fault = (hd_fault) { HD_FAULT_ORDER, 0 };
        return false;
    }
    return true;
}

bool hd_engine_redo(hd_engine *e, hd_position *p, const hd_move *move)
{
    return hd_engine_enabled(e, p, move->pid, move->transition, move->choice) == 1
        && hd_engine_execute(e, p, move->pid, move->transition);
}

void hd_engine_fault(hd_engine *e, const hd_moves *moves)
{
    hd_machine *m = &e->stepper.machine;
    hd_engine_finding(e,
        (hd_finding) { .kind = HD_FINDING_FAULT, .fault = m->fault, .line = m->fault.line, .state = e->current },
        moves);
    m->fault = (hd_fault) { HD_FAULT_NONE, 0 };
}
