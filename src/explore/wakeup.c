#include "explore/wakeup.h"

#include <string.h>

void hd_wakeup_init(hd_wakeup_trees *t, hd_memory *memory)
{
    *t = (hd_wakeup_trees) { 0 };
    t->nodes.memory = t->released.memory = memory;
    hd_vec_push(&t->nodes, ((hd_wakeup_node) { 0 }));
}

static void release_ops(hd_wakeup_trees *t, hd_wakeup_node *n)
{
    hd_release(t->nodes.memory, n->ops, n->ops ? n->op_count * sizeof *n->ops : 0);
    n->ops = NULL;
}

static const hd_op *ops_of(const hd_wakeup_node *n)
{
    return n->ops ? n->ops : &n->op;
}

void hd_wakeup_fini(hd_wakeup_trees *t)
{
    for (size_t i = 0; i < t->nodes.count; i++)
        release_ops(t, &t->nodes.items[i]);
    hd_vec_fini(&t->nodes);
    hd_vec_fini(&t->released);
}

static uint32_t new_node(hd_wakeup_trees *t, hd_wakeup_node value)
{
    uint32_t node = t->unused;
    value.inputs = t->inputs;
    t->added += value.inputs != 0;
    if (!node) {
        hd_vec_push(&t->nodes, value);
        return (uint32_t)t->nodes.count - 1;
    }
    t->unused = t->nodes.items[node].sibling;
    t->nodes.items[node] = value;
    return node;
}

void hd_wakeup_release(hd_wakeup_trees *t, uint32_t node)
{
    if (t->nodes.items[node].inputs)
        hd_vec_push(&t->released, t->nodes.items[node].inputs);
    release_ops(t, &t->nodes.items[node]);
    t->nodes.items[node].sibling = t->unused;
    t->unused = node;
}

void hd_wakeup_drop(hd_wakeup_trees *t, uint32_t *root)
{
    while (*root) {
        uint32_t node = hd_wakeup_take(t, root);
        hd_wakeup_drop(t, &t->nodes.items[node].child);
        hd_wakeup_release(t, node);
    }
}

uint32_t hd_wakeup_take(hd_wakeup_trees *t, uint32_t *root)
{
    uint32_t node = *root;
    *root = t->nodes.items[node].sibling;
    return node;
}

static void append_branch(hd_wakeup_trees *t, uint32_t *root, uint32_t branch)
{
    if (!*root) {
        *root = branch;
        return;
    }
    uint32_t last = *root;
    while (t->nodes.items[last].sibling)
        last = t->nodes.items[last].sibling;
    t->nodes.items[last].sibling = branch;
}

hd_op hd_op_at_its_strongest(hd_op op)
{
    static const uint8_t strongest[HD_OP_KINDS] = {
        [HD_RMW_SAME] = HD_RMW,
        [HD_LOCK_FAIL] = HD_LOCK,
        [HD_RDLOCK_FAIL] = HD_WRLOCK,
        [HD_WRLOCK_FAIL] = HD_WRLOCK,
        [HD_COND_NOBODY] = HD_COND_SIGNAL,
        [HD_COND_POLL] = HD_COND_CANCEL,
        [HD_SEM_FAIL] = HD_SEM_WAIT,
        [HD_ONCE_DONE] = HD_ONCE_BEGIN,
    };
    if (strongest[op.kind])
        op.kind = strongest[op.kind];
    return op;
}

/* What is left of a sequence that is being inserted: nothing before `first`,
 * `count` steps in all. */
typedef struct rest {
    hd_wakeup_sequence *sequence;
    size_t first, count;
    bool doubtful; /* it was compared with what is not exact */
    uint64_t way; /* that its execution went up to here */
    bool strays; /* its way is not known any more */
    hd_wakeup_reasons *reasons;
} rest;

static void begin(rest *r, uint64_t way, hd_wakeup_sequence *sequence, hd_wakeup_reasons *reasons)
{
    *r = (rest) { .sequence = sequence, .count = sequence->count, .way = way, .reasons = reasons };
    for (size_t i = 0; i < sequence->count; i++) {
        sequence->items[i].removed = false;
        r->doubtful |= sequence->items[i].inexact;
    }
}

static bool depends(const hd_wakeup_step *later, const hd_wakeup_step *earlier)
{
    return later->clock[earlier->thread] >= earlier->number;
}

static bool is_initial(const hd_wakeup_sequence *s, size_t first, size_t index)
{
    for (size_t i = first; i < index; i++)
        if (!s->items[i].removed && depends(&s->items[index], &s->items[i]))
            return false;
    return true;
}

/* The thread's first step in what is left of the sequence, or its end. */
static size_t find_step(const hd_wakeup_sequence *s, size_t first, uint16_t thread)
{
    size_t i = first;
    while (i < s->count && (s->items[i].thread != thread || s->items[i].removed))
        i++;
    return i;
}

/* Can the step come first in what is left of the sequence from `first` on? */
static hd_wakeup_place place(const hd_wakeup_sequence *s, size_t first, const hd_sleeper *z, size_t *index)
{
    size_t own = find_step(s, first, z->thread);
    if (own < s->count && s->items[own].choice == z->choice && is_initial(s, first, own)) {
        *index = own;
        return HD_WAKEUP_IN_IT;
    }
    for (*index = first; *index < own; ++*index) {
        const hd_wakeup_step *step = &s->items[*index];
        if (!step->removed && hd_wakeup_ops_conflict(step->ops, step->op_count, z->ops, z->op_count))
            return HD_WAKEUP_NOT_FIRST;
    }
    return own < s->count ? HD_WAKEUP_NOT_FIRST : HD_WAKEUP_BESIDE_IT;
}

hd_wakeup_place hd_wakeup_place_of(const hd_wakeup_sequence *s, const hd_sleeper *z, size_t *index)
{
    return place(s, 0, z, index);
}

static void remove_step(rest *r, size_t index)
{
    hd_wakeup_sequence *s = r->sequence;
    s->items[index].removed = true;
    r->count--;
    while (r->first < s->count && s->items[r->first].removed)
        r->first++;
}

void hd_wakeup_note(hd_wakeup_reasons *r, const hd_wakeup_sequence *s, hd_wakeup_place at, size_t index)
{
    if (at == HD_WAKEUP_BESIDE_IT)
        r->beside = true;
    else if (s->items[index].position > r->position)
        r->position = s->items[index].position;
}

/* --- inserting -------------------------------------------------------------------- */

/* Only what is needed, and what that depends on, goes into the tree: what else
 * is in the sequence will happen as it comes. But what seems to be enough may
 * turn out not to be if something is not exact. */
static void close_needed(const rest *r)
{
    hd_wakeup_sequence *s = r->sequence;
    for (size_t i = s->count; i-- > 0;) {
        s->items[i].needed |= r->doubtful;
        for (size_t k = 0; s->items[i].needed && k < i; k++)
            s->items[k].needed |= depends(&s->items[i], &s->items[k]);
    }
}

/* What is left of the sequence as a chain of nodes. */
static uint32_t make_chain(hd_wakeup_trees *t, const hd_wakeup_sequence *s, uint64_t way, bool doubtful)
{
    uint32_t chain = 0;
    for (size_t i = s->count; i-- > 0;) {
        const hd_wakeup_step *step = &s->items[i];
        if (step->removed || !step->needed)
            continue;
        hd_wakeup_node value = { .thread = step->thread,
            .choice = step->choice,
            .way = step->way,
            .child = chain,
            .inexact = step->inexact,
            .doubtful = doubtful,
            .op_count = step->op_count };
        if (step->op_count > 1)
            value.ops = hd_alloc(t->nodes.memory, step->op_count * sizeof *value.ops);
        memcpy(value.ops ? value.ops : &value.op, step->ops, step->op_count * sizeof value.op);
        if (chain)
            t->nodes.items[chain].from = value.way;
        chain = new_node(t, value);
    }
    t->nodes.items[chain].from = way;
    return chain;
}

/* The branch of the tree at `root` that the sequence can follow, or 0. */
static uint32_t find_branch(hd_wakeup_trees *t, uint32_t root, rest *r)
{
    for (uint32_t branch = root; branch; branch = t->nodes.items[branch].sibling) {
        const hd_wakeup_node *n = &t->nodes.items[branch];
        size_t index = 0;
        if (n->from != r->way)
            continue;
        hd_sleeper step = { n->thread, n->choice, ops_of(n), n->op_count };
        hd_wakeup_place at = place(r->sequence, r->first, &step, &index);
        hd_wakeup_note(r->reasons, r->sequence, at, index);
        r->doubtful |= n->inexact;
        r->strays |= at == HD_WAKEUP_BESIDE_IT && n->way;
        if (at != HD_WAKEUP_NOT_FIRST)
            r->way = at == HD_WAKEUP_IN_IT ? r->sequence->items[index].way : 0;
        if (at == HD_WAKEUP_IN_IT)
            remove_step(r, index);
        if (at != HD_WAKEUP_NOT_FIRST)
            return branch;
        r->sequence->items[index].needed = true;
    }
    return 0;
}

void hd_wakeup_insert(
    hd_wakeup_trees *t, uint32_t *root, uint64_t way, hd_wakeup_sequence *sequence, hd_wakeup_reasons *reasons)
{
    uint32_t parent = 0, here = *root;
    rest r;
    begin(&r, way, sequence, reasons);
    while (true) {
        uint32_t branch = find_branch(t, here, &r);
        if (!branch)
            break;
        parent = branch;
        here = t->nodes.items[branch].child;
        r.doubtful |= t->nodes.items[branch].doubtful;
        if (!r.count || r.strays || (!here && !r.doubtful))
            break; /* covered */
    }
    reasons->beside |= r.doubtful;
    if (parent && (!r.count || r.strays || (!t->nodes.items[parent].child && !r.doubtful)))
        return;
    close_needed(&r);
    uint32_t chain = make_chain(t, sequence, r.way, r.doubtful);
    if (parent)
        append_branch(t, &t->nodes.items[parent].child, chain);
    else
        append_branch(t, root, chain);
}

/* --- validity -------------------------------------------------------------------- */

/* How many nodes the tree has, or more than there are if it is not one. */
static size_t count_nodes(const hd_wakeup_trees *t, uint32_t root, size_t limit)
{
    size_t count = 0;
    for (uint32_t b = root; b && count <= limit; b = t->nodes.items[b].sibling) {
        if (b >= t->nodes.count)
            return limit + 1;
        count += 1 + count_nodes(t, t->nodes.items[b].child, limit - count);
    }
    return count;
}

static bool branches_differ(const hd_wakeup_trees *t, uint32_t root)
{
    for (uint32_t a = root; a; a = t->nodes.items[a].sibling) {
        for (uint32_t b = t->nodes.items[a].sibling; b; b = t->nodes.items[b].sibling)
            if (t->nodes.items[a].thread == t->nodes.items[b].thread && t->nodes.items[a].from == t->nodes.items[b].from
                && t->nodes.items[a].choice == t->nodes.items[b].choice)
                return false;
        if (!branches_differ(t, t->nodes.items[a].child))
            return false;
    }
    return true;
}

bool hd_wakeup_is_valid(const hd_wakeup_trees *t, uint32_t root)
{
    size_t limit = t->nodes.count;
    return count_nodes(t, root, limit) < limit && branches_differ(t, root);
}
