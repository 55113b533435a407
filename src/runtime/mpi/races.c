/* Message races: a receive from any source that has got messages of different senders in different executions, after
 * the same receives. They are notes, not findings: what a program makes of either message is explored. */
#include "runtime/mpi/mpi_internal.h"

/* A hash of what the receives from any source have got in this run, and of the buffering. It does not depend on their
 * order. */
static uint64_t past;

void hd_mpi_races_reset(void)
{
    past = 0;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9e3779b97f4a7c15ull;
    return a ^ a >> 29;
}

void hd_mpi_race_post(hd_mpi_receive *r)
{
    r->past = past + (uint64_t)hd_mpi_rank_now()->sends_wait;
}

static int is_of(const hd_message_race *x, const hd_mpi_receive *r)
{
    return x->receive == r->site && x->rank == r->rank && x->number == r->number && x->past == r->past;
}

void hd_mpi_race_match(const hd_mpi_receive *r, const hd_mpi_message *m)
{
    hd_message_race *x = hd_rt.message_races, *end = x + HD_MESSAGE_RACES;
    past += mix(mix(r->rank + 1, r->number), mix(m->from, m->number));
    if (!hd_exploring())
        return;
    while (x < end && x->receive && !is_of(x, r))
        x++;
    if (x == end)
        return;
    if (!x->receive)
        *x = (hd_message_race) { .receive = r->site,
            .sends = { m->site },
            .past = r->past,
            .number = r->number,
            .rank = (uint8_t)r->rank,
            .from = { m->from } };
    else if (!x->sends[1] && x->from[0] != m->from) {
        x->sends[1] = m->site;
        x->from[1] = m->from;
    }
}
