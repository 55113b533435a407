#include "runtime/sync/futex.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/access.h"
#include "runtime/symbolic/follow.h"
#include "runtime/sync/sleep.h"

#include <errno.h>

static void check_block(const hd_site *site)
{
    if (hd_current->atomic_blocks && hd_exploring())
        hd_end(HD_MODEL_LIMIT, site, "a futex inside an atomic block is not modelled yet");
}

static int sleeper_is_valid(const hd_thread *t, const uint32_t *word)
{
    const hd_thread_view *v = t->view;
    if (!hd_sleeps_at(t, word))
        return 1;
    return hd_thread_lives(t) && t->waits_for_bits && !t->waits_with
        && (v->status != HD_THREAD_WAITING || (v->waits_for == HD_WAIT_FUTEX && v->wait_object == (uint64_t)word));
}

int hd_futex_is_valid(const uint32_t *word)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (!sleeper_is_valid(&hd_threads[i], word))
            return 0;
    return 1;
}

static void check_validity(const uint32_t *word)
{
    hd_check_valid(hd_futex_is_valid(word), *hd_rt.thread_count, 0);
}

/* --- waiting ------------------------------------------------------------------------- */

/* The test and its operand are recorded as those of a compare-and-swap: explorers predict the kind with them. */
static int has_expected(hd_thread *t, hd_op *op)
{
    int equal = *(const uint32_t *)t->update.address == (uint32_t)t->update.expected;
    op->kind = equal ? HD_FUTEX_WAIT : HD_FUTEX_DIFFERS;
    op->flags |= HD_CHANGES_IF_EQUAL << HD_OP_TEST_SHIFT;
    t->update.decides = t->update.expected;
    return 1;
}

/* The second operation of the step. With a single thread the look was no operation, and this is the first. */
static void begin_to_sleep(const uint32_t *word, uint32_t bits, const hd_site *site)
{
    hd_sleep_begin(word);
    hd_current->waits_for_bits = bits;
    if (hd_fast_state.several)
        hd_continue_step(&(hd_op) { .kind = HD_FUTEX_SLEEP,
            .object = (uint64_t)word,
            .site = site,
            .thread = (uint16_t)hd_current->id,
            .flags = hd_fast_state.waits ? 0 : HD_OP_ALONE });
    else if (hd_exploring())
        hd_perform(HD_FUTEX_SLEEP, word, NULL);
}

/* A requeue moves the sleeper to another word: it goes on sleeping there. */
static int sleep_wherever(const hd_site *site, const struct timespec *until)
{
    const hd_thread *t = hd_current;
    const void *word;
    int error;
    do {
        word = t->waits_on;
        hd_call_site = site;
        error = hd_sleep_until_woken(HD_WAIT_FUTEX, HD_FUTEX_TIMEOUT, until);
    } while (!error && !t->woken && t->waits_on != word);
    return error;
}

int hd_futex_holds(const uint32_t *word, uint32_t expected, const hd_site *site)
{
    hd_access_atomic(HD_LOAD, word, sizeof *word, site, NULL);
    return *word == expected;
}

int hd_futex_wait(const uint32_t *word, uint32_t expected, uint32_t bits, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    check_block(site);
    hd_current->update.address = word;
    hd_current->update.expected = expected;
    hd_access_atomic(HD_FUTEX_WAIT, word, sizeof *word, site, has_expected);
    int differs = *word != expected;
    if (!differs)
        begin_to_sleep(word, bits, site);
    hd_follow_read(word, sizeof *word, site);
    if (differs)
        return EAGAIN;
    check_validity(word);
    int error = sleep_wherever(site, until);
    hd_sleep_end();
    return error;
}

/* --- waking -------------------------------------------------------------------------- */

static int is_reached(const hd_thread *t, const void *word, uint32_t bits)
{
    return hd_sleeps_at(t, word) && (t->waits_for_bits & bits);
}

static uint32_t count_reached(const void *word, uint32_t bits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        count += (uint32_t)is_reached(&hd_threads[i], word, bits);
    return count;
}

/* What a thread is about to do to the sleepers of a word, in its `update`. */
typedef struct demand {
    uint32_t wakes, moves, bits;
    const uint32_t *to; /* of a requeue */
    const uint32_t *expected; /* NULL: the word does not matter */
} demand;

static const demand *demand_of(const hd_thread *t)
{
    return (const demand *)t->update.operand;
}

/* A wake-up of one or of all sleepers: explorers know its effect from their number. */
static int is_simple(const demand *d)
{
    return !d->to && d->bits == HD_FUTEX_ANY && (d->wakes == 1 || d->wakes >= HD_MAX_THREADS);
}

static int is_refused(const demand *d, const uint32_t *word)
{
    return d->expected && *word != *d->expected;
}

/* The number of alternatives: one of `reached` sleepers is woken, or moved, and all others or none are moved. Other
 * numbers would need subsets as alternatives; 0. */
static uint32_t count_choices(const demand *d, uint32_t reached)
{
    if (d->wakes >= reached || (!d->wakes && d->moves >= reached) || !(d->wakes | d->moves))
        return 1;
    if (d->wakes == 1)
        return !d->moves || d->moves >= reached - 1 ? reached : 0;
    return !d->wakes && d->moves == 1 ? reached : 0;
}

static int look_at_sleepers(hd_thread *t, hd_op *op)
{
    const demand *d = demand_of(t);
    const uint32_t *word = (const uint32_t *)hd_op_address(op);
    uint32_t reached = is_refused(d, word) || !(d->wakes | d->moves) ? 0 : count_reached(word, d->bits);
    int all = is_simple(d) && d->wakes > 1;
    op->choices = all ? 0 : (uint8_t)count_choices(d, reached);
    if (!is_simple(d))
        op->flags |= HD_OP_ATOMIC;
    if (reached)
        op->kind = all ? HD_FUTEX_WAKE_ALL : d->to ? HD_FUTEX_REQUEUE : HD_FUTEX_WAKE;
    else
        op->kind = all ? HD_FUTEX_ALL_NOBODY : d->to ? HD_FUTEX_NO_REQUEUE : HD_FUTEX_NOBODY;
    return 1;
}

static void add_to_step(hd_op op, uint8_t kind, const void *object, uint8_t mask)
{
    op.kind = kind;
    op.object = (uint64_t)object;
    op.mask = mask;
    op.choice = op.choices = 0;
    hd_continue_step(&op);
}

/* The comparison of a requeue is a look at the word's memory. */
static void add_comparison(const hd_op *op, const uint32_t *word)
{
    uint64_t at = (uint64_t)word;
    hd_access_share(word, sizeof *word);
    add_to_step(*op, HD_LOAD, (const void *)(at & ~7ull), (uint8_t)(0xfu << (at & 7)));
}

static void move(hd_thread *t, const uint32_t *to)
{
    t->waits_on = to;
    if (t->view->status == HD_THREAD_WAITING)
        t->view->wait_object = (uint64_t)to;
    else if (t->view->status == HD_THREAD_AT_OP)
        hd_withdraw(t); /* the end of its wait by itself; it publishes the same at the other word */
}

/* The sleepers in the order in which they are served: the chosen one first, the others by number. */
static uint32_t list_reached(const void *word, uint32_t bits, uint32_t chosen, hd_thread **list)
{
    uint32_t count = 0, number = 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (is_reached(&hd_threads[i], word, bits) && number++ == chosen)
            list[count++] = &hd_threads[i];
    number = 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (is_reached(&hd_threads[i], word, bits) && number++ != chosen)
            list[count++] = &hd_threads[i];
    return count;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Operations of the step first, then the edges of those who are woken. */
static int serve(const demand *d, const hd_op *op, const uint32_t *word, const hd_site *site)
{
    hd_thread *list[HD_MAX_THREADS];
    uint32_t count = list_reached(word, d->bits, op->choice, list);
    uint32_t wakes = least(d->wakes, count), moves = least(d->moves, count - wakes);
    hd_op first = *op;
    if (!count_choices(d, count))
        hd_end(HD_MODEL_LIMIT, site, "a futex call that reaches %u of %u sleepers is not modelled yet", wakes + moves,
            count);
    if (!is_simple(d)) {
        for (uint32_t i = 1; i < wakes + moves; i++)
            add_to_step(first, first.kind, word, 0);
        for (uint32_t i = 0; i < moves; i++)
            add_to_step(first, HD_FUTEX_SLEEP, d->to, 0);
    }
    for (uint32_t i = 0; i < wakes; i++)
        hd_sleep_wake(list[i], HD_WAIT_FUTEX);
    for (uint32_t i = wakes; i < wakes + moves; i++)
        move(list[i], d->to);
    if (moves)
        hd_sleep_check_room(d->to);
    return (int)(wakes + moves);
}

static int perform(const uint32_t *word, demand d)
{
    const hd_site *site = hd_call_site;
    check_block(site);
    if (d.expected)
        hd_heap_check(word, sizeof *word, site, 0);
    if (!hd_fast_state.waits)
        return is_refused(&d, word) ? -1 : 0; /* no other thread exists */
    hd_current->update.operand = (uint64_t)&d;
    const hd_op *op = hd_perform(HD_FUTEX_WAKE, word, look_at_sleepers);
    hd_op first = *op;
    int refused = is_refused(&d, word), nobody = hd_kind_looks(op->kind);
    if (d.expected)
        add_comparison(&first, word);
    int served = refused ? -1 : nobody ? 0 : serve(&d, &first, word, site);
    check_validity(word);
    return served;
}

uint32_t hd_futex_wake(const uint32_t *word, uint32_t most, uint32_t bits)
{
    return (uint32_t)perform(word, (demand) { .wakes = most, .bits = bits });
}

int hd_futex_requeue(const uint32_t *word, uint32_t wakes, uint32_t moves, const uint32_t *to, const uint32_t *expected)
{
    return perform(word, (demand) { wakes, moves, HD_FUTEX_ANY, to, expected });
}
