#include "model/report.h"

#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "model/chart.h"
#include "model/store.h"

static const char *const kinds[] = { "deadlock", "assertion", "invariant", "fault", "unreceived", "claim-violated",
    "acceptance-cycle", "non-progress-cycle" };

/* One sentence per kind of finding. */
static void describe(FILE *out, const hd_model_check *c, const hd_model_finding *f)
{
    const char *file = c->program->model->file;
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

static void show_findings(const hd_model_check *c, bool all)
{
    bool shown[HD_MODEL_FINDING_KINDS] = { false };
    for (size_t i = 0; i < c->result->findings.count; i++) {
        const hd_model_finding *f = &c->result->findings.items[i];
        /* Without --all, the first finding of each kind. */
        if (shown[f->kind] && !all)
            continue;
        shown[f->kind] = true;
        hd_model_moves path = { 0 };
        hd_model_scheme scheme;
        printf("\n");
        describe(stdout, c, f);
        bool shortest = hd_model_check_path(c, f, &path, &scheme);
        if (f->state != HD_MODEL_NO_STATE) {
            hd_model_chart_path(stdout, c->program, scheme, &path, HD_MODEL_NO_CYCLE);
            hd_model_chart_end(stdout, c->program, scheme, &path);
        }
        if (!shortest && hd_model_findings_like(&c->result->findings, f) == f)
            printf("  a shorter path may exist; --shortest looks for it in the full graph\n");
        hd_vec_fini(&path);
    }
}

/* --- claims ---------------------------------------------------------------------------------------------- */

static const char *const claim_kinds[] = { "ltl", "never", "liveness", "liveness" };

static void show_violation(const hd_model_check *c, const hd_model_liveness *l)
{
    printf("\n%s %s: ", claim_kinds[l->claim->kind], l->claim->name);
    describe(stdout, c, &l->finding);
    hd_model_chart_path(stdout, c->program, c->request.scheme, &l->path, l->is_cycle ? l->cycle : HD_MODEL_NO_CYCLE);
    hd_model_chart_end(stdout, c->program, c->request.scheme, &l->path);
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

/* --- statements never reached, statements never executed ------------------------------------------------- */

/* Joins and the jumps of break are not listed. */
static bool is_statement(const hd_promela_element *e)
{
    hd_promela_op op = e->node->op;
    return op != HD_S_JOIN && op != HD_S_UNLESS && !(op == HD_S_GOTO && e->node->break_target);
}

/* As SPIN lists them. */
static void show_unreached(const hd_model_check *c)
{
    const hd_promela_program *program = c->program;
    bool *const *reached = c->result->reached;
    for (size_t i = 0; i < program->model->proctypes.count; i++) {
        const hd_promela_flow *flow = program->codes[i].flow;
        for (int n = 1; n < flow->count; n++) {
            const hd_promela_element *e = flow->elements[n];
            int other = flow->stands_for[n];
            if (!e || !is_statement(e) || reached[i][n] || flow->skippable[n]
                || (other && (reached[i][other] || flow->skippable[other])))
                continue;
            char text[120];
            hd_promela_print_statement(text, sizeof text, program->model, e->node);
            printf("unreached in %s: %s:%d, state %d, \"%s\"\n", program->codes[i].proctype->name,
                e->node->location.file, e->node->location.line, n, text);
        }
    }
}

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

static int never_executed(FILE *out, const hd_model_check *c)
{
    int count = 0;
    for (size_t i = 0; i < c->program->model->proctypes.count; i++)
        count += never_executed_in(out, c->program->model, &c->program->codes[i], c->result->executed[i]);
    return count;
}

static void show_totals(const hd_model_check *c)
{
    static const char *const schemes[] = { "causal", "fifo", "async" };
    const hd_model_result *r = c->result;
    printf("%s: %llu states, %llu edges (reduce=%s, scheme=%s, %.2f s", c->program->model->file,
        (unsigned long long)r->states, (unsigned long long)r->edges, c->request.search->name,
        schemes[c->request.scheme], r->seconds);
    if (r->bytes && r->states >= 10000) /* with fewer states the fixed costs dominate */
        printf(", %.1f bytes a state", (double)r->bytes / (double)r->states);
    printf(")\n");
    for (int i = 0; i < HD_MODEL_FINDING_KINDS; i++)
        if (r->counts[i])
            printf("%s: %llu\n", kinds[i], (unsigned long long)r->counts[i]);
}

static void show_coverage(const hd_model_check *c)
{
    /* After an incomplete search, unreached statements mean nothing. */
    if (!c->request.search->every_state || c->result->bound != HD_MODEL_BOUND_NONE)
        return;
    show_unreached(c);
    int unexecuted = never_executed(NULL, c);
    if (unexecuted)
        printf("statements never executed: %d\n", unexecuted);
    never_executed(stdout, c);
}

void hd_model_report_text(const hd_model_check *c, bool all)
{
    show_findings(c, all);
    bool shown = c->result->findings.count > 0;
    for (size_t i = 0; i < c->verdicts.count; i++)
        if (hd_model_liveness_has_finding(&c->verdicts.items[i])) {
            show_violation(c, &c->verdicts.items[i]);
            shown = true;
        }
    if (shown)
        printf("\n");
    show_totals(c);
    show_coverage(c);
    if (c->result->diverges)
        printf("line %d: a process can run forever without receiving\n", c->result->diverges);
    for (size_t i = 0; i < c->verdicts.count; i++)
        show_verdict(&c->verdicts.items[i]);
    if (c->result->bound != HD_MODEL_BOUND_NONE)
        printf("stopped by %s: not every state was seen\n", hd_model_bound_text(c->result->bound));
    else if (!hd_model_check_found(c) && hd_model_check_complete(c))
        printf("no deadlock, no violation\n");
}

/* --- files ----------------------------------------------------------------------------------------- */

static void json_path(hd_json *j, const hd_model_check *c, const hd_model_moves *path)
{
    hd_json_array(j, "path");
    for (size_t i = 0; i < path->count; i++) {
        const hd_promela_node *n = path->items[i].transition->step->element->node;
        char text[160];
        hd_promela_print_statement(text, sizeof text, c->program->model, n);
        hd_json_object(j, NULL);
        hd_json_int(j, "process", path->items[i].pid);
        hd_json_int(j, "line", n->location.line);
        hd_json_text(j, "statement", text);
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
}

static void json_finding(hd_json *j, const hd_model_check *c, const hd_model_finding *f)
{
    hd_model_moves path = { 0 };
    hd_model_scheme scheme;
    bool shortest = hd_model_check_path(c, f, &path, &scheme);
    hd_json_object(j, NULL);
    hd_json_text(j, "kind", kinds[f->kind]);
    hd_json_bool(j, "shortest", shortest);
    if (f->kind == HD_MODEL_FINDING_FAULT)
        hd_json_text(j, "message", hd_model_fault_text(f->fault.kind));
    if (f->line)
        hd_json_int(j, "line", f->line);
    json_path(j, c, &path);
    hd_json_end(j, '}');
    hd_vec_fini(&path);
}

static void json_violation(hd_json *j, const hd_model_check *c, const hd_model_liveness *l)
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
    json_path(j, c, &l->path);
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

static void json_totals(hd_json *j, const hd_model_check *c)
{
    const hd_model_result *r = c->result;
    hd_json_text(j, "program", c->program->model->file);
    hd_json_text(j, "reduce", c->request.search->name);
    hd_json_bool(j, "complete", hd_model_check_complete(c));
    hd_json_text(j, "bound", r->bound == HD_MODEL_BOUND_NONE ? NULL : hd_model_bound_text(r->bound));
    hd_json_int(j, "states", (int64_t)r->states);
    hd_json_int(j, "edges", (int64_t)r->edges);
    hd_json_real(j, "seconds", r->seconds);
    hd_json_int(j, "deadlocks", (int64_t)r->counts[HD_MODEL_FINDING_DEADLOCK]);
    hd_json_int(j, "assertions", (int64_t)r->counts[HD_MODEL_FINDING_ASSERTION]);
    hd_json_int(j, "invariants", (int64_t)r->counts[HD_MODEL_FINDING_INVARIANT]);
    hd_json_int(j, "faults", (int64_t)r->counts[HD_MODEL_FINDING_FAULT]);
    hd_json_int(j, "unreceived", (int64_t)r->counts[HD_MODEL_FINDING_UNRECEIVED]);
    if (c->request.search->every_state) /* a reduction need not execute all reachable statements */
        hd_json_int(j, "never_executed", never_executed(NULL, c));
}

bool hd_model_report_json(const hd_model_check *c, const char *name, hd_error *error)
{
    FILE *out = hd_file_create(name, error);
    if (!out)
        return false;
    hd_json j;
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    json_totals(&j, c);
    hd_json_array(&j, "findings");
    for (size_t i = 0; i < c->result->findings.count; i++)
        json_finding(&j, c, &c->result->findings.items[i]);
    for (size_t i = 0; i < c->verdicts.count; i++)
        if (hd_model_liveness_has_finding(&c->verdicts.items[i]))
            json_violation(&j, c, &c->verdicts.items[i]);
    hd_json_end(&j, ']');
    hd_json_array(&j, "claims");
    for (size_t i = 0; i < c->verdicts.count; i++)
        json_claim(&j, &c->verdicts.items[i]);
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
    return hd_file_close(out, name, error);
}

static const hd_model_liveness *first_violation(const hd_model_check *c)
{
    for (size_t i = 0; i < c->verdicts.count; i++)
        if (hd_model_liveness_has_finding(&c->verdicts.items[i]))
            return &c->verdicts.items[i];
    return NULL;
}

bool hd_model_report_trail(const hd_model_check *c, const char *name, hd_error *error)
{
    bool is_path = c->result->findings.count && c->result->findings.items[0].state != HD_MODEL_NO_STATE;
    const hd_model_liveness *violation = is_path ? NULL : first_violation(c);
    if (!is_path && !violation)
        return true;
    FILE *out = hd_file_create(name, error);
    if (!out)
        return false;
    hd_model_moves path = { 0 };
    hd_model_scheme scheme;
    if (is_path)
        hd_model_check_path(c, &c->result->findings.items[0], &path, &scheme);
    if (violation)
        hd_model_chart_trail(out, &violation->path, violation->is_cycle ? violation->cycle : HD_MODEL_NO_CYCLE);
    else
        hd_model_chart_trail(out, &path, HD_MODEL_NO_CYCLE);
    hd_vec_fini(&path);
    return hd_file_close(out, name, error);
}
