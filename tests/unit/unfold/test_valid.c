/* hd_unfold_is_valid notices a wrong field of each kind. */
#include "unfold/unfold_internal.h"
#include "unit/unfold/unfolded.h"

#define CHECK_NET(field, wrong) CHECK_NOTICED(hd_unfold_is_valid(u), u->field, wrong)

/* Two conditions follow each other, a set of reads is closed, and writes meet reads. */
static hd_unfolding *make(const char *text, hd_net net)
{
    program p = parse(text);
    return unfold(&p, net, 0).u;
}

/* The last event that made a condition. */
static uint32_t a_maker(const hd_unfolding *u)
{
    uint32_t e = (uint32_t)u->events.count - 1;
    while (u->events.items[e].kind != EVENT_STEP || !u->events.items[e].access_count
        || !made_by(&u->accesses.items[u->events.items[e].access]))
        e--;
    return e;
}

static uint32_t a_meeting(const hd_unfolding *u, bool continues)
{
    uint32_t m = (uint32_t)u->meetings.count - 1;
    while (u->meetings.items[m].continues != continues || u->meetings.items[m].status != MEETING_DONE
        || !u->meetings.items[m].condition)
        m--;
    return m;
}

TEST(validity_notices_wrong_events)
{
    hd_unfolding *u = make("w x, w x, r y; r x, w x; w y, r x", HD_NET_REPLICATED);
    uint32_t e = a_maker(u), thread = u->events.items[e].thread;
    CHECK_NET(events.items[e].before, e);
    CHECK_NET(events.items[e].depth, u->events.items[e].depth + 1);
    CHECK_NET(events.items[e].jump, e);
    for (uint32_t t = 0; t < u->clock_width; t++)
        CHECK_NET(clocks[e * u->clock_width + t], t == thread ? u->events.items[e].before : e);
    for (uint32_t s = 0; s < u->slots.count; s++) {
        CHECK_NET(columns[e * u->column_width + s].condition, 0);
        CHECK_NET(columns[e * u->column_width + s].access, (uint32_t)u->accesses.count);
    }
    CHECK(u->slots.count > 0);
    hd_unfold_close(u);
}

TEST(validity_notices_wrong_prospects)
{
    hd_unfolding *u = make("w x + w y; w x + r y; r y, w x", HD_NET_REPLICATED);
    uint32_t w = (uint32_t)u->wishes.count - 1;
    while (!u->wishes.items[w].after)
        w--;
    uint32_t cone = u->wishes.items[w].cone;
    CHECK_NET(clocks[cone * u->clock_width], u->clocks[cone * u->clock_width] ? 0 : a_maker(u));
    CHECK_NET(meetings.items[u->wishes.items[w].after].continues, false);
    CHECK_NET(wishes.items[w].after, a_meeting(u, false));
    CHECK_NET(events.items[0].wishes, u->wishes.items[u->events.items[0].wishes].sibling);
    hd_unfold_close(u);
}

TEST(validity_notices_wrong_accesses_and_conditions)
{
    hd_unfolding *u = make("w x, w x; r x, w x; r x", HD_NET_REPLICATED);
    uint32_t e = a_maker(u), a = u->events.items[e].access, made = made_by(&u->accesses.items[a]), read = 1, set = 1;
    CHECK_NET(accesses.items[a].event, u->events.items[e].before);
    CHECK_NET(accesses.items[a].found, made);
    CHECK_NET(accesses.items[a].adds, 7);
    CHECK_NET(conditions.items[made].parent, 0);
    CHECK_NET(conditions.items[made].depth, 9);
    CHECK_NET(conditions.items[made].jump, made);
    CHECK_NET(conditions.items[made].maker, u->events.items[e].before);
    CHECK_NET(conditions.items[made].object, 2);
    CHECK_NET(conditions.items[u->conditions.items[made].parent].child, 0);
    while (u->accesses.items[read].group != HD_GROUP_LOOKS)
        read++;
    CHECK_NET(conditions.items[u->accesses.items[read].found].group_accesses, 0);
    while (!u->conditions.items[set].closed)
        set++;
    CHECK_NET(conditions.items[set].count, 5);
    CHECK_NET(sets.items[u->conditions.items[set].maker + 1], a);
    hd_unfold_close(u);
}

TEST(validity_notices_lost_extensions)
{
    hd_unfolding *u = make("w x, w x; r x, w x; r x", HD_NET_REPLICATED);
    uint32_t m = a_meeting(u, false), c = u->meetings.items[m].condition;
    CHECK_NET(meetings.items[m].wish, 1);
    CHECK_NET(meetings.items[m].status, MEETING_TARGET);
    CHECK_NET(meetings.items[m].next_step, 1);
    CHECK_NET(conditions.items[c].meetings, u->meetings.items[u->conditions.items[c].meetings].next);
    hd_unfold_close(u);
}

/* Many threads wait at one condition: what meets it is a crowd. */
TEST(validity_notices_wrong_crowds)
{
    hd_unfolding *u = make("w x, r y; w x, r y; w x; w x", HD_NET_REPLICATED);
    uint32_t crowd = (uint32_t)u->crowds.list.count - 1, entry = (uint32_t)u->crowds.entries.count - 1;
    CHECK(crowd > 0 && entry > 0);
    uint32_t newest = u->crowds.entries.items[entry].crowd;
    CHECK_NET(crowds.list.items[newest].count, 1);
    CHECK_NET(crowds.entries.items[entry].number, 0);
    CHECK_NET(crowds.list.items[newest].deepest, 0);
    hd_unfold_close(u);
}
