#include "pairs/task.h"

#include "base/clock.h"
#include "pairs/report.h"
#include "pairs/run.h"
#include "pairs/verify.h"

/* A task under way. */
typedef struct work {
    const hd_pairs_task *task;
    const hd_pairs_model *model;
    hd_pairs_solver *solver;
    hd_error *error;
} work;

static int verify(work *x)
{
    const hd_pairs_task *t = x->task;
    hd_pairs_table table = { 0 };
    hd_pairs_interactions needed = { 0 };
    hd_pairs_coverage coverage = { 0 };
    /* Full strength covers all parameters together. */
    int strength = t->strength == HD_PAIRS_FULL ? (int)x->model->parameters.count : t->strength;
    bool fine = strength <= HD_PAIRS_MOST_STRENGTH
        || hd_fail(
            x->error, "--verify with --strength=full: the model has more than %d parameters", HD_PAIRS_MOST_STRENGTH);
    fine = fine && hd_pairs_table_open(x->model, t->verify, &table, x->error)
        && hd_pairs_interactions_find(x->model, strength, &needed, x->error)
        && hd_pairs_verify(x->model, x->solver, &needed, &table.rows, t->interrupted, &coverage, x->error);
    int status = fine ? HD_EXIT_CLEAN : HD_EXIT_USAGE;
    if (fine) {
        hd_pairs_verify_report report = { x->model, &needed, &table, &coverage, t->verify };
        t->json ? hd_pairs_report_verify_json(&report, stdout) : hd_pairs_report_verify(&report, stdout);
        if (coverage.covered < coverage.valid || coverage.bad.count > 0)
            status = HD_EXIT_FOUND;
        else if (coverage.cut)
            status = HD_EXIT_BOUND;
    }
    hd_pairs_coverage_fini(&coverage);
    hd_pairs_interactions_fini(&needed);
    hd_pairs_table_fini(&table);
    return status;
}

static int run_command(work *x, const hd_pairs_rows *rows)
{
    const hd_pairs_task *t = x->task;
    hd_pairs_outcome *outcomes = hd_alloc(&hd_heap, rows->count * sizeof *outcomes);
    hd_pairs_suspects suspects = { 0 };
    int status = HD_EXIT_USAGE;
    if (hd_pairs_run(x->model, t->run, rows, t->jobs, t->progress, t->interrupted, outcomes, x->error)) {
        int most = t->strength == HD_PAIRS_FULL ? HD_PAIRS_MOST_STRENGTH : t->strength;
        hd_pairs_find_suspects(rows, outcomes, most, t->interrupted, &suspects);
        hd_pairs_run_report report = { x->model, rows, t->run, outcomes, &suspects };
        status = hd_pairs_report_run(&report, t->json, stdout) > 0 ? HD_EXIT_FOUND
            : suspects.cut                                         ? HD_EXIT_BOUND
                                                                   : HD_EXIT_CLEAN;
    }
    hd_pairs_suspects_fini(&suspects);
    hd_release(&hd_heap, outcomes, rows->count * sizeof *outcomes);
    return status;
}

static bool sort_rows(work *x, hd_pairs_rows *rows)
{
    hd_pairs_interactions needed;
    size_t sorted = 0;
    int strength = x->task->strength == HD_PAIRS_FULL ? 2 : x->task->strength;
    bool fine = hd_pairs_interactions_find(x->model, strength, &needed, x->error)
        && hd_pairs_sort_by_coverage(x->model, &needed, rows, x->task->interrupted, &sorted, x->error);
    if (fine && sorted < rows->count)
        fprintf(stderr, "heddle pairs: interrupted: %zu of %zu rows are sorted\n", sorted, rows->count);
    hd_pairs_interactions_fini(&needed);
    return fine;
}

/* The rows to keep come first in the result. Rows that no valid row contains are reported and left out. */
static bool make_rows(work *x, hd_pairs_result *result)
{
    const hd_pairs_task *t = x->task;
    hd_pairs_request request = { t->strength, t->method, t->effort, t->seed, t->interrupted, NULL };
    if (!t->seed_rows)
        return hd_pairs_generate(x->model, x->solver, &request, result, x->error);
    hd_pairs_table table = { 0 };
    hd_pairs_reuse reuse = { 0 };
    bool fine = hd_pairs_table_open(x->model, t->seed_rows, &table, x->error);
    if (fine) {
        hd_pairs_reuse_prepare(x->model, x->solver, &table, &reuse);
        request.start = &reuse.rows;
        fine = hd_pairs_generate(x->model, x->solver, &request, result, x->error);
    }
    if (fine)
        hd_pairs_report_reuse(x->model, &table, &reuse, &result->rows, t->seed_rows, stderr);
    hd_pairs_reuse_fini(&reuse);
    hd_pairs_table_fini(&table);
    return fine;
}

static int generate(work *x)
{
    const hd_pairs_task *t = x->task;
    hd_pairs_result result = { 0 };
    double start = hd_now();
    bool fine = make_rows(x, &result);
    int status = !fine ? HD_EXIT_USAGE : result.complete ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
    if (fine && hd_pairs_is_set(t->interrupted))
        fputs(result.complete ? "heddle pairs: interrupted: there may be a smaller set\n"
                              : "heddle pairs: interrupted: these rows do not cover everything (--verify lists what is "
                                "missing)\n",
            stderr);
    if (fine && t->by_coverage && !sort_rows(x, &result.rows))
        status = HD_EXIT_USAGE;
    else if (fine && t->run && hd_pairs_is_set(t->interrupted))
        fputs("heddle pairs: no command was run\n", stderr);
    else if (fine && t->run)
        status = run_command(x, &result.rows);
    else if (fine) {
        hd_pairs_summary summary = { result.how, t->strength, result.smallest, hd_now() - start };
        hd_pairs_write(x->model, &result.rows, t->format, &summary, stdout);
    }
    hd_pairs_result_fini(&result);
    return status;
}

int hd_pairs_task_run(const hd_pairs_task *t, const hd_pairs_model *m, hd_error *error)
{
    work x = { .task = t, .model = m, .solver = hd_pairs_solver_open(m), .error = error };
    int status = HD_EXIT_USAGE;
    if (hd_pairs_check(m, x.solver, error) && (!t->run || hd_pairs_command_check(m, t->run, error)))
        status = t->verify ? verify(&x) : generate(&x);
    hd_pairs_solver_close(x.solver);
    return status;
}
