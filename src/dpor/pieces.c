#include "dpor/pieces.h"

#include "base/error.h"

#include <sched.h>
#include <string.h>

void hd_pieces_init(hd_pieces *p, uint32_t every, hd_memory *memory)
{
    *p = (hd_pieces) { .unexplored = 1, .every = every, .patient = true };
    hd_wakeup_init(&p->trees, memory);
}

void hd_pieces_fini(hd_pieces *p)
{
    hd_wakeup_fini(&p->trees);
}

bool hd_pieces_are_explored(const hd_pieces *p)
{
    return !p->unexplored;
}

void hd_pieces_stop(hd_pieces *p)
{
    p->over = true;
}

void hd_pieces_lock(hd_pieces *p, uint32_t worker)
{
    uint32_t none = 0;
    while (!__atomic_compare_exchange_n(&p->holder, &none, worker + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        none = 0;
        sched_yield();
    }
}

void hd_pieces_unlock(hd_pieces *p)
{
    __atomic_store_n(&p->holder, 0, __ATOMIC_RELEASE);
}

static hd_wakeup_node *node_at(const hd_pieces *p, uint32_t node)
{
    return &p->trees.nodes.items[node];
}

static uint32_t *branches_after(hd_pieces *p, uint32_t parent)
{
    return parent ? &node_at(p, parent)->child : &p->branches;
}

/* --- taking --------------------------------------------------------------------------------- */

/* Finds the first leaf that nobody has taken, in the order of one worker. Branches that are passed sleep. */
static bool find_leaf(hd_pieces *p, uint32_t branches, uint32_t position, hd_piece_way *way)
{
    size_t before = way->steps.count;
    for (uint32_t b = branches; b; b = node_at(p, b)->sibling) {
        hd_piece_step *step = hd_vec_add(&way->steps);
        size_t here = way->steps.count;
        *step = (hd_piece_step) { .position = position, .node = b };
        if (!node_at(p, b)->child && !node_at(p, b)->taken) {
            node_at(p, b)->taken = true;
            return true;
        }
        if (find_leaf(p, node_at(p, b)->child, position + 1, way))
            return true;
        way->steps.count = here;
        way->steps.items[here - 1].sleeps = true;
    }
    way->steps.count = before;
    return false;
}

static void copy_steps(const hd_pieces *p, hd_piece_way *way)
{
    for (size_t i = 0; i < way->steps.count; i++) {
        hd_piece_step *step = &way->steps.items[i];
        const hd_wakeup_node *n = node_at(p, step->node);
        const hd_wakeup_step *what = &p->trees.steps.items[step->node];
        step->thread = n->thread;
        step->choice = n->choice;
        step->first_op = (uint32_t)way->ops.count;
        step->op_count = step->sleeps ? what->op_count : 0;
        for (uint32_t k = 0; k < step->op_count; k++)
            hd_vec_push(&way->ops, what->ops ? what->ops[k] : what->op);
    }
}

bool hd_pieces_take(hd_pieces *p, uint32_t worker, hd_piece_way *way)
{
    hd_vec_clear(&way->steps);
    hd_vec_clear(&way->ops);
    hd_pieces_lock(p, worker);
    bool found = p->left && find_leaf(p, p->branches, 0, way);
    hd_assert(found || !p->left);
    if (found) {
        copy_steps(p, way);
        p->left--;
        p->taken++;
    }
    hd_pieces_unlock(p);
    return found;
}

/* --- finishing ------------------------------------------------------------------------------- */

/* Drops what follows branches that are explored, as long as no sequence can pass through them: up to the first that is
 * not explored. True: all are. */
static bool tidy(hd_pieces *p, uint32_t branches)
{
    for (uint32_t b = branches; b; b = node_at(p, b)->sibling) {
        if (node_at(p, b)->explored && !node_at(p, b)->child)
            continue;
        bool followed = node_at(p, b)->child != 0;
        if (!followed || !tidy(p, node_at(p, b)->child))
            return false;
        hd_wakeup_drop(&p->trees, &node_at(p, b)->child);
        node_at(p, b)->taken = node_at(p, b)->explored = true;
    }
    return true;
}

void hd_pieces_finish(hd_pieces *p, uint32_t worker, hd_piece piece)
{
    hd_pieces_lock(p, worker);
    if (piece)
        node_at(p, piece)->explored = true;
    tidy(p, p->branches);
    p->unexplored--;
    hd_pieces_unlock(p);
}

/* --- adding ---------------------------------------------------------------------------------- */

static void count_leaf(hd_pieces *p)
{
    p->left++;
    p->unexplored++;
}

void hd_pieces_insert(
    hd_pieces *p, uint32_t worker, uint32_t parent, hd_sequence *sequence, hd_wakeup_reasons *reasons)
{
    hd_pieces_lock(p, worker);
    uint32_t branches = *branches_after(p, parent);
    uint32_t chain = hd_wakeup_insert(&p->trees, &branches, 0, sequence, reasons);
    *branches_after(p, parent) = branches; /* the nodes may have moved */
    if (chain)
        count_leaf(p);
    hd_pieces_unlock(p);
}

/* Adds a branch with these operations at the end of the list. */
static uint32_t add(hd_pieces *p, uint32_t parent, const hd_wakeup_node *like, const hd_sleeper *step)
{
    uint32_t node = hd_wakeup_add(&p->trees, like, step);
    uint32_t *link = branches_after(p, parent);
    while (*link)
        link = &node_at(p, *link)->sibling;
    *link = node;
    return node;
}

uint32_t hd_pieces_add(hd_pieces *p, uint32_t parent, const hd_sleeper *step, bool taken, bool explored)
{
    hd_wakeup_node like = { .thread = step->thread, .choice = step->choice, .taken = taken, .explored = explored };
    return add(p, parent, &like, step);
}

void hd_pieces_add_planned(hd_pieces *p, uint32_t parent, const hd_wakeup_trees *from, uint32_t branches)
{
    for (uint32_t b = branches; b; b = from->nodes.items[b].sibling) {
        const hd_wakeup_node *n = &from->nodes.items[b];
        const hd_wakeup_step *what = &from->steps.items[b];
        hd_wakeup_node like = { .thread = n->thread, .choice = n->choice, .turned = n->turned };
        hd_sleeper step = { n->thread, n->choice, what->ops ? what->ops : &what->op, what->op_count };
        uint32_t node = add(p, parent, &like, &step);
        if (n->child)
            hd_pieces_add_planned(p, node, from, n->child);
        else
            count_leaf(p);
    }
}

/* --- validity -------------------------------------------------------------------------------- */

/* Counts leaves that nobody has taken; false: a branch is explored, but something after it is not. */
static bool count_leaves(const hd_pieces *p, uint32_t branches, bool explored, uint32_t *left)
{
    for (uint32_t b = branches; b; b = node_at(p, b)->sibling) {
        const hd_wakeup_node *n = node_at(p, b);
        bool leaf = !n->child && !n->taken;
        *left += leaf;
        if ((explored && leaf) || n->inexact || n->unknown || n->doubtful || p->trees.steps.items[b].inputs)
            return false;
        if (!count_leaves(p, n->child, n->explored && !n->child, left))
            return false;
    }
    return true;
}

bool hd_pieces_are_valid(const hd_pieces *p)
{
    uint32_t left = 0;
    return hd_wakeup_is_valid(&p->trees, p->branches) && count_leaves(p, p->branches, false, &left) && left == p->left
        && p->left <= p->unexplored;
}
