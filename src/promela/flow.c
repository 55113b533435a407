/* Computes the steps out of every control state (promela/flow.h), as SPIN's code generator does. */
#include "promela/flow.h"

#include <string.h>

enum { LONGEST_HUNT = 500 };

bool hd_promela_has_label(const hd_promela_proctype *t, const hd_promela_element *e, const char *prefix)
{
    for (const hd_promela_label *l = t->labels; l; l = l->next)
        if (l->element == e && (l->name ? !strncmp(l->name, prefix, strlen(prefix)) : !*prefix))
            return true;
    return false;
}

/* An inner block may use labels of the blocks around it. */
static bool encloses(const hd_promela_scope *outer, const hd_promela_scope *inner)
{
    for (; inner; inner = inner->parent)
        if (inner == outer)
            return true;
    return false;
}

/* Resolves a label: in the goto's own block, else in an enclosing one, else anywhere in the proctype. */
hd_promela_element *hd_promela_goto_target(const hd_promela_proctype *t, const hd_promela_node *n)
{
    hd_promela_element *around = NULL, *any = NULL;
    for (const hd_promela_label *l = t->labels; l; l = l->next) {
        if (n->break_target) {
            if (l->break_target == n->break_target)
                return l->element;
        } else if (l->name && !strcmp(l->name, n->label)) {
            if (l->scope == n->scope)
                return l->element;
            if (encloses(l->scope, n->scope))
                around = l->element;
            any = any ? any : l->element;
        }
    }
    return around ? around : any;
}

hd_promela_element *hd_promela_hunt(const hd_promela_proctype *t, hd_promela_element *e, unsigned status, int stop_at)
{
    /* A cycle of gotos without a statement would never end. */
    for (int steps = 0; steps < LONGEST_HUNT; steps++) {
        hd_promela_element *to;
        if (e->number == stop_at)
            return e;
        if (e->node->op == HD_S_GOTO)
            to = hd_promela_goto_target(t, e->node);
        else if (e->node->op == HD_S_JOIN || e->node->op == HD_S_BREAK_TARGET)
            to = e->next;
        else if (e->node->op == HD_S_UNLESS)
            to = hd_promela_hunt(t, e->options->sequence->first, status, stop_at);
        else
            return e;
        if (!to)
            return e;
        /* Going on would leave the atomic sequence: the process gives up control here. */
        if ((status & HD_ATOMIC) && !(to->status & HD_ATOMIC))
            return e;
        e = to;
    }
    return NULL;
}

/* As hd_promela_hunt for the first statement of an option: gotos there are steps of their own. */
hd_promela_element *hd_promela_hunt_start(hd_promela_element *e)
{
    for (hd_promela_element *before = NULL; before != e;) {
        before = e;
        if (e->node->op == HD_S_JOIN && e->next)
            e = e->next;
        else if (e->node->op == HD_S_UNLESS)
            e = e->options->sequence->first;
    }
    return e;
}

/* --- checks ------------------------------------------------------------------------------ */

/* Elements get their ids proctype by proctype, so the first one whose last id is not smaller is the
 * owner. */
static const hd_promela_proctype *owner_of(const hd_promela_model *m, int id)
{
    for (size_t i = 0; i < m->proctypes.count; i++)
        if (m->proctypes.items[i]->body->last->id >= id)
            return m->proctypes.items[i];
    for (size_t i = 0; i < m->claims.count; i++) /* claims are parsed after all proctypes */
        if (m->claims.items[i].never && m->claims.items[i].never->body->last->id >= id)
            return m->claims.items[i].never;
    return m->proctypes.items[0];
}

static bool check_goto(const hd_promela_proctype *t, hd_promela_element *e, hd_error *error)
{
    hd_promela_location location = e->node->location;
    hd_promela_element *to = hd_promela_goto_target(t, e->node);
    if (!to)
        return hd_fail(error, "%s:%d:%d: there is no label '%s' in this proctype", location.file, location.line,
            location.column, e->node->label);
    if (to->node->in_d_step != e->node->in_d_step)
        return hd_fail(error, "%s:%d:%d: a jump into or out of d_step; expected its target in the same d_step",
            location.file, location.line, location.column);
    if (!hd_promela_hunt(t, e, 0, -1))
        return hd_fail(error, "%s:%d:%d: this jump leads back to itself without doing anything", location.file,
            location.line, location.column);
    return true;
}

/* Links the last element of a block to what follows the block. */
static void tie_loose_end(hd_promela_element *e)
{
    hd_promela_element *to = e->next;
    while (to && to->node->op == HD_S_JOIN)
        to = to->next;
    if (!e->node->options->sequence->last->next)
        e->node->options->sequence->last->next = to;
}

bool hd_promela_resolve_gotos(hd_promela_model *m, hd_error *error)
{
    for (hd_promela_element *e = m->elements; e; e = e->older)
        if (e->next && (e->node->op == HD_S_ATOMIC || e->node->op == HD_S_BLOCK || e->node->op == HD_S_D_STEP))
            tie_loose_end(e);
    for (hd_promela_element *e = m->elements; e; e = e->older)
        if (e->node->op == HD_S_GOTO && !check_goto(owner_of(m, e->id), e, error))
            return false;
    return true;
}

/* --- steps --------------------------------------------------------------------------------- */

typedef struct flow_maker {
    hd_promela_model *model;
    hd_promela_proctype *proctype;
    hd_promela_flow *flow;
    int **choices; /* per compound state: where its options start, ended by 0 */
    bool *done;
} flow_maker;

static hd_promela_step *step_new(flow_maker *f, hd_promela_element *e, int target, bool atomic)
{
    hd_promela_step *s = hd_arena_alloc(&f->model->arena, sizeof *s);
    *s = (hd_promela_step) { .element = e, .target = target, .atomic = atomic };
    return s;
}

/* The next control state; NULL: the process is gone. */
static hd_promela_element *after(flow_maker *f, hd_promela_element *e)
{
    if (e->node->op == HD_S_GOTO)
        return hd_promela_hunt(f->proctype, hd_promela_goto_target(f->proctype, e->node), e->status, -1);
    return e->next ? hd_promela_hunt(f->proctype, e->next, e->status, -1) : NULL;
}

/* Merging follows the text; a goto inside a chain is followed up to the end of the chain. */
static hd_promela_element *next_merged(flow_maker *f, hd_promela_element *e, int target)
{
    if (e->node->op != HD_S_GOTO)
        return e->next;
    hd_promela_element *to = hd_promela_goto_target(f->proctype, e->node);
    return to->number == target ? to : hd_promela_hunt(f->proctype, to, e->status, target);
}

/* Appends the merged elements to a step, up to control state `target`. */
static void merge_on(flow_maker *f, hd_promela_step *s, int target)
{
    hd_promela_element *chain[4096];
    int count = 0;
    for (hd_promela_element *e = next_merged(f, s->element, target); e && e->number != target && count < 4096;
         e = next_merged(f, e, target)) {
        if (!e->merge && !e->merge_single)
            break;
        chain[count++] = e;
        /* The last merged statement decides whether the process keeps control. */
        s->atomic = (e->status & HD_ATOMIC) != 0;
    }
    s->merged_count = count;
    s->merged = hd_arena_alloc(&f->model->arena, ((size_t)count + 1) * sizeof *s->merged);
    memcpy(s->merged, chain, (size_t)count * sizeof *chain);
    s->target = target;
}

/* Statements that do nothing: SPIN does not list them as unreached. */
static bool is_generic(const hd_promela_element *e)
{
    hd_promela_op op = e->node->op;
    return op == HD_S_ELSE || op == HD_S_JOIN || op == HD_S_GOTO || op == HD_S_BREAK_TARGET
        || (op == HD_S_EXPRESSION && e->node->left->op == HD_N_CONST && e->node->left->value == 1);
}

static void put_escapes(flow_maker *f, hd_promela_element *e);

static void put_basic(flow_maker *f, hd_promela_element *e)
{
    hd_promela_element *to = after(f, e);
    hd_promela_step *s = step_new(f, e, to ? to->number : 0, (e->status & HD_ATOMIC) != 0);
    /* Where the chain that begins here ends; 0: the statement is a step by itself. */
    int target = e->merge_start ? e->merge_start : e->merge;
    if (target)
        merge_on(f, s, target);
    else if (is_generic(e))
        f->flow->skippable[e->number] = true;
    /* A state in the middle of a merged chain has no steps of its own. */
    bool reachable = target || is_generic(e) || e->incoming > 0 || !f->proctype->merged;
    if (reachable)
        f->flow->steps[e->number] = s;
    if (target && to && to->number != target)
        f->flow->skippable[to->number] = true;
    put_escapes(f, e);
}

static void put_sequence(flow_maker *f, hd_promela_sequence *s);

static void put_options(flow_maker *f, hd_promela_element *e)
{
    int count = 0;
    for (hd_promela_sequences *o = e->options; o; o = o->next)
        count++;
    int *starts = hd_arena_alloc(&f->model->arena, ((size_t)count + 1) * sizeof *starts);
    count = 0;
    for (hd_promela_sequences *o = e->options; o; o = o->next) {
        f->flow->skippable[o->sequence->first->number] = true;
        hd_promela_element *start = hd_promela_hunt_start(o->sequence->first);
        /* As in analyse.c: both must see the same edges. */
        bool never = start->node->op == HD_S_EXPRESSION && start->node->left->op == HD_N_CONST
            && start->node->left->value == 0 && !start->escapes;
        if (!never)
            starts[count++] = start->number;
    }
    f->choices[e->number] = starts;
    for (hd_promela_sequences *o = e->options; o; o = o->next)
        put_sequence(f, o->sequence);
}

/* A goto that leaves its atomic sequence gives up control; one that stays inside an atomic sequence
 * keeps it. */
static void patch_gotos(flow_maker *f, hd_promela_sequence *s)
{
    for (hd_promela_element *e = s->first; e; e = e->next) {
        if (e->node->op == HD_S_GOTO) {
            bool inside = hd_promela_goto_target(f->proctype, e->node)->status & (HD_ATOMIC | HD_LAST_ATOMIC);
            if ((e->status & (HD_ATOMIC | HD_LAST_ATOMIC)) && !inside)
                e->status = (e->status & ~(unsigned)HD_ATOMIC) | HD_LAST_ATOMIC;
            if ((e->status & HD_LAST_ATOMIC) && inside)
                e->status = (e->status & ~(unsigned)HD_LAST_ATOMIC) | HD_ATOMIC;
        } else {
            for (hd_promela_sequences *o = e->options; o; o = o->next)
                patch_gotos(f, o->sequence);
        }
        if (e == s->extent)
            break;
    }
}

/* The statements inside a d_step are no states, so coverage does not ask for them. */
static void skip_inside(flow_maker *f, hd_promela_sequence *s)
{
    for (hd_promela_element *e = s->first; e; e = e->next) {
        f->flow->skippable[e->number] = true;
        for (hd_promela_sequences *o = e->options; o; o = o->next)
            skip_inside(f, o->sequence);
        if (e->node->op == HD_S_BLOCK)
            skip_inside(f, e->node->options->sequence);
        if (e == s->extent)
            break;
    }
}

static void put_block(flow_maker *f, hd_promela_element *e)
{
    hd_promela_sequence *s = e->node->options->sequence;
    patch_gotos(f, s);
    f->flow->skippable[s->first->number] = true;
    /* The block ends where the block as a whole ends. */
    s->last->next = e->next;
    if (e->node->op == HD_S_D_STEP) {
        hd_promela_element *to = e->next ? hd_promela_hunt(f->proctype, e->next, e->status, -1) : NULL;
        skip_inside(f, s);
        f->flow->steps[e->number] = step_new(f, e, to ? to->number : 0, (e->status & HD_ATOMIC) != 0);
        put_escapes(f, e);
        return;
    }
    int *starts = hd_arena_alloc(&f->model->arena, 2 * sizeof *starts);
    starts[0] = hd_promela_hunt_start(s->first)->number;
    /* A block is a choice with one option: entering it is no step. */
    f->choices[e->number] = starts;
    put_sequence(f, s);
}

static void put_element(flow_maker *f, hd_promela_element *e)
{
    f->flow->elements[e->number] = e;
    hd_promela_op op = e->node->op;
    if (op == HD_S_UNLESS)
        put_sequence(f, e->options->sequence);
    else if (e->options)
        put_options(f, e);
    else if (op == HD_S_ATOMIC || op == HD_S_D_STEP || op == HD_S_BLOCK)
        put_block(f, e);
    else
        put_basic(f, e);
}

static void put_sequence(flow_maker *f, hd_promela_sequence *s)
{
    for (hd_promela_element *e = s->first; e; e = e->next) {
        /* Joins are shared by all options of a choice. */
        if (!f->done[e->number]) {
            f->done[e->number] = true;
            put_element(f, e);
        }
        if (e == s->last)
            break;
    }
}

/* Control states of escapes are entered by the escape's first step, so coverage does not ask for
 * them. */
static void put_escapes(flow_maker *f, hd_promela_element *e)
{
    if (e->node->op == HD_S_JOIN)
        return;
    for (hd_promela_sequences *x = e->escapes; x; x = x->next) {
        int start = hd_promela_hunt(f->proctype, x->sequence->first, e->status, -1)->number;
        f->flow->skippable[start] = true;
        put_sequence(f, x->sequence);
    }
}

/* --- choices become lists of steps ------------------------------------------------------------ */

static hd_promela_step *copy_step(flow_maker *f, const hd_promela_step *s)
{
    hd_promela_step *c = hd_arena_alloc(&f->model->arena, sizeof *c);
    *c = *s;
    c->next = NULL;
    return c;
}

/* A state passes the marks of its labels on to another one that stands for it. */
static void pass_marks_on(flow_maker *f, int from, int to)
{
    f->flow->end[to] |= f->flow->end[from];
    f->flow->accept[to] |= f->flow->accept[from];
    f->flow->progress[to] |= f->flow->progress[from];
}

static void pass_on(flow_maker *f, int through, int choice, const hd_promela_step *s)
{
    pass_marks_on(f, through, s->target);
    f->flow->stands_for[choice] = s->target;
}

/* Appends the steps of the option that starts at `start`; nested choices are flattened. */
static hd_promela_step **lift(flow_maker *f, int choice, int start, hd_promela_step **tail, int depth)
{
    /* A choice inside a choice: its options become options of the outer one. */
    if (f->choices[start] && depth < 200) {
        for (int *inner = f->choices[start]; *inner; inner++) {
            pass_marks_on(f, start, *inner);
            f->flow->stands_for[choice] = *inner;
            tail = lift(f, choice, *inner, tail, depth + 1);
        }
        return tail;
    }
    const hd_promela_step *s = f->flow->steps[start];
    if (!s || f->choices[start])
        return tail;
    *tail = copy_step(f, s);
    f->flow->skippable[start] = true;
    pass_on(f, start, choice, *tail);
    return &(*tail)->next;
}

static void lift_choices(flow_maker *f)
{
    /* In a list of their own first: lifting reads the steps of inner choices as they were. */
    hd_promela_step **lists = hd_arena_alloc(&f->model->arena, (size_t)f->flow->count * sizeof *lists);
    for (int i = 1; i < f->flow->count; i++) {
        hd_promela_step **tail = &lists[i];
        for (int *start = f->choices[i]; start && *start; start++)
            tail = lift(f, i, *start, tail, 0);
    }
    for (int i = 1; i < f->flow->count; i++)
        if (f->choices[i])
            f->flow->steps[i] = lists[i];
}

static bool is_there(const hd_promela_step *list, const hd_promela_element *e)
{
    for (; list; list = list->next)
        if (list->element == e)
            return true;
    return false;
}

static void prepend_escape(flow_maker *f, int state, int to)
{
    for (hd_promela_step *s = f->flow->steps[to]; s; s = s->next) {
        /* Several options may share an escape. */
        if (is_there(f->flow->steps[state], s->element))
            continue;
        hd_promela_step *copy = copy_step(f, s);
        copy->escape = to;
        copy->next = f->flow->steps[state];
        f->flow->steps[state] = copy;
    }
}

/* Adds the escapes of a step's element, outermost first, so that the innermost comes first in the
 * list: it has priority. */
static void add_escapes(flow_maker *f, int state, const hd_promela_step *s)
{
    int starts[64], count = 0;
    if (s->element->node->op == HD_S_JOIN)
        return;
    for (hd_promela_sequences *x = s->element->escapes; x && count < 64; x = x->next)
        starts[count++] = hd_promela_hunt(f->proctype, x->sequence->first, s->element->status, -1)->number;
    while (count > 0)
        prepend_escape(f, state, starts[--count]);
}

static void set_marks(flow_maker *f)
{
    for (const hd_promela_label *l = f->proctype->labels; l; l = l->next) {
        const char *name = l->name ? l->name : "";
        f->flow->end[l->element->number] |= !strncmp(name, "end", 3);
        f->flow->accept[l->element->number] |= !strncmp(name, "accept", 6);
        f->flow->progress[l->element->number] |= !strncmp(name, "progress", 8);
    }
    /* The closing brace is always a valid end. */
    f->flow->end[f->proctype->body->last->number] = true;
}

/* A process at a join is at the statement behind it. */
static void pass_marks_through_joins(flow_maker *f)
{
    for (int i = 1; i < f->flow->count; i++) {
        hd_promela_step *s = f->flow->steps[i];
        if (s && !s->next && s->element->node->op == HD_S_JOIN)
            pass_marks_on(f, i, s->target);
    }
}

hd_promela_flow *hd_promela_flow_of(hd_promela_model *m, hd_promela_proctype *t)
{
    hd_arena *a = &m->arena;
    size_t count = (size_t)t->element_count;
    hd_promela_flow *flow = hd_arena_alloc(a, sizeof *flow);
    *flow = (hd_promela_flow) { .steps = hd_arena_alloc(a, count * sizeof *flow->steps),
        .elements = hd_arena_alloc(a, count * sizeof *flow->elements),
        .skippable = hd_arena_alloc(a, count * sizeof *flow->skippable),
        .stands_for = hd_arena_alloc(a, count * sizeof *flow->stands_for),
        .end = hd_arena_alloc(a, count * sizeof *flow->end),
        .accept = hd_arena_alloc(a, count * sizeof *flow->accept),
        .progress = hd_arena_alloc(a, count * sizeof *flow->progress),
        .count = t->element_count };
    /* Steps first, then marks, which choices pass on to the states that stand for them; escapes
     * last, because they are put before whatever a state has. */
    flow_maker f = { m, t, flow, hd_arena_alloc(a, count * sizeof *f.choices), hd_arena_alloc(a, count) };
    put_sequence(&f, t->body);
    set_marks(&f);
    lift_choices(&f);
    if (m->has_unless)
        for (int i = 1; i < flow->count; i++)
            for (hd_promela_step *s = flow->steps[i]; s; s = s->next)
                add_escapes(&f, i, s);
    pass_marks_through_joins(&f);
    flow->start = hd_promela_hunt(t, t->body->first, t->body->first->status, -1)->number;
    return flow;
}
