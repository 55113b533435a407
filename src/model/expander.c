#include "abi/valid.h"
#include "model/bsra_internal.h"

#include <string.h>

/* --- positions ---------------------------------------------------------------------------------- */

void hd_model_position_init(hd_model_expander *e, hd_model_position *p)
{
    p->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    p->order = e->b->ordered ? hd_alloc(&hd_heap, e->b->layout.size) : NULL;
}

void hd_model_position_fini(hd_model_expander *e, hd_model_position *p)
{
    hd_release(&hd_heap, p->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_release(&hd_heap, p->order, e->b->layout.size);
}

void hd_model_position_copy(hd_model_expander *e, hd_model_position *to, const hd_model_position *from)
{
    memcpy(to->bytes, from->bytes, e->b->system.shape->size);
    if (e->b->ordered)
        memcpy(to->order, from->order, e->b->layout.size);
}

void hd_model_position_use(hd_model_expander *e, const hd_model_position *p)
{
    hd_model_machine_load(&e->stepper.machine, p->bytes, e->b->system.shape);
}

int hd_model_channel_length(const hd_model_machine *m, int channel)
{
    const hd_promela_channel *type;
    return hd_model_machine_channel(m, channel, &type)[1];
}

/* States are equal iff their keys are. */
uint32_t hd_model_position_key(hd_model_expander *e, hd_model_position *p)
{
    hd_model_bsra *b = e->b;
    uint32_t size = b->system.shape->size;
    memcpy(e->key, p->bytes, size);
    if (!b->ordered)
        return size;
    /* The order is part of the key only as far as it can still matter. */
    hd_model_ports sends[HD_MODEL_MOST_SENDERS];
    hd_model_position_use(e, p);
    for (int i = 0; i < b->system.processes; i++)
        sends[i] = b->system.sends[i][hd_model_machine_control(&e->stepper.machine, i)];
    size += (uint32_t)hd_model_order_write(&b->layout, p->order, &e->stepper.machine, sends, e->key + size);
    hd_check_valid(hd_model_order_is_valid(&b->layout, p->order, &e->stepper.machine), 0, 0);
    return size;
}

uint8_t *hd_model_position_local(hd_model_expander *e, hd_model_position *p, int pid, uint32_t *size)
{
    const hd_model_shape *s = e->b->system.shape;
    uint32_t from = s->offsets[s->process_component[pid]];
    *size = s->offsets[s->process_component[pid] + 1] - from;
    return p->bytes + from;
}

/* --- moves ---------------------------------------------------------------------------------------- */

bool hd_model_expander_visible(const hd_model_bsra *b, const hd_promela_code *code, const hd_promela_transition *t)
{
    return b->system.visible[code->proctype->index][t - code->transitions];
}

int hd_model_expander_enabled(
    hd_model_expander *e, hd_model_position *p, int pid, const hd_promela_transition *t, int choice)
{
    hd_model_machine *m = &e->stepper.machine;
    hd_model_position_use(e, p);
    hd_model_machine_select(m, pid);
    /* Ends of processes are left out: the set of processes is fixed (system.h). */
    if (t->action == HD_ACTION_END || !hd_model_stepper_enabled(&e->stepper, pid, t, choice))
        return 0;
    /* Without an order to keep, every first message of a sender may come next. */
    if (t->action != HD_ACTION_RECEIVE || !e->b->ordered)
        return 1;
    int length = hd_model_channel_length(m, m->matched_channel);
    /* No message that precedes it may wait in the port. */
    return hd_model_order_first(&e->b->layout, p->order, m->matched_channel, m->matched_position, length) ? 1 : -1;
}

bool hd_model_expander_execute(hd_model_expander *e, hd_model_position *p, int pid, const hd_promela_transition *t)
{
    hd_model_machine *m = &e->stepper.machine;
    hd_model_bsra *b = e->b;
    /* Taken before the effect removes the message. */
    int channel = m->matched_channel, at = m->matched_position;
    int length = t->action == HD_ACTION_RECEIVE ? hd_model_channel_length(m, channel) : 0;
    /* Set by a send, so that the order of messages can be updated below. */
    m->sent_channel = 0;
    if (t->effect)
        hd_model_machine_run(m, t->effect);
    if (m->fault.kind != HD_MODEL_FAULT_NONE)
        return false;
    hd_model_machine_go(m, t->target);
    if (!b->ordered)
        return true;
    /* The order follows the bytes: first what the transition takes, then what it sends. */
    if (t->action == HD_ACTION_RECEIVE)
        hd_model_order_receive(&b->layout, p->order, pid, channel, at, length);
    if (m->sent_channel
        && !hd_model_order_send(&b->layout, p->order, pid, m->sent_channel, m->sent_position,
            hd_model_channel_length(m, m->sent_channel))) {
        m->fault = (hd_model_fault) { HD_MODEL_FAULT_ORDER, 0 };
        return false;
    }
    hd_check_valid(hd_model_order_is_valid(&b->layout, p->order, m), 0, 0);
    return true;
}

/* Moves that were found in another position are checked again: here the message may no longer be
 * first. */
bool hd_model_expander_redo(hd_model_expander *e, hd_model_position *p, const hd_model_move *move)
{
    return hd_model_expander_enabled(e, p, move->pid, move->transition, move->choice) == 1
        && hd_model_expander_execute(e, p, move->pid, move->transition);
}

void hd_model_expander_fault(hd_model_expander *e, const hd_model_moves *moves)
{
    hd_model_machine *m = &e->stepper.machine;
    hd_model_expander_finding(e,
        (hd_model_finding) {
            .kind = HD_MODEL_FINDING_FAULT, .fault = m->fault, .line = m->fault.line, .state = e->current },
        moves);
    m->fault = (hd_model_fault) { HD_MODEL_FAULT_NONE, 0 };
}
