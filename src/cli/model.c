/* heddle model: reachability analysis of a message-passing model. */
#include "base/json.h"
#include "cli/options.h"
#include "cli/version.h"
#include "model/bsra.h"
#include "model/por.h"
#include "model/report.h"
#include "model/search.h"
#include "promela/parser.h"
#include "promela/source.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int hd_verb_model(int argc, char **argv);

#define MODEL_OPTIONS
typedef struct model_options {
#define OPTION HD_OPTION_FIELD
#include "cli/options.def"
#undef OPTION
} model_options;

static const hd_option rows[] = {
#define OPTION(field, type, value, argument, help) \
    { #field, hd_option_##type, offsetof(model_options, field), argument, help, #value },
#include "cli/options.def"
#undef OPTION
};

static const hd_verb_usage usage = { "model [OPTIONS] FILE.pml",
    "Explores the reachable states of a Promela model and reports deadlocks, assertion violations, messages that\n"
    "are never received and statements that are never reached. With --reduce=bsra or por, and for systems whose\n"
    "processes only exchange messages, far fewer states show the same deadlocks.",
    rows, sizeof rows / sizeof *rows };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

/* What any of the searches found, in one form. */
typedef struct outcome {
    const hd_pml_program *program;
    hd_scheme scheme, replay_scheme;
    const char *reduce;
    uint64_t states, edges, bytes;
    const uint64_t *counts;
    const hd_findings *findings;
    hd_bound bound;
    double seconds;
    bool *const *executed;
    bool *const *reached; /* NULL after a reduction, which may skip what it need not see */
    int diverges;
    void *search;
    void (*path)(void *search, const hd_finding *f, hd_moves *path);
} outcome;

static const char *const kinds[] = { "deadlock", "assertion", "invariant", "fault", "unreceived" };

static void describe(FILE *out, const outcome *o, const hd_finding *f)
{
    const char *file = o->program->model->file;
    switch (f->kind) {
    case HD_FINDING_DEADLOCK:
        fprintf(out, "deadlock: nothing can move, and not every process is at a valid end\n");
        break;
    case HD_FINDING_ASSERTION:
        fprintf(out, "%s:%d: assertion violated\n", file, f->line);
        break;
    case HD_FINDING_INVARIANT:
        fprintf(out, "the invariant is false\n");
        break;
    case HD_FINDING_FAULT:
        fprintf(out, "%s:%d: %s\n", file, f->line, hd_fault_text(f->fault.kind));
        break;
    case HD_FINDING_UNRECEIVED:
        fprintf(out, "everything has ended, but messages were never received\n");
        break;
    }
}

static void show_findings(const outcome *o, bool all)
{
    bool shown[HD_FINDING_UNRECEIVED + 1] = { false };
    for (size_t i = 0; i < o->findings->count; i++) {
        const hd_finding *f = &o->findings->items[i];
        if (shown[f->kind] && !all)
            continue;
        shown[f->kind] = true;
        hd_moves path = { 0 };
        printf("\n");
        describe(stdout, o, f);
        if (f->state != HD_STORE_NONE) {
            o->path(o->search, f, &path);
            hd_report_chart(stdout, o->program, o->replay_scheme, &path);
            hd_report_end(stdout, o->program, o->replay_scheme, &path);
        }
        hd_vec_fini(&path);
    }
}

static bool can_be_executed(const hd_pml_element *e)
{
    hd_pml_op op = e->node->op;
    return op == HD_S_ASSIGN || op == HD_S_SEND || op == HD_S_RECEIVE || op == HD_S_ASSERT || op == HD_S_ELSE
        || op == HD_S_EXPRESSION || op == HD_S_D_STEP;
}

/* Statements of one proctype that no executed step ran. */
static int never_executed_in(const hd_pml_code *code, const bool *executed)
{
    int count = 0;
    bool *done = hd_alloc(&hd_heap, (size_t)code->flow->count);
    for (int k = 0; k < code->transition_count; k++) {
        const hd_pml_step *step = code->transitions[k].step;
        done[step->element->number] |= executed[k];
        for (int i = 0; i < step->merged_count; i++)
            done[step->merged[i]->number] |= executed[k];
    }
    for (int n = 1; n < code->flow->count; n++)
        count += code->flow->elements[n] && can_be_executed(code->flow->elements[n]) && !done[n];
    hd_release(&hd_heap, done, (size_t)code->flow->count);
    return count;
}

static int never_executed(const outcome *o)
{
    int count = 0;
    for (size_t i = 0; i < o->program->model->proctypes.count; i++)
        count += never_executed_in(&o->program->codes[i], o->executed[i]);
    return count;
}

static bool found_something(const outcome *o)
{
    return o->counts[HD_FINDING_DEADLOCK] || o->counts[HD_FINDING_ASSERTION] || o->counts[HD_FINDING_INVARIANT]
        || o->counts[HD_FINDING_FAULT];
}

static void show(const outcome *o, const model_options *options)
{
    static const char *const schemes[] = { "causal", "fifo", "async" };
    show_findings(o, options->all);
    if (o->findings->count)
        printf("\n");
    printf("%s: %llu states, %llu edges (reduce=%s, scheme=%s, %.2f s", o->program->model->file,
        (unsigned long long)o->states, (unsigned long long)o->edges, o->reduce, schemes[o->scheme], o->seconds);
    if (o->bytes && o->states >= 10000) /* less says nothing about a state */
        printf(", %.1f bytes a state", (double)o->bytes / (double)(o->states ? o->states : 1));
    printf(")\n");
    for (int i = 0; i <= HD_FINDING_UNRECEIVED; i++)
        if (o->counts[i])
            printf("%s: %llu\n", kinds[i], (unsigned long long)o->counts[i]);
    if (o->reached && o->bound == HD_BOUND_NONE) {
        hd_report_unreached(stdout, o->program, o->reached);
        if (never_executed(o))
            printf("statements never executed: %d\n", never_executed(o));
    }
    if (o->diverges)
        printf("line %d: a process can run on for ever without receiving\n", o->diverges);
    if (o->bound != HD_BOUND_NONE)
        printf("stopped by %s: not every state was seen\n", hd_bound_text(o->bound));
    else if (!found_something(o))
        printf("no deadlock, no violation\n");
}

/* --- files ----------------------------------------------------------------------------------------- */

static FILE *create(const char *name, hd_error *error)
{
    FILE *out = fopen(name, "w");
    if (!out)
        hd_fail(error, "%s: cannot be written: %s", name, strerror(errno));
    return out;
}

static void json_finding(hd_json *j, const outcome *o, const hd_finding *f)
{
    hd_moves path = { 0 };
    if (f->state != HD_STORE_NONE)
        o->path(o->search, f, &path);
    hd_json_object(j, NULL);
    hd_json_text(j, "kind", kinds[f->kind]);
    if (f->kind == HD_FINDING_FAULT)
        hd_json_text(j, "message", hd_fault_text(f->fault.kind));
    if (f->line)
        hd_json_int(j, "line", f->line);
    hd_json_array(j, "path");
    for (size_t i = 0; i < path.count; i++) {
        char text[160];
        hd_pml_print_statement(text, sizeof text, o->program->model, path.items[i].transition->step->element->node);
        hd_json_object(j, NULL);
        hd_json_int(j, "process", path.items[i].pid);
        hd_json_int(j, "line", path.items[i].transition->step->element->node->place.line);
        hd_json_text(j, "statement", text);
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
    hd_json_end(j, '}');
    hd_vec_fini(&path);
}

static bool write_json(const outcome *o, const char *name, hd_error *error)
{
    FILE *out = create(name, error);
    if (!out)
        return false;
    hd_json j;
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "program", o->program->model->file);
    hd_json_text(&j, "reduce", o->reduce);
    hd_json_bool(&j, "complete", o->bound == HD_BOUND_NONE);
    hd_json_text(&j, "bound", o->bound == HD_BOUND_NONE ? NULL : hd_bound_text(o->bound));
    hd_json_int(&j, "states", (int64_t)o->states);
    hd_json_int(&j, "edges", (int64_t)o->edges);
    hd_json_real(&j, "seconds", o->seconds);
    hd_json_int(&j, "deadlocks", (int64_t)o->counts[HD_FINDING_DEADLOCK]);
    hd_json_int(&j, "assertions", (int64_t)o->counts[HD_FINDING_ASSERTION]);
    hd_json_int(&j, "invariants", (int64_t)o->counts[HD_FINDING_INVARIANT]);
    hd_json_int(&j, "faults", (int64_t)o->counts[HD_FINDING_FAULT]);
    hd_json_int(&j, "unreceived", (int64_t)o->counts[HD_FINDING_UNRECEIVED]);
    if (o->reached) /* a reduction need not execute everything that can be executed */
        hd_json_int(&j, "never_executed", never_executed(o));
    hd_json_array(&j, "findings");
    for (size_t i = 0; i < o->findings->count; i++)
        json_finding(&j, o, &o->findings->items[i]);
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
    bool ok = !ferror(out);
    return (fclose(out) == 0 && ok) || hd_fail(error, "%s: cannot be written", name);
}

static bool write_trail(const outcome *o, const char *name, hd_error *error)
{
    if (!o->findings->count || o->findings->items[0].state == HD_STORE_NONE)
        return true;
    FILE *out = create(name, error);
    if (!out)
        return false;
    hd_moves path = { 0 };
    o->path(o->search, &o->findings->items[0], &path);
    hd_report_trail(out, &path);
    hd_vec_fini(&path);
    return fclose(out) == 0 || hd_fail(error, "%s: cannot be written", name);
}

/* Ends a run: shows and writes what was found; the exit status. */
static int finish(const outcome *o, const model_options *options, hd_error *error)
{
    show(o, options);
    if ((options->json && !write_json(o, options->json, error))
        || (options->trail && !write_trail(o, options->trail, error))) {
        fprintf(stderr, "heddle: %s\n", error->text);
        return HD_EXIT_USAGE;
    }
    return found_something(o) ? HD_EXIT_FOUND : o->bound != HD_BOUND_NONE ? HD_EXIT_BOUND : HD_EXIT_CLEAN;
}

/* --- the three searches ------------------------------------------------------------------------------- */

static void full_path(void *search, const hd_finding *f, hd_moves *path)
{
    hd_search_path(search, f, path);
}

static int run_full(
    const hd_pml_program *p, hd_scheme scheme, const hd_limits *limits, const model_options *options, hd_error *error)
{
    hd_search s;
    hd_search_open(&s, p, scheme, limits);
    hd_search_run(&s);
    outcome o = { .program = p,
        .scheme = scheme,
        .replay_scheme = scheme,
        .reduce = "none",
        .states = hd_store_count(s.store),
        .edges = s.edges,
        .bytes = hd_store_bytes(s.store) + s.memo_bytes,
        .counts = s.counts,
        .findings = &s.findings,
        .bound = s.bound,
        .seconds = s.seconds,
        .executed = s.executed,
        .reached = s.reached,
        .search = &s,
        .path = full_path };
    int status = finish(&o, options, error);
    hd_search_close(&s);
    return status;
}

static void bsra_path(void *search, const hd_finding *f, hd_moves *path)
{
    hd_bsra_path(search, f, path);
}

static void dot_edge(void *context, uint32_t from, uint32_t to, const hd_move *moves, size_t before, size_t count)
{
    FILE *out = context;
    fprintf(out, "  g%u -> g%u [label=\"", from, to);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%d:%d%s", i ? " " : "", moves[i].pid, moves[i].transition->step->element->node->place.line,
            i < before ? "" : "?");
    fprintf(out, "\"];\n");
}

static int run_bsra(
    const hd_pml_program *p, hd_scheme scheme, const hd_limits *limits, const model_options *options, hd_error *error)
{
    hd_bsra b;
    FILE *dot = NULL;
    if (!hd_bsra_open(&b, p, scheme, limits, error) || (options->dot && !(dot = create(options->dot, error)))) {
        fprintf(stderr, "heddle: %s\n", error->text);
        return HD_EXIT_USAGE;
    }
    if (dot) {
        fprintf(dot, "digraph bsrg {\n");
        b.on_edge = dot_edge;
        b.context = dot;
    }
    hd_bsra_run(&b);
    if (dot) {
        fprintf(dot, "}\n");
        fclose(dot);
    }
    outcome o = { .program = p,
        .scheme = scheme,
        .replay_scheme = scheme == HD_SCHEME_ASYNC ? HD_SCHEME_ASYNC : HD_SCHEME_FIFO,
        .reduce = "bsra",
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
    int status = finish(&o, options, error);
    hd_bsra_close(&b);
    return status;
}

static void por_path(void *search, const hd_finding *f, hd_moves *path)
{
    hd_por_path(search, f, path);
}

static int run_por(
    const hd_pml_program *p, hd_scheme scheme, const hd_limits *limits, const model_options *options, hd_error *error)
{
    hd_por r;
    if (!hd_por_open(&r, p, scheme, limits, error)) {
        fprintf(stderr, "heddle: %s\n", error->text);
        return HD_EXIT_USAGE;
    }
    hd_por_run(&r);
    outcome o = { .program = p,
        .scheme = scheme,
        .replay_scheme = scheme,
        .reduce = "por",
        .states = hd_store_count(r.store),
        .edges = r.edges,
        .bytes = hd_store_bytes(r.store),
        .counts = r.counts,
        .findings = &r.findings,
        .bound = r.bound,
        .seconds = r.seconds,
        .executed = r.executed,
        .search = &r,
        .path = por_path };
    int status = finish(&o, options, error);
    hd_por_close(&r);
    return status;
}

/* --- the command ------------------------------------------------------------------------------------------ */

static hd_pml_program *load(const char *file, const model_options *options, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    char *text = hd_pml_source_read(file, options->define, &arena, error);
    hd_pml_model *model = text ? hd_pml_parse(file, text, error) : NULL;
    hd_arena_fini(&arena);
    if (!model)
        return NULL;
    hd_pml_node *invariant = NULL;
    if (options->invariant && !(invariant = hd_pml_parse_expression(model, "--invariant", options->invariant, error))) {
        hd_pml_model_close(model);
        return NULL;
    }
    return hd_pml_compile(model, invariant, error);
}

static bool read_scheme(const char *name, hd_scheme *scheme, hd_error *error)
{
    *scheme = !strcmp(name, "fifo") ? HD_SCHEME_FIFO : !strcmp(name, "async") ? HD_SCHEME_ASYNC : HD_SCHEME_CAUSAL;
    return *scheme != HD_SCHEME_CAUSAL || !strcmp(name, "causal")
        || hd_fail(error, "--scheme wants causal, fifo or async, not '%s'", name);
}

static int run(const char *file, const model_options *options, hd_error *error)
{
    hd_scheme scheme;
    bool none = !strcmp(options->reduce, "none"), bsra = !strcmp(options->reduce, "bsra");
    if (!none && !bsra && strcmp(options->reduce, "por"))
        return hd_fail(error, "--reduce wants none, bsra or por, not '%s'", options->reduce), -1;
    if (options->dot && !bsra)
        return hd_fail(error, "--dot draws the reduced graph: it goes with --reduce=bsra"), -1;
    if (options->trail && (bsra || strcmp(options->scheme, "causal")))
        return hd_fail(error, "--trail is for SPIN, so it goes with --scheme=causal and --reduce=none or por"), -1;
    if (options->jobs < 1 || options->jobs > 64)
        return hd_fail(error, "--jobs wants a number from 1 to 64"), -1;
    if (!read_scheme(options->scheme, &scheme, error))
        return -1;
    hd_pml_program *p = load(file, options, error);
    if (!p)
        return -1;
    hd_limits limits = { .max_states = (uint64_t)options->max_states,
        .memory = (uint64_t)options->memory << 20,
        .interrupted = &interrupted,
        .progress = isatty(STDERR_FILENO),
        .jobs = (int)options->jobs,
        .most_findings = options->all ? 1000 : 10 };
    signal(SIGINT, on_interrupt);
    int status = none ? run_full(p, scheme, &limits, options, error)
        : bsra        ? run_bsra(p, scheme, &limits, options, error)
                      : run_por(p, scheme, &limits, options, error);
    hd_pml_program_close(p);
    return status;
}

int hd_verb_model(int argc, char **argv)
{
    model_options options = {
#define OPTION HD_OPTION_DEFAULT
#include "cli/options.def"
#undef OPTION
    };
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
