#include "model/steps.h"

#include <string.h>

enum { LONGEST_ATOMIC = 5000 }; /* levels of recursion */

void hd_model_stepper_open(
    hd_model_stepper *s, const hd_promela_program *program, hd_model_shapes *shapes, hd_model_scheme scheme)
{
    memset(s, 0, sizeof *s);
    hd_model_machine_open(&s->machine, program, shapes, scheme);
    for (size_t i = 0; i < program->model->proctypes.count; i++) {
        s->reached[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].flow->count);
        s->executed[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].transition_count);
    }
}

void hd_model_stepper_close(hd_model_stepper *s)
{
    const hd_promela_program *program = s->machine.program;
    for (size_t i = 0; i < program->model->proctypes.count; i++) {
        hd_release(&hd_heap, s->reached[i], (size_t)program->codes[i].flow->count);
        hd_release(&hd_heap, s->executed[i], (size_t)program->codes[i].transition_count);
    }
    for (size_t i = 0; i < s->buffers.count; i++)
        hd_release(&hd_heap, s->buffers.items[i], HD_MODEL_STATE_MOST_BYTES + 1);
    hd_vec_fini(&s->buffers);
    hd_vec_fini(&s->moves);
}

static uint8_t *buffer(hd_model_stepper *s, size_t level)
{
    while (s->buffers.count <= level)
        hd_vec_push(&s->buffers, hd_resize(&hd_heap, NULL, 0, HD_MODEL_STATE_MOST_BYTES + 1));
    return s->buffers.items[level];
}

/* A step is taken in a copy of the state; afterwards the machine returns to where it was. */
/* The machine's data per level of recursion, to return to. */
typedef struct level {
    uint8_t *bytes;
    const hd_model_shape *shape;
    uint64_t changed[HD_MODEL_COMPONENT_WORDS];
    uint32_t kept;
} level;

static void save(const hd_model_machine *m, level *l)
{
    l->bytes = m->bytes;
    l->shape = m->shape;
    l->kept = m->kept;
    memcpy(l->changed, m->changed, (size_t)(m->shape->components / 64 + 1) * 8);
}

static void restore(hd_model_machine *m, const level *l)
{
    m->bytes = l->bytes;
    m->shape = l->shape;
    m->kept = l->kept;
    memcpy(m->changed, l->changed, (size_t)(l->shape->components / 64 + 1) * 8);
}

static bool expand(hd_model_stepper *s, int only, size_t depth, int *ways);

/* The fault is the finding of the moves so far; the search goes on with the next step. */
static void report_fault(hd_model_stepper *s)
{
    if (!s->visitor->fault(s->visitor, s))
        s->stopped = true;
    s->machine.fault = (hd_model_fault) { HD_MODEL_FAULT_NONE, 0 };
}

/* Once per transition, because this is in the inner loop. Merged statements are executed with the
 * first. */
static void mark(hd_model_stepper *s, const hd_promela_transition *t, int type)
{
    bool *executed = &s->executed[type][t - s->machine.program->codes[type].transitions];
    if (*executed)
        return;
    *executed = true;
    s->reached[type][t->source] = true;
    s->reached[type][t->target] = true;
    for (int i = 0; i < t->step->merged_count; i++)
        s->reached[type][t->step->merged[i]->number] = true;
}

bool hd_model_stepper_enabled(hd_model_stepper *s, int pid, const hd_promela_transition *t, int choice)
{
    hd_model_machine *m = &s->machine;
    if (t->action == HD_ACTION_END)
        /* Only the youngest process can end: Promela's rule, on which the tree of shapes relies
         * (shape.h). */
        return pid + 1 == m->shape->processes && choice == 0 && !m->rendezvous;
    /* Inside a rendezvous only the receiver moves. */
    if (m->rendezvous && t->action != HD_ACTION_RECEIVE)
        return false;
    if (!t->guard)
        return choice == 0;
    /* Only fifo and async have several messages to choose from. */
    if (choice > 0 && (t->action != HD_ACTION_RECEIVE || m->scheme == HD_MODEL_SCHEME_CAUSAL))
        return false;
    m->choice = choice;
    bool result = hd_model_machine_run(m, t->guard) != 0 && m->fault.kind == HD_MODEL_FAULT_NONE;
    m->choice = 0;
    return result;
}

/* Executes an enabled transition in the machine's own bytes. False: a fault. */
static bool execute(hd_model_machine *m, int pid, const hd_promela_transition *t)
{
    if (t->action == HD_ACTION_END) {
        hd_model_machine_end_process(m);
    } else {
        if (t->effect)
            hd_model_machine_run(m, t->effect);
        if (m->fault.kind != HD_MODEL_FAULT_NONE)
            return false;
        hd_model_machine_go(m, t->target);
    }
    /* _last is a byte after the globals, so it is part of the state where a model uses it. */
    if (m->program->model->has_last) {
        m->bytes[m->program->model->frame_size] = (uint8_t)pid;
        hd_model_machine_touch(m, 0);
    }
    return true;
}

/* The moves so far lead to the machine's state. Inside an atomic sequence the process goes on; if
 * it blocks there, the state is visited like any other. */
static void arrive(hd_model_stepper *s, bool atomic, int pid, size_t depth, int *ways)
{
    hd_model_machine *m = &s->machine;
    if (atomic && pid < m->shape->processes) {
        int further = 0;
        if (depth > LONGEST_ATOMIC) {
            m->fault = (hd_model_fault) { HD_MODEL_FAULT_ENDLESS, 0 };
            report_fault(s);
            return;
        }
        /* The process keeps control: only its own steps follow. */
        expand(s, pid, depth, &further);
        *ways += further;
        if (further > 0 || s->stopped)
            return;
    }
    ++*ways;
    if (!s->visitor->arrive(s->visitor, s))
        s->stopped = true;
}

/* Completes a rendezvous: tries every other process that can receive the message. */
static void meet(hd_model_stepper *s, size_t depth, int *ways)
{
    hd_model_machine *m = &s->machine;
    level here;
    save(m, &here);
    int channel = m->rendezvous, sender = m->pid;
    /* A rendezvous depends on where all processes stand. */
    for (int pid = 0; pid < m->shape->processes; pid++)
        hd_model_machine_use(m, m->shape->process_component[pid]);
    for (int pid = m->shape->processes - 1; pid >= 0 && !s->stopped; pid--) {
        if (pid == sender)
            continue;
        hd_model_machine_select(m, pid);
        const hd_promela_code *code = hd_model_machine_code(m, pid);
        if (code->provided && !hd_model_machine_run(m, code->provided))
            continue;
        int control = hd_model_machine_control(m, pid), escaping = 0;
        for (int i = code->first[control]; i < code->first[control + 1] && !s->stopped; i++) {
            const hd_promela_transition *t = &code->transitions[i];
            /* As in expand_process: an executable escape comes before what it escapes from. */
            if (escaping && t->escape != escaping)
                break;
            hd_model_machine_select(m, pid);
            if (t->action != HD_ACTION_RECEIVE || !hd_model_stepper_enabled(s, pid, t, 0))
                continue;
            escaping = t->escape;
            hd_model_move *move = hd_vec_last(&s->moves);
            move->receiving = t;
            move->receiver = pid;
            m->bytes = buffer(s, depth + 1);
            memcpy(m->bytes, here.bytes, here.shape->size);
            hd_model_machine_select(m, pid);
            mark(s, t, m->self[0]);
            mark(s, move->transition, hd_model_machine_code(m, sender)->proctype->index);
            /* Control passes to the receiver: it goes on if its receive is inside an atomic
             * sequence. */
            if (execute(m, pid, t))
                arrive(s, t->atomic, pid, depth + 2, ways);
            if (m->fault.kind != HD_MODEL_FAULT_NONE)
                report_fault(s);
            restore(m, &here);
            m->rendezvous = channel;
        }
    }
    m->rendezvous = 0;
}

/* Tries one transition of one process; returns whether it was executed. */
static bool try_move(hd_model_stepper *s, int pid, const hd_promela_transition *t, int choice, size_t depth, int *ways)
{
    hd_model_machine *m = &s->machine;
    if (!hd_model_stepper_enabled(s, pid, t, choice)) {
        /* A guard that fails to evaluate is a finding as well; the move shows where. */
        if (m->fault.kind != HD_MODEL_FAULT_NONE) {
            hd_vec_push(&s->moves, ((hd_model_move) { .transition = t, .pid = pid, .choice = choice }));
            report_fault(s);
            s->moves.count--;
        }
        return false;
    }
    level here;
    int before = *ways, assertion = m->failed_assertion;
    save(m, &here);
    m->bytes = buffer(s, depth);
    /* Effects work on a copy, one per level of recursion, so the state itself stays as it is. */
    memcpy(m->bytes, here.bytes, here.shape->size);
    hd_model_machine_select(m, pid);
    int type = m->self[0];
    hd_vec_push(&s->moves, ((hd_model_move) { .transition = t, .pid = pid, .choice = choice }));
    bool ok = execute(m, pid, t), waits = m->rendezvous != 0;
    if (ok && !waits)
        mark(s, t, type);
    if (ok && waits)
        meet(s, depth, ways);
    else if (ok)
        arrive(s, t->atomic, pid, depth + 1, ways);
    else
        report_fault(s);
    s->moves.count--;
    m->rendezvous = 0;
    /* What this branch failed is no finding of the next one. */
    m->failed_assertion = assertion;
    restore(m, &here);
    hd_model_machine_select(m, pid);
    /* A rendezvous without a receiver was not executed. */
    return !waits || *ways > before;
}

static void expand_process(hd_model_stepper *s, int pid, size_t depth, int *ways)
{
    hd_model_machine *m = &s->machine;
    hd_model_machine_select(m, pid);
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    int control = hd_model_machine_control(m, pid), escaping = 0;
    bool moved = false;
    bool *reached = s->reached[code->proctype->index];
    reached[control] = true;
    if (code->provided && !hd_model_machine_run(m, code->provided))
        return;
    for (int i = code->first[control]; i < code->first[control + 1]; i++) {
        const hd_promela_transition *t = &code->transitions[i];
        /* An executable escape takes precedence over everything after it. */
        if ((escaping && t->escape != escaping) || s->stopped)
            break;
        reached[t->number] = true;
        /* An else follows the other options of its choice, so by now it is known whether any was
         * executable. */
        if (t->is_else && moved)
            continue;
        /* Under fifo and async a receive has one step per message that it can take. */
        for (int choice = 0; try_move(s, pid, t, choice, depth, ways); choice++) {
            moved = true;
            escaping = t->escape;
            if (t->action != HD_ACTION_RECEIVE)
                break;
        }
    }
}

static bool expand(hd_model_stepper *s, int only, size_t depth, int *ways)
{
    hd_model_machine *m = &s->machine;
    for (int pid = m->shape->processes - 1; pid >= 0 && !s->stopped; pid--)
        if (only < 0 || pid == only)
            expand_process(s, pid, depth, ways);
    return *ways > 0;
}

/* `changed`, `used` and `kept` are about the state given here. */
static void prepare(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, hd_model_visitor *v)
{
    hd_model_machine *m = &s->machine;
    hd_model_machine_load(m, bytes, shape);
    memset(m->changed, 0, sizeof m->changed);
    memset(m->used, 0, sizeof m->used);
    m->kept = shape->components;
    m->timeout = false;
    m->rendezvous = 0;
    m->failed_assertion = 0;
    s->visitor = v;
    s->moves.count = 0;
}

int hd_model_stepper_expand_one(
    hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, int pid, hd_model_visitor *v)
{
    int ways = 0;
    prepare(s, bytes, shape, v);
    expand(s, pid, 0, &ways);
    return ways;
}

/* Promela: timeout is true in a state in which no process can move otherwise. */
int hd_model_stepper_expand_timeout(
    hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, hd_model_visitor *v)
{
    int ways = 0;
    if (!s->machine.program->model->has_timeout || s->stopped)
        return 0;
    prepare(s, bytes, shape, v);
    s->machine.timeout = true;
    expand(s, -1, 0, &ways);
    s->machine.timeout = false;
    return ways;
}

int hd_model_stepper_expand(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, hd_model_visitor *v)
{
    int ways = 0;
    prepare(s, bytes, shape, v);
    expand(s, -1, 0, &ways);
    return ways ? ways : hd_model_stepper_expand_timeout(s, bytes, shape, v);
}

bool hd_model_stepper_valid_end(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape)
{
    hd_model_machine *m = &s->machine;
    hd_model_machine_load(m, bytes, shape);
    for (int pid = 0; pid < shape->processes; pid++)
        if (!hd_model_machine_code(m, pid)->flow->end[hd_model_machine_control(m, pid)])
            return false;
    return true;
}
