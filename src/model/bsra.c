#include "model/bsra.h"

#include "base/map.h"

#include <stdio.h>
#include <string.h>

/* --- the graph's states: bytes and order, each once ---------------------------------------------- */

typedef struct node {
    uint64_t hash;
    uint8_t *key; /* the state's bytes, then the order's */
    uint32_t size;
    uint32_t parent;
    hd_order *order; /* NULL: not kept */
    hd_move *moves; /* from the parent */
    uint32_t move_count;
} node;

typedef struct hd_bsra_table {
    hd_arena arena;
    hd_vec(node) nodes;
    uint32_t *slots;
    size_t room;
} table;

static void table_grow(table *t)
{
    size_t room = t->room ? t->room * 2 : 1024;
    hd_release(&hd_heap, t->slots, t->room * sizeof *t->slots);
    t->slots = hd_alloc(&hd_heap, room * sizeof *t->slots);
    t->room = room;
    for (size_t n = 0; n < t->nodes.count; n++) {
        size_t i = t->nodes.items[n].hash & (room - 1);
        while (t->slots[i])
            i = (i + 1) & (room - 1);
        t->slots[i] = (uint32_t)n + 1;
    }
}

/* The index of the state with this key, added if it is new (*added says so). */
static uint32_t table_put(table *t, const uint8_t *key, uint32_t size, bool *added)
{
    if ((t->nodes.count + 1) * 2 > t->room)
        table_grow(t);
    uint64_t hash = hd_hash_bytes(key, size, 7);
    size_t i = hash & (t->room - 1);
    for (; t->slots[i]; i = (i + 1) & (t->room - 1)) {
        const node *n = &t->nodes.items[t->slots[i] - 1];
        if (n->hash == hash && n->size == size && !memcmp(n->key, key, size)) {
            *added = false;
            return t->slots[i] - 1;
        }
    }
    node n = { .hash = hash, .size = size, .key = hd_arena_alloc(&t->arena, size + 1) };
    memcpy(n.key, key, size);
    hd_vec_push(&t->nodes, n);
    t->slots[i] = (uint32_t)t->nodes.count;
    *added = true;
    return t->slots[i] - 1;
}

/* --- a state being worked on ------------------------------------------------------------------------ */

typedef struct position {
    uint8_t *bytes;
    hd_order *order;
} position;

/* One way for a process: the moves it makes, and what they leave behind. */
typedef struct run {
    uint32_t first, count; /* in `moves` */
    uint8_t *mark; /* its local state and what it sent, to tell runs apart */
    uint32_t mark_size;
} run;

typedef struct option {
    const hd_pml_transition *transition; /* NULL: left out, or a settled head */
    int choice;
    bool visible;
    int channel, position; /* of a message that is settled to be the queue's head, though nobody receives it */
} option;

typedef struct engine {
    hd_bsra *b;
    hd_stepper stepper;
    table *table;
    uint32_t current;
    position at; /* the state being expanded */
    position blocking, next;
    hd_moves moves; /* of the current edge */
    hd_moves run_moves;
    hd_vec(run) runs[HD_MOST_SENDERS];
    hd_vec(option) options[HD_MOST_SENDERS];
    hd_vec(uint8_t) mark;
    hd_vec(uint8_t *) path; /* local states of the run being built */
    table seen; /* blocking points of the current state */
    hd_arena scratch;
    uint8_t *key;
    size_t edges_here;
    bool stop;
} engine;

static size_t key_room(const hd_bsra *b)
{
    return b->system.shape->size + (b->layout.first[b->system.channels] + HD_MOST_PORTS + HD_MOST_SENDERS) * 8;
}

static void position_init(engine *e, position *p)
{
    p->bytes = hd_alloc(&hd_heap, HD_STATE_MOST_BYTES + 1);
    p->order = e->b->ordered ? hd_alloc(&hd_heap, e->b->layout.size) : NULL;
}

static void position_copy(engine *e, position *to, const position *from)
{
    memcpy(to->bytes, from->bytes, e->b->system.shape->size);
    if (e->b->ordered)
        memcpy(to->order, from->order, e->b->layout.size);
}

static void use(engine *e, position *p)
{
    hd_machine_load(&e->stepper.machine, p->bytes, e->b->system.shape);
}

static int channel_length(const hd_machine *m, int channel)
{
    const hd_pml_channel *type;
    return hd_machine_channel(m, channel, &type)[1];
}

/* The key of a position, in e->key; its size. */
static uint32_t write_key(engine *e, position *p)
{
    hd_bsra *b = e->b;
    uint32_t size = b->system.shape->size;
    memcpy(e->key, p->bytes, size);
    if (!b->ordered)
        return size;
    hd_ports sends[HD_MOST_SENDERS];
    use(e, p);
    for (int i = 0; i < b->system.processes; i++)
        sends[i] = b->system.sends[i][hd_machine_control(&e->stepper.machine, i)];
    return size + (uint32_t)hd_order_write(&b->layout, p->order, &e->stepper.machine, sends, e->key + size);
}

/* --- bounds --- */

static bool at_bound(engine *e)
{
    hd_bsra *b = e->b;
    const hd_limits *l = &b->limits;
    if (l->interrupted && *l->interrupted)
        b->bound = HD_BOUND_INTERRUPT;
    else if (l->max_states && e->table->nodes.count >= l->max_states)
        b->bound = HD_BOUND_STATES;
    else if (l->memory && e->table->nodes.count * (key_room(b) + sizeof(node)) > l->memory)
        b->bound = HD_BOUND_MEMORY;
    return b->bound != HD_BOUND_NONE;
}

/* --- findings ------------------------------------------------------------------------------------------ */

static bool known(const hd_bsra *b, hd_finding_kind kind, int line, hd_fault_kind fault)
{
    for (size_t i = 0; i < b->findings.count; i++) {
        const hd_finding *f = &b->findings.items[i];
        if (f->kind == kind && f->line == line && f->fault.kind == fault)
            return true;
    }
    return false;
}

static void add_finding(engine *e, hd_finding f, const hd_moves *moves)
{
    hd_bsra *b = e->b;
    bool by_place = f.kind == HD_FINDING_ASSERTION || f.kind == HD_FINDING_FAULT;
    uint64_t before = b->counts[f.kind]++;
    if (by_place ? known(b, f.kind, f.line, f.fault.kind) : before >= b->limits.most_findings)
        return;
    f.move_count = moves ? moves->count : 0;
    if (f.move_count) {
        f.moves = hd_alloc(&hd_heap, f.move_count * sizeof *f.moves);
        memcpy(f.moves, moves->items, f.move_count * sizeof *f.moves);
    }
    hd_vec_push(&b->findings, f);
}

static void fault_found(engine *e, const hd_moves *moves)
{
    hd_machine *m = &e->stepper.machine;
    add_finding(e,
        (hd_finding) { .kind = HD_FINDING_FAULT, .fault = m->fault, .line = m->fault.line, .state = e->current },
        moves);
    m->fault = (hd_fault) { HD_FAULT_NONE, 0 };
}

/* --- executing --------------------------------------------------------------------------------------------- */

static bool is_visible(const hd_bsra *b, const hd_pml_code *code, const hd_pml_transition *t)
{
    return b->system.visible[code->proctype->index][t - code->transitions];
}

/* Can `pid` execute `t` with the choice-th message, the order of messages considered? 0: no, 1: yes, -1: not this
 * message, but maybe another. */
static int enabled(engine *e, position *p, int pid, const hd_pml_transition *t, int choice)
{
    hd_machine *m = &e->stepper.machine;
    use(e, p);
    hd_machine_select(m, pid);
    if (t->action == HD_ACTION_END || !hd_stepper_enabled(&e->stepper, pid, t, choice))
        return 0;
    if (t->action != HD_ACTION_RECEIVE || !e->b->ordered)
        return 1;
    int length = channel_length(m, m->matched_channel);
    return hd_order_first(&e->b->layout, p->order, m->matched_channel, m->matched_position, length) ? 1 : -1;
}

/* Executes an enabled transition: the guard has just found its message. False: a fault. */
static bool execute(engine *e, position *p, int pid, const hd_pml_transition *t)
{
    hd_machine *m = &e->stepper.machine;
    hd_bsra *b = e->b;
    int channel = m->matched_channel, at = m->matched_position;
    int length = t->action == HD_ACTION_RECEIVE ? channel_length(m, channel) : 0;
    m->sent_channel = 0;
    if (t->effect)
        hd_machine_run(m, t->effect);
    if (m->fault.kind != HD_FAULT_NONE)
        return false;
    hd_machine_go(m, t->target);
    b->executed[hd_machine_code(m, pid)->proctype->index][t - hd_machine_code(m, pid)->transitions] = true;
    if (!b->ordered)
        return true;
    if (t->action == HD_ACTION_RECEIVE)
        hd_order_receive(&b->layout, p->order, pid, channel, at, length);
    if (m->sent_channel
        && !hd_order_send(
            &b->layout, p->order, pid, m->sent_channel, m->sent_position, channel_length(m, m->sent_channel))) {
        m->fault = (hd_fault) { HD_FAULT_ORDER, 0 };
        return false;
    }
    return true;
}

static bool redo(engine *e, position *p, const hd_move *move)
{
    return enabled(e, p, move->pid, move->transition, move->choice) == 1 && execute(e, p, move->pid, move->transition);
}

/* --- step 1: next blocking points ------------------------------------------------------------------------------ */

static uint8_t *local_state(engine *e, position *p, int pid, uint32_t *size)
{
    const hd_shape *s = e->b->system.shape;
    uint32_t from = s->offsets[s->process_component[pid]];
    *size = s->offsets[s->process_component[pid] + 1] - from;
    return p->bytes + from;
}

static void add_run(engine *e, int pid, position *p)
{
    uint32_t size;
    const uint8_t *local = local_state(e, p, pid, &size);
    size_t sent = e->mark.count;
    for (uint32_t i = 0; i < size; i++)
        hd_vec_push(&e->mark, local[i]);
    for (size_t i = 0; i < e->runs[pid].count; i++) {
        const run *r = &e->runs[pid].items[i];
        if (r->mark_size == e->mark.count && !memcmp(r->mark, e->mark.items, r->mark_size)) {
            e->mark.count = sent;
            return;
        }
    }
    run r = {
        .first = (uint32_t)e->run_moves.count, .count = (uint32_t)e->moves.count, .mark_size = (uint32_t)e->mark.count
    };
    r.mark = hd_arena_alloc(&e->scratch, r.mark_size + 1);
    memcpy(r.mark, e->mark.items, r.mark_size);
    for (size_t i = 0; i < e->moves.count; i++)
        hd_vec_push(&e->run_moves, e->moves.items[i]);
    hd_vec_push(&e->runs[pid], r);
    e->mark.count = sent;
}

/* Does the path come back to a local state? Then the process can go round for ever. */
static bool comes_back(engine *e, position *p, int pid, int line)
{
    uint32_t size;
    const uint8_t *local = local_state(e, p, pid, &size);
    for (size_t i = 0; i < e->path.count; i++) {
        if (memcmp(e->path.items[i], local, size))
            continue;
        bool sends = false;
        for (size_t k = i; k < e->moves.count; k++)
            sends |= e->moves.items[k].transition->action == HD_ACTION_SEND;
        if (sends) {
            e->stepper.machine.fault = (hd_fault) { HD_FAULT_UNBOUNDED, line };
            fault_found(e, &e->moves);
        }
        e->b->diverges = line;
        return true;
    }
    return false;
}

static void note_sent(engine *e, position *p)
{
    hd_machine *m = &e->stepper.machine;
    const hd_pml_channel *type;
    if (!m->sent_channel)
        return;
    use(e, p);
    const uint8_t *c = hd_machine_channel(m, m->sent_channel, &type);
    uint32_t size = hd_message_size(m, type);
    hd_vec_push(&e->mark, (uint8_t)m->sent_channel);
    for (uint32_t i = 0; i < size; i++)
        hd_vec_push(&e->mark, c[HD_CHANNEL_HEADER + (uint32_t)m->sent_position * size + i]);
}

static void find_runs(engine *e, int pid, position *p, size_t depth);

/* One more move of a run, in a copy of the position. */
static void continue_run(engine *e, int pid, position *p, const hd_pml_transition *t, size_t depth)
{
    position next = { hd_arena_alloc(&e->scratch, HD_STATE_MOST_BYTES / 64 + e->b->system.shape->size),
        e->b->ordered ? hd_arena_alloc(&e->scratch, e->b->layout.size) : NULL };
    size_t sent = e->mark.count;
    position_copy(e, &next, p);
    hd_vec_push(&e->moves, ((hd_move) { .transition = t, .pid = pid }));
    if (enabled(e, &next, pid, t, 0) == 1 && execute(e, &next, pid, t)) {
        note_sent(e, &next);
        if (!comes_back(e, &next, pid, t->step->element->node->place.line))
            find_runs(e, pid, &next, depth + 1);
    } else {
        fault_found(e, &e->moves);
    }
    e->moves.count--;
    e->mark.count = sent;
}

static void find_runs(engine *e, int pid, position *p, size_t depth)
{
    hd_machine *m = &e->stepper.machine;
    uint32_t size;
    e->stop |= at_bound(e);
    if (e->stop)
        return;
    if (depth > 5000) {
        m->fault = (hd_fault) { HD_FAULT_ENDLESS, 0 };
        fault_found(e, &e->moves);
        return;
    }
    use(e, p);
    const hd_pml_code *code = hd_machine_code(m, pid);
    int control = hd_machine_control(m, pid);
    bool stops = false, moved = false;
    hd_vec_push(&e->path, local_state(e, p, pid, &size));
    for (int i = code->first[control]; i < code->first[control + 1]; i++) {
        const hd_pml_transition *t = &code->transitions[i];
        if (t->action == HD_ACTION_RECEIVE || is_visible(e->b, code, t)) {
            stops = true;
            use(e, p);
            hd_machine_select(m, pid);
            moved |= t->action != HD_ACTION_RECEIVE && !t->is_else && enabled(e, p, pid, t, 0) == 1;
            m->fault.kind = HD_FAULT_NONE;
        } else if (!(t->is_else && moved) && enabled(e, p, pid, t, 0) == 1) {
            moved = true;
            continue_run(e, pid, p, t, depth);
        } else if (m->fault.kind != HD_FAULT_NONE) {
            fault_found(e, &e->moves);
        }
    }
    e->path.count--;
    if (stops || !moved)
        add_run(e, pid, p);
}

/* --- step 2: sets of receives -------------------------------------------------------------------------------- */

/* A potential hereafter-executable transition: somebody else may send to the port, and that message may come first. */
static bool may_get_another(engine *e, position *p, int pid, hd_ports ports)
{
    hd_machine *m = &e->stepper.machine;
    const hd_system *s = &e->b->system;
    use(e, p);
    for (int other = 0; other < s->processes; other++) {
        hd_ports may = other == pid ? 0 : s->sends[other][hd_machine_control(m, other)] & ports;
        for (; may; may &= may - 1) {
            int channel = __builtin_ctzll(may) + 1, length = channel_length(m, channel);
            const hd_pml_channel *type;
            const uint8_t *c = hd_machine_channel(m, channel, &type);
            uint32_t size = hd_message_size(m, type);
            bool behind = false;
            for (int i = 0; e->b->scheme != HD_SCHEME_ASYNC && i < length; i++)
                behind |= c[HD_CHANNEL_HEADER + (uint32_t)i * size] == other;
            if (!behind && (!e->b->ordered || hd_order_may_overtake(&e->b->layout, p->order, other, channel, length)))
                return true;
        }
    }
    return false;
}

/* Under one queue, a message that nobody is ready for blocks those behind it. So where a process could receive some
 * first message of a port but not another, the other may also be the head, and the process waits. */
static void add_settled_heads(engine *e, position *p, int pid, hd_ports ports, uint64_t received)
{
    hd_machine *m = &e->stepper.machine;
    for (ports &= e->b->system.racy; ports; ports &= ports - 1) {
        int channel = __builtin_ctzll(ports) + 1;
        use(e, p);
        for (int i = 0, length = channel_length(m, channel); i < length && i < 64; i++)
            if (!(received >> i & 1) && hd_order_first(&e->b->layout, p->order, channel, i, length))
                hd_vec_push(&e->options[pid], ((option) { .channel = channel, .position = i }));
    }
}

static void collect_options(engine *e, position *p, int pid)
{
    hd_machine *m = &e->stepper.machine;
    use(e, p);
    const hd_pml_code *code = hd_machine_code(m, pid);
    int control = hd_machine_control(m, pid);
    bool later = false, moved = false;
    hd_ports receivable = 0;
    uint64_t received[HD_MOST_PORTS] = { 0 }; /* per port: positions that can be received */
    hd_vec_clear(&e->options[pid]);
    for (int i = code->first[control]; i < code->first[control + 1]; i++) {
        const hd_pml_transition *t = &code->transitions[i];
        bool visible = is_visible(e->b, code, t);
        if (t->action == HD_ACTION_RECEIVE)
            later |= may_get_another(e, p, pid, e->b->system.channel_of[pid][i]);
        else if (!visible) {
            moved |= !t->is_else && enabled(e, p, pid, t, 0) == 1;
            m->fault.kind = HD_FAULT_NONE;
            continue;
        }
        later |= visible;
        for (int choice = 0, can; (can = enabled(e, p, pid, t, choice)) != 0; choice++) {
            if (can == 1 && t->action == HD_ACTION_RECEIVE && m->matched_position < 64) {
                receivable |= 1ull << (m->matched_channel - 1);
                received[m->matched_channel - 1] |= 1ull << m->matched_position;
            }
            if (can == 1 && !(t->is_else && moved))
                hd_vec_push(&e->options[pid], ((option) { .transition = t, .choice = choice, .visible = visible }));
            if (t->action != HD_ACTION_RECEIVE) {
                moved = true;
                break;
            }
        }
        if (m->fault.kind != HD_FAULT_NONE)
            fault_found(e, &e->moves);
    }
    for (hd_ports ports = e->b->ordered ? receivable : 0; ports; ports &= ports - 1)
        add_settled_heads(e, p, pid, ports & -ports, received[__builtin_ctzll(ports)]);
    if (later && e->options[pid].count)
        hd_vec_push(&e->options[pid], ((option) { .transition = NULL }));
}

/* --- edges ---------------------------------------------------------------------------------------------------- */

static void check_arrival(engine *e, uint32_t index)
{
    hd_machine *m = &e->stepper.machine;
    uint32_t code = m->program->invariant;
    if (!code)
        return;
    use(e, &e->next);
    m->pid = 0;
    if (!hd_machine_run(m, code) && m->fault.kind == HD_FAULT_NONE)
        add_finding(e, (hd_finding) { .kind = HD_FINDING_INVARIANT, .state = index }, NULL);
    m->fault.kind = HD_FAULT_NONE;
}

/* e->next is reached by e->moves. */
static void arrive(engine *e, size_t before)
{
    bool added;
    uint32_t size = write_key(e, &e->next), index = table_put(e->table, e->key, size, &added);
    if (added) {
        node *n = &e->table->nodes.items[index];
        n->parent = e->current;
        n->move_count = (uint32_t)e->moves.count;
        n->moves = hd_arena_alloc(&e->table->arena, (e->moves.count + 1) * sizeof *n->moves);
        memcpy(n->moves, e->moves.items, e->moves.count * sizeof *n->moves);
        if (e->b->ordered) {
            n->order = hd_arena_alloc(&e->table->arena, e->b->layout.size);
            memcpy(n->order, e->next.order, e->b->layout.size);
        }
        check_arrival(e, index);
    }
    if (index == e->current && e->moves.count == 0)
        return;
    e->b->edges++;
    e->edges_here++;
    if (e->b->on_edge)
        e->b->on_edge(e->b->context, e->current, index, e->moves.items, before, e->moves.count);
}

static bool settle(engine *e, position *p, const option *o)
{
    use(e, p);
    int length = channel_length(&e->stepper.machine, o->channel);
    if (!hd_order_first(&e->b->layout, p->order, o->channel, o->position, length))
        return false;
    hd_order_settle(&e->b->layout, p->order, o->channel, o->position, length);
    return true;
}

static void try_set(engine *e, const int *chosen, size_t before)
{
    hd_machine *m = &e->stepper.machine;
    bool possible = true;
    e->stop |= at_bound(e);
    if (e->stop)
        return;
    position_copy(e, &e->next, &e->blocking);
    m->failed_assertion = 0;
    for (int pid = 0; possible && pid < e->b->system.processes; pid++) {
        const option *o = chosen[pid] < 0 ? NULL : &e->options[pid].items[chosen[pid]];
        if (o && o->channel)
            possible = settle(e, &e->next, o);
        if (!o || !o->transition)
            continue;
        hd_move move = { .transition = o->transition, .pid = pid, .choice = o->choice };
        hd_vec_push(&e->moves, move);
        possible = redo(e, &e->next, &move);
        if (m->fault.kind != HD_FAULT_NONE)
            fault_found(e, &e->moves);
    }
    if (possible && m->failed_assertion)
        add_finding(e, (hd_finding) { .kind = HD_FINDING_ASSERTION, .line = m->failed_assertion, .state = e->current },
            &e->moves);
    if (possible)
        arrive(e, before);
    e->moves.count = before;
}

/* The cross product of the processes' options; at most one visible transition in a set, and not everybody left out. */
static bool try_sets(engine *e, int pid, int *chosen, int visible, int taken, size_t before)
{
    if (pid == e->b->system.processes) {
        if (taken > 0)
            try_set(e, chosen, before);
        return taken > 0;
    }
    bool any = false;
    chosen[pid] = -1;
    if (e->options[pid].count == 0)
        return try_sets(e, pid + 1, chosen, visible, taken, before);
    for (size_t i = 0; i < e->options[pid].count; i++) {
        const option *o = &e->options[pid].items[i];
        if (o->visible && visible)
            continue;
        chosen[pid] = (int)i;
        any |= try_sets(e, pid + 1, chosen, visible + o->visible, taken + (o->transition || o->channel), before);
    }
    return any;
}

static bool can_move_alone(engine *e, position *p)
{
    hd_machine *m = &e->stepper.machine;
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        use(e, p);
        const hd_pml_code *code = hd_machine_code(m, pid);
        int control = hd_machine_control(m, pid);
        for (int i = code->first[control]; i < code->first[control + 1]; i++)
            if (code->transitions[i].action != HD_ACTION_RECEIVE && enabled(e, p, pid, &code->transitions[i], 0) == 1)
                return true;
        m->fault.kind = HD_FAULT_NONE;
    }
    return false;
}

static void leave_blocking_point(engine *e)
{
    int chosen[HD_MOST_SENDERS];
    size_t before = e->moves.count;
    bool added;
    uint32_t size = write_key(e, &e->blocking);
    table_put(&e->seen, e->key, size, &added);
    if (!added)
        return;
    e->b->blocking_points++;
    for (int pid = 0; pid < e->b->system.processes; pid++)
        collect_options(e, &e->blocking, pid);
    if (try_sets(e, 0, chosen, 0, 0, before) || can_move_alone(e, &e->blocking))
        return;
    if (hd_stepper_valid_end(&e->stepper, e->blocking.bytes, e->b->system.shape)
        && !hd_state_has_messages(&e->stepper.machine))
        return; /* neither a deadlock nor anything else to report */
    position_copy(e, &e->next, &e->blocking);
    arrive(e, before);
}

/* The cross product of the processes' runs. */
static void combine_runs(engine *e, int pid, const position *p)
{
    if (pid == e->b->system.processes) {
        position_copy(e, &e->blocking, p);
        leave_blocking_point(e);
        return;
    }
    for (size_t i = 0; i < e->runs[pid].count && !e->stop; i++) {
        run r = e->runs[pid].items[i];
        size_t before = e->moves.count;
        position next = *p;
        if (r.count > 0) {
            next = (position) { hd_arena_alloc(&e->scratch, e->b->system.shape->size + 1),
                e->b->ordered ? hd_arena_alloc(&e->scratch, e->b->layout.size) : NULL };
            position_copy(e, &next, p);
        }
        bool possible = true;
        for (uint32_t k = 0; possible && k < r.count; k++) {
            hd_move move = e->run_moves.items[r.first + k];
            hd_vec_push(&e->moves, move);
            possible = redo(e, &next, &move);
            if (!possible)
                fault_found(e, &e->moves);
        }
        if (possible)
            combine_runs(e, pid + 1, &next);
        e->moves.count = before;
    }
}

static void end_of_path(engine *e)
{
    hd_machine *m = &e->stepper.machine;
    if (!hd_stepper_valid_end(&e->stepper, e->at.bytes, e->b->system.shape))
        add_finding(e, (hd_finding) { .kind = HD_FINDING_DEADLOCK, .state = e->current }, NULL);
    else if (hd_state_has_messages(m))
        add_finding(e, (hd_finding) { .kind = HD_FINDING_UNRECEIVED, .state = e->current }, NULL);
}

static bool is_terminal(engine *e)
{
    if (can_move_alone(e, &e->at))
        return false;
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        collect_options(e, &e->at, pid);
        if (e->options[pid].count)
            return false;
    }
    return true;
}

static void expand(engine *e, uint32_t index)
{
    const node *n = &e->table->nodes.items[index];
    e->current = index;
    memcpy(e->at.bytes, n->key, e->b->system.shape->size);
    if (e->b->ordered)
        memcpy(e->at.order, n->order, e->b->layout.size);
    if (is_terminal(e)) {
        end_of_path(e);
        return;
    }
    e->seen.nodes.count = 0;
    if (e->seen.room)
        memset(e->seen.slots, 0, e->seen.room * sizeof *e->seen.slots);
    hd_vec_clear(&e->run_moves);
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        hd_vec_clear(&e->runs[pid]);
        hd_vec_clear(&e->moves);
        hd_vec_clear(&e->mark);
        hd_vec_clear(&e->path);
        find_runs(e, pid, &e->at, 0);
    }
    hd_vec_clear(&e->moves);
    combine_runs(e, 0, &e->at);
    hd_arena_fini(&e->scratch);
    hd_arena_fini(&e->seen.arena);
}

/* --- the search ----------------------------------------------------------------------------------------------------
 */

static void engine_open(engine *e, hd_bsra *b)
{
    memset(e, 0, sizeof *e);
    e->b = b;
    e->table = b->table;
    hd_arena_init(&e->scratch, &hd_heap);
    hd_arena_init(&e->seen.arena, &hd_heap);
    hd_stepper_open(
        &e->stepper, b->system.program, &b->shapes, b->scheme == HD_SCHEME_ASYNC ? HD_SCHEME_ASYNC : HD_SCHEME_FIFO);
    e->stepper.machine.unbounded = true;
    position_init(e, &e->at);
    position_init(e, &e->blocking);
    position_init(e, &e->next);
    e->key = hd_alloc(&hd_heap, key_room(b) + 64);
}

static void position_fini(engine *e, position *p)
{
    hd_release(&hd_heap, p->bytes, HD_STATE_MOST_BYTES + 1);
    hd_release(&hd_heap, p->order, e->b->layout.size);
}

static void engine_close(engine *e)
{
    position_fini(e, &e->at);
    position_fini(e, &e->blocking);
    position_fini(e, &e->next);
    hd_release(&hd_heap, e->key, 0);
    hd_stepper_close(&e->stepper);
    for (int i = 0; i < HD_MOST_SENDERS; i++) {
        hd_vec_fini(&e->runs[i]);
        hd_vec_fini(&e->options[i]);
    }
    hd_vec_fini(&e->moves);
    hd_vec_fini(&e->run_moves);
    hd_vec_fini(&e->mark);
    hd_vec_fini(&e->path);
    hd_vec_fini(&e->seen.nodes);
    hd_release(&hd_heap, e->seen.slots, 0);
    hd_arena_fini(&e->seen.arena);
    hd_arena_fini(&e->scratch);
}

static void begin(engine *e)
{
    bool added;
    hd_bsra *b = e->b;
    memcpy(e->next.bytes, b->system.start, b->system.shape->size);
    if (b->ordered)
        hd_order_init(&b->layout, e->next.order, b->strict);
    uint32_t size = write_key(e, &e->next), index = table_put(e->table, e->key, size, &added);
    node *n = &e->table->nodes.items[index];
    n->parent = HD_STORE_NONE;
    if (b->ordered) {
        n->order = hd_arena_alloc(&e->table->arena, b->layout.size);
        memcpy(n->order, e->next.order, b->layout.size);
    }
    check_arrival(e, index);
}

void hd_bsra_run(hd_bsra *b)
{
    engine *e = hd_alloc(&hd_heap, sizeof *e);
    hd_vec(uint32_t) open = { 0 };
    double started = hd_now();
    engine_open(e, b);
    begin(e);
    hd_vec_push(&open, 0);
    while (open.count && !at_bound(e)) {
        uint32_t index = hd_vec_pop(&open);
        size_t before = e->table->nodes.count;
        expand(e, index);
        for (size_t i = before; i < e->table->nodes.count; i++)
            hd_vec_push(&open, (uint32_t)i);
    }
    b->states = e->table->nodes.count;
    b->seconds = hd_now() - started;
    hd_vec_fini(&open);
    engine_close(e);
    hd_release(&hd_heap, e, sizeof *e);
}

bool hd_bsra_open(hd_bsra *b, const hd_pml_program *program, hd_scheme scheme, const hd_limits *limits, hd_error *error)
{
    memset(b, 0, sizeof *b);
    b->scheme = scheme;
    b->limits = *limits;
    hd_shapes_init(&b->shapes, program, true);
    if (!hd_system_open(
            &b->system, program, &b->shapes, scheme == HD_SCHEME_ASYNC ? HD_SCHEME_ASYNC : HD_SCHEME_FIFO, error)) {
        hd_shapes_fini(&b->shapes);
        return false;
    }
    hd_order_layout_init(&b->layout, &b->system);
    b->ordered = scheme == HD_SCHEME_CAUSAL && b->system.racy != 0;
    b->strict = b->ordered && (b->system.racy & (b->system.racy - 1)) != 0;
    b->table = hd_alloc(&hd_heap, sizeof *b->table);
    hd_arena_init(&b->table->arena, &hd_heap);
    for (size_t i = 0; i < program->model->proctypes.count; i++)
        b->executed[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].transition_count + 1);
    return true;
}

void hd_bsra_close(hd_bsra *b)
{
    for (size_t i = 0; i < b->findings.count; i++)
        hd_release(&hd_heap, b->findings.items[i].moves, 0);
    for (size_t i = 0; i < b->system.program->model->proctypes.count; i++)
        hd_release(&hd_heap, b->executed[i], 0);
    hd_vec_fini(&b->findings);
    hd_arena_fini(&b->table->arena);
    hd_vec_fini(&b->table->nodes);
    hd_release(&hd_heap, b->table->slots, 0);
    hd_release(&hd_heap, b->table, sizeof *b->table);
    hd_system_close(&b->system);
    hd_shapes_fini(&b->shapes);
}

void hd_bsra_load(hd_bsra *b, uint32_t index, hd_machine *m, uint8_t *bytes)
{
    hd_machine_open(m, b->system.program, &b->shapes, b->scheme == HD_SCHEME_ASYNC ? HD_SCHEME_ASYNC : HD_SCHEME_FIFO);
    memcpy(bytes, b->table->nodes.items[index].key, b->system.shape->size);
    hd_machine_load(m, bytes, b->system.shape);
}

void hd_bsra_path(hd_bsra *b, const hd_finding *f, hd_moves *path)
{
    hd_vec(uint32_t) chain = { 0 };
    for (uint32_t n = f->state; n != HD_STORE_NONE; n = b->table->nodes.items[n].parent)
        hd_vec_push(&chain, n);
    for (size_t i = 0; i < b->system.prologue.count; i++)
        hd_vec_push(path, b->system.prologue.items[i]);
    while (chain.count) {
        const node *n = &b->table->nodes.items[hd_vec_pop(&chain)];
        for (uint32_t i = 0; i < n->move_count; i++)
            hd_vec_push(path, n->moves[i]);
    }
    for (size_t i = 0; i < f->move_count; i++)
        hd_vec_push(path, f->moves[i]);
    hd_vec_fini(&chain);
}
