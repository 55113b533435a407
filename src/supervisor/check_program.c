#include "supervisor/check_program.h"

#include "base/clock.h"
#include "report/suppress.h"
#include "supervisor/confirm.h"
#include "supervisor/crew.h"
#include "supervisor/keeper.h"
#include "supervisor/progress.h"
#include "supervisor/supervisor.h"
#include "supervisor/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- what the session has -------------------------------------------------------------------- */

/* The source positions of the locations in the program that the session recorded as addresses: the calls
 * of foreign code, and where a thread hung. */
static hd_report_symbols resolve_places(const hd_session *s, const char *program, hd_arena *arena)
{
    hd_module whole = { .path = "", .base = s->program_base, .start = 0, .end = UINT64_MAX };
    uint64_t pcs[HD_FOREIGN_ROOM + 1];
    uint32_t count = 0;
    for (; count < s->foreign_count; count++)
        pcs[count] = s->foreign[count].call;
    if (s->counts.hung)
        pcs[count++] = s->counts.hung_at;
    return hd_report_symbols_resolve(program, &whole, 1, pcs, count, arena);
}

static void take_foreign(hd_report_result *r, const hd_session *s, const hd_report_symbols *symbols, hd_arena *arena)
{
    hd_report_foreign_call *calls = hd_arena_alloc(arena, (s->foreign_count + 1) * sizeof *calls);
    for (uint32_t i = 0; i < s->foreign_count; i++) {
        const hd_foreign *f = &s->foreign[i];
        calls[i] = (hd_report_foreign_call) { .library = *f->library ? hd_arena_copy(arena, f->library) : NULL,
            .function = hd_arena_copy(arena, f->function),
            .location = hd_report_symbols_location(symbols, f->call),
            .calls_back = *f->calls_back ? hd_arena_copy(arena, f->calls_back) : NULL,
            .starts_thread = f->starts_thread };
    }
    r->foreign = calls;
    r->foreign_count = s->foreign_count;
    r->stripped = s->stripped;
}

static void take_notices(hd_report_result *r, const hd_session *s, hd_arena *arena)
{
    const char **notices = hd_arena_alloc(arena, (s->notice_count + 1) * sizeof *notices);
    for (uint32_t i = 0; i < s->notice_count; i++)
        notices[i] = hd_arena_copy(arena, s->notices[i]);
    r->notices = notices;
    r->notice_count = s->notice_count;
}

/* The lines that the search has reached. */
static void take_lines(hd_report_result *r, const hd_session *s, hd_arena *arena)
{
    size_t count = s->coverage ? s->coverage->lines.count : 0;
    hd_report_line *lines = hd_arena_alloc(arena, (count + 1) * sizeof *lines);
    for (size_t i = 0; i < count; i++) {
        const hd_reached_line *l = &s->coverage->lines.items[i];
        lines[i] = (hd_report_line) { hd_arena_copy(arena, l->file), l->line, l->executions };
    }
    r->lines = lines;
    r->line_count = count;
}

static void take_config(hd_report_result *r, const hd_session_config *c, hd_arena *arena)
{
    r->explorer = hd_arena_copy(arena, c->explorer);
    r->settings = c->settings;
    r->max_tests = c->max_tests;
    r->most_seconds = c->seconds;
    r->solver_time = c->solver_time;
    r->most = c->most;
    r->states = c->states;
}

static void take_result(hd_report_result *r, const hd_session *s, hd_arena *arena)
{
    hd_report_symbols symbols = resolve_places(s, r->program, arena);
    take_foreign(r, s, &symbols, arena);
    take_notices(r, s, arena);
    take_lines(r, s, arena);
    take_config(r, &s->config, arena);
    /* Of two explorers, the first unfolds. */
    if (s->drawing && (*s->config.second || hd_explorer_find(s->config.explorer)->unfolds))
        r->unfolding = hd_arena_print(arena, "%.*s", (int)s->drawing_size, s->drawing);
    r->counts = s->counts;
    r->forked = s->target.fork;
    r->deaths = s->deaths;
    r->more_races = s->keep->more_races;
    r->failure = *s->failure ? hd_arena_copy(arena, s->failure) : NULL;
    r->failure_status = s->failure_status;
    const char *bound = hd_session_bound(s);
    r->bound = bound ? hd_arena_copy(arena, bound) : NULL;
    /* Complete: the explorer has nothing left, and no reason says otherwise. */
    r->complete = s->end == HD_END_COMPLETE && !r->bound;
    r->stopped = s->end == HD_END_STOPPED && !*s->bound && !r->failure;
    r->hang =
        s->counts.hung ? hd_report_symbols_location(&symbols, s->counts.hung_at) : (hd_location) { "?", "?", 0, 0 };
}

/* --- exploring ----------------------------------------------------------------------------- */

static bool write_drawing(const hd_session *s, const char *path, hd_error *error)
{
    FILE *f = fopen(path, "w");
    bool written = f && fwrite(s->drawing, 1, s->drawing_size, f) == s->drawing_size;
    bool closed = f && !fclose(f);
    return (written && closed) || hd_fail(error, "%s: the drawing cannot be written: %s", path, strerror(errno));
}

enum { MOST_SAMPLES = 256 };

/* What a check is made with. */
typedef struct check {
    hd_report_result *result;
    hd_session_config *config;
    hd_program *program;
    const hd_check_files *files;
    const hd_report_suppressions *suppressions;
    hd_findings_copy copy;
    hd_cc_limits *limits;
    hd_ending *ending;
    hd_progress *progress;
    hd_keeper *keeper; /* NULL: the search is not kept */
    const char *resumed; /* what is to be said about --resume; NULL: nothing */
    bool resumes; /* the search that was kept has still to be taken up */
    double started, sampled, pause; /* the last sample, and the time between samples */
    hd_report_sample samples[MOST_SAMPLES];
    size_t sample_count;
    bool unwritten; /* a replay file could not be written */
    hd_arena *arena;
    hd_error *error;
} check;

/* --- suppressions ---------------------------------------------------------------------------- */

/* Confirms what was found so far: only a replay has the stacks that entries are compared with. */
static void judge(check *c)
{
    c->unwritten |= !hd_confirm(c->result, &c->copy, c->program, c->ending, c->arena, c->error);
    for (size_t i = 0; i < c->result->finding_count; i++) {
        hd_report_finding *f = &c->result->findings[i];
        f->suppressed = hd_report_suppressions_match(c->suppressions, f, c->program->path);
    }
}

static bool is_suppressed(const hd_report_result *r, uint64_t key)
{
    for (size_t i = 0; i < r->finding_count; i++)
        if (r->findings[i].finding.key == key)
            return r->findings[i].suppressed != NULL;
    return false;
}

/* Tells the session which findings do not count. True: without them it would not have stopped. */
static bool mark(const check *c, hd_session *s)
{
    bool failure = false, race = false;
    for (uint32_t i = 0; i < s->keep->found_count; i++) {
        hd_found *found = &s->keep->found[i];
        bool is_race = found->finding.kind == HD_FINDING_DATA_RACE;
        found->suppressed = is_suppressed(c->result, found->finding.key);
        race |= is_race && !found->suppressed;
        failure |= hd_finding_is_bug(&found->finding) && !is_race && !found->suppressed;
    }
    if (!race)
        s->keep->hunt_until = 0;
    return !failure && !(race && s->counts.events >= s->keep->hunt_until);
}

/* The search stopped at findings. If those are suppressed, it goes on where it was. */
static bool goes_on(check *c, hd_supervisor *v)
{
    hd_session *s = hd_supervisor_session(v);
    if (!c->config->judged || s->end != HD_END_STOPPED || *s->bound || *s->failure)
        return false;
    hd_findings_copy_take(&c->copy, s, c->arena);
    hd_supervisor_pause(v);
    judge(c);
    if (!hd_supervisor_resume(v, c->error))
        return false;
    s = hd_supervisor_session(v);
    if (!mark(c, s))
        return false;
    s->config = *c->config; /* the worker wrote the explorer's name into it */
    s->ended = false;
    return true;
}

/* Suppressions are about single pairs of accesses; the report has one finding per variable. */
static void group_races(hd_report_result *r, hd_arena *arena)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        hd_report_finding *f = &r->findings[i];
        hd_report_race *others = hd_arena_alloc(arena, (r->finding_count + 1) * sizeof *others);
        size_t kept = i + 1;
        if (f->suppressed || !f->finding.variable || !hd_finding_has_accesses(&f->finding))
            continue;
        f->others = others;
        f->other_count = 0;
        for (size_t k = i + 1; k < r->finding_count; k++) {
            const hd_report_finding *g = &r->findings[k];
            if (!g->suppressed && g->finding.kind == f->finding.kind && g->finding.variable == f->finding.variable)
                others[f->other_count++] = (hd_report_race) { { hd_arena_copy(arena, g->finding.places[0]),
                    hd_arena_copy(arena, g->finding.places[1]) } };
            else
                r->findings[kept++] = *g;
        }
        r->finding_count = kept;
    }
}

/* --- how the search goes --------------------------------------------------------------------- */

static void add_sample(check *c, const hd_session *s)
{
    const hd_run_counts *n = &s->counts;
    /* Every second sample is dropped when there is no room: the time between them doubles. */
    if (c->sample_count == MOST_SAMPLES) {
        for (size_t i = 0; i < MOST_SAMPLES / 2; i++)
            c->samples[i] = c->samples[2 * i + 1];
        c->sample_count = MOST_SAMPLES / 2;
        c->pause *= 2;
    }
    c->sampled = hd_now();
    c->samples[c->sample_count++] = (hd_report_sample) { c->sampled - c->started, n->tests, n->hunted,
        s->keep->found_count, n->progress > 0 ? (double)n->tests / n->progress : 0 };
}

static void take_samples(const check *c)
{
    hd_report_sample *samples = hd_arena_alloc(c->arena, (c->sample_count + 1) * sizeof *samples);
    memcpy(samples, c->samples, c->sample_count * sizeof *samples);
    c->result->samples = samples;
    c->result->sample_count = c->sample_count;
}

static void tick(void *context, const hd_session *s)
{
    check *c = context;
    hd_progress_tick(c->progress, s);
    if (c->keeper)
        hd_keeper_tick(c->keeper, hd_now() - c->started);
    if (hd_now() - c->sampled >= c->pause)
        add_sample(c, s);
}

/* --- the check ------------------------------------------------------------------------------- */

/* Can several workers search? Otherwise a notice says why not. */
static bool has_crew(hd_session *s)
{
    char text[200];
    const char *why = s->config.jobs > 1 ? hd_crew_cannot(&s->config) : NULL;
    if (why) {
        snprintf(text, sizeof text, "--jobs=%u: %s", s->config.jobs, why);
        hd_session_add_notice(s, text);
    }
    return s->config.jobs > 1 && !why;
}

static bool run_to_its_end(check *c, hd_supervisor *v, const hd_supervisor_options *options)
{
    bool ran;
    if (has_crew(hd_supervisor_session(v)))
        return hd_crew_run(v, options, c->error);
    do
        ran = hd_supervisor_run(v, c->error);
    while (ran && goes_on(c, v));
    /* An error while the search was paused is one of the check. */
    return ran && hd_supervisor_session(v);
}

static void add_notice(hd_report_result *r, const char *text, hd_arena *arena)
{
    const char **notices = hd_arena_alloc(arena, (r->notice_count + 1) * sizeof *notices);
    for (size_t i = 0; i < r->notice_count; i++)
        notices[i] = r->notices[i];
    notices[r->notice_count++] = hd_arena_copy(arena, text);
    r->notices = notices;
}

/* --- searches that go on --------------------------------------------------------------------- */

static void say_it_begins_anew(check *c, const char *why)
{
    c->resumed = hd_arena_print(c->arena, "--resume: %s; the search begins from the start", why);
}

/* Goes on with the search that was kept, or says why not. The time that it has taken counts. */
static void resume(check *c, hd_supervisor *v)
{
    hd_error why;
    hd_session *s = hd_supervisor_session(v);
    c->resumes = false;
    if (!hd_keeper_resume(c->keeper, s, &why)) {
        say_it_begins_anew(c, why.text);
        return;
    }
    c->started -= s->past.seconds;
    c->resumed = hd_arena_print(
        c->arena, "resumed after %llu executions and %.1f s", (unsigned long long)s->past.executions, s->past.seconds);
}

/* Opens the session, with what was kept of an earlier one. */
static hd_supervisor *open_session(check *c, const hd_supervisor_options *options)
{
    hd_supervisor *v = hd_supervisor_open(options, c->error);
    if (v && c->keeper && c->resumes)
        resume(c, v);
    if (v)
        hd_supervisor_session(v)->config = *c->config;
    return v;
}

/* The worker has found that the search cannot go on here. */
static bool begins_anew(check *c, const hd_session *s)
{
    if (!*s->changed)
        return false;
    c->started += s->past.seconds;
    say_it_begins_anew(c, hd_arena_copy(c->arena, s->changed));
    return true;
}

/* Runs the session and copies its results out of the region, which is unmapped at the end. If the program has met
 * another one that could be linked in, *wanted is its path. */
static bool explore(check *c, const char **wanted)
{
    const char *drawing = c->files->drawing;
    hd_report_result *r = c->result;
    c->progress = hd_progress_open();
    if (c->files->progress)
        hd_progress_record(c->progress, c->files->progress, c->program->given);
    c->sample_count = 0;
    c->pause = 0.1;
    /* What was found is reported even if workers fail permanently. */
    hd_supervisor_options options = { .program = c->program->path,
        .arguments = c->program->arguments,
        .symbolic = c->program->symbolic,
        .reports = true,
        .ending = c->ending,
        .tick = tick,
        .context = c };
    hd_supervisor *v = open_session(c, &options);
    bool ran = v && run_to_its_end(c, v, &options);
    if (ran && begins_anew(c, hd_supervisor_session(v))) {
        hd_supervisor_close(v);
        v = open_session(c, &options);
        ran = v && run_to_its_end(c, v, &options);
    }
    hd_session *s = ran ? hd_supervisor_session(v) : NULL;
    if (ran && c->keeper && !*s->wanted)
        hd_keeper_end(c->keeper, s, hd_now() - c->started);
    hd_progress_close(c->progress);
    r->seconds = hd_now() - c->started;
    *wanted = ran && *s->wanted ? hd_arena_copy(c->arena, s->wanted) : NULL;
    if (ran && drawing && !s->drawing && !*wanted)
        hd_session_add_notice(s, "there is no drawing: the explorer was stopped in the middle of its work");
    if (ran) {
        add_sample(c, s);
        take_result(r, s, c->arena);
        take_samples(c);
        hd_findings_copy_take(&c->copy, s, c->arena);
    }
    bool drawn = !ran || !drawing || !s->drawing || write_drawing(s, drawing, c->error);
    if (v)
        hd_supervisor_close(v);
    return ran && drawn;
}

static void stop_keeping(check *c)
{
    hd_error why;
    if (c->keeper && !hd_keeper_close(c->keeper, &why))
        c->resumed = hd_arena_copy(c->arena, why.text);
    c->keeper = NULL;
}

/* Explores, and starts over with every program that a process becomes by exec. One that cannot be linked in is a
 * limit. */
static bool explore_with_programs(check *c)
{
    const char *wanted;
    hd_error why;
    bool ran;
    c->config->links = !c->program->symbolic;
    do {
        *c->result = (hd_report_result) { .given = c->program->given, .program = c->program->path };
        ran = explore(c, &wanted);
        /* The search is about a program that is linked in this command. */
        if (ran && wanted)
            stop_keeping(c);
        if (ran && wanted)
            c->config->links = hd_system_add_program(c->program, wanted, c->limits, c->arena, &why);
    } while (ran && wanted);
    if (ran && !c->config->links && !c->program->symbolic)
        add_notice(c->result, why.text, c->arena);
    return ran;
}

bool hd_check_program(hd_report_result *r, const hd_session_config *config, const hd_program *given,
    const hd_check_files *files, const hd_report_suppressions *suppressions, hd_cc_limits *limits, bool *unwritten,
    hd_arena *arena, hd_error *error)
{
    hd_session_config judged = *config;
    hd_program program = *given;
    judged.judged = suppressions && suppressions->count;
    check c = { .result = r,
        .config = &judged,
        .program = &program,
        .files = files,
        .suppressions = suppressions,
        .limits = limits,
        .ending = limits->ending,
        .started = hd_now(),
        .arena = arena,
        .error = error };
    if (files->searches && config->jobs <= 1) /* a crew starts over, and keeps no checkpoints */
        c.keeper = hd_keeper_open(files->searches, files->most_searches, &program, config);
    c.resumes = files->resume;
    bool ran = explore_with_programs(&c);
    /* The session is closed by now: confirming opens one per replay. */
    if (ran)
        judge(&c);
    if (ran && judged.judged)
        group_races(r, arena);
    if (c.resumed)
        add_notice(r, c.resumed, arena);
    c.resumed = NULL;
    stop_keeping(&c);
    if (c.resumed)
        add_notice(r, c.resumed, arena);
    *unwritten = c.unwritten;
    return ran;
}
