#include "cli/replay_all.h"

#include "supervisor/progress.h"
#include "suite/suite_folder.h"
#include "report/junit.h"
#include "supervisor/supervisor.h"

#include <stdio.h>
#include <string.h>

typedef struct round {
    hd_record *records;
    const char **names; /* of the files, as the user knows them */
    hd_report_case *cases;
    size_t count;
    uint32_t failed, unfit, limited;
    hd_arena *arena;
} round;

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

const char *hd_replay_program(const char *program, const char *file, hd_arena *arena)
{
    const char *slash = strrchr(file, '/');
    if (*program == '/' || !slash)
        return program;
    return hd_arena_print(arena, "%.*s/%s", (int)(slash - file), file, program);
}

/* --- running -------------------------------------------------------------------------------- */

/* Tests with the same program, arguments and settings share a session. */
static bool same_session(const hd_record *a, const hd_record *b)
{
    bool same = !strcmp(a->program, b->program)
        && !strcmp(a->symbolic ? a->symbolic : "", b->symbolic ? b->symbolic : "")
        && a->argument_count == b->argument_count && hd_settings_are_same(&a->settings, &b->settings)
        && a->facts.shared_count == b->facts.shared_count
        && !memcmp(a->facts.births, b->facts.births, sizeof a->facts.births);
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
    uint32_t *shared = hd_alloc(memory, (facts.shared_count + 1) * sizeof *shared);
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
    *c = (hd_report_case) { r->names[index], HD_REPORT_PASSED, NULL, NULL, t->seconds };
    if (t->died) {
        *c = (hd_report_case) { r->names[index], HD_REPORT_FAILED, "crash", "the process was killed", t->seconds };
    } else if (!t->ran) {
        *c = (hd_report_case) { r->names[index], HD_REPORT_ERROR, "not-run", "it was not run", 0 };
    } else if (t->found) {
        c->result = t->kind == HD_FINDING_MODEL_LIMIT ? HD_REPORT_ERROR : HD_REPORT_FAILED;
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
    r->failed += c->result == HD_REPORT_FAILED;
    bool limited = t->found && t->kind == HD_FINDING_MODEL_LIMIT;
    r->limited += limited;
    r->unfit += c->result == HD_REPORT_ERROR && !limited;
}

static bool run_some(round *r, size_t first, size_t count, hd_progress *progress, hd_error *error)
{
    const hd_record *record = &r->records[first];
    hd_supervisor v;
    char **arguments = hd_arena_alloc(r->arena, (record->argument_count + 2) * sizeof *arguments);
    arguments[0] = (char *)record->program;
    for (uint32_t i = 0; i < record->argument_count; i++)
        arguments[i + 1] = record->arguments[i];
    if (!hd_program_check(record->program, error) || !hd_supervisor_open(&v, record->program, arguments, error))
        return false;
    configure(v.session, record, count);
    v.symbolic = record->symbolic;
    progress->session = v.session;
    v.tick = hd_progress_tick;
    v.context = progress;
    bool ran = hd_supervisor_run(&v, error);
    for (size_t i = 0; i < count && ran; i++)
        judge(r, first + i, &v.session->batch.tests[i]);
    progress->session = NULL;
    hd_supervisor_close(&v);
    return ran;
}

static bool run_all(round *r, hd_error *error)
{
    hd_progress progress;
    bool ran = true;
    hd_progress_open(&progress);
    for (size_t i = 0, end; i < r->count && ran; i = end) {
        /* Consecutive tests with the same settings share a worker. */
        for (end = i + 1; end < r->count && same_session(&r->records[i], &r->records[end]);)
            end++;
        ran = run_some(r, i, end - i, &progress, error);
    }
    hd_progress_close(&progress);
    return ran;
}

/* --- telling ---------------------------------------------------------------------------------- */

static int tell(round *r, const char *suite, const char *junit)
{
    hd_error error = { "" };
    for (size_t i = 0; i < r->count; i++)
        if (r->cases[i].result != HD_REPORT_PASSED)
            printf("%s: %s: %s\n", r->names[i], r->cases[i].kind, r->cases[i].message);
    size_t passed = r->count - r->failed - r->unfit - r->limited;
    printf("heddle: %zu of %zu tests pass", passed, r->count);
    if (r->failed)
        printf(", %u fail%s ('heddle replay FILE' shows what happens)", r->failed, r->failed == 1 ? "s" : "");
    if (r->unfit)
        printf(", %u no longer fit%s the program ('heddle suite --update DIR' brings a folder up to date)", r->unfit,
            r->unfit == 1 ? "s" : "");
    if (r->limited)
        printf(", %u end%s at a limit of heddle", r->limited, r->limited == 1 ? "s" : "");
    printf("\n");
    if (junit && !hd_report_junit(suite, r->cases, r->count, junit, &error))
        return fail(error.text);
    return r->failed ? HD_EXIT_FOUND : r->unfit || r->limited ? HD_EXIT_BOUND : HD_EXIT_CLEAN;
}

static int run_and_tell(round *r, const char *suite, const char *junit)
{
    hd_error error = { "" };
    r->cases = hd_arena_alloc(r->arena, (r->count + 1) * sizeof *r->cases);
    return run_all(r, &error) ? tell(r, suite, junit) : fail(error.text);
}

static void reserve(round *r, size_t count, hd_arena *arena)
{
    *r = (round) { .arena = arena };
    r->records = hd_arena_alloc(arena, (count + 1) * sizeof *r->records);
    r->names = hd_arena_alloc(arena, (count + 1) * sizeof *r->names);
}

int hd_replay_all(const char *folder, const char *junit, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_manifest m;
    hd_program program;
    round r;
    int status = HD_EXIT_USAGE;
    if (hd_suite_manifest_read(&m, folder, arena, &error)) {
        reserve(&r, m.tests.count, arena);
        r.count = m.tests.count;
        if (hd_suite_folder_read(folder, &m, r.records, arena, &error)
            && hd_suite_folder_program(folder, &m, &program, arena, &error)) {
            for (size_t i = 0; i < r.count; i++) {
                r.names[i] = m.tests.items[i].file;
                r.records[i].program = program.path;
            }
            status = run_and_tell(&r, program.name, junit);
        }
    }
    if (*error.text)
        fail(error.text);
    hd_suite_manifest_fini(&m);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

int hd_replay_files(char **files, int count, const char *junit, hd_arena *arena)
{
    hd_error error = { "" };
    round r;
    reserve(&r, (size_t)count, arena);
    for (int i = 0; i < count; i++) {
        /* All files of a suite's folder may be named at once. */
        if (ends_with(files[i], "/" HD_MANIFEST_FILE) || ends_with(files[i], ".mk"))
            continue;
        if (!hd_record_read(&r.records[r.count], files[i], arena, &error))
            return fail(error.text);
        r.records[r.count].program = hd_replay_program(r.records[r.count].program, files[i], arena);
        r.names[r.count++] = files[i];
    }
    return r.count ? run_and_tell(&r, "heddle", junit) : fail("there is no replay file among these");
}
