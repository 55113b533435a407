/* Which rank a receive from any source gets its message from: a guess (mpi_internal.h), among the ranks that may still
 * send it one.
 *
 * What ranks send is learned from run to run: the largest number of messages with the same ranks, communicator and tag
 * in an execution. A run that exceeds what is known does not count, if a guess could have been another. So of two
 * executions of a search, the one knows what the other does. */
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"
#include "runtime/sync/choice.h"

static uint32_t sent[HD_CHANNELS], over[HD_CHANNELS]; /* in this run */

void hd_mpi_channels_reset(void)
{
    for (uint32_t i = 0; i < HD_CHANNELS && hd_known->channels[i].most; i++)
        sent[i] = over[i] = 0;
}

/* HD_CHANNELS: there is no room for it. */
static uint32_t channel_of(const hd_mpi_message *m)
{
    const hd_channel *c = hd_known->channels;
    uint32_t i = 0;
    while (i < HD_CHANNELS && c[i].most
        && (c[i].from != m->from || c[i].to != m->to || c[i].context != m->context || c[i].tag != m->tag))
        i++;
    return i;
}

void hd_mpi_channel_send(const hd_mpi_message *m)
{
    uint32_t i = channel_of(m);
    if (i == HD_CHANNELS || ++sent[i] <= hd_known->channels[i].most)
        return;
    hd_known->channels[i] = (hd_channel) { m->from, m->to, m->context, m->tag, sent[i] };
    if (hd_known->chooses & 1u << m->to)
        hd_learned();
}

void hd_mpi_channel_is_over(const hd_mpi_message *m)
{
    uint32_t i = channel_of(m);
    if (i < HD_CHANNELS)
        over[i]++;
}

/* How many messages that fit the receive may this rank still send? If the table is full, that is not known. */
static uint32_t expected(const hd_mpi_receive *r, uint32_t from, uint32_t me)
{
    uint32_t count = hd_known->channels[HD_CHANNELS - 1].most ? HD_MPI_MESSAGES : 0;
    for (uint32_t i = 0; i < HD_CHANNELS && hd_known->channels[i].most; i++) {
        const hd_channel *c = &hd_known->channels[i];
        if (c->from == from && c->to == me && c->context == r->context && (r->tag == MPI_ANY_TAG || r->tag == c->tag))
            count += c->most - over[i];
    }
    return count;
}

/* A receive for the same messages of the same sender that was posted before gets its message before: `posted` are
 * those. */
void hd_mpi_guess_sender(hd_mpi_receive *r, const hd_mpi_comm *c, const uint32_t *posted, const hd_site *site)
{
    uint32_t me = hd_mpi_rank_number(), count = 0;
    int senders[HD_MPI_RANKS];
    hd_known->chooses |= 1u << me;
    for (int i = 0; i < c->size; i++)
        if (expected(r, c->world[i], me) > posted[c->world[i]])
            senders[count++] = c->world[i];
    hd_call_site = site;
    r->guess.outcome = count > 1 ? hd_choose(count) : 0;
    r->sender = count ? senders[r->guess.outcome] : MPI_ANY_SOURCE;
}
