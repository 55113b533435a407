/* Messages between ranks, and which receive gets which message (mpi_internal.h). */
#include "runtime/core/own.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"
#include "runtime/sync/choice.h"

#include <string.h>

/* Objects of operations (abi/shown.def): by sender, receiver and number. */
hd_gate hd_mpi_sent[HD_MPI_RANKS * HD_MPI_RANKS * HD_MPI_MESSAGES];
hd_gate hd_mpi_taken[HD_MPI_RANKS * HD_MPI_RANKS * HD_MPI_MESSAGES];
hd_gate hd_mpi_matched[HD_MPI_RANKS * HD_MPI_RECEIVES];
hd_gate hd_mpi_posted[HD_MPI_RANKS * HD_MPI_RECEIVES];
hd_gate hd_mpi_never; /* a message from any rank, if none can come */

static hd_mpi_message *messages; /* in the same order */
static hd_mpi_receive *receives; /* HD_MPI_RECEIVES of each rank, in the order in which they were posted */
static uint32_t made[HD_MPI_RANKS][HD_MPI_RANKS]; /* messages */
static uint32_t posted[HD_MPI_RANKS]; /* receives */

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
    for (uint32_t rank = 0; rank < HD_MPI_RANKS; rank++) {
        for (uint32_t i = 0; i < posted[rank]; i++)
            hd_mpi_matched[rank * HD_MPI_RECEIVES + i].count = hd_mpi_posted[rank * HD_MPI_RECEIVES + i].count = 0;
        posted[rank] = 0;
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
    hd_mpi_channel_send(m);
    return m;
}

void hd_mpi_deliver(hd_mpi_message *m)
{
    hd_call_site = m->site;
    hd_data_comes(&hd_mpi_sent[index_of(m->from, m->to, m->number)]);
}

void hd_mpi_await_taken(const hd_mpi_message *m, int spared, const hd_site *site)
{
    hd_call_site = site;
    hd_mpi_await(&hd_mpi_taken[index_of(m->from, m->to, m->number)], spared);
}

/* --- receives ------------------------------------------------------------------------------------------- */

static hd_mpi_receive *receive_at(uint32_t rank, uint32_t i)
{
    return &receives[rank * HD_MPI_RECEIVES + i];
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
    while (rank->first_receive < posted[me] && receive_at(me, rank->first_receive)->over)
        rank->first_receive++;
    for (uint32_t from = 0; from < hd_mpi_ranks(); from++)
        while (rank->first[from] < made[from][me] && message_at(from, me, rank->first[from])->over)
            rank->first[from]++;
}

/* The first receive from `i` on that was posted before `r` and is not over for it; NULL: none. */
static hd_mpi_receive *next_before(const hd_mpi_receive *r, uint32_t *i)
{
    for (; *i < r->number; ++*i)
        if (!is_over_at(receive_at(r->rank, *i)->over, r->number))
            return receive_at(r->rank, (*i)++);
    return NULL;
}

#define EACH_BEFORE(other, r) \
    uint32_t i_ = (r)->first; \
    for (hd_mpi_receive * other; (other = next_before((r), &i_));)

static hd_mpi_receive make_receive(const hd_mpi_comm *c, int from, int tag, const hd_site *site)
{
    hd_mpi_rank *rank = hd_mpi_rank_now();
    set_up();
    skip_what_is_over(rank);
    hd_mpi_receive r = { .from = from == MPI_ANY_SOURCE ? from : c->world[from],
        .tag = tag,
        .context = c->context,
        .rank = hd_mpi_rank_number(),
        .number = posted[hd_mpi_rank_number()],
        .first = rank->first_receive,
        .site = site };
    r.sender = r.from;
    memcpy(r.start, rank->first, sizeof r.start);
    return r;
}

/* Receives from any source guess; when the program is run by hand there is one rank. */
static void guess_sender(hd_mpi_receive *r, const hd_mpi_comm *c, const hd_site *site)
{
    uint32_t posted[HD_MPI_RANKS] = { 0 };
    EACH_BEFORE(other, r)
    if (other->context == r->context && other->tag == r->tag && other->sender != MPI_ANY_SOURCE)
        posted[other->sender]++;
    if (r->from == MPI_ANY_SOURCE && hd_exploring())
        hd_mpi_guess_sender(r, c, posted, site);
    else if (r->from == MPI_ANY_SOURCE)
        r->sender = (int)r->rank;
}

hd_mpi_receive *hd_mpi_post(const hd_mpi_comm *c, int from, int tag, const hd_site *site)
{
    hd_mpi_order(site);
    uint32_t me = hd_mpi_rank_number();
    if (posted[me] == HD_MPI_RECEIVES)
        hd_end(HD_MODEL_LIMIT, site, "more than %d receives of an MPI rank are not modelled", HD_MPI_RECEIVES);
    set_up();
    hd_mpi_receive *r = receive_at(me, posted[me]);
    *r = make_receive(c, from, tag, site);
    r->shared = hd_mpi_rank_now()->level >= MPI_THREAD_SERIALIZED;
    posted[me]++;
    guess_sender(r, c, site);
    hd_mpi_race_post(r);
    if (hd_known->ready_sends && hd_exploring()) {
        hd_call_site = site;
        hd_data_comes(&hd_mpi_posted[hd_mpi_receive_index(r)]);
    }
    return r;
}

void hd_mpi_receive_is_over(hd_mpi_receive *r, const hd_site *site)
{
    hd_mpi_order(site);
    r->over = posted[r->rank] + 1;
    if (!r->message)
        return;
    r->message->over = r->over;
    hd_mpi_channel_is_over(r->message);
}

static int fits(const hd_mpi_receive *r, const hd_mpi_message *m)
{
    return r->context == m->context && (r->from == MPI_ANY_SOURCE || r->from == m->from)
        && (r->tag == MPI_ANY_TAG || r->tag == m->tag);
}

/* --- matching ----------------------------------------------------------------------------------------------- */

/* Passes a gate, or finds it shut and does not wait. */
static int pass(hd_gate *gate, int waits, const hd_site *site)
{
    hd_call_site = site;
    return waits ? hd_data_await(gate, NULL) : hd_data_poll(gate);
}

/* Whose is a message that fits `r`? An earlier receive that fits it gets it, unless it has another. */
typedef enum owner { MINE, ANOTHERS, UNKNOWN } owner;

static owner owner_of(const hd_mpi_receive *r, const hd_mpi_message *m, int waits, const hd_site *site)
{
    EACH_BEFORE(other, r)
    if (fits(other, m)) {
        if (!pass(&hd_mpi_matched[hd_mpi_receive_index(other)], waits, site))
            return UNKNOWN;
        if (other->message == m)
            return ANOTHERS;
    }
    return MINE;
}

/* The first message of this sender that the receive may take; NULL, if it does not wait: none yet. */
static hd_mpi_message *find(const hd_mpi_receive *r, uint32_t from, int waits, const hd_site *site)
{
    for (uint32_t i = r->start[from];; i++) {
        if (i == HD_MPI_MESSAGES)
            hd_end(HD_MODEL_LIMIT, site, "more than %d MPI messages from one rank to another are not modelled",
                HD_MPI_MESSAGES);
        if (!pass(&hd_mpi_sent[index_of(from, r->rank, i)], waits, site))
            return NULL;
        hd_mpi_message *m = message_at(from, r->rank, i);
        if (is_over_at(m->over, r->number) || !fits(r, m))
            continue;
        owner o = owner_of(r, m, waits, site);
        if (o != ANOTHERS)
            return o == MINE ? m : NULL;
    }
}

static hd_mpi_message *await(hd_mpi_receive *r, const hd_site *site)
{
    int any = r->from == MPI_ANY_SOURCE;
    if (any)
        hd_mpi_guess_begin(&r->guess);
    if (r->sender == MPI_ANY_SOURCE)
        pass(&hd_mpi_never, 1, site);
    hd_mpi_message *m = find(r, (uint32_t)r->sender, 1, site);
    if (any)
        hd_mpi_guess_end(&r->guess);
    return m;
}

/* Is there a message that no receive has taken and that fits? */
static int could_take(const hd_mpi_guess *guess)
{
    const hd_mpi_receive *r = (const hd_mpi_receive *)((const char *)guess - offsetof(hd_mpi_receive, guess));
    if (r->cancelled)
        return 0;
    for (uint32_t from = 0; from < hd_mpi_ranks(); from++)
        for (uint32_t i = r->start[from]; i < made[from][r->rank]; i++) {
            const hd_mpi_message *m = message_at(from, r->rank, i);
            if (hd_mpi_sent[index_of(from, r->rank, i)].count && !m->taken_by && fits(r, m))
                return 1;
        }
    return 0;
}

/* The receive takes the message when its gate opens; whether it was cancelled before is known then. */
int hd_mpi_match(hd_mpi_receive *r, const hd_site *site)
{
    r->guess.could_go_on = could_take;
    hd_mpi_message *m = await(r, site);
    uint32_t outer = hd_step_begin(0);
    hd_call_site = site;
    if (r->shared)
        hd_data_comes(&hd_mpi_matched[hd_mpi_receive_index(r)]);
    if (!r->cancelled) {
        r->message = m;
        m->taken_by = r;
        if (r->from == MPI_ANY_SOURCE)
            hd_mpi_race_match(r, m);
        hd_call_site = site;
        if (m->waits)
            hd_data_comes(&hd_mpi_taken[index_of(m->from, m->to, m->number)]);
    }
    hd_step_end(outer);
    return !r->cancelled;
}

/* --- ready sends --------------------------------------------------------------------------------------- */

/* How many receives the rank has posted, as the current thread finds: one look. */
static uint32_t count_posted(uint32_t rank, const hd_site *site)
{
    uint32_t count = 0, outer = hd_step_begin(0);
    while (count < HD_MPI_RECEIVES && pass(&hd_mpi_posted[rank * HD_MPI_RECEIVES + count], 0, site))
        count++;
    hd_step_end(outer);
    return count;
}

/* Earlier messages to the rank take the receives that they fit. Where a receive from any source has guessed another
 * sender, it is for this message as well, and the other one only comes first in this execution. */
static int is_awaited(const hd_mpi_message *m, uint32_t count)
{
    static uint8_t given[HD_MPI_RECEIVES];
    memset(given, 0, count);
    for (uint32_t k = 0; k < m->number; k++) {
        const hd_mpi_message *other = message_at(m->from, m->to, k);
        uint32_t i = 0;
        while (i < count
            && (given[i] || receive_at(m->to, i)->sender != other->from || !fits(receive_at(m->to, i), other)))
            i++;
        if (i < count)
            given[i] = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!given[i] && fits(receive_at(m->to, i), m))
            return 1;
    return 0;
}

/* Posting is announced from the first ready send on, so the run with that one does not count. */
void hd_mpi_check_ready(const hd_mpi_message *m, const hd_site *site)
{
    if (!hd_exploring())
        return;
    if (!hd_known->ready_sends) {
        hd_known->ready_sends = 1;
        hd_learned();
    } else if (!is_awaited(m, count_posted(m->to, site)))
        hd_end(HD_MESSAGE, site, "%s: no receive for the message to rank %u (tag %d) is posted",
            hd_mpi_rank_now()->call, m->to, m->tag);
}

/* Its gate opens, so that nothing waits for it any more. Its thread may wait for ever. */
void hd_mpi_receive_cancel(hd_mpi_receive *r, const hd_site *site)
{
    hd_gate *gate = &hd_mpi_matched[hd_mpi_receive_index(r)];
    uint32_t outer = hd_step_begin(0);
    hd_call_site = site;
    if (!hd_data_poll(gate)) {
        hd_call_site = site;
        hd_data_comes(gate);
        r->cancelled = 1;
    }
    hd_step_end(outer);
}

/* A message of each sender: one look, in one step. Chooses if there are several. */
static hd_mpi_message *look_at_all(const hd_mpi_receive *r, const hd_site *site)
{
    hd_mpi_message *found[HD_MPI_RANKS];
    uint32_t count = 0, outer = hd_step_begin(0);
    for (uint32_t from = 0; from < hd_mpi_ranks(); from++) {
        hd_mpi_message *m = r->from == MPI_ANY_SOURCE || (uint32_t)r->from == from ? find(r, from, 0, site) : NULL;
        if (m)
            found[count++] = m;
    }
    hd_step_end(outer);
    hd_call_site = site;
    return count ? found[count > 1 ? hd_choose(count) : 0] : NULL;
}

/* A look, unlike a receive, is not posted: nothing comes after it. */
hd_mpi_message *hd_mpi_look(const hd_mpi_comm *c, int from, int tag, int waits, const hd_site *site)
{
    hd_mpi_receive r = make_receive(c, from, tag, site);
    if (!waits)
        return look_at_all(&r, site);
    guess_sender(&r, c, site);
    r.guess.could_go_on = could_take;
    return await(&r, site);
}

/* A receive that was freed takes its message when it comes. */
static int will_be_taken(const hd_mpi_message *m)
{
    for (uint32_t i = 0; i < posted[m->to]; i++) {
        const hd_mpi_receive *r = receive_at(m->to, i);
        if (!r->message && !r->cancelled && fits(r, m))
            return 1;
    }
    return 0;
}

const hd_mpi_message *hd_mpi_lost(uint32_t rank)
{
    for (uint32_t from = 0; from < HD_MPI_RANKS; from++)
        for (uint32_t i = 0; i < made[from][rank]; i++) {
            const hd_mpi_message *m = message_at(from, rank, i);
            if (!m->taken_by && !m->cancelled && !will_be_taken(m))
                return m;
        }
    return NULL;
}
