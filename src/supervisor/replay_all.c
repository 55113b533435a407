#include "supervisor/replay_all.h"

#include "supervisor/program.h"
#include "supervisor/progress.h"
#include "supervisor/replay.h"

#include <stdio.h>
#include <string.h>

typedef struct round {
    const hd_record *records;
    hd_report_case *cases;
    size_t count;
    hd_arena *arena;
} round;

/* Tests with the same program, arguments and settings share a session. */
static bool same_session(const hd_record *a, const hd_record *b)
{
    bool same = !strcmp(a->program, b->program)
        && !strcmp(a->symbolic ? a->symbolic : "", b->symbolic ? b->symbolic : "")
        && a->argument_count == b->argument_count && hd_settings_are_same(&a->settings, &b->settings)
        && a->facts.shared_count == b->facts.shared_count
        && !memcmp(a->facts.births, b->facts.births, sizeof a->facts.births)
        && !memcmp(a->facts.channels, b->facts.channels, sizeof a->facts.channels);
    for (uint32_t i = 0; same && i < a->argument_count; i++)
        same = !strcmp(a->arguments[i], b->arguments[i]);
    const hd_learned_facts *l = &a->facts;
    return same && (!l->shared_count || !memcmp(l->shared, b->facts.shared, l->shared_count * sizeof *l->shared));
}

/* The batch is copied into the region, which is all that the worker sees. */
static void configure(hd_session *s, const hd_record *r, size_t count)
{
    hd_memory *memory = &s->region.memory;
    hd_learned_facts facts = r->facts;
    hd_shared_block *shared = hd_alloc(memory, (facts.shared_count + 1) * sizeof *shared);
    if (facts.shared_count)
        memcpy(shared, facts.shared, facts.shared_count * sizeof *shared);
    facts.shared = shared;
    s->config = (hd_session_config) { .mode = HD_MODE_BATCH, .settings = r->settings, .facts = facts };
    s->batch = (hd_batch) { hd_alloc(memory, count * sizeof *s->batch.tests), (uint32_t)count, 0 };
    for (size_t i = 0; i < count; i++) {
        s->batch.tests[i].records = hd_batch_copy(memory, r[i].steps, r[i].step_count);
        s->batch.tests[i].record_count = r[i].step_count;
        s->batch.tests[i].given = hd_batch_given(memory, r[i].inputs, r[i].input_count);
        s->batch.tests[i].given_count = r[i].input_count;
    }
}

/* From the outcome of a run to a test result: failures, then misfits, then other ends. */
static void judge(round *r, size_t index, const hd_batch_test *t)
{
    const hd_record *record = &r->records[index];
    hd_report_case *c = &r->cases[index];
    char step[HD_STEP_TEXT];
    c->seconds = t->seconds;
    if (t->died) {
        c->result = HD_REPORT_FAILED;
        c->kind = "crash";
        c->message = "the process was killed";
    } else if (!t->ran) {
        c->result = HD_REPORT_ERROR;
        c->kind = "not-run";
        c->message = "it was not run";
        c->seconds = 0;
    } else if (t->found) {
        c->result = t->kind == HD_FINDING_MODEL_LIMIT ? HD_REPORT_LIMITED : HD_REPORT_FAILED;
        c->kind = hd_finding_word(t->kind);
        c->message = hd_arena_copy(r->arena, t->message);
        /* A finding counts even if the schedule did not fit; without one the test says nothing. */
    } else if (t->misfit < record->step_count) {
        hd_record_step_text(&record->steps[t->misfit], step, sizeof step);
        c->result = HD_REPORT_ERROR;
        c->kind = "misfit";
        c->message = hd_arena_print(r->arena, "the program has changed: step %u of %u, '%s', no longer fits",
            t->misfit + 1, record->step_count, step);
    } else if (t->outcome != HD_FINISHED && t->outcome != HD_DEPTH) {
        c->result = HD_REPORT_ERROR;
        c->kind = "end";
        c->message = hd_arena_print(r->arena, "it had a different outcome: %s", t->message);
    }
}

static bool run_some(round *r, size_t first, size_t count, hd_ending *ending, hd_error *error)
{
    const hd_record *record = &r->records[first];
    hd_progress *progress = hd_progress_open();
    hd_supervisor_options options = { .program = record->program,
        .arguments = hd_replay_arguments(record, r->arena),
        .symbolic = record->symbolic,
        .ending = ending,
        .tick = hd_progress_tick,
        .context = progress };
    hd_supervisor *v = hd_replay_check(record, error) ? hd_supervisor_open(&options, error) : NULL;
    hd_session *s = v ? hd_supervisor_session(v) : NULL;
    if (s)
        configure(s, record, count);
    bool ran = s && hd_supervisor_run(v, error);
    for (size_t i = 0; i < count && ran; i++)
        judge(r, first + i, &s->batch.tests[i]);
    if (v)
        hd_supervisor_close(v);
    hd_progress_close(progress);
    return ran;
}

bool hd_replay_all(const hd_record *records, size_t count, const char *const *names, hd_report_case *cases,
    hd_ending *ending, hd_arena *arena, hd_error *error)
{
    round r = { records, cases, count, arena };
    bool ran = true;
    for (size_t i = 0; i < count; i++)
        cases[i] = (hd_report_case) { .name = names[i], .result = HD_REPORT_PASSED };
    for (size_t i = 0, end; i < count && ran; i = end) {
        /* Consecutive tests with the same settings share a worker. */
        for (end = i + 1; end < count && same_session(&records[i], &records[end]);)
            end++;
        ran = run_some(&r, i, end - i, ending, error);
    }
    return ran;
}
