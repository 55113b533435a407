#include "suite/suite_run.h"

#include <string.h>

/* Threads keep the numbers that they have in the existing tests. Each update only adds numbers, so
 * the test that knows the most threads has them all. */
static void number_threads_as(const hd_record *records, size_t count, hd_suite_maker_config *config)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t known = 1;
        while (known < HD_MAX_THREADS && records[i].facts.births[known])
            known++;
        if (known > most)
            memcpy(config->facts.births, records[i].facts.births, sizeof config->facts.births);
        most = known > most ? known : most;
    }
}

/* Runs the tests of the folder again, and keeps those that still work and are needed. */
static bool keep_old_tests(
    hd_suite_maker *x, const hd_suite_manifest *old, const hd_record *records, hd_arena *arena, hd_error *error)
{
    size_t count = old->tests.count;
    hd_memory *memory = &x->session->region.memory;
    hd_suite_test *tests = hd_arena_alloc(arena, (count + 1) * sizeof *tests);
    for (size_t i = 0; i < count; i++) {
        tests[i].file = old->tests.items[i].file;
        tests[i].run.records = hd_batch_copy(memory, records[i].steps, records[i].step_count);
        tests[i].run.record_count = records[i].step_count;
        tests[i].run.given = hd_batch_given(memory, records[i].inputs, records[i].input_count);
        tests[i].run.given_count = records[i].input_count;
    }
    return !count || hd_suite_maker_keep(x, tests, count, error);
}

static bool explore(hd_suite_maker *x, const hd_suite_maker_config *config, const hd_program *program,
    hd_progress *progress, hd_ending *ending, hd_error *error)
{
    bool open = hd_suite_maker_open(x, config, program, progress, ending, error),
         explored = open && hd_suite_maker_explore(x, error);
    if (open && !explored)
        hd_suite_maker_close(x);
    return explored;
}

static bool make(hd_suite_maker *x, const hd_suite_run *run, hd_progress *progress, hd_ending *ending, hd_arena *arena,
    hd_error *error)
{
    if (!explore(x, &run->config, &run->program, progress, ending, error))
        return false;
    bool fine = (!run->old || keep_old_tests(x, run->old, run->records, arena, error)) && hd_suite_maker_add(x, error);
    if (!fine)
        hd_suite_maker_close(x);
    return fine;
}

static const char *const *texts_of(const hd_suite_manifest *m, hd_arena *arena)
{
    const char **texts = hd_arena_alloc(arena, (m->lost.count + 1) * sizeof *texts);
    for (size_t i = 0; i < m->lost.count; i++)
        texts[i] = m->lost.items[i].text;
    return texts;
}

static bool write(hd_suite_maker *x, hd_suite_run *run, hd_suite_result *result, hd_arena *arena, hd_error *error)
{
    hd_suite_manifest *m = &run->manifest;
    m->lower = x->lower;
    m->complete = hd_suite_maker_is_complete(x);
    bool written = hd_suite_folder_write(run->folder, m, x, &run->program, arena, error);
    /* Writing has named the new tests. */
    *result = hd_suite_result_take(x, arena);
    result->lost_goals = texts_of(m, arena);
    result->program = run->program.given;
    result->folder = run->folder;
    result->net = m->net;
    result->cover = m->cover;
    result->method = m->method;
    return written;
}

bool hd_suite_make(hd_suite_run *run, hd_suite_result *result, hd_arena *arena, hd_error *error)
{
    hd_suite_maker x;
    if (run->old)
        number_threads_as(run->records, run->old->tests.count, &run->config);
    hd_progress *progress = hd_progress_open();
    hd_ending *ending = hd_ending_open();
    bool written = false;
    if (make(&x, run, progress, ending, arena, error)) {
        written = write(&x, run, result, arena, error);
        hd_suite_maker_close(&x);
    }
    /* The maker uses both until it is closed. */
    hd_ending_close(ending);
    hd_progress_close(progress);
    return written;
}
