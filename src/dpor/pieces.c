#include "dpor/pieces.h"

#include "base/error.h"

void hd_pieces_init(hd_pieces *p, uint32_t every, hd_memory *memory)
{
    *p = (hd_pieces) { .unexplored = 1, .every = every, .patient = true };
    hd_wakeup_init(&p->trees, memory);
    p->places.memory = memory;
}

void hd_pieces_fini(hd_pieces *p)
{
    hd_wakeup_fini(&p->trees);
    hd_vec_fini(&p->places);
}

bool hd_pieces_are_explored(const hd_pieces *p)
{
    return !p->unexplored;
}

void hd_pieces_stop(hd_pieces *p)
{
    p->over = true;
}

static hd_wakeup_node *node_at(const hd_pieces *p, uint32_t node)
{
    return &p->trees.nodes.items[node];
}

static uint32_t *branches_after(hd_pieces *p, uint32_t parent)
{
    return parent ? &node_at(p, parent)->child : &p->branches;
}

static hd_piece_place *place_of(const hd_pieces *p, uint32_t node)
{
    return &p->places.items[node];
}

static void set_parent(hd_pieces *p, uint32_t node, uint32_t parent)
{
    while (p->places.count < p->trees.nodes.count)
        hd_vec_push(&p->places, ((hd_piece_place) { 0 }));
    *place_of(p, node) = (hd_piece_place) { parent, 0 };
}

static void change_left(hd_pieces *p, uint32_t leaf, uint32_t by)
{
    for (uint32_t node = leaf; node; node = place_of(p, node)->parent)
        place_of(p, node)->left += by;
    p->left += by;
}

/* --- taking --------------------------------------------------------------------------------- */

/* The leaf that one worker would come to first, of those in the smallest part of the tree that has any and has `near`.
 * That node may be gone; then any part will do. */
static uint32_t find_leaf(hd_pieces *p, uint32_t near)
{
    while (near && !(place_of(p, near)->left && node_at(p, near)->child))
        near = place_of(p, near)->parent;
    uint32_t at = near;
    do {
        at = *branches_after(p, at);
        while (!place_of(p, at)->left)
            at = node_at(p, at)->sibling;
    } while (node_at(p, at)->child || node_at(p, at)->taken);
    return at;
}

/* Writes the way from the start to the node in the opposite order. */
static void write_way(hd_pieces *p, uint32_t leaf, hd_piece_way *way)
{
    for (uint32_t node = leaf; node; node = place_of(p, node)->parent)
        hd_vec_push(&way->steps, ((hd_piece_step) { .node = node }));
    for (size_t i = 0, k = way->steps.count; i + 1 < k; i++) {
        hd_piece_step swapped = way->steps.items[--k];
        way->steps.items[k] = way->steps.items[i];
        way->steps.items[i] = swapped;
    }
    for (size_t i = 0; i < way->steps.count; i++) {
        hd_piece_step *step = &way->steps.items[i];
        step->thread = node_at(p, step->node)->thread;
        step->choice = node_at(p, step->node)->choice;
    }
}

static uint32_t common_part(const hd_piece_way *way, const hd_choice *last, uint32_t count)
{
    uint32_t common = 0;
    while (common < count && common < way->steps.count && last[common].thread == way->steps.items[common].thread
        && last[common].choice == way->steps.items[common].choice)
        common++;
    return common;
}

/* What comes before the step in the order of the tree sleeps there. */
static void add_sleepers(hd_pieces *p, uint32_t position, uint32_t node, hd_piece_way *way)
{
    for (uint32_t b = *branches_after(p, place_of(p, node)->parent); b != node; b = node_at(p, b)->sibling) {
        const hd_wakeup_step *what = &p->trees.steps.items[b];
        hd_vec_push(&way->asleep,
            ((hd_piece_sleeper) {
                position, node_at(p, b)->thread, node_at(p, b)->choice, (uint32_t)way->ops.count, what->op_count }));
        for (uint32_t k = 0; k < what->op_count; k++)
            hd_vec_push(&way->ops, what->ops ? what->ops[k] : what->op);
    }
}

bool hd_pieces_take(
    hd_pieces *p, uint32_t worker, hd_piece near, const hd_choice *last, uint32_t count, hd_piece_way *way)
{
    hd_vec_clear(&way->steps);
    hd_vec_clear(&way->asleep);
    hd_vec_clear(&way->ops);
    way->next = 0;
    hd_lock_take(&p->lock, worker);
    bool found = p->left > 0;
    if (found) {
        uint32_t leaf = find_leaf(p, near);
        node_at(p, leaf)->taken = true;
        change_left(p, leaf, -1u);
        write_way(p, leaf, way);
        way->common = common_part(way, last, count);
        for (uint32_t i = way->common; i < way->steps.count; i++)
            add_sleepers(p, i, way->steps.items[i].node, way);
        p->taken++;
    }
    hd_lock_release(&p->lock);
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

/* The piece of which this one is a part. */
static uint32_t whole_of(const hd_pieces *p, uint32_t piece)
{
    uint32_t node = place_of(p, piece)->parent;
    while (node && !node_at(p, node)->taken)
        node = place_of(p, node)->parent;
    return node;
}

void hd_pieces_finish(hd_pieces *p, uint32_t worker, hd_piece piece)
{
    hd_lock_take(&p->lock, worker);
    bool all = piece != 0;
    for (uint32_t node = piece; all && node;) {
        node_at(p, node)->explored = true;
        node = whole_of(p, node);
        all = tidy(p, *branches_after(p, node));
        if (all && node)
            hd_wakeup_drop(&p->trees, &node_at(p, node)->child);
    }
    p->unexplored--;
    hd_lock_release(&p->lock);
}

/* --- adding ---------------------------------------------------------------------------------- */

static void count_leaf(hd_pieces *p, uint32_t leaf)
{
    change_left(p, leaf, 1);
    p->unexplored++;
}

static void count_sequence(hd_pieces *p, uint32_t parent, uint32_t chain)
{
    uint32_t last = parent;
    for (uint32_t node = chain; node; node = node_at(p, node)->child) {
        set_parent(p, node, last);
        last = node;
    }
    count_leaf(p, last);
}

void hd_pieces_insert(hd_pieces *p, uint32_t worker, uint32_t parent, hd_sequence *sequence, hd_wakeup_reasons *reasons)
{
    hd_lock_take(&p->lock, worker);
    uint32_t branches = *branches_after(p, parent);
    uint32_t chain = hd_wakeup_insert(&p->trees, &branches, 0, sequence, reasons);
    *branches_after(p, parent) = branches; /* the nodes may have moved */
    if (chain)
        count_sequence(p, p->trees.parent ? p->trees.parent : parent, chain);
    hd_lock_release(&p->lock);
}

/* Adds a branch with these operations at the end of the list. */
static uint32_t add(hd_pieces *p, uint32_t parent, const hd_wakeup_node *like, const hd_sleeper *step)
{
    uint32_t node = hd_wakeup_add(&p->trees, like, step);
    set_parent(p, node, parent);
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
            count_leaf(p, node);
    }
}

/* --- validity -------------------------------------------------------------------------------- */

/* Counts leaves that nobody has taken; false: a branch is explored, but something after it is not. */
static bool count_leaves(const hd_pieces *p, uint32_t branches, bool explored, uint32_t *left)
{
    for (uint32_t b = branches; b; b = node_at(p, b)->sibling) {
        const hd_wakeup_node *n = node_at(p, b);
        bool leaf = !n->child && !n->taken;
        uint32_t before = *left;
        *left += leaf;
        if ((explored && leaf) || n->inexact || n->unknown || n->doubtful || p->trees.steps.items[b].inputs)
            return false;
        if (!count_leaves(p, n->child, n->explored && !n->child, left) || place_of(p, b)->left != *left - before)
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
