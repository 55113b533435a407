#include "model/atomic.h"

/* --- one step ---------------------------------------------------------------------------------- */

static hd_model_step_uses uses_of(const hd_model_system *s, int pid, const hd_promela_code *code, int index)
{
    const hd_promela_transition *t = &code->transitions[index];
    hd_model_step_uses u = { .visible = s->visible[code->proctype->index][index], .ends = t->action == HD_ACTION_END };
    if (t->action == HD_ACTION_SEND)
        u.sends = s->channel_of[pid][index];
    if (t->action == HD_ACTION_RECEIVE)
        u.receives = s->channel_of[pid][index];
    return u;
}

/* Adds the uses of what follows in the same step; receives there are later ones. Returns whether
 * anything is new. */
static bool add_rest(hd_model_step_uses *u, const hd_model_step_uses *rest)
{
    hd_model_step_uses before = *u;
    u->sends |= rest->sends;
    u->later_receives |= rest->receives | rest->later_receives;
    u->visible |= rest->visible;
    u->ends |= rest->ends;
    return u->sends != before.sends || u->later_receives != before.later_receives || u->visible != before.visible
        || u->ends != before.ends;
}

void hd_model_atomic_find_uses(hd_model_system *s, const hd_model_machine *m, int pid)
{
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    hd_model_step_uses *uses = hd_alloc(&hd_heap, (size_t)code->flow->count * sizeof *uses);
    for (int i = 0; i < code->transition_count; i++) {
        hd_model_step_uses *u = &uses[code->transitions[i].source], mine = uses_of(s, pid, code, i);
        u->receives |= mine.receives;
        mine.receives = 0;
        add_rest(u, &mine);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < code->transition_count; i++)
            if (code->transitions[i].atomic)
                changed |= add_rest(&uses[code->transitions[i].source], &uses[code->transitions[i].target]);
    }
    s->steps[pid] = uses;
}

/* --- interleaving ------------------------------------------------------------------------------- */

enum { SENT = 1, FIXED = 2 }; /* some run of the sequence arrives here after an L; after an N */

typedef struct sequences {
    const hd_model_system *system;
    hd_model_scheme scheme;
    int pid;
    const hd_promela_code *code;
    uint8_t *behind; /* per control state: SENT, FIXED */
} sequences;

/* Is the transition a non-mover (N)? */
static bool is_fixed(const sequences *q, int index)
{
    const hd_promela_transition *t = &q->code->transitions[index];
    return q->system->shares[q->code->proctype->index][index]
        || (t->action == HD_ACTION_SEND && q->scheme == HD_MODEL_SCHEME_CAUSAL
            && (q->system->channel_of[q->pid][index] & q->system->racy));
}

/* The flags of a run after this transition. */
static uint8_t behind_after(const sequences *q, int index)
{
    const hd_promela_transition *t = &q->code->transitions[index];
    uint8_t own = is_fixed(q, index) ? FIXED : t->action == HD_ACTION_SEND ? SENT : 0;
    return q->behind[t->source] | own;
}

/* The form R* N? L* is violated by an N after an L or another N and, unless a port is one queue, by
 * an R after an L or N. */
static const char *why_not(const sequences *q, int index)
{
    const hd_promela_transition *t = &q->code->transitions[index];
    uint8_t behind = q->behind[t->source];
    if (behind && is_fixed(q, index))
        return t->action == HD_ACTION_SEND
            ? "a send to a channel with several senders comes behind another send or a shared variable in one atomic "
              "sequence"
            : "a shared variable comes behind a send or another shared variable in one atomic sequence";
    if (behind && t->action == HD_ACTION_RECEIVE && q->scheme != HD_MODEL_SCHEME_CAUSAL)
        return "a receive comes behind a send or a shared variable in one atomic sequence, and another message may "
               "overtake";
    return NULL;
}

/* A fixed point over the control flow graph: flags propagate along the transitions of atomic sequences. */
static bool check_process(sequences *q, hd_error *error)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < q->code->transition_count; i++) {
            const hd_promela_transition *t = &q->code->transitions[i];
            uint8_t after = t->atomic ? behind_after(q, i) : 0;
            changed |= (after & ~q->behind[t->target]) != 0;
            q->behind[t->target] |= after;
        }
    }
    for (int i = 0; i < q->code->transition_count; i++) {
        const char *why = why_not(q, i);
        hd_promela_location location = q->code->transitions[i].step->element->node->location;
        if (why)
            return hd_fail(error,
                "%s:%d: %s, so its steps cannot be interleaved with others'; use --reduce=por, which takes the "
                "sequence as one step",
                location.file, location.line, why);
    }
    return true;
}

bool hd_model_atomic_may_interleave(const hd_model_system *s, hd_model_scheme scheme, hd_error *error)
{
    hd_model_machine m;
    bool ok = true;
    hd_model_machine_open(&m, s->program, s->shapes, scheme);
    hd_model_machine_load(&m, s->start, s->shape);
    for (int pid = 0; ok && pid < s->processes; pid++) {
        sequences q = { s, scheme, pid, hd_model_machine_code(&m, pid), NULL };
        if (q.code->proctype->is_init)
            continue;
        q.behind = hd_alloc(&hd_heap, (size_t)q.code->flow->count + 1);
        ok = check_process(&q, error);
        hd_release(&hd_heap, q.behind, (size_t)q.code->flow->count + 1);
    }
    return ok;
}
