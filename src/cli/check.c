/* heddle check: explore the schedules of a program and report what fails. */
#include "base/error.h"
#include "cli/options.h"
#include "compile/cc.h"
#include "report/result.h"
#include "worker/supervisor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct check_options {
#define CHECK_OPTIONS
#define OPTION HD_OPTION_FIELD
#include "cli/options.def"
#undef OPTION
} check_options;

static const check_options defaults = {
#define OPTION HD_OPTION_DEFAULT
#include "cli/options.def"
#undef OPTION
};

static const hd_option table[] = {
#define OPTION(field, type, value, argument, help) \
    { #field, hd_option_##type, offsetof(check_options, field), argument, help, #value },
#include "cli/options.def"
#undef OPTION
#undef CHECK_OPTIONS
};

static const hd_verb_usage usage = { "check [OPTIONS] FILE.c…|PROGRAM [-- ARGS]",
    "Runs the program under every schedule and reports deadlocks, data races, failed assertions,\n"
    "crashes and misuse of memory and locks. C files are compiled first.",
    table, sizeof table / sizeof *table };

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

static void configure(hd_session_config *c, const check_options *o)
{
    *c = (hd_session_config){ .mode = HD_MODE_EXPLORE,
        .seed = (uint64_t)o->seed,
        .max_tests = (uint64_t)o->max_tests,
        .seconds = o->time,
        .depth = (uint32_t)o->depth,
        .pct_depth = (uint32_t)o->pct_depth,
        .races = !strcmp(o->races, "report"),
        .leaks = o->leaks,
        .spurious = o->spurious,
        .states = o->states,
        .fork = !strcmp(o->isolate, "fork"),
        .stop_at_first = !strcmp(o->stop, "first") };
    snprintf(c->explorer, sizeof c->explorer, "%s", o->explore);
}

int hd_verb_check(int argc, char **argv)
{
    check_options o = defaults;
    hd_error error;
    int count, dashes;
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        hd_options_help(&usage, stdout);
        return HD_EXIT_CLEAN;
    }
    if (!hd_options_parse(&usage, argc, argv, &o, &count, &dashes, &error))
        return fail(error.text);
    hd_supervisor v;
    char *arguments[] = { argv[0], NULL };
    if (!hd_supervisor_open(&v, argv[0], arguments, &error))
        return fail(error.text);
    configure(&v.session->config, &o);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    if (!hd_supervisor_run(&v, &error))
        return fail(error.text);
    clock_gettime(CLOCK_MONOTONIC, &b);
    const hd_session *s = v.session;
    printf("end %d bound %s tests %lu blocked %lu events %lu restarts %lu states %lu sum %lx traces %lu %.3fs\n", s->end,
        s->bound, s->counts.tests, s->counts.blocked, s->counts.events, s->counts.restarts, s->counts.states,
        s->counts.state_sum, s->counts.traces,
        (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9);
    for (uint32_t i = 0; i < s->found_count; i++)
        printf("%s: %s\n", hd_finding_word(s->found[i].finding.kind), s->found[i].finding.message);
    for (uint32_t i = 0; i < s->notice_count; i++)
        printf("notice: %s\n", s->notices[i]);
    return s->found_count ? HD_EXIT_FOUND : s->end == HD_END_COMPLETE ? 0 : HD_EXIT_BOUND;
}
