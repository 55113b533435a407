/* A worker's part of a search by several workers (dpor/pieces.h): it takes a piece, explores it, and divides it when
 * others have nothing to do. */
#include "dpor/dpor_internal.h"

#include "base/error.h"

#include <time.h>

/* The schedule of the execution up to the piece. */
static void follow_way(hd_dpor *d)
{
    hd_vec_clear(&d->shared);
    d->prefix.count = 0;
    for (size_t i = 0; i < d->way.steps.count; i++) {
        const hd_piece_step *step = &d->way.steps.items[i];
        hd_vec_push(&d->shared, step->node);
        hd_vec_push(&d->prefix, ((hd_choice) { step->thread, step->choice }));
    }
}

void hd_dpor_sleep_on_way(hd_dpor *d)
{
    uint32_t position = (uint32_t)d->nodes.count - 1;
    for (; d->way.next < d->way.asleep.count && d->way.asleep.items[d->way.next].position == position; d->way.next++) {
        const hd_piece_sleeper *e = &d->way.asleep.items[d->way.next];
        hd_sleeper step = { e->thread, e->choice, &d->way.ops.items[e->first_op], e->op_count };
        hd_sleep_add(&d->sleep, &d->nodes.items[position].asleep, &step, (hd_sleep_entry) { 0 });
    }
}

void hd_dpor_arrive(hd_dpor *d)
{
    if (!d->way.steps.count)
        return;
    hd_vec_clear(&d->way.steps);
    hd_vec_clear(&d->way.asleep);
    /* What sleeps there would be explored by another worker, too. */
    hd_assert(d->trace.steps.count >= d->floor && !d->nodes.items[d->floor].asleep.count);
}

static void start_at(hd_dpor *d, uint32_t position)
{
    hd_dpor_go_back(d, position);
    d->branch = position;
    d->branch_tree = 0;
    d->retakes = false;
    follow_way(d);
    d->floor = (uint32_t)d->shared.count;
    d->piece = d->floor ? *hd_vec_last(&d->shared) : 0;
    d->has_piece = true;
    d->ran = 0;
}

/* The first worker begins with the whole search. */
static bool take(hd_dpor *d)
{
    hd_pieces *p = d->pieces;
    bool whole = !p->begun && !d->worker;
    if (!whole && !hd_pieces_take(p, d->worker, d->piece, d->prefix.items, d->floor, &d->way))
        return false;
    p->begun = true;
    start_at(d, whole ? 0 : d->way.common);
    return true;
}

static bool wait_and_take(hd_dpor *d)
{
    const struct timespec pause = { .tv_nsec = 50000 };
    hd_pieces *p = d->pieces;
    bool taken = false;
    __atomic_add_fetch(&p->idle, 1, __ATOMIC_RELAXED);
    while (!taken && !p->over && p->unexplored) {
        nanosleep(&pause, NULL);
        taken = p->left && take(d);
    }
    __atomic_sub_fetch(&p->idle, 1, __ATOMIC_RELAXED);
    return taken;
}

bool hd_dpor_begin_piece(hd_dpor *d)
{
    const hd_pieces *p = d->pieces;
    hd_vec_clear(&d->way.steps);
    return !p->over && (take(d) || (p->patient && wait_and_take(d)));
}

void hd_dpor_end_piece(hd_dpor *d)
{
    d->has_piece = false;
    hd_pieces_finish(d->pieces, d->worker, d->piece);
}

/* --- dividing ---------------------------------------------------------------------------------- */

/* The first node from the floor on at which sequences are planned; the number of steps: there is none. */
static uint32_t first_planned(const hd_dpor *d)
{
    uint32_t position = d->floor;
    while (position < d->trace.steps.count && !d->nodes.items[position].wakeup)
        position++;
    return position;
}

/* Moves the node to the shared tree: what was explored there, the current step, and what is planned. */
static void move_node(hd_dpor *d, uint32_t position, bool last)
{
    hd_pieces *p = d->pieces;
    hd_dpor_node *n = &d->nodes.items[position];
    uint32_t parent = position ? d->shared.items[position - 1] : 0;
    for (uint32_t i = n->asleep.first + n->inherited; i < n->asleep.first + n->asleep.count; i++) {
        hd_sleeper explored = hd_sleep_get(&d->sleep, i);
        hd_pieces_add(p, parent, &explored, true, true);
    }
    hd_sleeper step = hd_dpor_step_taken(d, position);
    hd_vec_push(&d->shared, hd_pieces_add(p, parent, &step, last, false));
    hd_pieces_add_planned(p, parent, &d->trees, n->wakeup);
    hd_wakeup_drop(&d->trees, &n->wakeup);
}

static void divide(hd_dpor *d, uint32_t at)
{
    hd_lock_take(&d->pieces->lock, d->worker);
    for (uint32_t position = d->floor; position <= at; position++)
        move_node(d, position, position == at);
    d->floor = at + 1;
    d->piece = *hd_vec_last(&d->shared);
    d->ran = 0;
    hd_lock_release(&d->pieces->lock);
}

static bool is_asked(const hd_dpor *d)
{
    const hd_pieces *p = d->pieces;
    return p->divides && !d->inexact && !p->refused && d->ran >= p->every && (!p->every || p->idle > p->left);
}

void hd_dpor_divide_piece(hd_dpor *d)
{
    d->ran++;
    uint32_t at = is_asked(d) ? first_planned(d) : (uint32_t)d->trace.steps.count;
    if (at < d->trace.steps.count)
        divide(d, at);
}

/* What a sequence would lead to is known only when it has been run: it cannot be in the tree. One worker, which has not
 * shared anything, goes on alone. */
void hd_dpor_note_inexact(hd_dpor *d)
{
    d->inexact = true;
    if (!d->pieces || !d->pieces->branches)
        return;
    d->pieces->refused = true;
    hd_pieces_stop(d->pieces);
}

void hd_dpor_plan_shared(hd_dpor *d, uint32_t position, hd_wakeup_reasons *reasons)
{
    hd_pieces *p = d->pieces;
    if (!d->inexact)
        hd_pieces_insert(p, d->worker, position ? d->shared.items[position - 1] : 0, &d->room.sequence, reasons);
}
