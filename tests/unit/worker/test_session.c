#include "worker/session.h"
#include "unit/test.h"

#include <stdlib.h>

static hd_session *make(void)
{
    hd_session *s = calloc(1, sizeof *s);
    s->keep = calloc(1, sizeof *s->keep);
    s->end = HD_END_COMPLETE;
    return s;
}

static void dispose(hd_session *s)
{
    free(s->keep);
    free(s);
}

static void add_finding(hd_session *s, hd_finding_kind kind)
{
    s->keep->found[s->keep->found_count++].finding.kind = kind;
}

TEST(what_is_explored_has_no_bound)
{
    hd_session *s = make();
    CHECK(!hd_session_bound(s));
    add_finding(s, HD_FINDING_DEADLOCK);
    CHECK(!hd_session_bound(s));
    dispose(s);
}

/* The counts of executions begin again when a search starts over; findings stay. */
TEST(a_limit_that_was_met_once_stays)
{
    hd_session *s = make();
    add_finding(s, HD_FINDING_DEADLOCK);
    add_finding(s, HD_FINDING_MODEL_LIMIT);
    add_finding(s, HD_FINDING_DATA_RACE);
    CHECK_TEXT(hd_session_bound(s), "model-limit");
    s->foreign_count = 1;
    s->counts.deep = 1;
    CHECK_TEXT(hd_session_bound(s), "model-limit");
    dispose(s);
}

TEST(each_reason_is_a_bound)
{
    hd_session *s = make();
    struct {
        uint64_t *count;
        const char *bound;
    } reasons[] = { { &s->counts.limited, "model-limit" }, { &s->counts.deep, "depth" }, { &s->counts.hung, "hang" },
        { &s->counts.unseen, "assembly" }, { &s->counts.clocked, "clock" }, { &s->counts.solver.unknown, "solver" },
        { &s->counts.followed, "concrete" } };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        *reasons[i].count = 1;
        CHECK_TEXT(hd_session_bound(s), reasons[i].bound);
        *reasons[i].count = 0;
    }
    s->foreign_count = 1;
    CHECK_TEXT(hd_session_bound(s), "foreign");
    s->foreign_count = 0;
    s->stripped = true;
    CHECK_TEXT(hd_session_bound(s), "stripped");
    dispose(s);
}

TEST(why_a_search_ended_comes_first)
{
    hd_session *s = make();
    add_finding(s, HD_FINDING_MODEL_LIMIT);
    s->end = HD_END_EXHAUSTED;
    CHECK_TEXT(hd_session_bound(s), "left-out");
    strcpy(s->bound, "time");
    CHECK_TEXT(hd_session_bound(s), "time");
    s->end = HD_END_NONDETERMINISTIC;
    CHECK_TEXT(hd_session_bound(s), "nondeterminism");
    strcpy(s->failure, "workers died");
    CHECK_TEXT(hd_session_bound(s), "failure");
    dispose(s);
}
