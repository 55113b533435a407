/* heddle model: reachability analysis of a message-passing model. */
#include "cli/model_claims.h"
#include "cli/model_result.h"
#include "model/bsra.h"
#include "model/por.h"
#include "model/full.h"
#include "promela/parser.h"
#include "promela/source.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

int hd_verb_model(int argc, char **argv);

#define HD_VERB model
#define MODEL_OPTIONS
#include "cli/verb_options.h"

static const hd_verb_usage usage = { "model [OPTIONS] FILE.pml",
    "Explores the reachable states of a Promela model and reports deadlocks, assertion violations, messages that\n"
    "are never received, statements that are never reached, and violated ltl formulae and never claims. With\n"
    "--reduce=bsra or por, and for systems whose processes only exchange messages, far fewer states show the same\n"
    "deadlocks.",
    rows, sizeof rows / sizeof *rows };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static int complain(const hd_error *error)
{
    fprintf(stderr, "heddle: %s\n", error->text);
    return HD_EXIT_USAGE;
}

enum { AFFORDABLE_STATES = 1000000 };

/* After a search that was not breadth first: a breadth-first search of the full graph that ends at
 * the first finding of each kind. */
static void look_for_shorter(
    hd_model_full *s, const hd_model_result *r, const hd_model_limits *limits, bool however_long)
{
    hd_model_limits l = *limits;
    /* One job, for a breadth-first search. */
    l.jobs = 1;
    if (!however_long && (!l.max_states || l.max_states > AFFORDABLE_STATES))
        l.max_states = AFFORDABLE_STATES;
    hd_model_full_open(s, r->program, r->scheme, &l);
    /* Under the reductions a send never blocks; the full search must agree. */
    s->unbounded |= strcmp(r->reduce, "none") != 0;
    s->wanted = r->findings;
    hd_model_full_run(s);
}

/* Shows and writes the result; returns the exit status. */
static int finish(hd_model_result *r, const hd_model_limits *limits, const model_options *options, hd_error *error)
{
    hd_model_full shorter;
    if (!r->breadth_first && r->findings->count) {
        look_for_shorter(&shorter, r, limits, options->shortest);
        r->shorter = &shorter;
    }
    hd_model_show(r, options->all);
    bool written = (!options->json || hd_model_write_json(r, options->json, error))
        && (!options->trail || hd_model_write_trail(r, options->trail, error));
    /* Findings may refer to its store until here. */
    if (r->shorter)
        hd_model_full_close(r->shorter);
    if (!written)
        return complain(error);
    return hd_model_found(r) ? HD_EXIT_FOUND : hd_model_complete(r) ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

/* --- graphs ---------------------------------------------------------------------------------------------- */

static void dot_edge(void *context, uint32_t from, uint32_t to, const hd_model_move *moves, size_t before, size_t count)
{
    FILE *out = context;
    fprintf(out, "  g%u -> g%u [label=\"", from, to);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%d:%d%s", i ? " " : "", moves[i].pid, moves[i].transition->step->element->node->location.line,
            i < before ? "" : "?");
    fprintf(out, "\"];\n");
}

static void dot_plain_edge(void *context, uint32_t from, uint32_t to, const hd_model_move *moves, size_t count)
{
    dot_edge(context, from, to, moves, count, count);
}

/* NULL without an error: no graph is wanted. */
static FILE *dot_open(const model_options *options, hd_error *error)
{
    FILE *out = options->dot ? hd_model_create(options->dot, error) : NULL;
    if (out)
        fprintf(out, "digraph states {\n");
    return out;
}

static bool dot_close(FILE *out, const char *name, hd_error *error)
{
    if (!out)
        return true;
    bool ok = fprintf(out, "}\n") > 0 && !ferror(out);
    return (fclose(out) == 0 && ok) || hd_fail(error, "%s: cannot be written", name);
}

/* --- the three searches ------------------------------------------------------------------------------- */

static void full_path(void *search, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_full_path(search, f, path);
}

static int run_full(const hd_promela_program *p, hd_model_scheme scheme, hd_model_claims *claims,
    const hd_model_limits *limits, const model_options *options, hd_error *error)
{
    hd_model_full s;
    FILE *dot = dot_open(options, error);
    if (options->dot && !dot)
        return complain(error);
    hd_model_full_open(&s, p, scheme, limits);
    hd_model_full_run(&s);
    if (dot)
        hd_model_full_edges(&s, dot_plain_edge, dot);
    /* Claims are checked after the search of all states, each by a search of its own. */
    hd_model_claims_run(claims, p, scheme, limits);
    hd_model_result o = { .program = p,
        .scheme = scheme,
        .replay_scheme = scheme,
        .reduce = "none",
        .states = hd_model_store_count(s.store),
        .edges = s.edges,
        .bytes = hd_model_store_bytes(s.store) + s.memo_bytes,
        .counts = s.counts,
        .findings = &s.findings,
        .bound = s.bound,
        .seconds = s.seconds,
        .executed = s.executed,
        .reached = s.reached,
        .search = &s,
        .path = full_path,
        .breadth_first = limits->jobs == 1,
        .claims = claims->results.items,
        .claim_count = claims->results.count };
    int status = dot_close(dot, options->dot, error) ? finish(&o, limits, options, error) : complain(error);
    hd_model_full_close(&s);
    return status;
}

static void bsra_path(void *search, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_bsra_path(search, f, path);
}

static int run_bsra(const hd_promela_program *p, hd_model_bsra_kind kind, hd_model_scheme scheme,
    const hd_model_limits *limits, const model_options *options, hd_error *error)
{
    hd_model_bsra b;
    FILE *dot = NULL;
    if (!hd_model_bsra_open(&b, kind, p, scheme, limits, error) || (options->dot && !(dot = dot_open(options, error))))
        return complain(error);
    if (dot) {
        b.on_edge = dot_edge;
        b.context = dot;
    }
    hd_model_bsra_run(&b);
    hd_model_result o = { .program = p,
        .scheme = scheme,
        .replay_scheme = hd_model_bsra_kept_as(kind, scheme),
        .reduce = options->reduce,
        .states = b.states,
        .edges = b.edges,
        .counts = b.counts,
        .findings = &b.findings,
        .bound = b.bound,
        .seconds = b.seconds,
        .executed = b.executed,
        .diverges = b.diverges,
        .search = &b,
        .path = bsra_path };
    int status = dot_close(dot, options->dot, error) ? finish(&o, limits, options, error) : complain(error);
    hd_model_bsra_close(&b);
    return status;
}

static void por_path(void *search, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_por_path(search, f, path);
}

static int run_por(const hd_promela_program *p, hd_model_scheme scheme, const hd_model_limits *limits,
    const model_options *options, hd_error *error)
{
    hd_model_por r;
    if (!hd_model_por_open(&r, p, scheme, limits, error))
        return complain(error);
    hd_model_por_run(&r);
    hd_model_result o = { .program = p,
        .scheme = scheme,
        .replay_scheme = scheme,
        .reduce = "por",
        .states = hd_model_store_count(r.store),
        .edges = r.edges,
        .bytes = hd_model_store_bytes(r.store),
        .counts = r.counts,
        .findings = &r.findings,
        .bound = r.bound,
        .seconds = r.seconds,
        .executed = r.executed,
        .search = &r,
        .path = por_path };
    int status = finish(&o, limits, options, error);
    hd_model_por_close(&r);
    return status;
}

/* --- the command ------------------------------------------------------------------------------------------ */

static hd_promela_program *load(const char *file, const model_options *options, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    char *text = hd_promela_source_read(file, options->define, &arena, error);
    hd_promela_model *model = text ? hd_promela_parse(file, text, error) : NULL;
    hd_arena_fini(&arena);
    if (!model)
        return NULL;
    hd_promela_node *invariant = NULL;
    if (options->invariant
        && !(invariant = hd_promela_parse_expression(model, "--invariant", options->invariant, error))) {
        hd_promela_model_close(model);
        return NULL;
    }
    return hd_promela_compile(model, invariant, error);
}

static bool read_scheme(const char *name, hd_model_scheme *scheme, hd_error *error)
{
    *scheme = !strcmp(name, "fifo") ? HD_MODEL_SCHEME_FIFO
        : !strcmp(name, "async")    ? HD_MODEL_SCHEME_ASYNC
                                    : HD_MODEL_SCHEME_CAUSAL;
    return *scheme != HD_MODEL_SCHEME_CAUSAL || !strcmp(name, "causal")
        || hd_fail(error, "--scheme wants causal, fifo or async, not '%s'", name);
}

/* The reductions that --reduce names, and the options that each supports. */
typedef struct reduction {
    const char *name;
    bool in_graph; /* a graph of sets of transitions (bsra.h) */
    hd_model_bsra_kind kind;
    bool has_jobs, has_dot, has_trail;
} reduction;

static const reduction reductions[] = {
    { .name = "none", .has_jobs = true, .has_dot = true, .has_trail = true },
    { .name = "bsra", .in_graph = true, .kind = HD_MODEL_BSRA, .has_jobs = true, .has_dot = true },
    { .name = "bsra-sleep", .in_graph = true, .kind = HD_MODEL_BSRA_SLEEP, .has_dot = true },
    { .name = "sra", .in_graph = true, .kind = HD_MODEL_SRA, .has_jobs = true, .has_dot = true, .has_trail = true },
    { .name = "por", .has_trail = true },
};

static const reduction *find_reduction(const model_options *options, hd_error *error)
{
    const reduction *r = NULL;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (!strcmp(options->reduce, reductions[i].name))
            r = &reductions[i];
    if (!r)
        hd_fail(error, "--reduce wants none, bsra, bsra-sleep, sra or por, not '%s'", options->reduce);
    else if (options->dot && !r->has_dot)
        hd_fail(error, "--dot goes with --reduce=none, bsra, bsra-sleep or sra");
    else if (options->jobs > 1 && !r->has_jobs)
        hd_fail(error, "--jobs goes with --reduce=none, bsra or sra: a search with sleep sets is sequential");
    else if (options->trail && (!r->has_trail || strcmp(options->scheme, "causal")))
        hd_fail(error, "--trail is for SPIN, so it goes with --scheme=causal and --reduce=none, sra or por");
    else
        return r;
    return NULL;
}

static int refuse_claims(const model_options *options, hd_error *error)
{
    hd_fail(error,
        "--reduce=%s leaves out sequences that a claim may be about; use --reduce=none, or --claim=none to look for "
        "deadlocks and violated assertions only",
        options->reduce);
    return -1;
}

static int run(const char *file, const model_options *options, hd_error *error)
{
    hd_model_scheme scheme;
    const reduction *reduction = find_reduction(options, error);
    if (!reduction)
        return -1;
    if (options->jobs < 1 || options->jobs > 64)
        return hd_fail(error, "--jobs wants a number from 1 to 64"), -1;
    if (!read_scheme(options->scheme, &scheme, error))
        return -1;
    if (strcmp(options->final, "ends") && strcmp(options->final, "empty"))
        return hd_fail(error, "--final wants ends or empty, not '%s'", options->final), -1;
    hd_promela_program *p = load(file, options, error);
    if (!p)
        return -1;
    hd_model_limits limits = { .max_states = (uint64_t)options->max_states,
        .memory = (uint64_t)options->memory << 20,
        .interrupted = &interrupted,
        .progress = isatty(STDERR_FILENO),
        .jobs = (int)options->jobs,
        .most_findings = options->all ? 1000 : 10,
        .empty_channels = !strcmp(options->final, "empty") };
    signal(SIGINT, on_interrupt);
    hd_model_claims claims;
    int status = -1;
    if (hd_model_claims_open(&claims, p, options->claim, options->liveness, options->fair, error)) {
        status = claims.claims.count && strcmp(reduction->name, "none") ? refuse_claims(options, error)
            : reduction->in_graph             ? run_bsra(p, reduction->kind, scheme, &limits, options, error)
            : !strcmp(reduction->name, "por") ? run_por(p, scheme, &limits, options, error)
                                              : run_full(p, scheme, &claims, &limits, options, error);
        hd_model_claims_close(&claims);
    }
    hd_promela_program_close(p);
    return status;
}

int hd_verb_model(int argc, char **argv)
{
    model_options options = defaults;
    hd_error error;
    int count, dashes;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            hd_options_help(&usage, stdout);
            return HD_EXIT_CLEAN;
        }
    int status = -1;
    if (hd_options_parse(&usage, argc, argv, &options, &count, &dashes, &error)) {
        if (count == 1)
            status = run(argv[0], &options, &error);
        else
            hd_fail(&error, "expected one model, got %d files (see 'heddle model --help')", count);
    }
    if (status < 0) {
        fprintf(stderr, "heddle: %s\n", error.text);
        return HD_EXIT_USAGE;
    }
    return status;
}
