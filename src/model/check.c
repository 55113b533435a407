#include "model/check.h"

#include "base/file.h"
#include "model/store.h"

#include <string.h>

/* --- claims ---------------------------------------------------------------------------------------------- */

/* "all" and "none" always exist; any other name must be the name of a claim. */
static bool add_named(hd_model_check *c, hd_promela_program *p, const char *name, hd_error *error)
{
    bool all = !strcmp(name, "all"), found = all || !strcmp(name, "none");
    for (size_t i = 0; i < p->model->claims.count; i++) {
        const hd_promela_claim *from = &p->model->claims.items[i];
        bool this_one = !strcmp(from->name, name);
        hd_model_claim claim;
        found |= this_one;
        if (!all && !this_one)
            continue;
        if (!hd_model_claim_open(&claim, p, from, error))
            return false;
        hd_vec_push(&c->claims, claim);
    }
    return found || hd_fail(error, "%s: there is no ltl formula or never claim '%s'", p->model->file, name);
}

static bool add_liveness(hd_model_check *c, hd_promela_program *p, const char *what, hd_error *error)
{
    hd_model_claim claim;
    if (!strcmp(what, "acceptance"))
        hd_model_claim_acceptance(&claim);
    else if (!strcmp(what, "progress"))
        hd_model_claim_progress(&claim, p);
    else
        return hd_fail(error, "--liveness expects acceptance or progress, not '%s'", what);
    hd_vec_push(&c->claims, claim);
    return true;
}

static bool open_claims(hd_model_check *c, hd_promela_program *p, hd_error *error)
{
    const hd_model_request *r = &c->request;
    if (!add_named(c, p, r->claim, error) || (r->liveness && !add_liveness(c, p, r->liveness, error)))
        return false;
    if (r->fair && !c->claims.count)
        return hd_fail(error, "--fair goes with a claim or --liveness, and there is none");
    return !c->claims.count || r->search->every_state
        || hd_fail(error,
            "--reduce=%s leaves out sequences that a claim may be about; use --reduce=none, or --claim=none to look "
            "for deadlocks and violated assertions only",
            r->search->name);
}

static void run_claims(hd_model_check *c)
{
    hd_model_setup setup = hd_model_setup_of(c->program, c->request.scheme, &c->request.limits);
    for (size_t i = 0; i < c->claims.count; i++) {
        hd_model_liveness result;
        hd_model_liveness_run(&result, &setup, &c->claims.items[i], c->request.fair);
        hd_vec_push(&c->verdicts, result);
    }
}

/* --- the graph ------------------------------------------------------------------------------------------- */

/* Receives that are executed at once have a question mark. */
static void draw_edge(
    void *context, uint32_t from, uint32_t to, const hd_model_move *moves, size_t before, size_t count)
{
    FILE *out = context;
    fprintf(out, "  g%u -> g%u [label=\"", from, to);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%d:%d%s", i ? " " : "", moves[i].pid, moves[i].transition->step->element->node->location.line,
            i < before ? "" : "?");
    fprintf(out, "\"];\n");
}

static bool run_drawn(hd_model_check *c, hd_error *error)
{
    FILE *out = hd_file_create(c->request.dot, error);
    if (!out)
        return false;
    hd_model_edges edges = { draw_edge, out };
    fprintf(out, "digraph states {\n");
    c->request.search->run(c->searcher, &edges);
    fprintf(out, "}\n");
    return hd_file_close(out, c->request.dot, error);
}

/* --- shorter paths --------------------------------------------------------------------------------------- */

enum { AFFORDABLE_STATES = 1000000 };

/* Only with one job are states expanded in the order of their distance. */
static bool has_shortest_paths(const hd_model_check *c)
{
    return c->request.search->every_state && c->request.limits.jobs == 1;
}

static void look_for_shorter(hd_model_check *c)
{
    hd_model_setup setup = hd_model_setup_of(c->program, c->request.scheme, &c->request.limits);
    hd_error error;
    /* One job, for a breadth-first search. */
    setup.limits.jobs = 1;
    if (!c->request.shortest && (!setup.limits.max_states || setup.limits.max_states > AFFORDABLE_STATES))
        setup.limits.max_states = AFFORDABLE_STATES;
    /* Under the reductions a send never blocks; the full search must agree. */
    setup.unbounded |= !c->request.search->every_state;
    setup.wanted = &c->result->findings;
    /* The full search accepts every model. */
    c->shorter = hd_model_search_full.open(&setup, &error);
    hd_model_search_full.run(c->shorter, NULL);
}

bool hd_model_check_path(
    const hd_model_check *c, const hd_model_finding *f, hd_model_moves *path, hd_model_scheme *scheme)
{
    /* Only the first finding of its kind was searched for again. */
    bool is_first = hd_model_findings_like(&c->result->findings, f) == f;
    const hd_model_finding *shorter =
        c->shorter && is_first ? hd_model_findings_like(&hd_model_search_full.result(c->shorter)->findings, f) : NULL;
    *scheme = shorter ? c->request.scheme : c->result->kept_as;
    if (f->state == HD_MODEL_NO_STATE)
        return true;
    if (shorter)
        hd_model_search_full.path(c->shorter, shorter, path);
    else
        c->request.search->path(c->searcher, f, path);
    return shorter || has_shortest_paths(c);
}

/* --- the check ------------------------------------------------------------------------------------------- */

bool hd_model_check_open(
    hd_model_check *c, hd_promela_program *program, const hd_model_request *request, hd_error *error)
{
    *c = (hd_model_check) { .program = program, .request = *request };
    hd_model_setup setup = hd_model_setup_of(program, request->scheme, &request->limits);
    if (open_claims(c, program, error) && (c->searcher = request->search->open(&setup, error)))
        return true;
    hd_model_check_close(c);
    return false;
}

bool hd_model_check_run(hd_model_check *c, hd_error *error)
{
    bool drawn = true;
    if (c->request.dot)
        drawn = run_drawn(c, error);
    else
        c->request.search->run(c->searcher, NULL);
    if (!drawn)
        return false;
    c->result = c->request.search->result(c->searcher);
    run_claims(c);
    if (c->result->findings.count && !has_shortest_paths(c))
        look_for_shorter(c);
    return true;
}

void hd_model_check_close(hd_model_check *c)
{
    for (size_t i = 0; i < c->claims.count; i++)
        hd_model_claim_close(&c->claims.items[i]);
    for (size_t i = 0; i < c->verdicts.count; i++)
        hd_model_liveness_close(&c->verdicts.items[i]);
    hd_vec_fini(&c->claims);
    hd_vec_fini(&c->verdicts);
    if (c->shorter)
        hd_model_search_full.close(c->shorter);
    if (c->searcher)
        c->request.search->close(c->searcher);
}

bool hd_model_check_found(const hd_model_check *c)
{
    const uint64_t *counts = c->result->counts;
    bool found = counts[HD_MODEL_FINDING_DEADLOCK] || counts[HD_MODEL_FINDING_ASSERTION]
        || counts[HD_MODEL_FINDING_INVARIANT] || counts[HD_MODEL_FINDING_FAULT];
    for (size_t i = 0; i < c->verdicts.count; i++)
        found |= hd_model_liveness_has_finding(&c->verdicts.items[i]);
    return found;
}

bool hd_model_check_complete(const hd_model_check *c)
{
    bool complete = c->result->bound == HD_MODEL_BOUND_NONE;
    for (size_t i = 0; i < c->verdicts.count; i++)
        /* A claim that could not be decided leaves the check incomplete, whatever the search of the
         * states said. */
        complete &= c->verdicts.items[i].verdict != HD_MODEL_VERDICT_UNKNOWN;
    return complete;
}
