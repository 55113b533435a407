/* heddle test: runs every check that the manifest of a project lists. */
#include "base/error.h"
#include "report/junit.h"
#include "supervisor/manifest_run.h"

#include <fnmatch.h>
#include <stdio.h>
#include <unistd.h>

#define HD_VERB test
#define TEST_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "test [OPTIONS] [NAME…]",
    "Runs the checks that heddle.toml lists, or those with these names (globs), and says which end as expected.\n"
    "Exit status: 0 all do; 1 some do not; 2 a check could not be run, or the manifest is wrong.",
    rows, sizeof rows / sizeof *rows };

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

/* Every name must select a check. */
static bool select_checks(const hd_manifest *m, char **names, int count, bool *wanted, hd_error *error)
{
    for (size_t i = 0; i < m->checks.count; i++)
        wanted[i] = !count;
    for (int k = 0; k < count; k++) {
        bool any = false;
        for (size_t i = 0; i < m->checks.count; i++)
            if (!fnmatch(names[k], m->checks.items[i].name, 0))
                wanted[i] = any = true;
        if (!any)
            return hd_fail(error, "%s: there is no check '%s'", m->path, names[k]);
    }
    return true;
}

/* Only the checks that were wanted have results. */
static size_t keep_wanted(hd_report_case *cases, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (cases[i].name)
            cases[kept++] = cases[i];
    return kept;
}

static int summarise(const hd_report_case *cases, size_t count)
{
    size_t failed = 0, errors = 0, cut = 0;
    for (size_t i = 0; i < count; i++) {
        failed += cases[i].result == HD_REPORT_FAILED;
        errors += cases[i].result == HD_REPORT_ERROR;
        cut += cases[i].result == HD_REPORT_LIMITED;
    }
    printf("heddle: %zu of %zu checks ended as expected", count - failed - errors - cut, count);
    if (failed)
        printf(", %zu did not", failed);
    if (errors)
        printf(", %zu could not be run", errors);
    if (cut)
        printf(", %zu were interrupted", cut);
    putchar('\n');
    return errors ? HD_EXIT_USAGE : failed ? HD_EXIT_FOUND : cut ? HD_EXIT_BOUND : HD_EXIT_CLEAN;
}

static int run_checks(const test_options *o, const hd_manifest *m, char **names, int count, hd_arena *arena)
{
    hd_error error = { "" };
    bool *wanted = hd_arena_alloc(arena, m->checks.count * sizeof *wanted);
    hd_report_case *cases = hd_arena_alloc(arena, m->checks.count * sizeof *cases);
    uint32_t jobs = o->jobs ? (uint32_t)o->jobs : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (!select_checks(m, names, count, wanted, &error)
        || !hd_manifest_run(m, wanted, jobs, cases, arena, stdout, &error))
        return fail(error.text);
    size_t kept = keep_wanted(cases, m->checks.count);
    int status = summarise(cases, kept);
    return o->junit && !hd_report_junit("heddle test", cases, kept, o->junit, &error) ? fail(error.text) : status;
}

int hd_cli_verb_test(int argc, char **argv);

int hd_cli_verb_test(int argc, char **argv)
{
    test_options o = defaults;
    hd_error error = { "" };
    hd_arena arena;
    hd_manifest manifest;
    int count, dashes;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error)
        || !hd_cli_in_range("jobs", o.jobs, 0, 1024, &error))
        return fail(error.text);
    hd_arena_init(&arena, &hd_heap);
    bool read = hd_manifest_read(&manifest, o.manifest, &arena, &error);
    int status = read ? run_checks(&o, &manifest, argv, count, &arena) : fail(error.text);
    hd_manifest_close(&manifest);
    hd_arena_fini(&arena);
    return fflush(stdout) ? fail("standard output cannot be written") : status;
}
