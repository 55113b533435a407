#include "worker/session.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

bool hd_session_add_notice(hd_session *s, const char *text)
{
    if (s->notice_count == HD_SESSION_NOTICES)
        return false;
    snprintf(s->notices[s->notice_count], sizeof *s->notices, "%s", text);
    s->notice_count++;
    return true;
}

void hd_session_set_bound(hd_session *s, const char *which)
{
    snprintf(s->bound, sizeof s->bound, "%s", which);
}

bool hd_session_has_foreign(const hd_session *s, const hd_foreign *call)
{
    for (uint32_t i = 0; i < s->foreign_count; i++)
        if (s->foreign[i].call == call->call && !strcmp(s->foreign[i].function, call->function))
            return true;
    return false;
}

double hd_session_deadline(const hd_session *s)
{
    const double share = 0.25;
    double most = share * (s->until - s->started), needed = s->keep->replaying;
    return s->until > 0 ? s->until - (needed < most ? needed : most) : 0;
}

const char *hd_session_due(const hd_session *s)
{
    hd_deadline deadline = { .until = hd_session_deadline(s) };
    return hd_deadline_is_over(&deadline) ? "time" : s->stop ? "interrupted" : NULL;
}

/* The bound that schedules were left out for. */
static const char *bound_of_schedules(const hd_session *s)
{
    return s->counts.reached.by == HD_BOUNDED_DELAYS ? "delays" : "preemptions";
}

/* A model limit that some execution met still counts after the search has started over, so findings
 * are checked too. */
static bool met_limit(const hd_session *s)
{
    for (uint32_t i = 0; i < s->keep->found_count; i++)
        if (s->keep->found[i].finding.kind == HD_FINDING_MODEL_LIMIT)
            return true;
    return false;
}

const char *hd_session_bound(const hd_session *s)
{
    const hd_run_counts *c = &s->counts;
    if (*s->failure)
        return "failure";
    if (s->end == HD_END_NONDETERMINISTIC)
        return "nondeterminism";
    if (*s->bound)
        return s->bound;
    /* In order of importance: one reason is reported as the bound. */
    return s->end == HD_END_EXHAUSTED ? "left-out"
        : c->limited || met_limit(s)  ? "model-limit"
        : c->deep                     ? "depth"
        : c->full                     ? "heap"
        : c->endless                  ? "output"
        : c->hung                     ? "hang"
        : c->unseen                   ? "assembly"
        : c->clocked                  ? "clock"
        : s->foreign_count            ? "foreign"
        : s->stripped                 ? "stripped"
        : c->solver.unknown           ? "solver"
        : c->followed                 ? "concrete"
        : s->end == HD_END_BOUNDED    ? bound_of_schedules(s)
                                      : NULL;
}
