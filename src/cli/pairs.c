/* heddle pairs: t-way test sets from a model. */
#include "pairs/task.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_cli_verb_pairs(int argc, char **argv);

#define HD_VERB pairs
#define PAIRS_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = {
    "pairs [OPTIONS] MODEL",
    "Prints a set of test rows that contains every combination of values of any T parameters, as far as the\n"
    "model's constraints allow it. MODEL is a file in PICT's language ('-' is the standard input), or a\n"
    "shorthand like '4^15 3^17 2^29': 15 parameters of 4 values, and so on.",
    rows,
    sizeof rows / sizeof *rows,
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL); /* a second one ends heddle at once */
}

/* --- options --------------------------------------------------------------- */

/* One character, or the words 'tab' and 'space'. */
static bool read_character(const char *name, const char *value, char *into, hd_error *error)
{
    bool tab = !strcmp(value, "tab"), space = !strcmp(value, "space");
    *into = tab ? '\t' : space ? ' ' : *value;
    return tab || space || strlen(value) == 1
        || hd_fail(error, "--%s expects one character, 'tab' or 'space', not '%s'", name, value);
}

static bool read_syntax(const pairs_options *o, hd_pairs_syntax *syntax, hd_error *error)
{
    *syntax = hd_pairs_usual_syntax();
    syntax->case_sensitive = o->case_sensitive;
    return read_character("value-separator", o->value_separator, &syntax->value_separator, error)
        && read_character("alias-separator", o->alias_separator, &syntax->alias_separator, error)
        && read_character("negative-prefix", o->negative_prefix, &syntax->negative_prefix, error);
}

static bool read_task(const pairs_options *o, hd_pairs_task *t, hd_error *error)
{
    *t = (hd_pairs_task) { .effort = o->time,
        .seed = (uint64_t)o->seed,
        .seed_rows = o->seed_rows,
        .verify = o->verify,
        .run = o->run,
        .by_coverage = o->order != NULL,
        .json = o->json,
        .jobs = (int)o->jobs,
        .interrupted = &interrupted,
        .progress = isatty(STDERR_FILENO) ? stderr : NULL };
    if (!hd_pairs_method_named(o->method, &t->method))
        return hd_fail(error, "--method expects 'best', 'ipo' or 'optimal', not '%s'", o->method);
    if (o->order && strcmp(o->order, "coverage"))
        return hd_fail(error, "--order expects 'coverage', not '%s'", o->order);
    if (o->verify && (o->run || o->seed_rows || o->order))
        return hd_fail(error, "--verify checks a file: it cannot be used with --run, --seed-rows or --order");
    /* --json is shorthand for --output=json. */
    if (!hd_pairs_format_named(o->json ? "json" : o->output, &t->format))
        return hd_fail(error, "--output expects tsv, csv, json, markdown or c, not '%s'", o->output);
    if (o->jobs < 1 || o->jobs > 1024)
        return hd_fail(error, "--jobs expects 1 to 1024");
    return hd_pairs_strength_named(o->strength, &t->strength)
        || hd_fail(error, "--strength expects 1 to %d or 'full', not '%s'", HD_PAIRS_MOST_STRENGTH, o->strength);
}

/* --- the command ------------------------------------------------------------ */

static int run(const pairs_options *o, int count, char **operands, hd_error *error)
{
    hd_pairs_task task;
    hd_pairs_syntax syntax;
    hd_pairs_model model = { 0 };
    if (!read_task(o, &task, error))
        return HD_EXIT_USAGE;
    if (count == 0) {
        hd_fail(error, "expected a MODEL (see 'heddle pairs --help')");
        return HD_EXIT_USAGE;
    }
    bool read = read_syntax(o, &syntax, error) && hd_pairs_model_open(&model, syntax, operands, count, error)
        && (!o->relation || hd_pairs_parse_relations(&model, o->relation, error));
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    int status = read ? hd_pairs_task_run(&task, &model, error) : HD_EXIT_USAGE;
    hd_pairs_model_fini(&model);
    if (status != HD_EXIT_USAGE && fflush(stdout) != 0) {
        hd_fail(error, "the output could not be written: %s", strerror(errno));
        return HD_EXIT_USAGE;
    }
    return status;
}

int hd_cli_verb_pairs(int argc, char **argv)
{
    pairs_options options = defaults;
    hd_error error;
    int count, dashes;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help")) {
            hd_cli_help(&usage, stdout);
            return HD_EXIT_CLEAN;
        }
    int status = HD_EXIT_USAGE;
    if (hd_cli_parse(&usage, argc, argv, &options, &count, &dashes, &error))
        status = run(&options, count, argv, &error);
    if (status == HD_EXIT_USAGE)
        fprintf(stderr, "heddle pairs: %s\n", error.text);
    return status;
}
