/* Builds sequences of elements. Elements are numbered in the order of creation, which must be SPIN's. */
#include "promela/flow.h"
#include "promela/parser_internal.h"

#include <string.h>

hd_promela_sequences *hd_promela_sequences_new(hd_promela_parser *p, hd_promela_sequence *s, hd_promela_sequences *rest)
{
    hd_promela_sequences *list = hd_arena_alloc(&p->model->arena, sizeof *list);
    *list = (hd_promela_sequences) { s, rest };
    return list;
}

/* `body`: declarations in it are still initial values. */
void hd_promela_sequence_open(hd_promela_parser *p, bool body)
{
    hd_promela_sequence *s = hd_arena_alloc(&p->model->arena, sizeof *s);
    p->open = hd_promela_sequences_new(p, s, p->open);
    p->initialising = body;
}

hd_promela_sequence *hd_promela_sequence_close(hd_promela_parser *p, hd_promela_location location)
{
    hd_promela_sequence *s = p->open->sequence;
    p->open = p->open->next;
    /* Joins are appended later: the extent is what the user wrote. */
    s->extent = s->last;
    if (!s->last)
        hd_promela_fail(p, location, "expected at least one statement in this sequence");
    return s;
}

/* --- labels and breaks ---------------------------------------------------------------- */

/* Labels are per proctype; the same name may be used in different blocks. */
static void set_label(
    hd_promela_parser *p, const char *name, int target, hd_promela_scope *scope, hd_promela_element *e)
{
    for (hd_promela_label *l = p->proctype->labels; name && l; l = l->next)
        if (l->name && !strcmp(l->name, name) && l->scope == scope)
            hd_promela_fail(p, e->node->location, "label '%s' is used twice", name);
    hd_promela_label *l = hd_arena_alloc(&p->model->arena, sizeof *l);
    *l = (hd_promela_label) { name, target, scope, e, p->proctype->labels };
    p->proctype->labels = l;
}

void hd_promela_break_push(hd_promela_parser *p)
{
    struct hd_promela_breaks *b = hd_arena_alloc(&p->model->arena, sizeof *b);
    b->target = ++p->break_count;
    b->next = p->breaks;
    p->breaks = b;
}

int hd_promela_break_target(hd_promela_parser *p, hd_promela_location location)
{
    if (!p->breaks)
        hd_promela_fail(p, location, "break is only possible inside do or for");
    return p->breaks->target;
}

/* --- elements ---------------------------------------------------------------------------- */

static hd_promela_element *element_new(hd_promela_parser *p, hd_promela_node *n)
{
    hd_promela_element *e = hd_arena_alloc(&p->model->arena, sizeof *e);
    e->node = n;
    if (p->proctype->element_count > 30000)
        hd_promela_fail(p, n->location, "a proctype of more than 30000 statements");
    e->number = p->proctype->element_count++;
    /* SPIN's transition id; trails refer to it. */
    e->id = p->model->element_ids++;
    e->older = p->model->elements;
    p->model->elements = e;
    return e;
}

static void append(hd_promela_parser *p, hd_promela_element *e, hd_promela_sequence *s);

/* A goto is no control state of its own, so a label that marks states (end, accept, progress) moves
 * to a skip before it. */
static void keep_marked_state(hd_promela_parser *p, hd_promela_element *e, hd_promela_sequence *s)
{
    if (!hd_promela_has_label(p->proctype, e, "end") && !hd_promela_has_label(p->proctype, e, "accept")
        && !hd_promela_has_label(p->proctype, e, "progress"))
        return;
    hd_promela_node *skip = hd_promela_node_new(p, HD_S_EXPRESSION, e->node->location);
    skip->left = hd_promela_constant(p, 1, e->node->location);
    hd_promela_element *before = element_new(p, skip);
    hd_promela_label *l = p->proctype->labels;
    while (l->element != e)
        l = l->next;
    l->element = before;
    append(p, before, s);
}

static void append(hd_promela_parser *p, hd_promela_element *e, hd_promela_sequence *s)
{
    if (e->node->op == HD_S_GOTO)
        keep_marked_state(p, e, s);
    if (!s->first)
        s->first = e;
    else
        s->last->next = e;
    s->last = e;
}

/* An else beside such a guard depends on other processes: it is never merged or reduced. */
static bool refers_to_channels(const hd_promela_node *n)
{
    if (!n)
        return false;
    return n->op == HD_S_SEND || n->op == HD_S_RECEIVE || n->op == HD_N_FULL || n->op == HD_N_NFULL
        || n->op == HD_N_EMPTY || n->op == HD_N_NEMPTY || refers_to_channels(n->left) || refers_to_channels(n->right);
}

/* Moves `else` to the end of the options; there may be only one. It is tried after all others. */
static hd_promela_sequences *else_last(hd_promela_parser *p, hd_promela_sequences *options)
{
    hd_promela_sequences *found = NULL, **link = &options;
    bool io = false;
    while (*link) {
        hd_promela_node *guard = (*link)->sequence->first->node;
        if (guard->op == HD_S_ELSE && found)
            hd_promela_fail(p, guard->location, "a second else: expected at most one");
        if (guard->op == HD_S_ELSE) {
            found = *link;
            *link = found->next;
        } else {
            io |= refers_to_channels(guard);
            link = &(*link)->next;
        }
    }
    if (found) {
        found->sequence->first->node->io_else = io;
        found->next = NULL;
        *link = found;
    }
    return options;
}

static hd_promela_node *plain(hd_promela_parser *p, hd_promela_op op, hd_promela_location location)
{
    return hd_promela_node_new(p, op, location);
}

static hd_promela_element *add_choice(hd_promela_parser *p, hd_promela_node *n)
{
    hd_promela_sequence *here = p->open->sequence;
    hd_promela_element *e = element_new(p, n);
    /* SPIN creates the choice, then its join: the numbers must be the same. */
    hd_promela_element *join = element_new(p, plain(p, HD_S_JOIN, n->location));
    n->options = else_last(p, n->options);
    e->options = n->options;
    for (hd_promela_sequences *o = e->options; o; o = o->next)
        /* One join for all options. */
        append(p, join, o->sequence);
    /* A loop's join leads back to its start, and a break target follows the loop. */
    if (n->op == HD_S_DO) {
        append(p, join, here);
        join = element_new(p, plain(p, HD_S_BREAK_TARGET, n->location));
        set_label(p, NULL, p->breaks->target, NULL, join);
        p->breaks = p->breaks->next;
    }
    append(p, e, here);
    append(p, join, here);
    return e;
}

/* --- unless ---------------------------------------------------------------------------------- */

static void attach_escape(hd_promela_parser *p, hd_promela_sequence *to, hd_promela_sequence *escape);

static void attach_to(hd_promela_parser *p, hd_promela_element *e, hd_promela_sequence *escape)
{
    /* An escape is attached once, and to the escapes that are there already: an outer `unless`
     * interrupts inner ones. */
    for (hd_promela_sequences *x = e->escapes; x; x = x->next)
        if (x->sequence == escape)
            return;
    for (hd_promela_sequences *x = e->escapes; x; x = x->next)
        attach_escape(p, x->sequence, escape);
    e->escapes = hd_promela_sequences_new(p, escape, e->escapes);
    switch (e->node->op) {
    case HD_S_UNLESS:
        attach_escape(p, e->options->sequence, escape);
        break;
    case HD_S_IF:
    case HD_S_DO:
        for (hd_promela_sequences *o = e->options; o; o = o->next)
            attach_escape(p, o->sequence, escape);
        break;
    case HD_S_D_STEP:
        attach_to(p, e->node->options->sequence->first, escape);
        break;
    case HD_S_ATOMIC:
    case HD_S_BLOCK:
        attach_escape(p, e->node->options->sequence, escape);
        break;
    default:
        break;
    }
}

static void attach_escape(hd_promela_parser *p, hd_promela_sequence *to, hd_promela_sequence *escape)
{
    for (hd_promela_element *e = to->first; e; e = e->next) {
        attach_to(p, e, escape);
        if (e == to->extent)
            break;
    }
}

static hd_promela_element *add_unless(hd_promela_parser *p, hd_promela_node *n)
{
    hd_promela_sequence *here = p->open->sequence;
    hd_promela_element *e = element_new(p, n);
    hd_promela_element *join = element_new(p, plain(p, HD_S_JOIN, n->location));
    e->options = n->options;
    for (hd_promela_sequences *o = e->options; o; o = o->next)
        append(p, join, o->sequence);
    attach_escape(p, e->options->sequence, e->options->next->sequence);
    append(p, e, here);
    append(p, join, here);
    return e;
}

/* `unless` has a sequence on both sides, also where the user wrote one statement. */
static hd_promela_sequences *as_sequence(hd_promela_parser *p, hd_promela_node *n)
{
    if (n->op == HD_S_BLOCK)
        return n->options;
    hd_promela_sequence_open(p, false);
    hd_promela_sequence_add(p, n);
    return hd_promela_sequences_new(p, hd_promela_sequence_close(p, n->location), NULL);
}

/* `label: { … } unless …` keeps its label outside: the block is wrapped in another one. */
static hd_promela_node *unless_labelled(
    hd_promela_parser *p, hd_promela_node *normal, hd_promela_sequences *escape, hd_promela_node *n)
{
    hd_promela_node *inner = normal->left;
    inner->options->next = escape;
    n->options = inner->options;
    hd_promela_sequence_open(p, false);
    hd_promela_sequence_add(p, n);
    hd_promela_node *wrapped = plain(p, inner->op, normal->location);
    wrapped->options = hd_promela_sequences_new(p, hd_promela_sequence_close(p, normal->location), NULL);
    hd_promela_node *labelled = plain(p, HD_S_LABELLED, normal->location);
    labelled->label = normal->label;
    labelled->scope = normal->scope;
    labelled->left = wrapped;
    return labelled;
}

hd_promela_node *hd_promela_unless(hd_promela_parser *p, hd_promela_node *normal, hd_promela_node *escape)
{
    hd_promela_node *n = plain(p, HD_S_UNLESS, normal->location);
    if (p->d_step_depth)
        hd_promela_fail(p, n->location, "unless cannot be used inside d_step");
    p->model->has_unless = true;
    hd_promela_sequences *escapes = as_sequence(p, escape);
    if (normal->op == HD_S_LABELLED
        && (normal->left->op == HD_S_BLOCK || normal->left->op == HD_S_ATOMIC || normal->left->op == HD_S_D_STEP))
        return unless_labelled(p, normal, escapes, n);
    hd_promela_sequences *both = as_sequence(p, normal);
    both->next = escapes;
    n->options = both;
    return n;
}

/* --- adding statements --------------------------------------------------------------------------- */

/* A label belongs to the element of the statement behind it. *placed: the statement has put itself
 * into the sequence. */
static hd_promela_element *add_labelled(hd_promela_parser *p, hd_promela_node *n, bool *placed)
{
    *placed = false;
    switch (n->op) {
    case HD_S_LABELLED: {
        hd_promela_element *e = add_labelled(p, n->left, placed);
        set_label(p, n->label, 0, n->scope, e);
        return e;
    }
    case HD_S_IF:
    case HD_S_DO:
        *placed = true;
        return add_choice(p, n);
    case HD_S_UNLESS:
        *placed = true;
        return add_unless(p, n);
    default:
        return element_new(p, n);
    }
}

void hd_promela_sequence_add(hd_promela_parser *p, hd_promela_node *statement)
{
    bool placed;
    hd_promela_element *e = add_labelled(p, statement, &placed);
    if (!placed)
        append(p, e, p->open->sequence);
}

static bool is_skip(const hd_promela_node *n)
{
    return n->op == HD_S_PRINT || (n->op == HD_S_EXPRESSION && n->left->op == HD_N_CONST && n->left->value == 1);
}

/* Of several skips in a row one is kept, as in SPIN, unless a label marks it. */
static void drop_skips(hd_promela_parser *p, hd_promela_sequence *s)
{
    hd_promela_element *before = NULL;
    int run = 0;
    for (hd_promela_element *e = s->first; e; before = e, e = e->next) {
        if (!is_skip(e->node) || hd_promela_has_label(p->proctype, e, "")) {
            run = 0;
        } else if (++run > 1 && e->node->op != HD_S_PRINT && e != s->last && e != s->extent) {
            before->next = e->next;
            e = before;
        }
    }
}

void hd_promela_drop_redundant_skips(hd_promela_parser *p, hd_promela_node *choice)
{
    for (hd_promela_sequences *o = choice->options; o; o = o->next)
        drop_skips(p, o->sequence);
}

/* --- atomicity ------------------------------------------------------------------------------------ */

static void mark_atomic(hd_promela_element *from, hd_promela_element *to, unsigned also)
{
    for (hd_promela_element *e = from;; e = e->next) {
        e->status |= HD_ATOMIC | also;
        hd_promela_op op = e->node->op;
        if (op == HD_S_ATOMIC || op == HD_S_BLOCK || (op == HD_S_D_STEP && also)) {
            /* Nested atomic sequences are plain blocks inside the outer one. */
            e->node->op = HD_S_BLOCK;
            mark_atomic(e->node->options->sequence->first, e->node->options->sequence->last, also);
        }
        for (hd_promela_sequences *o = e->options; o; o = o->next)
            mark_atomic(o->sequence->first, o->sequence->last, also);
        if (e == to)
            return;
    }
}

void hd_promela_make_atomic(hd_promela_sequence *s, unsigned also)
{
    mark_atomic(s->first, s->last, also);
    hd_promela_element *e = s->last;
    if (e->node->op == HD_S_BLOCK || e->node->op == HD_S_ATOMIC)
        hd_promela_make_atomic(e->node->options->sequence, also);
    /* After the last statement of an atomic sequence the process gives up control. */
    else if (e->node->op == HD_S_UNLESS)
        hd_promela_make_atomic(e->options->sequence, also);
    else
        e->status = (e->status & ~(unsigned)HD_ATOMIC) | HD_LAST_ATOMIC;
}
