#include "dpor/wakeup.h"

#include <string.h>

void hd_wakeup_init(hd_wakeup_trees *t, hd_memory *memory)
{
    *t = (hd_wakeup_trees) { 0 };
    t->nodes.memory = t->steps.memory = t->released.memory = memory;
    hd_vec_push(&t->nodes, ((hd_wakeup_node) { 0 }));
    hd_vec_push(&t->steps, ((hd_wakeup_step) { 0 }));
}

static void release_ops(hd_wakeup_trees *t, hd_wakeup_step *step)
{
    hd_release(t->nodes.memory, step->ops, step->ops ? step->op_count * sizeof *step->ops : 0);
    step->ops = NULL;
}

void hd_wakeup_fini(hd_wakeup_trees *t)
{
    for (size_t i = 0; i < t->nodes.count; i++)
        release_ops(t, &t->steps.items[i]);
    hd_vec_fini(&t->nodes);
    hd_vec_fini(&t->steps);
    hd_vec_fini(&t->released);
}

static uint32_t new_node(hd_wakeup_trees *t)
{
    uint32_t node = t->unused;
    if (!node) {
        hd_vec_add(&t->nodes);
        hd_vec_add(&t->steps);
        return (uint32_t)t->nodes.count - 1;
    }
    t->unused = t->nodes.items[node].sibling;
    return node;
}

static void set_ops(hd_wakeup_trees *t, hd_wakeup_step *what, const hd_sleeper *step)
{
    what->op_count = step->op_count;
    what->ops = NULL;
    if (step->op_count > 1)
        what->ops = hd_alloc(t->nodes.memory, step->op_count * sizeof *what->ops);
    memcpy(what->ops ? what->ops : &what->op, step->ops, step->op_count * sizeof what->op);
}

uint32_t hd_wakeup_add(hd_wakeup_trees *t, const hd_wakeup_node *node, const hd_sleeper *step)
{
    uint32_t added = new_node(t);
    t->nodes.items[added] = *node;
    t->steps.items[added] = (hd_wakeup_step) { 0 };
    set_ops(t, &t->steps.items[added], step);
    return added;
}

void hd_wakeup_release(hd_wakeup_trees *t, uint32_t node)
{
    hd_wakeup_step *step = &t->steps.items[node];
    if (step->inputs)
        hd_vec_push(&t->released, step->inputs);
    if (step->ops)
        release_ops(t, step);
    step->when = step->condition = 0;
    t->nodes.items[node].sibling = t->unused;
    t->unused = node;
}

static void drop_branch(hd_wakeup_trees *t, uint32_t *root)
{
    uint32_t node = hd_wakeup_take(t, root);
    hd_wakeup_drop(t, &t->nodes.items[node].child);
    hd_wakeup_release(t, node);
}

void hd_wakeup_drop_first(hd_wakeup_trees *t, uint32_t *root)
{
    uint32_t *alone = root; /* the subtree that belongs to the first sequence alone */
    for (uint32_t *link = &t->nodes.items[*root].child; *link; link = &t->nodes.items[*link].child)
        if (t->nodes.items[*link].sibling)
            alone = link;
    drop_branch(t, alone);
}

void hd_wakeup_drop(hd_wakeup_trees *t, uint32_t *root)
{
    while (*root)
        drop_branch(t, root);
}

uint32_t hd_wakeup_take(hd_wakeup_trees *t, uint32_t *root)
{
    uint32_t node = *root;
    *root = t->nodes.items[node].sibling;
    return node;
}

void hd_wakeup_put_back(hd_wakeup_trees *t, uint32_t *root, uint32_t node)
{
    while (t->nodes.items[node].unknown && *root)
        root = &t->nodes.items[*root].sibling;
    t->nodes.items[node].sibling = *root;
    *root = node;
}

void hd_wakeup_note(hd_wakeup_reasons *r, const hd_sequence *s, hd_initial at, uint32_t position)
{
    position = position == s->end ? s->last.position : position;
    if (at == HD_WEAK_INITIAL)
        r->beside = true;
    else if (position > r->position)
        r->position = position;
}

/* --- inserting -------------------------------------------------------------------- */

/* A sequence that is being inserted. It has followed the tree down to `parent`; its rest continues from there. */
typedef struct insertion {
    hd_sequence *sequence;
    uint32_t parent; /* 0: still at the root */
    uint32_t sibling; /* the last branch below the parent; 0: there is none */
    bool doubtful; /* it was compared with an inexact step */
    uint64_t way; /* the path up to here */
    bool strays; /* it followed a step whose path is not known to it */
    hd_wakeup_reasons *reasons;
} insertion;

/* Sets the path that leads to the node's step. */
static void lead_to(hd_wakeup_trees *t, uint32_t node, uint64_t way)
{
    t->steps.items[node].from = way;
    t->nodes.items[node].led = way != 0;
}

static uint32_t add_step(hd_wakeup_trees *t, const insertion *in, uint32_t position, uint32_t child)
{
    const hd_sequence *s = in->sequence;
    hd_sleeper step = hd_sequence_step(s, position);
    uint32_t node = new_node(t);
    t->nodes.items[node] = (hd_wakeup_node) { .thread = step.thread,
        .choice = step.choice,
        .inexact = position == s->end && s->last.inexact,
        .doubtful = in->doubtful,
        .turned = position == s->end || (s->path && hd_path_turns(s->path, position + 1)),
        .unknown = hd_sequence_is_unknown(s, position),
        .child = child };
    hd_wakeup_step *what = &t->steps.items[node];
    what->inputs = t->inputs;
    what->way = what->from = what->when = what->condition = 0;
    if (s->path) {
        what->way = hd_sequence_way(s, position);
        what->when = hd_sequence_when(s, position);
        what->condition = hd_sequence_condition(s, position);
    }
    set_ops(t, what, &step);
    if (child)
        lead_to(t, child, what->way);
    t->added += t->inputs != 0;
    return node;
}

/* Makes a chain of nodes from the needed steps of the rest. The other steps need not be in the tree: they will happen
 * anyway, and the needed ones wake every sleeping step, so that nothing after the leaf has been explored. With an
 * inexact step the needed ones may turn out not to be enough; then the chain is the whole rest. */
static uint32_t make_chain(hd_wakeup_trees *t, const insertion *in)
{
    hd_sequence *s = in->sequence;
    uint32_t chain = 0;
    hd_sequence_close_needed(s, in->doubtful);
    for (uint32_t i = s->end + 1; i-- > s->start;)
        if (hd_sequence_has(s->needed, i) && hd_sequence_has(s->rest, i))
            chain = add_step(t, in, i, chain);
    if (chain)
        lead_to(t, chain, in->way);
    return chain;
}

/* The sequence follows the branch, whose first step is an initial or a weak initial of its rest. */
static void follow(const hd_wakeup_trees *t, insertion *in, uint32_t branch, hd_initial at, uint32_t position)
{
    in->parent = branch;
    in->doubtful |= t->nodes.items[branch].doubtful;
    if (in->sequence->path)
        in->strays |= at == HD_INITIAL ? position == in->sequence->end : t->nodes.items[branch].turned;
    /* After its own step the sequence knows its path; after a step of the branch, that step's. */
    in->way = at == HD_INITIAL ? hd_sequence_way(in->sequence, position) : t->steps.items[branch].way;
    if (at == HD_INITIAL)
        hd_sequence_remove(in->sequence, position);
}

/* The branch begins with the sequence's own step if both take the same way through it. */
static hd_initial initial_of_own(
    const hd_wakeup_trees *t, uint32_t branch, hd_sequence *s, uint32_t own, uint32_t *position)
{
    *position = own;
    if (!s->path)
        return HD_INITIAL;
    hd_term when = t->steps.items[branch].when;
    bool same = t->nodes.items[branch].unknown ? !hd_sequence_when(s, own)
                                               : !when || hd_sequence_admits(s, when, HD_INITIAL, own);
    return same ? HD_INITIAL : HD_NOT_INITIAL;
}

/* Is the branch's first step an initial of the rest? */
static hd_initial initial_of(const hd_wakeup_trees *t, uint32_t branch, hd_sequence *s, uint32_t *position)
{
    const hd_wakeup_node *n = &t->nodes.items[branch];
    uint32_t own;
    if (hd_sequence_begins_with(s, n->thread, n->choice, &own))
        return initial_of_own(t, branch, s, own, position);
    const hd_wakeup_step *step = &t->steps.items[branch];
    const hd_op *ops = step->ops ? step->ops : &step->op;
    if (s->last.unknown && hd_sequence_ends_with(s, ops, step->op_count, n->choice, own))
        return initial_of_own(t, branch, s, own, position);
    return hd_sequence_commutes(s, ops, step->op_count, own, position) ? HD_WEAK_INITIAL : HD_NOT_INITIAL;
}

/* Has the branch's first step, a weak initial, the same effect with the sequence's inputs? */
static bool admits_beside(const hd_wakeup_trees *t, uint32_t branch, hd_sequence *s, uint32_t position)
{
    hd_term when = s->path ? t->steps.items[branch].when : 0;
    return !when || hd_sequence_admits(s, when, HD_WEAK_INITIAL, position);
}

/* Is the rest a single step, the same as the node's, and of unknown way too? */
static bool is_as_unknown(const hd_wakeup_node *n, const hd_sequence *s)
{
    return s->last.unknown && s->last.thread == n->thread && s->last.choice == n->choice && hd_sequence_is_last(s);
}

/* Follows the first branch at `root` whose step is a weak initial of the rest: one of the executions after that branch
 * begins with the sequence, up to equivalence. False: there is none, and each branch has a needed step that keeps it
 * from coming first. */
static bool descend(const hd_wakeup_trees *t, uint32_t root, insertion *in)
{
    in->sibling = 0;
    for (uint32_t branch = root; branch; branch = t->nodes.items[branch].sibling) {
        const hd_wakeup_node *n = &t->nodes.items[branch];
        uint32_t position;
        in->sibling = branch;
        if ((n->led || in->way) && t->steps.items[branch].from != in->way)
            continue; /* another path leads there: the branch is not comparable */
        if (n->unknown && !is_as_unknown(n, in->sequence))
            continue; /* known steps are compared as if it were not there */
        hd_initial at = initial_of(t, branch, in->sequence, &position);
        hd_wakeup_note(in->reasons, in->sequence, at, position);
        in->doubtful |= n->inexact;
        if (at == HD_WEAK_INITIAL && !admits_beside(t, branch, in->sequence, position))
            continue;
        if (at != HD_NOT_INITIAL) {
            follow(t, in, branch, at, position);
            return true;
        }
        hd_sequence_add(in->sequence->needed, position);
    }
    return false;
}

static uint32_t *first_unknown(hd_wakeup_trees *t, uint32_t *link)
{
    while (!t->nodes.items[*link].unknown)
        link = &t->nodes.items[*link].sibling;
    return link;
}

/* Does the branch that was followed lead to all of the sequence? It does at a leaf, unless the comparisons on the way
 * were not exact or held for the current inputs only; and where another piece begins. */
static bool is_covered(const hd_wakeup_trees *t, const insertion *in)
{
    return in->parent
        && (in->strays || t->nodes.items[in->parent].taken || hd_sequence_is_over(in->sequence)
            || (!t->nodes.items[in->parent].child && !in->doubtful && !in->sequence->partial));
}

uint32_t hd_wakeup_insert(
    hd_wakeup_trees *t, uint32_t *root, uint64_t way, hd_sequence *sequence, hd_wakeup_reasons *reasons)
{
    insertion in = {
        .sequence = sequence, .doubtful = sequence->last.inexact || sequence->partial, .way = way, .reasons = reasons
    };
    bool covered = false;
    while (!covered && descend(t, in.parent ? t->nodes.items[in.parent].child : *root, &in))
        covered = is_covered(t, &in);
    in.doubtful |= sequence->partial;
    reasons->beside |= in.doubtful; /* the result may change when further steps follow: look at the race again */
    if (covered)
        return 0;
    uint32_t chain = make_chain(t, &in);
    t->parent = in.parent;
    uint32_t *parent = in.parent ? &t->nodes.items[in.parent].child : root;
    uint32_t *link = in.sibling ? &t->nodes.items[in.sibling].sibling : parent;
    /* A new branch is the last one, but before those of unknown way. */
    if (in.sibling && t->nodes.items[in.sibling].unknown && !t->nodes.items[chain].unknown)
        link = first_unknown(t, parent);
    t->nodes.items[chain].sibling = *link;
    *link = chain;
    return chain;
}

/* --- validity -------------------------------------------------------------------- */

/* How many nodes the tree has, or more than there are if it is not one. */
static size_t count_nodes(const hd_wakeup_trees *t, uint32_t root, size_t limit)
{
    size_t count = 0;
    for (uint32_t b = root; b; b = t->nodes.items[b].sibling) {
        if (b >= t->nodes.count || ++count > limit)
            return limit + 1;
        count += count_nodes(t, t->nodes.items[b].child, limit - count);
    }
    return count;
}

static bool step_is_valid(const hd_wakeup_trees *t, uint32_t node)
{
    const hd_wakeup_node *n = &t->nodes.items[node];
    const hd_wakeup_step *step = &t->steps.items[node];
    const hd_op *ops = step->ops ? step->ops : &step->op;
    return step->op_count && (step->ops != NULL) == (step->op_count > 1) && ops[0].thread == n->thread
        && n->led == (step->from != 0);
}

/* Is what it does known, and the same with any inputs? */
static bool is_plain(const hd_wakeup_trees *t, uint32_t node)
{
    const hd_wakeup_node *n = &t->nodes.items[node];
    return !n->inexact && !n->unknown && !n->doubtful && !t->steps.items[node].inputs;
}

/* Can the branch come first in all sequences of the tree, because nothing there conflicts with it before its own
 * thread's step? Then it leads to all of them. */
static bool covers(const hd_wakeup_trees *t, uint32_t branch, uint32_t node)
{
    const hd_wakeup_node *a = &t->nodes.items[branch], *b = &t->nodes.items[node];
    const hd_wakeup_step *x = &t->steps.items[branch], *y = &t->steps.items[node];
    if (!is_plain(t, node) || b->taken)
        return false; /* what follows in a piece is not in the tree */
    if (a->thread == b->thread)
        return a->choice == b->choice;
    if (hd_steps_conflict(x->ops ? x->ops : &x->op, x->op_count, y->ops ? y->ops : &y->op, y->op_count))
        return false;
    for (uint32_t child = b->child; child; child = t->nodes.items[child].sibling)
        if (!covers(t, branch, child))
            return false;
    return true;
}

static bool are_different(const hd_wakeup_trees *t, uint32_t a, uint32_t b)
{
    const hd_wakeup_node *m = &t->nodes.items[a], *n = &t->nodes.items[b];
    return m->thread != n->thread || m->choice != n->choice || m->unknown != n->unknown
        || t->steps.items[a].from != t->steps.items[b].from || t->steps.items[a].when != t->steps.items[b].when;
}

static bool branches_are_valid(const hd_wakeup_trees *t, uint32_t root)
{
    for (uint32_t a = root; a; a = t->nodes.items[a].sibling) {
        if (!step_is_valid(t, a) || !branches_are_valid(t, t->nodes.items[a].child))
            return false;
        for (uint32_t b = t->nodes.items[a].sibling; b; b = t->nodes.items[b].sibling)
            if (!are_different(t, a, b) || (t->nodes.items[a].unknown && !t->nodes.items[b].unknown)
                || (is_plain(t, a) && covers(t, a, b)))
                return false;
    }
    return true;
}

bool hd_wakeup_is_valid(const hd_wakeup_trees *t, uint32_t root)
{
    size_t limit = t->nodes.count;
    return count_nodes(t, root, limit) < limit && branches_are_valid(t, root);
}
