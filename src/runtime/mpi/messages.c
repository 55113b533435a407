/* Messages between ranks, and which receive gets which message (mpi_internal.h). */
#include "runtime/core/own.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/spin.h"
#include "runtime/sync/choice.h"

#include <string.h>

/* Objects of operations (abi/shown.def): by sender, receiver and number. */
hd_gate hd_mpi_sent[HD_MPI_RANKS * HD_MPI_RANKS * HD_MPI_MESSAGES];
hd_gate hd_mpi_taken[HD_MPI_RANKS * HD_MPI_RANKS * HD_MPI_MESSAGES];

static hd_mpi_message *messages; /* in the same order */
static hd_mpi_receive *receives; /* HD_MPI_RECEIVES of each rank, in the order in which they were posted */
static uint32_t made[HD_MPI_RANKS][HD_MPI_RANKS]; /* messages */

static uint32_t index_of(uint32_t from, uint32_t to, uint32_t number)
{
    return (from * HD_MPI_RANKS + to) * HD_MPI_MESSAGES + number;
}

static hd_mpi_message *message_at(uint32_t from, uint32_t to, uint32_t number)
{
    return &messages[index_of(from, to, number)];
}

void hd_mpi_messages_reset(void)
{
    for (uint32_t from = 0; from < HD_MPI_RANKS; from++)
        for (uint32_t to = 0; to < HD_MPI_RANKS; to++) {
            for (uint32_t i = 0; i < made[from][to]; i++)
                hd_mpi_sent[index_of(from, to, i)].count = hd_mpi_taken[index_of(from, to, i)].count = 0;
            made[from][to] = 0;
        }
}

static void set_up(void)
{
    if (messages)
        return;
    messages = hd_own_alloc(HD_MPI_RANKS * HD_MPI_RANKS * HD_MPI_MESSAGES * sizeof *messages);
    receives = hd_own_alloc(HD_MPI_RANKS * HD_MPI_RECEIVES * sizeof *receives);
}

/* --- sending ------------------------------------------------------------------------------------------ */

hd_mpi_message *hd_mpi_send(
    const hd_mpi_comm *c, int to, int tag, uint8_t *data, const hd_mpi_type *type, size_t count, const hd_site *site)
{
    set_up();
    hd_mpi_order(site);
    uint32_t from = hd_mpi_rank_number(), receiver = c->world[to], number = made[from][receiver];
    if (number == HD_MPI_MESSAGES)
        hd_end(HD_MODEL_LIMIT, site, "more than %d MPI messages from one rank to another are not modelled",
            HD_MPI_MESSAGES);
    made[from][receiver]++;
    hd_mpi_message *m = message_at(from, receiver, number);
    *m = (hd_mpi_message) { .data = data,
        .bytes = count * type->size,
        .elements = count * type->elements,
        .pattern = type->pattern,
        .site = site,
        .tag = tag,
        .context = c->context,
        .from = (uint8_t)from,
        .to = (uint8_t)receiver,
        .number = number };
    return m;
}

void hd_mpi_deliver(hd_mpi_message *m)
{
    hd_call_site = m->site;
    hd_data_comes(&hd_mpi_sent[index_of(m->from, m->to, m->number)]);
}

void hd_mpi_await_taken(const hd_mpi_message *m, const hd_site *site)
{
    hd_call_site = site;
    hd_data_await(&hd_mpi_taken[index_of(m->from, m->to, m->number)], NULL);
}

const hd_mpi_message *hd_mpi_lost(uint32_t rank)
{
    for (uint32_t from = 0; from < HD_MPI_RANKS; from++)
        for (uint32_t i = 0; i < made[from][rank]; i++)
            if (!message_at(from, rank, i)->taken_by)
                return message_at(from, rank, i);
    return NULL;
}

/* --- receives ------------------------------------------------------------------------------------------- */

static hd_mpi_receive *receive_at(uint32_t i)
{
    return &receives[hd_mpi_rank_number() * HD_MPI_RECEIVES + i];
}

/* What is over at a point of the rank's program: before receive `number` was posted. A thread of a request sees this,
 * and not what the rank has waited for since. */
static int is_over_at(uint32_t over, uint32_t number)
{
    return over && over <= number + 1;
}

static void skip_what_is_over(hd_mpi_rank *rank)
{
    uint32_t me = hd_mpi_rank_number();
    while (rank->first_receive < rank->receives && receive_at(rank->first_receive)->over)
        rank->first_receive++;
    for (uint32_t from = 0; from < hd_mpi_ranks(); from++)
        while (rank->first[from] < made[from][me] && message_at(from, me, rank->first[from])->over)
            rank->first[from]++;
}

static hd_mpi_receive make_receive(const hd_mpi_comm *c, int from, int tag)
{
    hd_mpi_rank *rank = hd_mpi_rank_now();
    set_up();
    skip_what_is_over(rank);
    hd_mpi_receive r = { .from = from == MPI_ANY_SOURCE ? from : c->world[from],
        .tag = tag,
        .context = c->context,
        .number = rank->receives,
        .first = rank->first_receive };
    memcpy(r.start, rank->first, sizeof r.start);
    memcpy(r.seen, rank->first, sizeof r.seen);
    return r;
}

hd_mpi_receive *hd_mpi_post(const hd_mpi_comm *c, int from, int tag, const hd_site *site)
{
    hd_mpi_order(site);
    hd_mpi_rank *rank = hd_mpi_rank_now();
    if (rank->receives == HD_MPI_RECEIVES)
        hd_end(HD_MODEL_LIMIT, site, "more than %d receives of an MPI rank are not modelled", HD_MPI_RECEIVES);
    set_up();
    hd_mpi_receive *r = receive_at(rank->receives);
    *r = make_receive(c, from, tag);
    rank->receives++;
    return r;
}

void hd_mpi_receive_is_over(hd_mpi_receive *r, const hd_site *site)
{
    hd_mpi_order(site);
    r->over = r->message->over = hd_mpi_rank_now()->receives + 1;
}

static int fits(const hd_mpi_receive *r, const hd_mpi_message *m)
{
    return r->context == m->context && (r->from == MPI_ANY_SOURCE || r->from == m->from)
        && (r->tag == MPI_ANY_TAG || r->tag == m->tag);
}

/* Is there a message that fits both? */
static int overlap(const hd_mpi_receive *a, const hd_mpi_receive *b)
{
    return a->context == b->context && (a->from == MPI_ANY_SOURCE || b->from == MPI_ANY_SOURCE || a->from == b->from)
        && (a->tag == MPI_ANY_TAG || b->tag == MPI_ANY_TAG || a->tag == b->tag);
}

/* The first receive from `i` on that was posted before `r` and is not over for it; NULL: none. */
static hd_mpi_receive *next_before(const hd_mpi_receive *r, uint32_t *i)
{
    for (; *i < r->number; ++*i)
        if (!is_over_at(receive_at(*i)->over, r->number))
            return receive_at((*i)++);
    return NULL;
}

#define EACH_BEFORE(other, r) \
    uint32_t i_ = (r)->first; \
    for (hd_mpi_receive * other; (other = next_before((r), &i_));)

/* --- one sender, in order -------------------------------------------------------------------------------- */

/* Can an earlier receive that takes messages from any sender get one that `r` wants? */
static int competes_with_any(const hd_mpi_receive *r)
{
    EACH_BEFORE(other, r)
    if (other->from == MPI_ANY_SOURCE && overlap(other, r))
        return 1;
    return 0;
}

/* The earlier receive that gets the message: the first that fits and has none in this `round`. */
static hd_mpi_receive *taker_before(const hd_mpi_receive *r, const hd_mpi_message *m, uint32_t round)
{
    EACH_BEFORE(other, r)
    if (fits(other, m) && other->round != round)
        return other;
    return NULL;
}

/* Of the messages from one sender, does the one with this number belong to `r`? Each belongs to the first receive that
 * fits it and has no earlier one, whenever that takes it. */
static int belongs(const hd_mpi_receive *r, uint32_t from, uint32_t number)
{
    static uint32_t round;
    uint32_t me = hd_mpi_rank_number();
    round++;
    for (uint32_t i = r->start[from]; i <= number; i++) {
        const hd_mpi_message *m = message_at(from, me, i);
        if (is_over_at(m->over, r->number))
            continue;
        hd_mpi_receive *other = taker_before(r, m, round);
        if (other)
            other->round = round;
        else if (fits(r, m))
            return i == number;
    }
    return 0;
}

/* Waits for messages one after the other, until one belongs to the receive. */
static hd_mpi_message *await_in_order(hd_mpi_receive *r, const hd_site *site)
{
    uint32_t from = (uint32_t)r->from, me = hd_mpi_rank_number();
    for (uint32_t i = r->start[from];; i++) {
        if (i == HD_MPI_MESSAGES)
            hd_end(HD_MODEL_LIMIT, site, "more than %d MPI messages from one rank to another are not modelled",
                HD_MPI_MESSAGES);
        hd_call_site = site;
        hd_data_await(&hd_mpi_sent[index_of(from, me, i)], NULL);
        if (belongs(r, from, i))
            return message_at(from, me, i);
    }
}

/* --- several senders -------------------------------------------------------------------------------------- */

static int knows(const hd_mpi_receive *r, const hd_mpi_receive *other)
{
    for (uint32_t i = 0; i < r->known_count; i++)
        if (r->known[i] == other->number)
            return 1;
    return 0;
}

/* Which earlier receives have got a message. Returns whether there is news. */
static int look_at_receives(hd_mpi_receive *r, const hd_site *site)
{
    int news = 0;
    EACH_BEFORE(other, r)
    if (overlap(other, r) && !knows(r, other)) {
        hd_call_site = site;
        if (!hd_mpi_done_poll(other->done - 1))
            continue;
        if (r->known_count == HD_MOST_LOOKS)
            hd_end(HD_MODEL_LIMIT, site, "more than %d receives before one from any source are not modelled",
                HD_MOST_LOOKS);
        r->known[r->known_count++] = other->number;
        news = 1;
    }
    return news;
}

/* Might an earlier receive, which has no message yet, get this one? */
static int is_wanted(const hd_mpi_receive *r, const hd_mpi_message *m)
{
    EACH_BEFORE(other, r)
    if (fits(other, m) && !knows(r, other))
        return 1;
    return 0;
}

static int is_taken(const hd_mpi_receive *r, const hd_mpi_message *m)
{
    EACH_BEFORE(other, r)
    if (fits(other, m) && knows(r, other) && other->message == m)
        return 1;
    return is_over_at(m->over, r->number);
}

/* The first message of this sender that the receive may take; NULL: none yet. */
static hd_mpi_message *look_at_sender(hd_mpi_receive *r, uint32_t from, const hd_site *site)
{
    uint32_t me = hd_mpi_rank_number();
    for (uint32_t i = r->start[from]; i < HD_MPI_MESSAGES; i++) {
        if (i == r->seen[from]) {
            hd_call_site = site;
            if (!hd_data_poll(&hd_mpi_sent[index_of(from, me, i)]))
                return NULL;
            r->seen[from]++;
        }
        hd_mpi_message *m = message_at(from, me, i);
        if (fits(r, m) && !is_taken(r, m))
            return is_wanted(r, m) ? NULL : m;
    }
    return NULL;
}

/* The messages that the receive may take, one of each sender: one look, in one step. Returns whether there is news:
 * something that it has not seen before. */
static int look_at_all(hd_mpi_receive *r, hd_mpi_message **found, unsigned *count, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    int news = look_at_receives(r, site);
    *count = 0;
    for (uint32_t from = 0; from < hd_mpi_ranks(); from++) {
        if (r->from != MPI_ANY_SOURCE && (uint32_t)r->from != from)
            continue;
        uint32_t seen = r->seen[from];
        hd_mpi_message *m = look_at_sender(r, from, site);
        if (m)
            found[(*count)++] = m;
        news |= r->seen[from] != seen;
    }
    hd_step_end(outer);
    return news;
}

/* NULL: there is none, and it does not wait. No other receive takes one of those that it chooses from: earlier ones
 * that fit have theirs, and later ones wait for this one. */
static hd_mpi_message *await_any(hd_mpi_receive *r, int waits, const hd_site *site)
{
    for (;;) {
        hd_mpi_message *found[HD_MPI_RANKS];
        unsigned count;
        uint32_t start = *hd_rt.log_count;
        int news = look_at_all(r, found, &count, site);
        hd_call_site = site;
        if (count || !waits)
            return count ? found[count > 1 ? hd_choose(count) : 0] : NULL;
        if (!news && !hd_spin_await(start))
            hd_end(HD_MODEL_LIMIT, site, "waiting for so many MPI messages at once is not modelled");
    }
}

/* --- both ------------------------------------------------------------------------------------------------- */

static hd_mpi_message *await(hd_mpi_receive *r, const hd_site *site)
{
    int in_order = r->from != MPI_ANY_SOURCE && !competes_with_any(r);
    return in_order ? await_in_order(r, site) : await_any(r, 1, site);
}

void hd_mpi_match(hd_mpi_receive *r, const hd_site *site)
{
    hd_mpi_message *m = await(r, site);
    r->message = m;
    m->taken_by = r;
    uint32_t outer = hd_step_begin(0);
    hd_call_site = site;
    if (m->waits)
        hd_data_comes(&hd_mpi_taken[index_of(m->from, m->to, m->number)]);
    hd_call_site = site;
    if (r->done)
        hd_mpi_done_open(r->done - 1);
    hd_step_end(outer);
}

/* A look, unlike a receive, is not posted: nothing comes after it. */
hd_mpi_message *hd_mpi_look(const hd_mpi_comm *c, int from, int tag, int waits, const hd_site *site)
{
    hd_mpi_receive r = make_receive(c, from, tag);
    return waits ? await(&r, site) : await_any(&r, 0, site);
}
