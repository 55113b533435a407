#include "suite/suite_run.h"

#include <string.h>

/* Threads keep the numbers that they have in the existing tests. Each update only adds numbers, so
 * the test that knows the most threads has them all. */
static void number_threads_as(const hd_suite_file *old, hd_suite_maker_config *config)
{
    uint32_t most = 0;
    for (size_t i = 0; i < old->tests.count; i++) {
        const uint32_t *births = old->tests.items[i].record.facts.births;
        uint32_t known = 1;
        while (known < HD_MAX_THREADS && births[known])
            known++;
        if (known > most)
            memcpy(config->facts.births, births, sizeof config->facts.births);
        most = known > most ? known : most;
    }
}

/* Runs the tests of the suite again, and keeps those that still work and are needed. */
static bool keep_old_tests(hd_suite_maker *x, const hd_suite_file *old, hd_arena *arena, hd_error *error)
{
    size_t count = old->tests.count;
    hd_memory *memory = &x->session->region.memory;
    hd_suite_test *tests = hd_arena_alloc(arena, (count + 1) * sizeof *tests);
    for (size_t i = 0; i < count; i++) {
        const hd_record *record = &old->tests.items[i].record;
        tests[i].number = old->tests.items[i].number;
        tests[i].old = record;
        tests[i].run.records = hd_batch_copy(memory, record->steps, record->step_count);
        tests[i].run.record_count = record->step_count;
        tests[i].run.given = hd_batch_given(memory, record->inputs, record->input_count);
        tests[i].run.given_count = record->input_count;
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
    bool fine = (!run->old || keep_old_tests(x, run->old, arena, error)) && hd_suite_maker_add(x, error);
    if (!fine)
        hd_suite_maker_close(x);
    return fine;
}

static const char *const *texts_of(const hd_suite_file *f, hd_arena *arena)
{
    const char **texts = hd_arena_alloc(arena, (f->lost.count + 1) * sizeof *texts);
    for (size_t i = 0; i < f->lost.count; i++)
        texts[i] = f->lost.items[i].text;
    return texts;
}

static bool write_suite(hd_suite_maker *x, hd_suite_run *run, hd_suite_result *result, hd_arena *arena, hd_error *error)
{
    hd_suite_file *f = &run->file;
    f->lower = x->lower;
    f->complete = hd_suite_maker_is_complete(x);
    bool any = hd_suite_maker_count(x, HD_SUITE_ADDED) + hd_suite_maker_count(x, HD_SUITE_KEPT) > 0;
    bool fine = !any || hd_suite_store_write(run->path, f, x, &run->program, arena, error);
    /* Writing has numbered the new tests. */
    *result = hd_suite_result_take(x, arena);
    result->lost_goals = texts_of(f, arena);
    result->program = run->program.given;
    result->suite = run->path;
    result->net = f->net;
    result->cover = f->cover;
    result->method = f->method;
    result->written = any;
    return fine;
}

bool hd_suite_make(hd_suite_run *run, hd_suite_result *result, hd_arena *arena, hd_error *error)
{
    hd_suite_maker x;
    if (run->old)
        number_threads_as(run->old, &run->config);
    hd_progress *progress = hd_progress_open();
    bool written = false;
    if (make(&x, run, progress, run->ending, arena, error)) {
        written = write_suite(&x, run, result, arena, error);
        hd_suite_maker_close(&x);
    }
    /* The maker uses it until it is closed. */
    hd_progress_close(progress);
    return written;
}
