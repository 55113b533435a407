#include "report/json.h"

#include "base/json.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/inputs.h"
#include "report/suppress.h"
#include "report/view.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_threads(hd_json *j, const hd_report_finding *f)
{
    uint32_t count = f->run.thread_count > HD_MAX_THREADS ? f->run.thread_count : HD_MAX_THREADS;
    hd_json_array(j, "threads");
    for (uint32_t t = 0; t < count; t++)
        if (hd_report_involves(f, t))
            hd_json_int(j, NULL, t);
    hd_json_end(j, ']');
}

/* The inputs that the finding was confirmed with. */
static void put_inputs(hd_json *j, const hd_report_finding *f)
{
    bool told = f && f->confirmed && !f->run.died;
    hd_report_inputs_json(j, "inputs", told ? &f->run : NULL);
}

static void put_solver(hd_json *j, const hd_solver_counts *c)
{
    hd_json_object(j, "solver");
    hd_json_int(j, "queries", (int64_t)c->queries);
    hd_json_int(j, "satisfiable", (int64_t)c->satisfiable);
    hd_json_int(j, "cached", (int64_t)(c->same + c->cores + c->models));
    hd_json_int(j, "tried", (int64_t)(c->tried + c->guessed));
    hd_json_int(j, "bits", (int64_t)c->blasted);
    hd_json_int(j, "solved", (int64_t)c->solved);
    hd_json_int(j, "unknown", (int64_t)c->unknown);
    hd_json_real(j, "seconds", c->seconds);
    hd_json_end(j, '}');
}

static void put_location(hd_json *j, const hd_location *location)
{
    hd_json_text(j, "file", location->line ? location->file : NULL);
    hd_json_int(j, "line", location->line);
}

/* The other pairs of positions at which the same variable races. */
static void put_others(hd_json *j, const hd_report_finding *f)
{
    hd_json_array(j, "others");
    for (size_t i = 0; i < f->other_count; i++) {
        hd_json_array(j, NULL);
        hd_json_text(j, NULL, f->others[i].places[0]);
        hd_json_text(j, NULL, f->others[i].places[1]);
        hd_json_end(j, ']');
    }
    hd_json_end(j, ']');
}

/* The numbers that operations have in the schedule of the replay file, from 1 on; further operations of a step have the
 * number of the step. */
static uint32_t *number_steps(const hd_recorded_run *run)
{
    uint32_t *steps = hd_alloc(&hd_heap, (run->op_count + 1) * sizeof *steps), step = 0;
    for (uint32_t i = 0; i < run->op_count; i++) {
        const hd_op *op = &run->ops[i].op;
        step += hd_op_is_done(op) && !(op->flags & (HD_OP_CONTINUES | HD_OP_ALONE));
        steps[i] = step;
    }
    return steps;
}

static void put_step(hd_json *j, const hd_report_finding *f, uint32_t entry, uint32_t step)
{
    const hd_recorded_op *o = &f->run.ops[entry];
    const hd_report_access *a = &f->accesses[entry];
    char address[24];
    uint32_t bytes;
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)hd_report_view_address(&o->op, &bytes));
    hd_json_object(j, NULL);
    hd_json_int(j, "step", step);
    hd_json_int(j, "thread", hd_recorded_doer(&f->run, entry));
    hd_json_text(j, "operation", hd_op_text(o->op.kind));
    hd_json_text(j, "name", a->name);
    hd_json_text(j, "value", a->value);
    hd_json_text(j, "address", a->name ? address : NULL);
    put_location(j, &o->location);
    hd_json_end(j, '}');
}

/* The steps that matter, and the orders that the program itself forces on steps of different threads. */
static void put_slice(hd_json *j, const hd_report_finding *f)
{
    uint32_t *steps = number_steps(&f->run);
    hd_json_array(j, "slice");
    for (uint32_t i = 0; f->accesses && i < f->run.op_count; i++)
        if (f->accesses[i].matters && !hd_op_is_implied(&f->run.ops[i].op))
            put_step(j, f, i, steps[i]);
    hd_json_end(j, ']');
    hd_json_array(j, "forced");
    for (size_t i = 0; i < f->order_count; i++) {
        if (!f->orders[i].is_forced)
            continue;
        hd_json_array(j, NULL);
        hd_json_int(j, NULL, steps[f->orders[i].first]);
        hd_json_int(j, NULL, steps[f->orders[i].second]);
        hd_json_end(j, ']');
    }
    hd_json_end(j, ']');
    hd_release(&hd_heap, steps, (f->run.op_count + 1) * sizeof *steps);
}

static void put_finding(hd_json *j, const hd_report_finding *f)
{
    hd_json_object(j, NULL);
    hd_json_text(j, "kind", hd_finding_word(f->finding.kind));
    hd_json_text(j, "message", f->finding.message);
    put_location(j, &f->location);
    put_threads(j, f);
    hd_json_text(j, "replay", f->replay);
    hd_json_bool(j, "confirmed", f->confirmed);
    hd_json_bool(j, "minimised", !f->cut);
    put_inputs(j, f);
    hd_json_text(j, "story", f->story);
    put_slice(j, f);
    if (!hd_finding_is_bug(&f->finding))
        hd_json_int(j, "executions", (int64_t)f->executions);
    if (hd_finding_has_accesses(&f->finding)) {
        hd_json_object(j, "previous");
        put_location(j, &f->previous);
        hd_json_end(j, '}');
        put_others(j, f);
    }
    if (f->suppressed)
        hd_json_text(j, "suppressed_by", f->suppressed->text);
    hd_json_end(j, '}');
}

static void put_findings(hd_json *j, const char *name, const hd_report_result *r, bool suppressed)
{
    hd_json_array(j, name);
    for (size_t i = 0; i < r->finding_count; i++)
        if ((r->findings[i].suppressed != NULL) == suppressed)
            put_finding(j, &r->findings[i]);
    hd_json_end(j, ']');
}

static void put_extras(hd_json *j, const hd_report_result *r)
{
    char sum[24], local_sum[24], sequence_sum[24];
    const hd_run_counts *c = &r->counts;
    /* As text: 64 bits do not fit a number of most JSON readers. */
    snprintf(sum, sizeof sum, "%016llx", (unsigned long long)c->state_sum);
    snprintf(local_sum, sizeof local_sum, "%016llx", (unsigned long long)c->local_sum);
    snprintf(sequence_sum, sizeof sequence_sum, "%016llx", (unsigned long long)c->sequence_sum);
    hd_json_array(j, "notices");
    for (size_t i = 0; i < r->notice_count; i++)
        hd_json_text(j, NULL, r->notices[i]);
    hd_json_end(j, ']');
    hd_json_bool(j, "more_races", r->more_races);
    hd_json_int(j, "deep", (int64_t)c->deep);
    hd_json_int(j, "hung", (int64_t)c->hung);
    hd_json_int(j, "full", (int64_t)c->full);
    hd_json_int(j, "endless", (int64_t)c->endless);
    hd_json_int(j, "unseen", (int64_t)c->unseen);
    hd_json_int(j, "clocked", (int64_t)c->clocked);
    hd_json_int(j, "processors", r->settings.processors);
    if (r->settings.timeouts == HD_TIMEOUTS_ANY)
        hd_json_text(j, "timeouts", "any");
    else
        hd_json_int(j, "timeouts", r->settings.timeouts);
    hd_json_int(j, "patient", (int64_t)c->patient);
    hd_json_int(j, "expired", (int64_t)c->expired);
    hd_json_int(j, "assumed", (int64_t)c->assumed);
    hd_json_int(j, "restarts", (int64_t)c->restarts);
    hd_json_int(j, "deaths", r->deaths);
    hd_json_text(j, "isolation", r->forked ? "fork" : "reset");
    hd_json_object(j, "selfcheck");
    hd_json_int(j, "compared", (int64_t)c->compared);
    hd_json_int(j, "differed", (int64_t)c->differed);
    hd_json_real(j, "seconds", c->comparing);
    hd_json_end(j, '}');
    hd_json_int(j, "most_inputs", (int64_t)c->inputs);
    hd_json_int(j, "followed", (int64_t)c->followed);
    if (c->kept.events) {
        hd_json_object(j, "unfolding");
        hd_json_int(j, "events", (int64_t)c->kept.events);
        hd_json_int(j, "bytes", (int64_t)c->kept.bytes);
        hd_json_end(j, '}');
    }
    if (c->persistent.states) {
        hd_json_object(j, "persistent");
        hd_json_int(j, "states", (int64_t)c->persistent.states);
        hd_json_int(j, "taken", (int64_t)c->persistent.taken);
        hd_json_int(j, "enabled", (int64_t)c->persistent.enabled);
        hd_json_end(j, '}');
    }
    put_solver(j, &c->solver);
    if (r->states) {
        hd_json_int(j, "states", (int64_t)c->states);
        hd_json_text(j, "state_sum", sum);
        hd_json_int(j, "locals", (int64_t)c->locals);
        hd_json_text(j, "local_sum", local_sum);
        hd_json_int(j, "traces", (int64_t)c->traces);
        if (c->sequences) {
            hd_json_int(j, "sequences", (int64_t)c->sequences);
            hd_json_text(j, "sequence_sum", sequence_sum);
        }
    }
}

/* The largest bound of schedules that was finished; without one it is empty. */
static void put_reached(hd_json *j, const hd_bound_reached *r)
{
    hd_json_object(j, "finished");
    if (r->finished)
        hd_json_int(j, r->by == HD_BOUNDED_DELAYS ? "delays" : "preemptions", r->finished - 1);
    hd_json_end(j, '}');
}

static void put_foreign(hd_json *j, const hd_report_result *r)
{
    hd_json_array(j, "foreign");
    for (size_t i = 0; i < r->foreign_count; i++) {
        const hd_report_foreign_call *f = &r->foreign[i];
        hd_json_object(j, NULL);
        hd_json_text(j, "library", f->library);
        hd_json_text(j, "function", f->function);
        put_location(j, &f->location);
        hd_json_text(j, "calls_back", f->calls_back);
        hd_json_bool(j, "starts_thread", f->starts_thread);
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
}

/* An estimate of all executions; null: there is none, or everything is explored. */
static void put_in_sight(hd_json *j, const hd_report_result *r)
{
    double share = r->counts.progress;
    if (r->complete || !(share > 0))
        hd_json_text(j, "in_sight", NULL);
    else
        hd_json_real(j, "in_sight", (double)r->counts.tests / share);
}

static void put(hd_json *j, const hd_report_result *r, const char *version)
{
    hd_json_object(j, NULL);
    hd_json_text(j, "version", version);
    hd_json_text(j, "program", r->given);
    hd_json_text(j, "explorer", r->explorer);
    hd_json_bool(j, "complete", r->complete);
    hd_json_text(j, "bound", r->bound);
    hd_json_bool(j, "composed", r->counts.composed);
    hd_json_int(j, "tests", (int64_t)r->counts.tests);
    hd_json_int(j, "hunted", (int64_t)r->counts.hunted);
    hd_json_int(j, "blocked", (int64_t)r->counts.blocked);
    hd_json_int(j, "events", (int64_t)r->counts.events);
    hd_json_int(j, "replayed", (int64_t)r->counts.replayed);
    hd_json_real(j, "seconds", r->seconds);
    put_reached(j, &r->counts.reached);
    put_in_sight(j, r);
    put_inputs(j, r->finding_count ? &r->findings[0] : NULL);
    put_findings(j, "findings", r, false);
    put_findings(j, "suppressed", r, true);
    put_foreign(j, r);
    put_extras(j, r);
    hd_json_end(j, '}');
}

void hd_report_json_write(const hd_report_result *r, const char *version, FILE *out)
{
    hd_json j;
    hd_json_open(&j, out);
    put(&j, r, version);
}

bool hd_report_json(const hd_report_result *r, const char *version, const char *path, hd_error *error)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return hd_fail(error, "%s: the JSON report cannot be written: %s", path, strerror(errno));
    errno = 0;
    hd_report_json_write(r, version, out);
    /* Check everything, the close included: a full disk must not look like success. */
    bool failed = fflush(out) != 0 || ferror(out);
    int reason = errno;
    if (fclose(out) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    return !failed || hd_fail(error, "%s: the JSON report cannot be written: %s", path, strerror(reason));
}
