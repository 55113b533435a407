#include "supervisor/check_program.h"

#include "base/clock.h"
#include "supervisor/confirm.h"
#include "supervisor/progress.h"
#include "supervisor/supervisor.h"

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

static void take_config(hd_report_result *r, const hd_session_config *c, hd_arena *arena)
{
    r->explorer = hd_arena_copy(arena, c->explorer);
    r->settings = c->settings;
    r->max_tests = c->max_tests;
    r->most_seconds = c->seconds;
    r->solver_time = c->solver_time;
    r->states = c->states;
}

static void take_result(hd_report_result *r, const hd_session *s, hd_arena *arena)
{
    hd_report_symbols symbols = resolve_places(s, r->program, arena);
    take_foreign(r, s, &symbols, arena);
    take_notices(r, s, arena);
    take_config(r, &s->config, arena);
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

/* Runs the session and copies its results out of the region, which is unmapped at the end. */
static bool explore(hd_report_result *r, hd_findings_copy *copy, const hd_session_config *config, const char *drawing,
    const hd_program *program, hd_ending *ending, hd_arena *arena, hd_error *error)
{
    double started = hd_now();
    hd_progress *progress = hd_progress_open();
    /* What was found is reported even if workers fail permanently. */
    hd_supervisor_options options = { .program = program->path,
        .arguments = program->arguments,
        .symbolic = program->symbolic,
        .reports = true,
        .ending = ending,
        .tick = hd_progress_tick,
        .context = progress };
    hd_supervisor *v = hd_supervisor_open(&options, error);
    hd_session *s = v ? hd_supervisor_session(v) : NULL;
    if (s)
        s->config = *config;
    hd_ending_set_time(ending, config->seconds);
    bool ran = s && hd_supervisor_run(v, error);
    hd_progress_close(progress);
    r->seconds = hd_now() - started;
    if (ran && drawing && !s->drawing)
        hd_session_add_notice(s, "there is no drawing: the explorer was stopped in the middle of its work");
    if (ran) {
        take_result(r, s, arena);
        hd_findings_copy_take(copy, s, arena);
    }
    bool drawn = !ran || !drawing || !s->drawing || write_drawing(s, drawing, error);
    if (v)
        hd_supervisor_close(v);
    return ran && drawn;
}

bool hd_check_program(hd_report_result *r, const hd_session_config *config, const hd_program *program,
    const char *drawing, bool *unwritten, hd_arena *arena, hd_error *error)
{
    hd_ending *ending = hd_ending_open();
    hd_findings_copy copy;
    *r = (hd_report_result) { .given = program->given, .program = program->path };
    bool ran = explore(r, &copy, config, drawing, program, ending, arena, error);
    /* The session is closed by now: confirming opens one per replay. */
    *unwritten = ran && !hd_confirm(r, &copy, program, ending, arena, error);
    hd_ending_close(ending);
    return ran;
}
