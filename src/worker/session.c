#include "worker/session.h"

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
        : c->hung                     ? "hang"
        : c->unseen                   ? "assembly"
        : c->clocked                  ? "clock"
        : s->foreign_count            ? "foreign"
        : s->stripped                 ? "stripped"
        : c->solver.unknown           ? "solver"
        : c->followed                 ? "concrete"
                                      : NULL;
}
