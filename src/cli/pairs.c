/* heddle pairs: t-way test sets from a model. */
#include "base/json.h"
#include "cli/options.h"
#include "base/clock.h"
#include "base/version.h"
#include "pairs/generate.h"
#include "pairs/report.h"
#include "pairs/run.h"
#include "pairs/table.h"
#include "pairs/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_cli_verb_pairs(int argc, char **argv);

typedef struct options {
#define PAIRS_OPTIONS
#define OPTION HD_OPTION_FIELD
#include "cli/options.def"
#undef OPTION
} options;

static const hd_cli_option option_table[] = {
#define OPTION(name, type, value, argument, help) \
    { #name, hd_cli_option_##type, offsetof(options, name), argument, help, #value },
#include "cli/options.def"
#undef OPTION
    { "help", hd_cli_option_flag, 0, "", "", "0" },
};

static const hd_cli_usage usage = {
    "pairs [OPTIONS] MODEL",
    "Prints a set of test rows in which every combination of values of any T parameters occurs that the\n"
    "model's constraints allow. MODEL is a file in PICT's language ('-' is the standard input), or a\n"
    "shorthand like '4^15 3^17 2^29': 15 parameters of 4 values, and so on.",
    option_table,
    sizeof option_table / sizeof *option_table - 1,
};

typedef struct session {
    options options;
    int strength;
    hd_pairs_method method;
    hd_pairs_format format;
    hd_pairs_model model;
    hd_pairs_solver *solver;
    hd_error error;
} session;

/* --- reading --------------------------------------------------------------- */

/* The whole file; NULL after an error. */
static char *read_file(const char *name, hd_error *error)
{
    FILE *in = strcmp(name, "-") ? fopen(name, "rb") : stdin;
    if (!in) {
        hd_fail(error, "%s: %s", name, strerror(errno));
        return NULL;
    }
    hd_vec(char) text = { 0 };
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;) {
        hd_vec_reserve(&text, n + 1);
        memcpy(text.items + text.count, block, n);
        text.count += n;
    }
    bool fine = !ferror(in) || hd_fail(error, "%s: %s", name, strerror(errno));
    if (in != stdin)
        fclose(in);
    if (fine && text.count > 0 && memchr(text.items, '\0', text.count))
        fine = hd_fail(error, "%s: this is not a text file: it has a zero byte", name);
    /* The text is freed by the caller with free, since vectors of zeroed allocators use the C heap. */
    hd_vec_push(&text, '\0');
    if (fine)
        return text.items;
    hd_vec_fini(&text);
    return NULL;
}

/* One character, or the words 'tab' and 'space'. */
static bool read_character(const char *name, const char *value, char *into, hd_error *error)
{
    bool tab = !strcmp(value, "tab"), space = !strcmp(value, "space");
    *into = tab ? '\t' : space ? ' ' : *value;
    return tab || space || strlen(value) == 1
        || hd_fail(error, "--%s wants one character, 'tab' or 'space', not '%s'", name, value);
}

static bool read_syntax(session *x, hd_pairs_syntax *syntax)
{
    *syntax = hd_pairs_usual_syntax();
    syntax->case_sensitive = x->options.case_sensitive;
    return read_character("value-separator", x->options.value_separator, &syntax->value_separator, &x->error)
        && read_character("alias-separator", x->options.alias_separator, &syntax->alias_separator, &x->error)
        && read_character("negative-prefix", x->options.negative_prefix, &syntax->negative_prefix, &x->error);
}

static bool read_strength(session *x)
{
    const char *text = x->options.strength;
    char *end;
    long strength = strtol(text, &end, 10);
    x->strength = strcmp(text, "full") ? (int)strength : HD_PAIRS_FULL;
    return !strcmp(text, "full") || (*text && !*end && strength >= 1 && strength <= HD_PAIRS_MOST_STRENGTH)
        || hd_fail(&x->error, "--strength wants 1 to %d or 'full', not '%s'", HD_PAIRS_MOST_STRENGTH, text);
}

static bool read_choices(session *x)
{
    static const char *const methods[] = { "ipo", "best", "optimal" };
    bool known = false;
    for (int i = 0; i < 3; i++)
        if (!strcmp(x->options.method, methods[i])) {
            x->method = (hd_pairs_method)i;
            known = true;
        }
    if (!known)
        return hd_fail(&x->error, "--method wants 'best', 'ipo' or 'optimal', not '%s'", x->options.method);
    if (x->options.order && strcmp(x->options.order, "coverage"))
        return hd_fail(&x->error, "--order wants 'coverage', not '%s'", x->options.order);
    if (x->options.verify && (x->options.run || x->options.seed_rows || x->options.order))
        return hd_fail(&x->error, "--verify checks a file: it cannot be used with --run, --seed-rows or --order");
    /* --json is shorthand for --output=json. */
    if (x->options.json)
        x->options.output = "json";
    if (!hd_pairs_format_named(x->options.output, &x->format))
        return hd_fail(&x->error, "--output wants tsv, csv, json, markdown or c, not '%s'", x->options.output);
    if (x->options.jobs < 1 || x->options.jobs > 1024)
        return hd_fail(&x->error, "--jobs wants 1 to 1024");
    return read_strength(x);
}

/* Reads the operands: one file, or the words of a shorthand. */
static bool read_model(session *x, int count, char **operands)
{
    hd_pairs_syntax syntax;
    char *text = NULL;
    size_t length = 1;
    for (int i = 0; i < count; i++)
        length += strlen(operands[i]) + 1;
    char *joined = hd_alloc(&hd_heap, length);
    for (int i = 0; i < count; i++)
        strcat(strcat(joined, i ? " " : ""), operands[i]);
    bool shorthand = hd_pairs_is_shorthand(joined), fine = read_syntax(x, &syntax);
    if (fine && !shorthand && count > 1)
        fine = hd_fail(&x->error, "one MODEL is expected, found %d: '%s', '%s', …", count, operands[0], operands[1]);
    if (fine && !shorthand)
        fine = (text = read_file(operands[0], &x->error)) != NULL;
    if (fine) {
        hd_pairs_model_init(&x->model, joined, syntax);
        fine = shorthand ? hd_pairs_parse_shorthand(&x->model, joined, &x->error)
                         : hd_pairs_parse(&x->model, text, &x->error);
    }
    free(text);
    hd_release(&hd_heap, joined, length);
    return fine && (!x->options.relation || hd_pairs_parse_relations(&x->model, x->options.relation, &x->error));
}

static bool read_table(session *x, const char *file, hd_pairs_table *table)
{
    char *text = read_file(file, &x->error);
    bool fine = text && hd_pairs_table_read(&x->model, file, text, table, &x->error);
    free(text);
    return fine;
}

/* --- what the verb does -------------------------------------------------------- */

static int verify(session *x)
{
    hd_pairs_table table = { 0 };
    hd_pairs_interactions needed = { 0 };
    hd_pairs_coverage coverage = { 0 };
    /* Full strength covers all parameters together. */
    int strength = x->strength == HD_PAIRS_FULL ? (int)x->model.parameters.count : x->strength;
    bool fine = strength <= HD_PAIRS_MOST_STRENGTH
        || hd_fail(
            &x->error, "--verify with --strength=full: the model has more than %d parameters", HD_PAIRS_MOST_STRENGTH);
    fine = fine && read_table(x, x->options.verify, &table)
        && hd_pairs_interactions_find(&x->model, strength, &needed, &x->error)
        && hd_pairs_verify(&x->model, x->solver, &needed, &table.rows, &coverage, &x->error);
    int status = fine ? HD_EXIT_CLEAN : HD_EXIT_USAGE;
    if (fine) {
        hd_pairs_verify_report report = { &x->model, &needed, &table, &coverage, x->options.verify, HD_VERSION };
        x->options.json ? hd_pairs_report_verify_json(&report, stdout) : hd_pairs_report_verify(&report, stdout);
        if (coverage.covered < coverage.valid || coverage.bad.count > 0)
            status = HD_EXIT_FOUND;
    }
    hd_pairs_coverage_fini(&coverage);
    hd_pairs_interactions_fini(&needed);
    hd_pairs_table_fini(&table);
    return status;
}

static int run_command(session *x, const hd_pairs_rows *rows)
{
    hd_pairs_outcome *outcomes = hd_alloc(&hd_heap, rows->count * sizeof *outcomes);
    hd_pairs_suspects suspects = { 0 };
    FILE *progress = isatty(STDERR_FILENO) ? stderr : NULL;
    int status = HD_EXIT_USAGE;
    if (hd_pairs_run(&x->model, x->options.run, rows, (int)x->options.jobs, progress, outcomes, &x->error)) {
        int most = x->strength == HD_PAIRS_FULL ? HD_PAIRS_MOST_STRENGTH : x->strength;
        hd_pairs_find_suspects(rows, outcomes, most, &suspects);
        hd_pairs_run_report report = { &x->model, rows, x->options.run, outcomes, &suspects, HD_VERSION };
        status = hd_pairs_report_run(&report, x->options.json, stdout) > 0 ? HD_EXIT_FOUND : HD_EXIT_CLEAN;
    }
    hd_pairs_suspects_fini(&suspects);
    hd_release(&hd_heap, outcomes, rows->count * sizeof *outcomes);
    return status;
}

static bool sort_rows(session *x, hd_pairs_rows *rows)
{
    hd_pairs_interactions needed;
    int strength = x->strength == HD_PAIRS_FULL ? 2 : x->strength;
    bool fine = hd_pairs_interactions_find(&x->model, strength, &needed, &x->error)
        && hd_pairs_sort_by_coverage(&x->model, &needed, rows, &x->error);
    hd_pairs_interactions_fini(&needed);
    return fine;
}

/* Reads the rows to keep; rows that no valid row contains are reported and left out. */
static bool read_start(session *x, hd_pairs_table *table, hd_pairs_reuse *reuse)
{
    if (!read_table(x, x->options.seed_rows, table))
        return false;
    hd_pairs_reuse_prepare(&x->model, x->solver, table, reuse);
    return true;
}

static int generate(session *x)
{
    hd_pairs_result result = { 0 };
    hd_pairs_table table = { 0 };
    hd_pairs_reuse reuse = { 0 };
    hd_pairs_request request = { x->strength, x->method, x->options.time, (uint64_t)x->options.seed, NULL };
    double start = hd_now();
    bool fine = !x->options.seed_rows || read_start(x, &table, &reuse);
    /* Kept rows come first in the result. */
    if (x->options.seed_rows)
        request.start = &reuse.rows;
    fine = fine && hd_pairs_generate(&x->model, x->solver, &request, &result, &x->error);
    if (fine && x->options.seed_rows)
        hd_pairs_report_reuse(&x->model, &table, &reuse, &result.rows, x->options.seed_rows, stderr);
    fine = fine && (!x->options.order || sort_rows(x, &result.rows));
    int status = fine ? HD_EXIT_CLEAN : HD_EXIT_USAGE;
    if (fine && x->options.run) {
        status = run_command(x, &result.rows);
    } else if (fine) {
        hd_pairs_summary summary = { HD_VERSION, result.how, x->strength, result.smallest, hd_now() - start };
        hd_pairs_write(&x->model, &result.rows, x->format, &summary, stdout);
    }
    hd_pairs_result_fini(&result);
    hd_pairs_reuse_fini(&reuse);
    hd_pairs_table_fini(&table);
    return status;
}

static int work(session *x)
{
    x->solver = hd_pairs_solver_open(&x->model);
    int status = HD_EXIT_USAGE;
    if (hd_pairs_check(&x->model, x->solver, &x->error)
        && (!x->options.run || hd_pairs_command_check(&x->model, x->options.run, &x->error)))
        status = x->options.verify ? verify(x) : generate(x);
    hd_pairs_solver_close(x->solver);
    if (status != HD_EXIT_USAGE && fflush(stdout) != 0) {
        hd_fail(&x->error, "the output could not be written: %s", strerror(errno));
        return HD_EXIT_USAGE;
    }
    return status;
}

int hd_cli_verb_pairs(int argc, char **argv)
{
    session x = { .options = {
#define OPTION HD_OPTION_DEFAULT
#include "cli/options.def"
#undef OPTION
#undef PAIRS_OPTIONS
                  } };
    int count, dashes;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help")) {
            hd_cli_help(&usage, stdout);
            return HD_EXIT_CLEAN;
        }
    bool fine = hd_cli_parse(&usage, argc, argv, &x.options, &count, &dashes, &x.error) && read_choices(&x);
    if (fine && count == 0)
        fine = hd_fail(&x.error, "expected a MODEL (see 'heddle pairs --help')");
    fine = fine && read_model(&x, count, argv);
    int status = fine ? work(&x) : HD_EXIT_USAGE;
    if (status == HD_EXIT_USAGE)
        fprintf(stderr, "heddle pairs: %s\n", x.error.text);
    hd_pairs_model_fini(&x.model);
    return status;
}
