#include "cli/model_result.h"

#include "base/json.h"
#include "base/version.h"
#include "model/store.h"

#include <errno.h>
#include <string.h>

static const char *const kinds[] = { "deadlock", "assertion", "invariant", "fault", "unreceived", "claim-violated",
    "acceptance-cycle", "non-progress-cycle" };

/* One sentence per kind of finding. */
static void describe(FILE *out, const hd_model_result *r, const hd_model_finding *f)
{
    const char *file = r->program->model->file;
    switch (f->kind) {
    case HD_MODEL_FINDING_DEADLOCK:
        fprintf(out, "deadlock: nothing can move, and this is not a valid end\n");
        break;
    case HD_MODEL_FINDING_ASSERTION:
        fprintf(out, "%s:%d: assertion violated\n", file, f->line);
        break;
    case HD_MODEL_FINDING_INVARIANT:
        fprintf(out, "the invariant is false\n");
        break;
    case HD_MODEL_FINDING_FAULT:
        fprintf(out, "%s:%d: %s\n", file, f->line, hd_model_fault_text(f->fault.kind));
        break;
    case HD_MODEL_FINDING_UNRECEIVED:
        fprintf(out, "everything has ended, but messages were never received\n");
        break;
    case HD_MODEL_FINDING_CLAIM:
        fprintf(out, "every continuation of this path violates the claim\n");
        break;
    case HD_MODEL_FINDING_ACCEPTANCE_CYCLE:
        fprintf(out, "an acceptance cycle\n");
        break;
    case HD_MODEL_FINDING_NON_PROGRESS_CYCLE:
        fprintf(out, "a cycle without progress\n");
        break;
    }
}

/* The path from the first state to the finding; returns whether it is a shortest one. `scheme`: how
 * to replay it. */
static bool path_of(const hd_model_result *r, const hd_model_finding *f, hd_model_moves *path, hd_model_scheme *scheme)
{
    /* Only the first finding of its kind was searched for again. */
    const hd_model_finding *shorter = r->shorter && hd_model_findings_like(r->findings, f) == f
        ? hd_model_findings_like(&r->shorter->findings, f)
        : NULL;
    *scheme = shorter ? r->scheme : r->replay_scheme;
    if (f->state == HD_MODEL_STORE_NONE)
        return true;
    if (shorter)
        hd_model_full_path(r->shorter, shorter, path);
    else
        r->path(r->search, f, path);
    return shorter || r->breadth_first;
}

static void show_findings(const hd_model_result *r, bool all)
{
    bool shown[HD_MODEL_FINDING_KINDS] = { false };
    for (size_t i = 0; i < r->findings->count; i++) {
        const hd_model_finding *f = &r->findings->items[i];
        /* Without --all, the first finding of each kind. */
        if (shown[f->kind] && !all)
            continue;
        shown[f->kind] = true;
        hd_model_moves path = { 0 };
        hd_model_scheme scheme;
        printf("\n");
        describe(stdout, r, f);
        bool shortest = path_of(r, f, &path, &scheme);
        if (f->state != HD_MODEL_STORE_NONE) {
            hd_model_report_chart(stdout, r->program, scheme, &path, HD_MODEL_NO_CYCLE);
            hd_model_report_end(stdout, r->program, scheme, &path);
        }
        if (!shortest && hd_model_findings_like(r->findings, f) == f)
            printf("  a shorter path may exist; --shortest looks for it in the full graph\n");
        hd_vec_fini(&path);
    }
}

/* --- claims ---------------------------------------------------------------------------------------------- */

static const char *const claim_kinds[] = { "ltl", "never", "liveness", "liveness" };

/* A violation, or a proposition that could not be evaluated. */
static bool claim_has_finding(const hd_model_liveness *l)
{
    return l->verdict == HD_MODEL_VERDICT_VIOLATED || l->finding.fault.kind != HD_MODEL_FAULT_NONE;
}

static void show_violation(const hd_model_result *r, const hd_model_liveness *l)
{
    printf("\n%s %s: ", claim_kinds[l->claim->kind], l->claim->name);
    describe(stdout, r, &l->finding);
    hd_model_report_chart(stdout, r->program, r->scheme, &l->path, l->is_cycle ? l->cycle : HD_MODEL_NO_CYCLE);
    hd_model_report_end(stdout, r->program, r->scheme, &l->path);
}

static void show_verdict(const hd_model_liveness *l)
{
    static const char *const verdicts[] = { "holds", "violated", "not decided" };
    printf("%s %s: %s", claim_kinds[l->claim->kind], l->claim->name, verdicts[l->verdict]);
    if (l->bound != HD_MODEL_BOUND_NONE)
        printf(", stopped by %s", hd_model_bound_text(l->bound));
    printf(" (%llu states, %llu edges%s, %.2f s)\n", (unsigned long long)l->states, (unsigned long long)l->edges,
        l->fair ? ", weakly fair" : "", l->seconds);
}

static void json_path(hd_json *j, const hd_model_result *r, const hd_model_moves *path);

static void json_violation(hd_json *j, const hd_model_result *r, const hd_model_liveness *l)
{
    hd_json_object(j, NULL);
    hd_json_text(j, "kind", kinds[l->finding.kind]);
    if (l->finding.kind == HD_MODEL_FINDING_FAULT)
        hd_json_text(j, "message", hd_model_fault_text(l->finding.fault.kind));
    hd_json_text(j, "claim", l->claim->name);
    if (l->finding.line)
        hd_json_int(j, "line", l->finding.line);
    if (l->is_cycle)
        hd_json_int(j, "cycle", (int64_t)l->cycle);
    json_path(j, r, &l->path);
    hd_json_end(j, '}');
}

static void json_claim(hd_json *j, const hd_model_liveness *l)
{
    static const char *const verdicts[] = { "holds", "violated", "unknown" };
    hd_json_object(j, NULL);
    hd_json_text(j, "name", l->claim->name);
    hd_json_text(j, "kind", claim_kinds[l->claim->kind]);
    hd_json_text(j, "verdict", verdicts[l->verdict]);
    hd_json_bool(j, "fair", l->fair);
    hd_json_text(j, "bound", l->bound == HD_MODEL_BOUND_NONE ? NULL : hd_model_bound_text(l->bound));
    hd_json_int(j, "states", (int64_t)l->states);
    hd_json_int(j, "edges", (int64_t)l->edges);
    hd_json_real(j, "seconds", l->seconds);
    hd_json_end(j, '}');
}

/* --- statements never executed ----------------------------------------------------------------------------- */

static bool can_be_executed(const hd_promela_element *e)
{
    hd_promela_op op = e->node->op;
    return op == HD_S_ASSIGN || op == HD_S_SEND || op == HD_S_RECEIVE || op == HD_S_ASSERT || op == HD_S_ELSE
        || op == HD_S_EXPRESSION || op == HD_S_D_STEP;
}

/* Counts the statements of one proctype that no executed step ran; lists them if `out` is not NULL. */
static int never_executed_in(
    FILE *out, const hd_promela_model *model, const hd_promela_code *code, const bool *executed)
{
    int count = 0;
    /* A merged statement is executed with the step that it is part of. */
    bool *done = hd_alloc(&hd_heap, (size_t)code->flow->count);
    for (int k = 0; k < code->transition_count; k++) {
        const hd_promela_step *step = code->transitions[k].step;
        done[step->element->number] |= executed[k];
        for (int i = 0; i < step->merged_count; i++)
            done[step->merged[i]->number] |= executed[k];
    }
    for (int n = 1; n < code->flow->count; n++) {
        const hd_promela_element *e = code->flow->elements[n];
        char text[160];
        if (!e || !can_be_executed(e) || done[n])
            continue;
        count++;
        hd_promela_print_statement(text, sizeof text, model, e->node);
        if (out)
            fprintf(out, "  %s:%d: %s in %s\n", model->file, e->node->location.line, text, code->proctype->name);
    }
    hd_release(&hd_heap, done, (size_t)code->flow->count);
    return count;
}

static int never_executed(FILE *out, const hd_model_result *r)
{
    int count = 0;
    for (size_t i = 0; i < r->program->model->proctypes.count; i++)
        count += never_executed_in(out, r->program->model, &r->program->codes[i], r->executed[i]);
    return count;
}

bool hd_model_found(const hd_model_result *r)
{
    bool found = r->counts[HD_MODEL_FINDING_DEADLOCK] || r->counts[HD_MODEL_FINDING_ASSERTION]
        || r->counts[HD_MODEL_FINDING_INVARIANT] || r->counts[HD_MODEL_FINDING_FAULT];
    for (size_t i = 0; i < r->claim_count; i++)
        found |= claim_has_finding(&r->claims[i]);
    return found;
}

bool hd_model_complete(const hd_model_result *r)
{
    bool complete = r->bound == HD_MODEL_BOUND_NONE;
    for (size_t i = 0; i < r->claim_count; i++)
        complete &= r->claims[i].verdict != HD_MODEL_VERDICT_UNKNOWN;
    return complete;
}

void hd_model_show(const hd_model_result *r, bool all)
{
    static const char *const schemes[] = { "causal", "fifo", "async" };
    show_findings(r, all);
    bool shown = r->findings->count > 0;
    for (size_t i = 0; i < r->claim_count; i++)
        if (claim_has_finding(&r->claims[i])) {
            show_violation(r, &r->claims[i]);
            shown = true;
        }
    if (shown)
        printf("\n");
    printf("%s: %llu states, %llu edges (reduce=%s, scheme=%s, %.2f s", r->program->model->file,
        (unsigned long long)r->states, (unsigned long long)r->edges, r->reduce, schemes[r->scheme], r->seconds);
    if (r->bytes && r->states >= 10000) /* with fewer states the fixed costs dominate */
        printf(", %.1f bytes a state", (double)r->bytes / (double)(r->states ? r->states : 1));
    printf(")\n");
    for (int i = 0; i < HD_MODEL_FINDING_KINDS; i++)
        if (r->counts[i])
            printf("%s: %llu\n", kinds[i], (unsigned long long)r->counts[i]);
    /* After an incomplete search, unreached statements mean nothing. */
    if (r->reached && r->bound == HD_MODEL_BOUND_NONE) {
        hd_model_report_unreached(stdout, r->program, r->reached);
        int unexecuted = never_executed(NULL, r);
        if (unexecuted)
            printf("statements never executed: %d\n", unexecuted);
        never_executed(stdout, r);
    }
    if (r->diverges)
        printf("line %d: a process can run on for ever without receiving\n", r->diverges);
    for (size_t i = 0; i < r->claim_count; i++)
        show_verdict(&r->claims[i]);
    if (r->bound != HD_MODEL_BOUND_NONE)
        printf("stopped by %s: not every state was seen\n", hd_model_bound_text(r->bound));
    else if (!hd_model_found(r) && hd_model_complete(r))
        printf("no deadlock, no violation\n");
}

/* --- files ----------------------------------------------------------------------------------------- */

FILE *hd_model_create(const char *name, hd_error *error)
{
    FILE *out = fopen(name, "w");
    if (!out)
        hd_fail(error, "%s: cannot be written: %s", name, strerror(errno));
    return out;
}

static void json_path(hd_json *j, const hd_model_result *r, const hd_model_moves *path)
{
    hd_json_array(j, "path");
    for (size_t i = 0; i < path->count; i++) {
        const hd_promela_node *n = path->items[i].transition->step->element->node;
        char text[160];
        hd_promela_print_statement(text, sizeof text, r->program->model, n);
        hd_json_object(j, NULL);
        hd_json_int(j, "process", path->items[i].pid);
        hd_json_int(j, "line", n->location.line);
        hd_json_text(j, "statement", text);
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
}

static void json_finding(hd_json *j, const hd_model_result *r, const hd_model_finding *f)
{
    hd_model_moves path = { 0 };
    hd_model_scheme scheme;
    bool shortest = path_of(r, f, &path, &scheme);
    hd_json_object(j, NULL);
    hd_json_text(j, "kind", kinds[f->kind]);
    hd_json_bool(j, "shortest", shortest);
    if (f->kind == HD_MODEL_FINDING_FAULT)
        hd_json_text(j, "message", hd_model_fault_text(f->fault.kind));
    if (f->line)
        hd_json_int(j, "line", f->line);
    json_path(j, r, &path);
    hd_json_end(j, '}');
    hd_vec_fini(&path);
}

bool hd_model_write_json(const hd_model_result *r, const char *name, hd_error *error)
{
    FILE *out = hd_model_create(name, error);
    if (!out)
        return false;
    hd_json j;
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "program", r->program->model->file);
    hd_json_text(&j, "reduce", r->reduce);
    hd_json_bool(&j, "complete", hd_model_complete(r));
    hd_json_text(&j, "bound", r->bound == HD_MODEL_BOUND_NONE ? NULL : hd_model_bound_text(r->bound));
    hd_json_int(&j, "states", (int64_t)r->states);
    hd_json_int(&j, "edges", (int64_t)r->edges);
    hd_json_real(&j, "seconds", r->seconds);
    hd_json_int(&j, "deadlocks", (int64_t)r->counts[HD_MODEL_FINDING_DEADLOCK]);
    hd_json_int(&j, "assertions", (int64_t)r->counts[HD_MODEL_FINDING_ASSERTION]);
    hd_json_int(&j, "invariants", (int64_t)r->counts[HD_MODEL_FINDING_INVARIANT]);
    hd_json_int(&j, "faults", (int64_t)r->counts[HD_MODEL_FINDING_FAULT]);
    hd_json_int(&j, "unreceived", (int64_t)r->counts[HD_MODEL_FINDING_UNRECEIVED]);
    if (r->reached) /* a reduction need not execute all reachable statements */
        hd_json_int(&j, "never_executed", never_executed(NULL, r));
    hd_json_array(&j, "findings");
    for (size_t i = 0; i < r->findings->count; i++)
        json_finding(&j, r, &r->findings->items[i]);
    for (size_t i = 0; i < r->claim_count; i++)
        if (claim_has_finding(&r->claims[i]))
            json_violation(&j, r, &r->claims[i]);
    hd_json_end(&j, ']');
    hd_json_array(&j, "claims");
    for (size_t i = 0; i < r->claim_count; i++)
        json_claim(&j, &r->claims[i]);
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
    bool ok = !ferror(out);
    return (fclose(out) == 0 && ok) || hd_fail(error, "%s: cannot be written", name);
}

static const hd_model_liveness *first_violation(const hd_model_result *r)
{
    for (size_t i = 0; i < r->claim_count; i++)
        if (claim_has_finding(&r->claims[i]))
            return &r->claims[i];
    return NULL;
}

bool hd_model_write_trail(const hd_model_result *r, const char *name, hd_error *error)
{
    bool is_path = r->findings->count && r->findings->items[0].state != HD_MODEL_STORE_NONE;
    const hd_model_liveness *violation = is_path ? NULL : first_violation(r);
    if (!is_path && !violation)
        return true;
    FILE *out = hd_model_create(name, error);
    if (!out)
        return false;
    hd_model_moves path = { 0 };
    hd_model_scheme scheme;
    if (is_path)
        path_of(r, &r->findings->items[0], &path, &scheme);
    if (violation)
        hd_model_report_trail(out, &violation->path, violation->is_cycle ? violation->cycle : HD_MODEL_NO_CYCLE);
    else
        hd_model_report_trail(out, &path, HD_MODEL_NO_CYCLE);
    hd_vec_fini(&path);
    return fclose(out) == 0 || hd_fail(error, "%s: cannot be written", name);
}
