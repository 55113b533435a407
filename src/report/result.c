#include "report/result.h"

#include "base/error.h"
#include "base/sentence.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hd_report_involves(const hd_report_finding *r, uint32_t thread)
{
    const hd_finding *f = &r->finding;
    const hd_recorded_run *run = &r->run;
    if (f->kind == HD_FINDING_DEADLOCK)
        return thread < run->thread_count ? hd_recorded_is_stuck(run, f, thread)
                                          : !run->numbers && hd_thread_set_has(&f->stuck, thread);
    bool races = hd_finding_has_accesses(f) && r->confirmed;
    for (int i = 0; races && i < 2; i++)
        if (f->entries[i] < run->op_count && hd_recorded_doer(run, f->entries[i]) == thread)
            return true;
    return thread == hd_recorded_number(run, f->thread);
}

bool hd_report_counts(const hd_report_finding *f)
{
    return hd_finding_is_bug(&f->finding) && !f->suppressed;
}

static size_t bugs(const hd_report_result *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->finding_count; i++)
        count += hd_report_counts(&r->findings[i]);
    return count;
}

static size_t suppressed(const hd_report_result *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->finding_count; i++)
        count += r->findings[i].suppressed != NULL;
    return count;
}

/* A bug outweighs everything; without one, "clean" requires that everything was explored. */
int hd_report_status(const hd_report_result *r)
{
    return bugs(r) ? HD_EXIT_FOUND : r->failure ? r->failure_status : r->complete ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

/* --- the verdict -------------------------------------------------------------------------- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void add_limit(hd_sentence *s, const hd_report_result *r)
{
    const hd_run_counts *c = &r->counts;
    size_t others = r->finding_count - bugs(r) - suppressed(r) - 1;
    if (c->limited)
        hd_sentence_add(
            s, ", not complete: %" PRIu64 " execution%s ended at a limit of heddle", c->limited, plural(c->limited));
    else
        hd_sentence_add(s, ", not complete: executions before the search started over ended at a limit of heddle");
    for (size_t i = 0; i < r->finding_count; i++)
        if (r->findings[i].finding.kind == HD_FINDING_MODEL_LIMIT) {
            hd_sentence_add(s, ": %s (%s:%u)", r->findings[i].finding.message, r->findings[i].location.file,
                r->findings[i].location.line);
            if (others)
                hd_sentence_add(s, ", and at %zu more (see above)", others);
            return;
        }
}

/* Appends a remark in parentheses; the first one opens them. */
__attribute__((format(printf, 3, 4))) static void add_remark(hd_sentence *s, bool *is_open, const char *format, ...)
{
    char remark[160];
    va_list args;
    va_start(args, format);
    vsnprintf(remark, sizeof remark, format, args);
    va_end(args);
    hd_sentence_add(s, "%s%s", *is_open ? ", " : " (", remark);
    *is_open = true;
}

/* "libz.so (crc32 at a.c:7, starts a thread)"; of a function in the program itself, its name stands first. */
static void add_foreign_call(hd_sentence *s, const hd_report_foreign_call *f)
{
    bool is_open = false;
    hd_sentence_add(s, "%s", f->library ? f->library : f->function);
    if (f->library && f->location.line)
        add_remark(s, &is_open, "%s at %s:%u", f->function, f->location.file, f->location.line);
    else if (f->library)
        add_remark(s, &is_open, "%s", f->function);
    else if (f->location.line)
        add_remark(s, &is_open, "%s:%u", f->location.file, f->location.line);
    if (f->calls_back)
        add_remark(s, &is_open, "calls back %s", f->calls_back);
    if (f->starts_thread)
        add_remark(s, &is_open, "starts a thread");
    hd_sentence_add(s, "%s", is_open ? ")" : "");
}

static void add_foreign(hd_sentence *s, const hd_report_result *r)
{
    const hd_report_foreign_call *first = &r->foreign[0];
    hd_sentence_add(s, ", not complete: heddle does not see inside code that it did not compile: ");
    for (size_t i = 0; i < r->foreign_count; i++) {
        hd_sentence_add(s, "%s", i ? ", " : "");
        add_foreign_call(s, &r->foreign[i]);
    }
    hd_sentence_add(s, "%s; compile it with heddle cc, or rely on it with --trust=%s",
        r->foreign_count == HD_FOREIGN_ROOM ? ", …" : "", first->library ? first->library : first->function);
}

static bool is_failure(const hd_report_result *r)
{
    for (size_t i = 0; i < r->finding_count; i++)
        if (hd_report_counts(&r->findings[i]) && r->findings[i].finding.kind != HD_FINDING_DATA_RACE)
            return true;
    return false;
}

/* Is a bound that the user chose the only reason why the search is not complete? */
static bool is_only_bounded(const hd_report_result *r)
{
    static const char *const chosen[] = { "preemptions", "delays", "time", "max-tests", "memory", "interrupted" };
    const hd_run_counts *c = &r->counts;
    bool other = r->failure || c->deep || c->hung || c->full || c->endless || c->limited || c->unseen || c->clocked
        || r->foreign_count || r->stripped || c->solver.unknown || c->followed || c->differed;
    for (size_t i = 0; r->bound && !other && i < sizeof chosen / sizeof *chosen; i++)
        if (!strcmp(r->bound, chosen[i]))
            return true;
    return false;
}

static const char *word_of(hd_bounded by)
{
    return by == HD_BOUNDED_DELAYS ? "delay" : "preemption";
}

/* A search that is not complete has still run every schedule within the largest bound that it has finished. */
static void add_reached(hd_sentence *s, const hd_report_result *r)
{
    const hd_bound_reached *reached = &r->counts.reached;
    uint32_t most = reached->finished - 1;
    if (reached->finished && !bugs(r) && is_only_bounded(r))
        hd_sentence_add(s, ", no %sfailure with at most %u %s%s", suppressed(r) ? "other " : "", most,
            word_of(reached->by), plural(most));
}

/* The reason why the search stopped, if it did, then every reason why what was explored is incomplete. */
static void add_why_not_complete(hd_sentence *s, const hd_report_result *r)
{
    const hd_run_counts *c = &r->counts;
    if (r->failure)
        hd_sentence_add(s, ", not complete: %s", r->failure);
    else if (r->stopped)
        hd_sentence_add(s, ", stopped %s (--stop=never continues)",
            is_failure(r) ? "at the first finding" : "some time after a data race, with no failure so far");
    else if (r->bound && !strcmp(r->bound, "max-tests"))
        hd_sentence_add(s, ", stopped at --max-tests=%" PRIu64, r->max_tests);
    else if (r->bound && !strcmp(r->bound, "time"))
        hd_sentence_add(s, ", stopped at --time=%g", r->most_seconds);
    else if (r->bound && !strcmp(r->bound, "memory"))
        hd_sentence_add(s, ", stopped at the memory limit (--memory=MB raises it, --explore=dpor needs little)");
    else if (r->bound && !strcmp(r->bound, "interrupted"))
        hd_sentence_add(s, ", interrupted");
    else if (r->bound && !strcmp(r->bound, "findings"))
        hd_sentence_add(s, ", stopped because there are too many findings (%zu)", r->finding_count);
    else if (r->bound && (!strcmp(r->bound, "preemptions") || !strcmp(r->bound, "delays")))
        hd_sentence_add(s, ", stopped at --%s=%u", r->bound, r->most);
    else if (r->bound && !strcmp(r->bound, "left-out"))
        hd_sentence_add(s, ", not complete: the explorer has left something out (see the notices)");
    else if (r->bound && !strcmp(r->bound, "nondeterminism"))
        hd_sentence_add(s,
            ", stopped because the program is not deterministic: the same schedule and inputs gave another execution");
    if (c->deep)
        hd_sentence_add(s, ", not complete: %" PRIu64 " execution%s cut off at --depth=%u", c->deep,
            c->deep == 1 ? " was" : "s were", r->settings.depth);
    if (c->hung)
        hd_sentence_add(s, ", not complete: in %" PRIu64 " execution%s a thread runs without any operation", c->hung,
            plural(c->hung));
    if (c->hung && r->hang.line)
        hd_sentence_add(s, " (%s:%u in %s)", r->hang.file, r->hang.line, r->hang.function);
    else if (c->hung && strcmp(r->hang.function, "?"))
        hd_sentence_add(s, " (in %s)", r->hang.function);
    if (c->full)
        hd_sentence_add(s, ", not complete: in %" PRIu64 " execution%s the heap exceeds %llu MB (%s)", c->full,
            plural(c->full), HD_HEAP_MOST >> 20, c->full_at);
    if (c->endless)
        hd_sentence_add(
            s, ", not complete: %" PRIu64 " execution%s %s", c->endless, plural(c->endless), c->endless_text);
    if (c->limited || (r->bound && !strcmp(r->bound, "model-limit")))
        add_limit(s, r);
    if (c->unseen)
        hd_sentence_add(s,
            ", not complete: %" PRIu64 " execution%s ran assembly whose accesses to memory are not known (%s)",
            c->unseen, plural(c->unseen), c->unseen_at);
    if (c->clocked)
        hd_sentence_add(s,
            ", not complete: %" PRIu64 " execution%s may depend on a clock, of which not all times are explored (%s)",
            c->clocked, plural(c->clocked), c->clocked_at);
    if (r->foreign_count)
        add_foreign(s, r);
    if (r->stripped)
        hd_sentence_add(s,
            ", not complete: the program has code without symbols (it is stripped), so code that heddle did not "
            "compile is not noticed");
    if (c->solver.unknown)
        hd_sentence_add(s, ", not complete: %" PRIu64 " quer%s to the solver had no answer within --solver-time=%u",
            c->solver.unknown, c->solver.unknown == 1 ? "y" : "ies", r->solver_time);
    if (c->followed)
        hd_sentence_add(s, ", not complete: inputs flow into something that heddle does not track");
    add_reached(s, r);
}

/* The bound on time-outs made a difference: every verdict says what it means. */
static void add_timeouts(hd_sentence *s, uint32_t most)
{
    if (most)
        hd_sentence_add(s, " with at most %u time-out%s of each wait while other threads can run (--timeouts=%u)", most,
            plural(most), most);
    else
        hd_sentence_add(s, " with time-outs only when no thread can run (--timeouts=0)");
}

static void add_solving(hd_sentence *s, const hd_solver_counts *c)
{
    uint64_t cached = c->same + c->cores + c->models;
    if (c->queries)
        hd_sentence_add(s, ", %" PRIu64 " quer%s (%" PRIu64 " from memory, %" PRIu64 " solved, %.2f s)", c->queries,
            c->queries == 1 ? "y" : "ies", cached, c->solved, c->seconds);
}

static void add_findings(hd_sentence *s, const hd_report_result *r)
{
    size_t count = bugs(r), hidden = suppressed(r), unsure = 0;
    for (size_t i = 0; i < r->finding_count; i++)
        unsure += !r->findings[i].confirmed && !r->findings[i].suppressed;
    if (count)
        hd_sentence_add(s, ", %zu finding%s", count, plural(count));
    else
        hd_sentence_add(s, ", nothing%s found", hidden ? " else" : "");
    if (r->more_races)
        hd_sentence_add(s, " and other data races (--stop=never lists them)");
    if (unsure)
        hd_sentence_add(s, " (%zu of them not confirmed by a replay)", unsure);
    if (hidden)
        hd_sentence_add(s, ", %zu suppressed", hidden);
}

void hd_report_verdict(const hd_report_result *r, char *text, size_t size)
{
    hd_sentence s = { text, size, 0 };
    const hd_run_counts *c = &r->counts;
    text[0] = '\0';
    hd_sentence_add(&s, "%" PRIu64 " execution%s", c->tests, plural(c->tests));
    if (c->blocked)
        hd_sentence_add(&s, " and %" PRIu64 " redundant one%s", c->blocked, plural(c->blocked));
    if (c->hunted)
        hd_sentence_add(&s, ", hunted in %" PRIu64 " more", c->hunted);
    if (r->complete)
        hd_sentence_add(&s, ", everything explored%s", c->composed ? " with critical sections as single steps" : "");
    else
        add_why_not_complete(&s, r);
    if (c->patient)
        add_timeouts(&s, r->settings.timeouts);
    add_findings(&s, r);
    if (r->states)
        hd_sentence_add(&s, ", %" PRIu64 " final state%s seen", c->states, plural(c->states));
    if (c->persistent.states)
        hd_sentence_add(&s, ", persistent sets of %.2f steps on average where %.2f are enabled",
            (double)c->persistent.taken / (double)c->persistent.states,
            (double)c->persistent.enabled / (double)c->persistent.states);
    add_solving(&s, &c->solver);
    hd_sentence_add(&s, " (%.2f s)", r->seconds);
}
