/* Step 2 of BSRA: the sets of receives at a blocking point (gen_trans_sets). */
#include "model/bsra_internal.h"

/* A potential hereafter-executable transition (Lemma 2.4.2): another process may still send to the
 * port, and that message could come first. It cannot if a message of the same sender, or one in
 * that sender's past, already waits there. */
static bool may_get_another(hd_model_expander *e, hd_model_position *p, int pid, hd_model_ports ports)
{
    hd_model_machine *m = &e->stepper.machine;
    const hd_model_system *s = &e->b->system;
    hd_model_position_use(e, p);
    for (int other = 0; other < s->processes; other++) {
        hd_model_ports may = other == pid ? 0 : s->sends[other][hd_model_machine_control(m, other)] & ports;
        for (; may; may &= may - 1) {
            int channel = __builtin_ctzll(may) + 1, length = hd_model_channel_length(m, channel);
            const hd_promela_channel *type;
            const uint8_t *c = hd_model_machine_channel(m, channel, &type);
            uint32_t size = hd_model_message_size(m, type);
            bool behind = false;
            for (int i = 0; e->b->setup.scheme != HD_MODEL_SCHEME_ASYNC && i < length; i++)
                behind |= c[HD_CHANNEL_HEADER + (uint32_t)i * size] == other;
            if (!behind
                && (!e->b->ordered || hd_model_order_may_overtake(&e->b->layout, p->order, other, channel, length)))
                return true;
        }
    }
    return false;
}

/* Under one queue, a message that its receiver is not ready for blocks those behind it. So where a
 * process could receive some first message of a port but not another, the other may also be the
 * head, and then the process waits. */
static void add_settled_heads(
    hd_model_expander *e, hd_model_position *p, int pid, hd_model_ports ports, uint64_t received)
{
    hd_model_machine *m = &e->stepper.machine;
    for (ports &= e->b->system.racy; ports; ports &= ports - 1) {
        int channel = __builtin_ctzll(ports) + 1;
        hd_model_position_use(e, p);
        for (int i = 0, length = hd_model_channel_length(m, channel); i < length && i < 64; i++)
            if (!(received >> i & 1) && hd_model_order_first(&e->b->layout, p->order, channel, i, length))
                hd_vec_push(&e->options[pid], ((hd_model_choice) { .channel = channel, .position = i }));
    }
}

/* Identifies the message that the last guard found, for sleep sets (sleep.h). Long messages in a
 * bag are not identified: they never sleep. */
static uint64_t message_of(hd_model_expander *e)
{
    const hd_model_machine *m = &e->stepper.machine;
    const hd_promela_channel *type;
    if (!m->matched_channel)
        return HD_MODEL_NOT_TOLD;
    const uint8_t *c = hd_model_machine_channel(m, m->matched_channel, &type);
    uint32_t size = hd_model_message_size(m, type), used = e->b->setup.scheme == HD_MODEL_SCHEME_ASYNC ? size : 1;
    uint64_t told = (uint64_t)m->matched_channel;
    /* The identification must fit into 64 bits together with the channel. */
    if (used > 6)
        return HD_MODEL_NOT_TOLD;
    for (uint32_t i = 0; i < used; i++)
        told = told << 8 | c[HD_CHANNEL_HEADER + (uint32_t)m->matched_position * size + i];
    return told;
}

void hd_model_expander_collect(hd_model_expander *e, hd_model_position *p, int pid)
{
    hd_model_machine *m = &e->stepper.machine;
    hd_model_position_use(e, p);
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    int control = hd_model_machine_control(m, pid);
    bool later = false, moved = false;
    hd_model_ports receivable = 0;
    uint64_t received[HD_MODEL_MOST_PORTS] = { 0 }; /* per port: positions that can be received */
    hd_vec_clear(&e->options[pid]);
    for (int i = code->first[control]; i < code->first[control + 1]; i++) {
        const hd_promela_transition *t = &code->transitions[i];
        bool visible = hd_model_expander_visible(e->b, code, t);
        /* The process may be left out if its receive could get another message later. */
        if (t->action == HD_ACTION_RECEIVE)
            later |= may_get_another(e, p, pid, e->b->system.channel_of[pid][i]);
        else if (!visible) {
            moved |= !t->is_else && hd_model_expander_enabled(e, p, pid, t, 0) == 1;
            m->fault.kind = HD_MODEL_FAULT_NONE;
            continue;
        }
        later |= visible;
        for (int choice = 0, can; (can = hd_model_expander_enabled(e, p, pid, t, choice)) != 0; choice++) {
            if (can == 1 && t->action == HD_ACTION_RECEIVE && m->matched_position < 64) {
                receivable |= 1ull << (m->matched_channel - 1);
                received[m->matched_channel - 1] |= 1ull << m->matched_position;
            }
            if (can == 1 && !(t->is_else && moved))
                hd_vec_push(&e->options[pid],
                    ((hd_model_choice) { .transition = t,
                        .choice = choice,
                        .visible = visible,
                        .sleeper = { message_of(e), (uint32_t)pid, (uint32_t)i } }));
            if (t->action != HD_ACTION_RECEIVE) {
                moved = true;
                break;
            }
        }
        if (m->fault.kind != HD_MODEL_FAULT_NONE)
            hd_model_expander_fault(e, &e->moves);
    }
    /* Only where the order of messages is tracked. */
    for (hd_model_ports ports = e->b->ordered ? receivable : 0; ports; ports &= ports - 1)
        add_settled_heads(e, p, pid, ports & -ports, received[__builtin_ctzll(ports)]);
    /* The option of being left out. */
    if (later && e->options[pid].count)
        hd_vec_push(&e->options[pid], ((hd_model_choice) { .transition = NULL }));
}

static bool settle(hd_model_expander *e, hd_model_position *p, const hd_model_choice *o)
{
    hd_model_position_use(e, p);
    int length = hd_model_channel_length(&e->stepper.machine, o->channel);
    if (!hd_model_order_first(&e->b->layout, p->order, o->channel, o->position, length))
        return false;
    hd_model_order_settle(&e->b->layout, p->order, o->channel, o->position, length);
    return true;
}

/* --- sleep sets --- */

static uint64_t movers(const hd_model_expander *e)
{
    uint64_t moved = 0;
    for (size_t i = 0; i < e->moves.count; i++)
        moved |= 1ull << e->moves.items[i].pid;
    return moved;
}

/* Removes sleeping receives from the options. False: some process has no other options and may not
 * wait, so every continuation begins with a receive that sleeps and is explored elsewhere. */
static bool drop_sleeping(hd_model_expander *e)
{
    uint64_t moved = movers(e);
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        size_t kept = 0, count = e->options[pid].count;
        hd_model_choice *o = e->options[pid].items;
        for (size_t i = 0; i < count; i++)
            if (!o[i].transition || (moved >> pid & 1) || !hd_model_sleepers_have(&e->asleep, o[i].sleeper))
                o[kept++] = o[i];
        e->options[pid].count = kept;
        if (count && !kept)
            return false;
    }
    return true;
}

static bool is_left_out(const hd_model_choice *o)
{
    return !o->transition && !o->channel;
}

/* The sleep set after a set: receives of processes that are left out of it, and sleepers whose
 * process has not moved. */
static void find_next_asleep(hd_model_expander *e, const int *chosen)
{
    uint64_t moved = movers(e);
    hd_vec_clear(&e->next_asleep);
    for (size_t i = 0; i < e->asleep.count; i++)
        if (!(moved >> e->asleep.items[i].pid & 1))
            hd_vec_push(&e->next_asleep, e->asleep.items[i]);
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        if (chosen[pid] < 0 || !is_left_out(&e->options[pid].items[chosen[pid]]))
            continue;
        for (size_t i = 0; i < e->options[pid].count; i++) {
            const hd_model_choice *o = &e->options[pid].items[i];
            if (o->transition && o->sleeper.message != HD_MODEL_NOT_TOLD)
                hd_vec_push(&e->next_asleep, o->sleeper);
        }
    }
}

/* Was this set explored when the state was expanded before? It was unless it has a receive that slept then. */
static bool is_known(const hd_model_expander *e, const int *chosen)
{
    for (int pid = 0; e->again && pid < e->b->system.processes; pid++)
        if (chosen[pid] >= 0 && hd_model_sleepers_have(&e->woken, e->options[pid].items[chosen[pid]].sleeper))
            return false;
    return e->again;
}

/* --- sets --- */

static void try_set(hd_model_expander *e, const int *chosen, size_t before)
{
    hd_model_machine *m = &e->stepper.machine;
    bool possible = true;
    if (hd_model_expander_stopped(e) || is_known(e, chosen))
        return;
    /* The members of a set are independent: executing them one by one gives the simultaneous step. */
    hd_model_position_copy(e, &e->next, &e->blocking);
    m->failed_assertion = 0;
    for (int pid = 0; possible && pid < e->b->system.processes; pid++) {
        const hd_model_choice *o = chosen[pid] < 0 ? NULL : &e->options[pid].items[chosen[pid]];
        if (o && o->channel)
            possible = settle(e, &e->next, o);
        if (!o || !o->transition)
            continue;
        hd_model_move move = { .transition = o->transition, .pid = pid, .choice = o->choice };
        hd_vec_push(&e->moves, move);
        possible = hd_model_expander_redo(e, &e->next, &move);
        if (m->fault.kind != HD_MODEL_FAULT_NONE)
            hd_model_expander_fault(e, &e->moves);
    }
    if (possible && m->failed_assertion)
        hd_model_expander_finding(e,
            (hd_model_finding) { .kind = HD_MODEL_FINDING_ASSERTION, .line = m->failed_assertion, .state = e->current },
            &e->moves);
    if (possible) {
        find_next_asleep(e, chosen);
        hd_model_expander_arrive(e, before);
    }
    e->moves.count = before;
}

/* The cross product of the processes' options, with at most one visible transition and one send per
 * port in a set, and at least one process not left out. */
static void try_sets(
    hd_model_expander *e, int pid, int *chosen, int visible, hd_model_ports sends, int taken, size_t before)
{
    if (pid == e->b->system.processes) {
        if (taken > 0)
            try_set(e, chosen, before);
        return;
    }
    chosen[pid] = -1;
    if (e->options[pid].count == 0)
        try_sets(e, pid + 1, chosen, visible, sends, taken, before);
    for (size_t i = 0; i < e->options[pid].count; i++) {
        const hd_model_choice *o = &e->options[pid].items[i];
        if ((o->visible && visible) || (o->sends & sends))
            continue;
        chosen[pid] = (int)i;
        try_sets(e, pid + 1, chosen, visible + o->visible, sends | o->sends, taken + !is_left_out(o), before);
    }
}

bool hd_model_expander_try_sets(hd_model_expander *e)
{
    int chosen[HD_MODEL_MOST_SENDERS];
    bool any = false;
    for (int pid = 0; pid < e->b->system.processes; pid++)
        any |= e->options[pid].count > 0;
    if (e->b->kind != HD_MODEL_BSRA_SLEEP || drop_sleeping(e))
        try_sets(e, 0, chosen, 0, 0, 0, e->moves.count);
    return any;
}
