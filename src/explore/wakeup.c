#include "explore/wakeup.h"

#include <string.h>

void hd_wakeup_init(hd_wakeup_trees *t, hd_memory *memory)
{
    *t = (hd_wakeup_trees) { 0 };
    t->nodes.memory = t->released.memory = memory;
    hd_vec_push(&t->nodes, ((hd_wakeup_node) { 0 }));
}

void hd_wakeup_fini(hd_wakeup_trees *t)
{
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

void hd_wakeup_add_outcome(hd_wakeup_trees *t, uint32_t *root, uint16_t thread, uint8_t choice, const hd_op *op)
{
    for (uint32_t branch = *root; branch; branch = t->nodes.items[branch].sibling) {
        hd_wakeup_node *n = &t->nodes.items[branch];
        if (n->thread == thread && n->choice == choice) {
            n->outcome = true;
            return;
        }
    }
    hd_wakeup_node value = { .thread = thread, .choice = choice, .outcome = true, .op_count = 1, .ops = { *op } };
    append_branch(t, root, new_node(t, value));
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
 * `count` steps in all, `of_thread` per thread. */
typedef struct rest {
    hd_wakeup_sequence *sequence;
    size_t first, count;
    uint16_t of_thread[HD_MAX_THREADS];
    bool strays; /* the branch it follows goes another way than it does */
} rest;

static void begin(rest *r, hd_wakeup_sequence *sequence)
{
    *r = (rest) { .sequence = sequence, .count = sequence->count };
    for (size_t i = 0; i < sequence->count; i++)
        r->of_thread[sequence->items[i].thread]++;
}

static bool is_initial(const hd_wakeup_sequence *sequence, size_t first, size_t index)
{
    const hd_wakeup_step *step = &sequence->items[index];
    for (size_t i = first; i < index; i++) {
        const hd_wakeup_step *other = &sequence->items[i];
        if (!other->removed && step->clock[other->thread] >= other->number)
            return false;
    }
    return true;
}

bool hd_wakeup_is_initial(const hd_wakeup_sequence *sequence, size_t index)
{
    return is_initial(sequence, 0, index);
}

static void remove_step(rest *r, size_t index)
{
    hd_wakeup_sequence *s = r->sequence;
    s->items[index].removed = true;
    r->count--;
    r->of_thread[s->items[index].thread]--;
    while (r->first < s->count && s->items[r->first].removed)
        r->first++;
}

/* --- inserting -------------------------------------------------------------------- */

typedef enum match { DIFFERS, SAME_STEP, COMMUTES } match;

/* Does the branch begin an execution that is equivalent to one that begins
 * with what is left of the sequence? */
static match match_branch(const hd_wakeup_node *branch, const rest *r, size_t *index)
{
    const hd_wakeup_sequence *s = r->sequence;
    for (size_t i = r->first; r->of_thread[branch->thread] && i < s->count; i++) {
        const hd_wakeup_step *step = &s->items[i];
        if (step->removed || step->thread != branch->thread)
            continue;
        *index = i;
        /* A branch that is to have any outcome will have every one in turn. */
        bool same = step->choice == branch->choice || (branch->choice == HD_ANY_OUTCOME && !branch->child);
        return same && is_initial(s, r->first, i) ? SAME_STEP : DIFFERS;
    }
    if (branch->unknown || branch->ops[0].choices > 1)
        return DIFFERS;
    /* From the end: the last step is the one that was moved. */
    for (size_t i = s->count; i-- > r->first;) {
        const hd_wakeup_step *step = &s->items[i];
        if (!step->removed && hd_wakeup_ops_conflict(step->ops, step->op_count, branch->ops, branch->op_count))
            return DIFFERS;
    }
    return COMMUTES;
}

/* What is left of the sequence as a chain of nodes. */
static uint32_t make_chain(hd_wakeup_trees *t, const hd_wakeup_sequence *s)
{
    uint32_t chain = 0;
    for (size_t i = s->count; i-- > 0;) {
        const hd_wakeup_step *step = &s->items[i];
        if (step->removed)
            continue;
        hd_wakeup_node value = { .thread = step->thread, .choice = step->choice, .way = step->way, .child = chain };
        value.op_count = (uint8_t)(step->op_count < HD_WAKEUP_OPS ? step->op_count : HD_WAKEUP_OPS);
        memcpy(value.ops, step->ops, value.op_count * sizeof *value.ops);
        value.unknown = step->op_count > HD_WAKEUP_OPS || (step->ops[0].flags & HD_OP_ATOMIC);
        chain = new_node(t, value);
    }
    return chain;
}

/* The branch of the tree at `root` that the sequence can follow, or 0. */
static uint32_t find_branch(hd_wakeup_trees *t, uint32_t root, rest *r)
{
    for (uint32_t branch = root; branch; branch = t->nodes.items[branch].sibling) {
        size_t index = 0;
        match m = match_branch(&t->nodes.items[branch], r, &index);
        if (m == DIFFERS)
            continue;
        r->strays = t->nodes.items[branch].way != (m == SAME_STEP ? r->sequence->items[index].way : 0);
        if (m == SAME_STEP)
            remove_step(r, index);
        return branch;
    }
    return 0;
}

void hd_wakeup_insert(hd_wakeup_trees *t, uint32_t *root, hd_wakeup_sequence *sequence)
{
    uint32_t parent = 0, here = *root;
    rest r;
    begin(&r, sequence);
    while (true) {
        uint32_t branch = find_branch(t, here, &r);
        if (!branch)
            break;
        parent = branch;
        here = t->nodes.items[branch].child;
        if (!here || !r.count || r.strays)
            return; /* covered */
    }
    uint32_t chain = make_chain(t, sequence);
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
            if (t->nodes.items[a].thread == t->nodes.items[b].thread
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
