#include "model/system.h"

#include "model/atomic.h"

#include <stdlib.h>
#include <string.h>

typedef struct checker {
    hd_model_system *system;
    hd_error *error;
    const hd_promela_code *code; /* being looked at */
    bool is_init;
} checker;

static bool refuse(checker *c, hd_promela_location location, const char *why)
{
    return hd_fail(
        c->error, "%s:%d: %s, so this model cannot be reduced; use --reduce=none", location.file, location.line, why);
}

/* --- what statements may do ---------------------------------------------------------------- */

/* A global that no statement reads influences nothing: it may be written. */
static bool shared_variable(const hd_promela_node *n)
{
    return n->op == HD_N_NAME && n->symbol->kind == HD_SYMBOL_VARIABLE && !n->symbol->owner
        && n->symbol->type != HD_TYPE_CHAN && n->symbol->read;
}

typedef bool node_test(const hd_promela_node *n);

static bool asserts_or_shares(const hd_promela_node *n)
{
    return shared_variable(n) || n->op == HD_S_ASSERT;
}

/* Does the test hold for any node of the statement? */
static bool somewhere(const hd_promela_node *n, node_test *test)
{
    if (!n)
        return false;
    if (test(n))
        return true;
    for (const hd_promela_node *a = n->list; a; a = a->next)
        if (somewhere(a, test))
            return true;
    return somewhere(n->left, test) || somewhere(n->right, test) || somewhere(n->third, test);
}

static bool check_expression(checker *c, const hd_promela_node *n)
{
    if (!n)
        return true;
    switch (n->op) {
    case HD_N_LEN:
    case HD_N_EMPTY:
    case HD_N_NEMPTY:
    case HD_N_FULL:
    case HD_N_NFULL:
    case HD_N_POLL:
        /* Whether a channel is empty depends on how far others have run, which the reductions leave
         * open. */
        return refuse(c, n->location, "a process looks into a channel without receiving");
    case HD_N_TIMEOUT:
        return refuse(c, n->location, "timeout depends on all processes");
    case HD_N_RUN:
        if (!c->is_init)
            return refuse(c, n->location, "a process other than init starts processes");
        break;
    case HD_N_NAME:
        if (n->symbol->kind == HD_SYMBOL_NR_PR || n->symbol->kind == HD_SYMBOL_LAST)
            return refuse(c, n->location, "_nr_pr and _last depend on all processes");
        break;
    default:
        break;
    }
    for (const hd_promela_node *a = n->list; a; a = a->next)
        if (!check_expression(c, a))
            return false;
    return check_expression(c, n->left) && check_expression(c, n->right) && check_expression(c, n->third);
}

/* Then it would not be known beforehand which ports a process uses. */
static bool assigns_channel(const hd_promela_node *n)
{
    if (n->op == HD_S_ASSIGN)
        return n->left->symbol->type == HD_TYPE_CHAN;
    if (n->op == HD_S_RECEIVE)
        for (const hd_promela_node *a = n->list; a; a = a->next)
            if (a->op == HD_N_NAME && a->symbol->type == HD_TYPE_CHAN)
                return true;
    return false;
}

static bool check_statement(checker *c, const hd_promela_element *e)
{
    const hd_promela_node *n = e->node;
    bool communicates = n->op == HD_S_SEND || n->op == HD_S_RECEIVE;
    /* init runs before everything else, so it must not interact. */
    if (communicates && c->is_init)
        return refuse(c, n->location, "init sends or receives");
    if (c->is_init && somewhere(n, asserts_or_shares))
        return refuse(c, n->location, "init asserts or uses a shared variable");
    if (communicates && (e->status & HD_D_STEP))
        return refuse(c, n->location, "there is a send or receive inside d_step");
    if (n->op == HD_S_SEND && n->value)
        return refuse(c, n->location, "a sorted send (!!) does not keep the order of messages");
    if (n->op == HD_S_RECEIVE && n->value)
        return refuse(c, n->location, "?? and ?<> do not receive the first message");
    /* Such an else is executable because a message is missing: the same observation. */
    if (n->op == HD_S_ELSE && n->io_else)
        return refuse(c, n->location, "else is an alternative to sends or receives");
    if (n->op == HD_S_UNLESS)
        return refuse(c, n->location, "unless gives priority to an escape");
    if (assigns_channel(n))
        return refuse(c, n->location, "a channel variable changes, so a port may have several receivers");
    return check_expression(c, n);
}

static bool check_proctype(checker *c)
{
    const hd_promela_proctype *t = c->code->proctype;
    if (t->provided)
        return refuse(c, t->location, "provided depends on all processes");
    for (const hd_promela_element *e = c->system->program->model->elements; e; e = e->older) {
        /* Elements of the proctype, by number or by id: statements inside d_steps are no control states. */
        bool mine = e->number < c->code->flow->count && c->code->flow->elements[e->number] == e;
        bool inside = e->id <= t->body->last->id && e->id > t->body->last->id - t->element_count;
        if ((mine || inside) && e->node->op < HD_S_IF && !check_statement(c, e))
            return false;
        if (mine && e->node->op == HD_S_UNLESS && !check_statement(c, e))
            return false;
    }
    return true;
}

/* --- the start -------------------------------------------------------------------------------- */

typedef struct runner {
    hd_model_visitor visitor;
    hd_model_system *system;
    int ways;
} runner;

/* Follows init's only way. A second way is counted, and refused afterwards. */
static bool keep(hd_model_visitor *v, hd_model_stepper *s)
{
    runner *r = (runner *)v;
    /* Only init's own steps. */
    if (s->moves.items[0].pid != 0)
        return true;
    r->ways++;
    for (size_t i = 0; r->ways == 1 && i < s->moves.count; i++)
        hd_vec_push(&r->system->prologue, s->moves.items[i]);
    if (r->ways == 1) {
        memcpy(r->system->start, s->machine.bytes, s->machine.shape->size);
        r->system->shape = s->machine.shape;
    }
    return true;
}

static bool ignore_fault(hd_model_visitor *v, hd_model_stepper *s)
{
    (void)v, (void)s;
    return true;
}

/* Runs init to its end first. No process can observe that, since init neither communicates nor
 * shares. It must be deterministic. */
static bool run_init(checker *c, hd_model_stepper *stepper)
{
    hd_model_system *s = c->system;
    uint8_t *bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    bool ok = true;
    int pid = -1;
    hd_model_machine_load(&stepper->machine, s->start, s->shape);
    for (int i = 0; i < s->shape->processes; i++)
        if (hd_model_machine_code(&stepper->machine, i)->proctype->is_init)
            pid = i;
    for (int steps = 0; ok && pid >= 0; steps++) {
        runner r = { { keep, ignore_fault }, s, 0 };
        hd_model_machine_load(&stepper->machine, s->start, s->shape);
        int control = hd_model_machine_control(&stepper->machine, pid);
        /* At its end. Its last step is not taken: other processes may be younger. */
        if (hd_model_machine_code(&stepper->machine, pid)->proctype->body->last->number == control)
            break;
        memcpy(bytes, s->start, s->shape->size);
        if (pid != 0)
            ok = hd_fail(c->error, "%s: init must be the first process to reduce this model; use --reduce=none",
                s->program->model->file);
        else
            hd_model_stepper_expand(stepper, bytes, s->shape, &r.visitor);
        if (ok && (r.ways != 1 || steps > 100000))
            ok = refuse(
                c, s->program->model->proctypes.items[0]->location, "init has a choice, or does not come to its end");
    }
    hd_release(&hd_heap, bytes, HD_MODEL_STATE_MOST_BYTES + 1);
    return ok;
}

/* --- ports ------------------------------------------------------------------------------------- */

/* Is the value of the expression the same in all states? */
static bool is_fixed(const hd_promela_node *n)
{
    if (!n || n->op == HD_N_CONST)
        return true;
    if (n->op == HD_N_NAME)
        return (n->symbol->kind == HD_SYMBOL_PID || (n->symbol->owner && !n->symbol->written)) && is_fixed(n->left)
            && !n->right;
    /* Everything else may change. */
    return (n->op == HD_N_UNARY || n->op == HD_N_BINARY) && is_fixed(n->left) && is_fixed(n->right);
}

static bool add_port(checker *c, int number, hd_promela_location location, hd_model_ports *ports)
{
    if (number < 1 || number > HD_MODEL_MOST_PORTS)
        return refuse(c, location, number ? "there are more than 64 channels" : "a channel is not initialised");
    *ports |= 1ull << (number - 1);
    return true;
}

/* All ports that a transition of the selected process may use. If the index varies, these are all
 * of the array's. */
static bool ports_of(checker *c, hd_model_machine *m, const hd_promela_transition *t, hd_model_ports *ports)
{
    const hd_promela_node *n = t->step->element->node, *channel = n->left;
    const hd_promela_symbol *s = channel->symbol;
    if (channel->right)
        return refuse(c, n->location, "a channel is a field of a struct");
    *ports = 0;
    /* A channel that never changes is known from the start state. */
    if (is_fixed(channel->left)) {
        int number = hd_model_machine_run(m, t->channel);
        bool ok = m->fault.kind == HD_MODEL_FAULT_NONE;
        m->fault.kind = HD_MODEL_FAULT_NONE;
        return ok ? add_port(c, number, n->location, ports)
                  : refuse(c, n->location, "a channel's index is out of bounds");
    }
    /* The channels of the array, as they are in the start state: channel variables never change
     * (check_statement). */
    const uint8_t *base = s->owner ? m->self + HD_PROCESS_HEADER : m->bytes;
    for (int i = 0; i < s->count; i++)
        if (!add_port(c, base[s->offset + (uint32_t)i], n->location, ports))
            return false;
    return true;
}

/* A port has one receiver: that is what makes receives of different ports independent. */
static bool note_receiver(checker *c, int pid, hd_model_ports ports, hd_promela_location location)
{
    for (int port = 0; port < c->system->channels; port++) {
        if (!(ports >> port & 1))
            continue;
        if (c->system->receiver[port] >= 0 && c->system->receiver[port] != pid)
            return refuse(c, location, "a channel has several receivers");
        c->system->receiver[port] = pid;
    }
    return true;
}

static bool look_at_transitions(checker *c, hd_model_machine *m, int pid)
{
    hd_model_system *s = c->system;
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    hd_model_machine_select(m, pid);
    s->channel_of[pid] = hd_alloc(&hd_heap, ((size_t)code->transition_count + 1) * sizeof *s->channel_of[pid]);
    for (int i = 0; i < code->transition_count; i++) {
        const hd_promela_transition *t = &code->transitions[i];
        const hd_promela_node *n = t->step->element->node;
        if (t->action != HD_ACTION_SEND && t->action != HD_ACTION_RECEIVE)
            continue;
        if (!ports_of(c, m, t, &s->channel_of[pid][i]))
            return false;
        if (t->action == HD_ACTION_RECEIVE && !note_receiver(c, pid, s->channel_of[pid][i], n->location))
            return false;
        for (int port = 0; t->action == HD_ACTION_SEND && port < s->channels; port++)
            if (s->channel_of[pid][i] >> port & 1)
                s->senders[port] |= 1ull << pid;
    }
    return true;
}

/* reachable(l, T), for all local states and ports at once: the least fixed point over the control
 * flow graph. */
static void close_sends(hd_model_system *s, const hd_model_machine *m, int pid)
{
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    hd_model_ports *sends = hd_alloc(&hd_heap, (size_t)code->flow->count * sizeof *sends);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < code->transition_count; i++) {
            const hd_promela_transition *t = &code->transitions[i];
            /* What the transition sends to, and everything that its target may still send to. */
            hd_model_ports add = sends[t->target] | (t->action == HD_ACTION_SEND ? s->channel_of[pid][i] : 0);
            changed |= (sends[t->source] | add) != sends[t->source];
            sends[t->source] |= add;
        }
    }
    s->sends[pid] = sends;
}

/* The statements of a d_step are one transition, so all of them count. */
static bool somewhere_in_sequence(const hd_promela_sequence *q, node_test *test)
{
    for (const hd_promela_element *e = q->first; e; e = e->next) {
        if (somewhere(e->node, test)
            || (e->node->op == HD_S_BLOCK && somewhere_in_sequence(e->node->options->sequence, test)))
            return true;
        for (const hd_promela_sequences *o = e->options; o; o = o->next)
            if (somewhere_in_sequence(o->sequence, test))
                return true;
        if (e == q->extent)
            break;
    }
    return false;
}

static bool somewhere_in_step(const hd_promela_step *step, node_test *test)
{
    const hd_promela_node *n = step->element->node;
    bool found = somewhere(n, test) || (n->op == HD_S_D_STEP && somewhere_in_sequence(n->options->sequence, test));
    for (int i = 0; i < step->merged_count; i++)
        found |= somewhere(step->merged[i]->node, test);
    return found;
}

static void find_visible(hd_model_system *s)
{
    for (size_t i = 0; i < s->program->model->proctypes.count; i++) {
        const hd_promela_code *code = &s->program->codes[i];
        s->visible[i] = hd_alloc(&hd_heap, (size_t)code->transition_count + 1);
        s->shares[i] = hd_alloc(&hd_heap, (size_t)code->transition_count + 1);
        for (int k = 0; k < code->transition_count; k++) {
            s->visible[i][k] = somewhere_in_step(code->transitions[k].step, asserts_or_shares);
            s->shares[i][k] = somewhere_in_step(code->transitions[k].step, shared_variable);
            s->has_visible |= s->visible[i][k] && !code->proctype->is_init;
        }
    }
}

static bool find_ports(checker *c, hd_model_machine *m)
{
    hd_model_system *s = c->system;
    hd_model_machine_load(m, s->start, s->shape);
    s->processes = s->shape->processes;
    s->channels = s->shape->channels;
    if (s->channels > HD_MODEL_MOST_PORTS || s->processes > HD_MODEL_MOST_SENDERS)
        return hd_fail(c->error,
            "%s: more than %d channels or processes, so this model cannot be reduced; use --reduce=none",
            s->program->model->file, HD_MODEL_MOST_PORTS);
    for (int i = 0; i < HD_MODEL_MOST_PORTS; i++)
        s->receiver[i] = -1;
    s->sends = hd_alloc(&hd_heap, (size_t)(s->processes + 1) * sizeof *s->sends);
    for (int pid = 0; pid < s->processes; pid++)
        if (!look_at_transitions(c, m, pid))
            return false;
    for (int pid = 0; pid < s->processes; pid++) {
        /* All processes' ports are known by now. */
        close_sends(s, m, pid);
        hd_model_atomic_find_uses(s, m, pid);
    }
    /* More than one bit set: several senders. */
    for (int port = 0; port < s->channels; port++)
        if (s->senders[port] & (s->senders[port] - 1))
            s->racy |= 1ull << port;
    return true;
}

static bool check_channels(checker *c)
{
    const hd_promela_program *p = c->system->program;
    for (size_t i = 0; i < p->channel_types.count; i++)
        if (p->channel_types.items[i]->capacity == 0)
            return refuse(c, p->channel_types.items[i]->location, "a rendezvous channel is no port");
    return true;
}

bool hd_model_system_open(hd_model_system *s, const hd_promela_program *program, hd_model_shapes *shapes,
    hd_model_scheme scheme, hd_error *error)
{
    memset(s, 0, sizeof *s);
    s->program = program;
    s->shapes = shapes;
    checker c = { .system = s, .error = error };
    s->start = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    bool ok = check_channels(&c);
    for (size_t i = 0; ok && i < program->model->proctypes.count; i++) {
        c.code = &program->codes[i];
        c.is_init = c.code->proctype->is_init;
        ok = check_proctype(&c);
    }
    find_visible(s);
    hd_model_stepper stepper;
    hd_model_stepper_open(&stepper, program, shapes, scheme);
    stepper.machine.bytes = s->start;
    if (ok && !hd_model_machine_start(&stepper.machine))
        ok = hd_fail(
            error, "%s: %s at the start", program->model->file, hd_model_fault_text(stepper.machine.fault.kind));
    s->shape = stepper.machine.shape;
    ok = ok && run_init(&c, &stepper) && find_ports(&c, &stepper.machine);
    hd_model_stepper_close(&stepper);
    if (!ok)
        hd_model_system_close(s);
    return ok;
}

void hd_model_system_close(hd_model_system *s)
{
    for (int i = 0; i < s->processes; i++) {
        if (s->sends)
            hd_release(&hd_heap, s->sends[i], 0);
        hd_release(&hd_heap, s->channel_of[i], 0);
        hd_release(&hd_heap, s->steps[i], 0);
    }
    for (size_t i = 0; i < s->program->model->proctypes.count; i++) {
        hd_release(&hd_heap, s->visible[i], 0);
        hd_release(&hd_heap, s->shares[i], 0);
    }
    hd_release(&hd_heap, s->sends, 0);
    hd_release(&hd_heap, s->start, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_vec_fini(&s->prologue);
    memset(s->channel_of, 0, sizeof s->channel_of);
    memset(s->steps, 0, sizeof s->steps);
    s->sends = NULL;
    s->start = NULL;
}

/* --- signatures ------------------------------------------------------------------------------------ */

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *hex(hd_arena *arena, const uint8_t *bytes, uint32_t size)
{
    char *text = hd_arena_alloc(arena, 2 * size + 1);
    for (uint32_t i = 0; i < size; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

static char *port_signature(const hd_model_machine *m, int channel, hd_arena *arena)
{
    const hd_promela_channel *type;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    uint32_t size = hd_model_message_size(m, type), tag = size - type->message_size;
    char *messages[256], *text = hd_arena_print(arena, " q%d", channel);
    for (int i = 0; i < c[1]; i++)
        messages[i] = hex(arena, c + HD_CHANNEL_HEADER + (uint32_t)i * size + tag, type->message_size);
    /* The order of messages is not part of the signature. */
    qsort(messages, c[1], sizeof *messages, compare_text);
    for (int i = 0; i < c[1]; i++)
        text = hd_arena_print(arena, "%s,%s", text, messages[i]);
    return text;
}

char *hd_model_state_signature(const hd_model_machine *m, hd_arena *arena)
{
    char *text = hd_arena_print(arena, "%s", "");
    for (int pid = 0; pid < m->shape->processes; pid++) {
        const hd_promela_code *code = hd_model_machine_code(m, pid);
        /* Ended processes are left out, because a search may remove them or leave them at their
         * end. */
        if (code->proctype->body->last->number == hd_model_machine_control(m, pid))
            continue;
        const uint8_t *bytes = m->bytes + m->shape->offsets[m->shape->process_component[pid]];
        text = hd_arena_print(arena, "%s p%d:%s", text, pid, hex(arena, bytes, code->size));
    }
    for (int channel = 1; channel <= m->shape->channels; channel++) {
        const hd_promela_channel *type;
        if (hd_model_machine_channel(m, channel, &type)[1] > 0)
            text = hd_arena_print(arena, "%s%s", text, port_signature(m, channel, arena));
    }
    return hd_arena_print(arena, "%s g%s", text, hex(arena, m->bytes, m->program->model->frame_size));
}
