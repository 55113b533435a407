#include "explore/run.h"
#include "check/checks.h"

#include "base/error.h"
#include "event/op.h"
#include "explore/busy_lines.h"
#include "explore/locals.h"
#include "explore/selfcheck.h"
#include "explore/traces.h"
#include "explore/turns.h"

#include <stdio.h>
#include <string.h>

enum { WARM_UP_RUNS = 64, WARM_UP_QUIET = 4, PROGRESS_EVERY = 64, MOST_TOLD = 8 };

struct hd_run {
    hd_memory *memory;
    hd_run_config config;
    hd_target *target;
    hd_run_counts *counts;
    hd_turns *turns;
    hd_map states, traces, sequences;
    hd_locals *locals;
    hd_selfcheck *selfcheck;
    hd_lockset *lockset; /* NULL: the lock discipline is not checked; it is without a finding if steps are composed */
    bool warm;
    bool expired; /* a wait has timed out because no thread could run, in an execution of an explorer of local states */
    bool undisciplined; /* the program violates the lock discipline */
    bool refuted; /* an annotation that makes several accesses one step is false */
    bool killed; /* an execution that counts as a crash has killed the process */
    hd_plan plan;
    bool planned; /* `plan` has not been run to its end yet */
    uint32_t deaths; /* how many processes died running it */
    const hd_site *told[MOST_TOLD]; /* source locations that a notice has named */
    uint32_t told_count;
    bool told_depth; /* a notice has said where operations went */
};

const hd_explorer *hd_run_explorer(const hd_run *run)
{
    return hd_turns_explorer(run->turns);
}

static const hd_trace *trace_of(const hd_run *run)
{
    return hd_run_explorer(run)->trace(hd_turns_self(run->turns));
}

/* By default the search composes steps as long as the program has a lock discipline, and then goes on without. */
static bool falls_back(const hd_run *run)
{
    return run->config.explore.compose && run->config.second;
}

static hd_lockset *open_lockset(const hd_run *run)
{
    hd_settings settings = run->config.settings;
    settings.discipline |= falls_back(run);
    return hd_lockset_open(&settings, run->memory);
}

hd_run *hd_run_open(const hd_run_config *config, hd_target *target, hd_run_counts *counts, hd_memory *memory)
{
    hd_run *run = hd_alloc(memory, sizeof *run);
    run->memory = memory;
    run->config = *config;
    run->target = target;
    run->counts = counts;
    run->turns = hd_turns_open(config->explorer, config->second, config->hunts, &config->explore, memory);
    hd_map_init(&run->states, memory);
    run->locals = hd_locals_open(memory);
    hd_map_init(&run->traces, memory);
    hd_map_init(&run->sequences, memory);
    run->selfcheck = hd_selfcheck_open(memory);
    run->lockset = open_lockset(run);
    run->warm = config->warm;
    target->composes = config->explore.compose;
    return run;
}

void hd_run_close(hd_run *run)
{
    hd_turns_close(run->turns);
    hd_map_fini(&run->states);
    hd_locals_close(run->locals);
    hd_map_fini(&run->traces);
    hd_map_fini(&run->sequences);
    hd_selfcheck_close(run->selfcheck);
    hd_lockset_close(run->lockset);
    hd_release(run->memory, run, sizeof *run);
}

/* Starts the search from the beginning: an assumption that it was based on is wrong (a cell is shared, memory is not
 * restored). The comparisons with fresh processes still count. */
static void start_over(hd_run *run, const hd_run_listener *listener)
{
    listener->starts_over(listener->context);
    run->target->learned = false;
    run->planned = run->expired = false;
    hd_run_counts before = *run->counts;
    hd_selfcheck_start(run->selfcheck);
    hd_turns_start_over(run->turns);
    hd_map_clear(&run->states);
    hd_locals_clear(run->locals);
    hd_map_clear(&run->traces);
    hd_map_clear(&run->sequences);
    memset(run->counts, 0, sizeof *run->counts);
    run->counts->restarts = before.restarts + 1;
    run->counts->compared = before.compared;
    run->counts->differed = before.differed;
    run->counts->comparing = before.comparing;
}

bool hd_run_give_up(hd_run *run, const char *why, const hd_run_listener *listener)
{
    char text[400];
    if (!hd_turns_give_up(run->turns))
        return false;
    run->planned = false;
    snprintf(text, sizeof text, "%s: --explore=%s continues alone", why, hd_run_explorer(run)->name);
    listener->notice(listener->context, text);
    return true;
}

/* --- counting ----------------------------------------------------------------------- */

static void count_state(hd_run *run, const hd_outcome *outcome)
{
    uint64_t state = hd_hash(outcome->state ^ (uint64_t)outcome->kind << 48);
    uint64_t *seen = hd_map_put(&run->states, state);
    if (!*seen) {
        *seen = 1;
        run->counts->states++;
        run->counts->state_sum += state;
    }
}

static void count_locals(hd_run *run, const hd_execution *e)
{
    hd_locals_add(run->locals, e);
    run->counts->locals = hd_locals_count(run->locals);
    run->counts->local_sum = hd_locals_sum(run->locals);
}

static void count_trace(hd_run *run, const hd_execution *e)
{
    uint64_t *seen = hd_map_put(&run->traces, hd_trace_fingerprint(e, run->memory));
    run->counts->traces += !*seen;
    *seen = 1;
}

static void count_sequence(hd_run *run, const hd_execution *e)
{
    uint64_t fingerprint = hd_sequence_fingerprint(e);
    uint64_t *seen = fingerprint ? hd_map_put(&run->sequences, fingerprint) : NULL;
    if (!seen || *seen)
        return;
    *seen = 1;
    run->counts->sequences++;
    run->counts->sequence_sum += fingerprint;
}

/* What hunters run is no part of the exploration. */
static void count_test(hd_run *run, const hd_execution *e)
{
    if (hd_turns_hunts(run->turns)) {
        run->counts->hunted++;
        return;
    }
    run->counts->tests++;
    run->counts->replayed += run->plan.prefix_count;
    for (uint32_t i = 0; i < e->thread_count; i++)
        run->counts->events += e->threads[i].steps;
}

static void count(hd_run *run, const hd_execution *e)
{
    hd_run_counts *c = run->counts;
    uint32_t kind = e->outcome->kind;
    c->blocked += kind == HD_CUT;
    c->assumed += kind == HD_ASSUMED;
    c->expired += e->outcome->expired;
    if (run->config.count_states && kind != HD_CUT)
        count_locals(run, e);
    if (!hd_outcome_is_test(kind))
        return;
    count_test(run, e);
    if (e->input_count > c->inputs)
        c->inputs = e->input_count;
    c->deep += kind == HD_DEPTH || e->outcome->deep;
    c->hung += kind == HD_HANG;
    if (kind == HD_HANG)
        c->hung_at = e->outcome->address;
    c->limited += kind == HD_MODEL_LIMIT;
    c->patient += e->outcome->patient;
    const hd_site *unseen = e->outcome->unseen, *clocked = e->outcome->clocked, *full = e->outcome->site;
    if (kind == HD_HEAP_FULL && !c->full++ && full)
        snprintf(c->full_at, sizeof c->full_at, "%s:%u", full->file, full->line);
    if (kind == HD_ENDLESS_OUTPUT && !c->endless++)
        snprintf(c->endless_text, sizeof c->endless_text, "%.100s (%.80s:%u)", e->outcome->message,
            full ? full->file : "?", full ? full->line : 0);
    if (unseen && !c->unseen++)
        snprintf(c->unseen_at, sizeof c->unseen_at, "%s:%u", unseen->file, unseen->line);
    if (clocked && !c->clocked++)
        snprintf(c->clocked_at, sizeof c->clocked_at, "%s:%u", clocked->file, clocked->line);
    if (run->config.count_states)
        count_state(run, e->outcome);
    if (run->config.count_states)
        count_sequence(run, e);
    if (run->config.count_traces)
        count_trace(run, e);
}

/* --- the loop ------------------------------------------------------------------------- */

typedef hd_vec(hd_finding) findings;

static const char undisciplined[] =
    "the program violates the lock discipline, so other schedules may matter than those "
    "that this search runs: --explore=dpor goes on without the discipline";

/* A free of a large block may race in each of its cells: one finding per key is enough, and none may be lost. */
static void collect(void *context, const hd_finding *f)
{
    findings *all = context;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].key == f->key)
            return;
    hd_vec_push(all, *f);
}

static bool is_violation(const hd_finding *f)
{
    return f->kind == HD_FINDING_LOCK_DISCIPLINE && hd_finding_has_accesses(f);
}

static const char refuted[] =
    "a function that is annotated as atomic races with other code, so other schedules may matter "
    "than those that this search runs: --races=off goes on without annotations";

static void note_claims(hd_run *run, const findings *all, const hd_run_listener *listener)
{
    for (size_t i = 0; i < all->count && !run->refuted; i++) {
        run->refuted = all->items[i].claimed;
        if (run->refuted)
            listener->notice(listener->context, refuted);
    }
}

static void say_what_is_unprotected(const hd_finding *f, const hd_run_listener *listener)
{
    char text[400];
    snprintf(text, sizeof text,
        "no lock protects all accesses to a variable (%s, %s), so critical sections are explored operation by "
        "operation",
        f->places[0], f->places[1]);
    listener->notice(listener->context, text);
}

/* A search with composed steps runs no execution in which an access to unprotected memory comes between two others. At
 * the first violation it falls back to single operations, or it will not be complete. A violation is a finding only
 * if the settings ask for it. */
static void note_discipline(hd_run *run, findings *all, const hd_run_listener *listener)
{
    bool composes = hd_turns_composes(run->turns);
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        const hd_finding *f = &all->items[i];
        if (is_violation(f) && !run->undisciplined) {
            run->undisciplined = true;
            if (composes && falls_back(run))
                say_what_is_unprotected(f, listener);
            else if (composes)
                listener->notice(listener->context, undisciplined);
        }
        if (!is_violation(f) || run->config.settings.discipline)
            all->items[kept++] = *f;
    }
    all->count = kept;
}

/* Collects what is wrong with the execution. */
static void find(
    hd_run *run, const hd_trace *trace, const hd_execution *e, findings *all, const hd_run_listener *listener)
{
    hd_lockset *lockset = run->config.settings.discipline || e->outcome->composed ? run->lockset : NULL;
    if (!hd_outcome_is_finding(e->outcome->kind) && !trace->new_races.count && e->outcome->kind != HD_FINISHED
        && !lockset)
        return;
    hd_check_execution(e, trace, lockset, collect, all);
    note_discipline(run, all, listener);
    note_claims(run, all, listener);
}

/* The listener may run other executions, which overwrite this one, so the test is copied first. */
static bool report(hd_run *run, const hd_execution *e, const findings *all, const hd_run_listener *listener)
{
    bool go_on = true;
    hd_test_case test;
    hd_test_case_init(&test, run->memory);
    hd_test_case_of(e, &test);
    for (size_t i = 0; i < all->count && go_on; i++)
        go_on = listener->found(listener->context, &all->items[i], &test);
    hd_test_case_fini(&test);
    return go_on;
}

/* The log of an execution with composed steps lacks accesses that repeat others, but a test has a step for each. Runs
 * the steps again, with all accesses. */
static hd_execution run_with_repeats(hd_run *run, const hd_execution *e)
{
    hd_schedule steps = { .memory = run->memory };
    for (uint32_t i = 0; i < e->log_count; i++)
        if (hd_op_is_done(&e->log[i]) && !(e->log[i].flags & (HD_OP_CONTINUES | HD_OP_ALONE)))
            hd_vec_push(&steps, ((hd_choice) { e->log[i].thread, e->log[i].choice }));
    hd_plan plan = {
        .prefix = steps.items, .prefix_count = (uint32_t)steps.count, .composes = true, .tail = HD_TAIL_FIRST
    };
    run->target->repeats = true;
    hd_execution again = hd_target_run(run->target, &plan);
    run->target->repeats = false;
    hd_vec_fini(&steps);
    return again;
}

/* Reports the findings of the execution, if there are any. */
static bool check(hd_run *run, const hd_trace *trace, const hd_execution *e, const hd_run_listener *listener)
{
    findings all = { .memory = run->memory };
    bool go_on = true;
    find(run, trace, e, &all, listener);
    if (all.count && e->outcome->composed) {
        hd_execution whole = run_with_repeats(run, e);
        hd_trace of_whole;
        hd_trace_init(&of_whole, run->memory, run->config.explore.races);
        hd_vec_clear(&all);
        if (hd_trace_extend(&of_whole, &whole))
            find(run, &of_whole, &whole, &all, listener);
        go_on = report(run, &whole, &all, listener);
        hd_trace_fini(&of_whole);
    } else if (all.count) {
        go_on = report(run, e, &all, listener);
    }
    hd_vec_fini(&all);
    return go_on;
}

/* Random executions that learn most shared cells before the search starts; none of them counts. */
static void warm_up(hd_run *run, const hd_run_listener *listener)
{
    for (uint32_t i = 0, quiet = 0; i < WARM_UP_RUNS && quiet < WARM_UP_QUIET; i++) {
        if (!listener->goes_on(listener->context))
            break;
        hd_plan plan = { .tail = HD_TAIL_RANDOM, .seed = i + 1 };
        uint32_t kind = hd_target_run(run->target, &plan).outcome->kind;
        quiet = kind == HD_LEARNED ? 0 : quiet + 1;
        if (kind == HD_NEEDS_FORK || hd_outcome_took_long(kind))
            break;
    }
    run->warm = true;
    run->target->learned = false;
}

/* If a process per execution was not enough, the program also needs real files. */
static void fall_back_to_fork(hd_run *run, const hd_run_listener *listener, const char *why)
{
    char text[400];
    snprintf(text, sizeof text, "%s: %s", why,
        run->target->fork ? "files that the program changes are changed on the disk from now on (--files=fork)"
                          : "every execution now runs in a process of its own (--isolate=fork)");
    listener->notice(listener->context, text);
    hd_target_fall_back(run->target);
    start_over(run, listener);
}

/* The first operation that differs from the trace, or the last one if none does: then the plan did not fit after it. */
static uint32_t first_difference(const hd_execution *e, const hd_trace *trace)
{
    size_t known = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (!hd_op_is_done(op))
            continue;
        if (known < trace->ops.count && !hd_trace_same_op(&trace->ops.items[known], op))
            return i;
        known++;
        last = i;
    }
    return last;
}

static void tell_sites(hd_run *run, const hd_run_listener *listener, const hd_path_sites *list, const char *format)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const hd_site *site = list->sites[i];
        bool told = run->told_count == MOST_TOLD;
        for (uint32_t k = 0; k < run->told_count; k++)
            told |= run->told[k] == site;
        if (told || !site)
            continue;
        char text[400];
        snprintf(text, sizeof text, format, site->file, site->line);
        listener->notice(listener->context, text);
        run->told[run->told_count++] = site;
    }
}

static void add_solved(hd_solver_counts *all, const hd_solver_counts *c)
{
    all->queries += c->queries;
    all->satisfiable += c->satisfiable;
    all->same += c->same;
    all->cores += c->cores;
    all->models += c->models;
    all->tried += c->tried;
    all->guessed += c->guessed;
    all->blasted += c->blasted;
    all->solved += c->solved;
    all->unknown += c->unknown;
    all->seconds += c->seconds;
}

/* The solver's counts, and notices about branches that are not explored. */
static void count_paths(hd_run *run, const hd_run_listener *listener)
{
    hd_run_counts *c = run->counts;
    c->solver = (hd_solver_counts) { 0 };
    c->followed = 0;
    for (uint32_t i = 0; i < HD_TURNS_MEMBERS; i++) {
        const hd_path *path = hd_turns_path(run->turns, i);
        if (!path)
            continue;
        add_solved(&c->solver, hd_solver_counted(path->solver));
        if (i >= HD_TURNS_EXPLORERS)
            continue; /* what hunters leave out does not matter */
        c->followed += path->followed.times;
        tell_sites(run, listener, &path->followed,
            "%s:%u: an input is used in a computation that heddle does not track: its other values are not explored");
        tell_sites(run, listener, &path->unsolved,
            "%s:%u: the solver did not decide in time whether the branch can go the other way (--solver-time)");
    }
}

/* Have different executions created so many different threads that some had the same number? */
static bool confuses_threads(const hd_run *run)
{
    const uint32_t *renumbered = run->target->runtime->renumbered;
    return renumbered && *renumbered;
}

/* What a bounded search has finished is a claim, so nothing may speak against it. */
static void note_reached(hd_run *run)
{
    hd_bound_reached *reached = &run->counts->reached;
    *reached = hd_turns_reached(run->turns);
    if (run->killed || run->refuted || confuses_threads(run))
        reached->finished = 0;
}

static void say_where_it_differs(const hd_run *run, const hd_run_listener *listener, const hd_execution *e)
{
    char text[400];
    const hd_path *path = hd_turns_current_path(run->turns);
    uint32_t at = path && path->misfit != ~0u ? path->misfit : first_difference(e, trace_of(run));
    const hd_site *site = at < e->log_count ? e->log[at].site : NULL;
    snprintf(text, sizeof text,
        "the program is not deterministic: the same schedule and inputs gave another execution after %u operations, "
        "near %s:%u",
        at, site ? site->file : "?", site ? site->line : 0);
    listener->notice(listener->context, text);
}

/* At the first execution that reaches --depth: where its operations went. */
static void note_depth(hd_run *run, const hd_execution *e, const hd_run_listener *listener)
{
    char text[400], lines[300];
    if (run->told_depth || !(e->outcome->kind == HD_DEPTH || e->outcome->deep))
        return;
    run->told_depth = true;
    hd_busy_lines(e, run->config.settings.depth, lines, sizeof lines, run->memory);
    snprintf(text, sizeof text, "the depth of an execution reached its bound (--depth): %s", lines);
    listener->notice(listener->context, text);
}

/* In the last execution a wait has timed out because no thread could run (runtime/sched/expiry.h). An explorer of local
 * states does not reach every such state, so the other one continues alone. */
static void note_expiry(hd_run *run, const hd_run_listener *listener)
{
    if (!hd_run_explorer(run)->local_states)
        return;
    run->expired = true;
    hd_run_give_up(run, "a wait times out when no thread can run", listener);
}

/* False: the execution does not begin as planned, or the listener stops the search after a finding. */
static bool learn(hd_run *run, const hd_execution *e, const hd_run_listener *listener, hd_run_end *end)
{
    run->planned = false;
    if (e->outcome->kind == HD_DIVERGED || !hd_turns_learn(run->turns, e, run->target->fork)) {
        say_where_it_differs(run, listener, e);
        *end = HD_END_NONDETERMINISTIC;
        return false;
    }
    count(run, e);
    note_depth(run, e, listener);
    if (e->input_count)
        count_paths(run, listener);
    if (listener->ran && hd_outcome_is_test(e->outcome->kind) && !hd_turns_hunts(run->turns))
        listener->ran(listener->context, e);
    if (run->counts->tests % PROGRESS_EVERY == 0 && !hd_turns_hunts(run->turns))
        run->counts->progress = hd_turns_progress(run->turns);
    if (hd_run_explorer(run)->reached)
        note_reached(run);
    *end = HD_END_STOPPED;
    bool expired = e->outcome->expired;
    bool goes_on = check(run, trace_of(run), e, listener);
    if (goes_on && expired)
        note_expiry(run, listener);
    if (goes_on && run->undisciplined && falls_back(run))
        hd_turns_stop_composing(run->turns);
    return goes_on;
}

void hd_run_take_up(hd_run *run, const hd_run_config *config, const hd_execution *died, const hd_run_listener *listener)
{
    hd_run_end end;
    run->config = *config;
    hd_turns_attach(run->turns, config->explorer, config->second, &config->explore);
    if (!died)
        return;
    if (++run->deaths < 2)
        return; /* `planned` is still set: the plan is run once more */
    run->deaths = 0;
    if (run->planned)
        learn(run, died, listener, &end);
    run->warm = run->killed = true;
}

void hd_run_set_clock(hd_run *run)
{
    hd_selfcheck_set_clock(run->selfcheck);
}

/* The explorer has finished: was everything explored? Otherwise a notice says what was left out. */
static bool is_complete(const hd_run *run, const hd_run_listener *listener)
{
    const hd_explorer *x = hd_run_explorer(run);
    bool relies = hd_turns_composes(run->turns);
    const char *left_out = hd_turns_unfinished(run->turns);
    if (!left_out && confuses_threads(run) && !x->every_schedule)
        left_out = "different executions create too many different threads: some have had the same number, "
                   "and orders of what they do may have been left out";
    if (!left_out && relies && run->undisciplined)
        left_out = undisciplined;
    if (!left_out && relies && (!run->lockset || run->config.settings.eraser))
        left_out = "the search relies on the lock discipline, which --discipline=per-run checks";
    if (!left_out && run->refuted)
        left_out = refuted;
    if (!left_out && run->config.explore.exits)
        left_out = "threads switch only where locks are given back (--visible=release): deadlocks may have been missed";
    if (!left_out && run->killed)
        left_out = "the process was killed: what other threads could have done before that is not known";
    if (!left_out && run->expired && x->local_states)
        left_out = "a wait times out when no thread can run: this explorer does not reach all such states "
                   "(--explore=dpor does)";
    if (!left_out && run->counts->inputs && !x->path)
        left_out = "this explorer does not look for other inputs: only those that the program ran with were explored";
    if (left_out)
        listener->notice(listener->context, left_out);
    run->counts->composed = relies;
    return !left_out;
}

/* The explorer has finished: are there schedules that exceed its bound? */
static bool exceeds_bound(const hd_run *run)
{
    const hd_explorer *x = hd_run_explorer(run);
    return x->reached && x->reached(hd_turns_self(run->turns)).more;
}

/* Two executions of one plan differ. State may have survived an earlier execution; with a process for each, none does.
 * False: each has its own process already. */
static bool starts_over_in_fork(hd_run *run, const hd_run_listener *listener)
{
    if (run->target->fork || !run->target->fresh.open)
        return false;
    fall_back_to_fork(run, listener, "executions leave behind state that resetting memory does not undo");
    return true;
}

/* An execution that the explorer does not learn from may still have findings. */
static void check_apart(hd_run *run, const hd_execution *e, const hd_run_listener *listener)
{
    hd_trace trace;
    hd_trace_init(&trace, run->memory, run->config.explore.races);
    if (hd_trace_extend(&trace, e))
        check(run, &trace, e, listener);
    hd_trace_fini(&trace);
}

/* Is the execution the same as in a fresh process? */
static bool is_confirmed(hd_run *run, const hd_execution *e, const hd_run_listener *listener)
{
    char where[300], text[400];
    run->target->values = false;
    if (e->outcome->kind == HD_LEARNED || e->outcome->kind == HD_NEEDS_FORK) /* the search starts over in any case */
        return true;
    run->counts->compared++;
    run->counts->comparing = hd_selfcheck_spent(run->selfcheck);
    if (hd_selfcheck_holds(run->selfcheck, e, where, sizeof where))
        return true;
    run->counts->differed++;
    snprintf(text, sizeof text, "execution %llu differs in a fresh process: %s",
        (unsigned long long)(run->counts->tests + run->counts->hunted + 1), where);
    listener->notice(listener->context, text);
    if (run->target->fork) { /* both ran in new processes, so both are executions of the program */
        hd_execution fresh = hd_selfcheck_kept(run->selfcheck, e);
        check_apart(run, &fresh, listener);
        check_apart(run, e, listener);
    }
    return false;
}

/* Compares the last execution of the search, after which the most state could have survived. */
static bool last_is_confirmed(hd_run *run, const hd_run_listener *listener)
{
    hd_execution e = hd_target_last(run->target);
    if (!run->target->fresh.open || run->killed || !run->counts->tests || hd_outcome_took_long(e.outcome->kind)
        || !hd_selfcheck_can_end(run->selfcheck))
        return true;
    hd_test_case test;
    hd_test_case_init(&test, run->memory);
    hd_test_case_of(&e, &test);
    hd_plan plan = { .given = test.inputs.items,
        .given_count = (uint32_t)test.inputs.count,
        .prefix = test.schedule.items,
        .prefix_count = (uint32_t)test.schedule.count,
        .flows = run->target->plan.flows,
        .forgiving = true,
        .tail = HD_TAIL_FIRST };
    e = hd_selfcheck_expect(run->selfcheck, run->target, &plan);
    if (e.outcome->kind != HD_LEARNED)
        e = hd_target_run(run->target, &plan);
    bool same = is_confirmed(run, &e, listener);
    hd_test_case_fini(&test);
    return same;
}

/* Runs the plan; if a comparison is due, first in a fresh process. False: the two differ. */
static bool run_plan(hd_run *run, const hd_run_listener *listener, hd_execution *e)
{
    bool slow = hd_outcome_took_long(run->target->runtime->outcome->kind); /* so may this one be */
    bool compared = run->target->fresh.open && !slow
        && hd_selfcheck_is_due(run->selfcheck, run->counts->tests + run->counts->hunted + 1);
    if (compared)
        *e = hd_selfcheck_expect(run->selfcheck, run->target, &run->plan);
    if (!compared || e->outcome->kind != HD_LEARNED)
        *e = hd_target_run(run->target, &run->plan);
    run->deaths = 0;
    return !compared || is_confirmed(run, e, listener);
}

/* Explores until the explorer has finished, the listener stops, or executions differ. */
static hd_run_end explore(hd_run *run, const hd_run_listener *listener, bool *found)
{
    hd_run_end end = HD_END_STOPPED;
    hd_execution e;
    while (listener->goes_on(listener->context)) {
        if (run->target->learned) /* in a run of the listener, too */
            start_over(run, listener);
        if (!run->planned && !hd_turns_next(run->turns, &run->plan)) {
            const char *why = hd_turns_unfinished(run->turns);
            if (why && hd_run_give_up(run, why, listener))
                continue;
            count_paths(run, listener);
            note_reached(run);
            return !is_complete(run, listener) ? HD_END_EXHAUSTED
                : exceeds_bound(run)           ? HD_END_BOUNDED
                                               : HD_END_COMPLETE;
        }
        run->planned = true;
        run->target->runtime->options->alone = hd_run_explorer(run)->sees_joins;
        run->target->composes = run->config.explore.compose && hd_turns_may_compose(run->turns);
        if (!run_plan(run, listener, &e))
            end = HD_END_NONDETERMINISTIC;
        else if (e.outcome->kind == HD_LEARNED)
            start_over(run, listener);
        else if (e.outcome->kind == HD_NEEDS_FORK)
            fall_back_to_fork(run, listener, e.outcome->message);
        else if (!learn(run, &e, listener, &end) && end == HD_END_STOPPED) {
            *found = true;
            return end;
        }
        if (end == HD_END_NONDETERMINISTIC && !starts_over_in_fork(run, listener))
            return end;
        end = HD_END_STOPPED;
    }
    return end;
}

hd_run_end hd_run_go(hd_run *run, const hd_run_listener *listener)
{
    hd_run_end end;
    bool found = false, again;
    if (!run->warm)
        warm_up(run, listener);
    do {
        end = explore(run, listener, &found);
        again = end != HD_END_NONDETERMINISTIC && !found && !last_is_confirmed(run, listener);
        if (again && !starts_over_in_fork(run, listener)) {
            end = HD_END_NONDETERMINISTIC;
            again = false;
        }
    } while (again);
    run->counts->progress = hd_turns_progress(run->turns);
    run->counts->kept = hd_turns_kept(run->turns);
    run->counts->persistent = hd_turns_sizes(run->turns);
    return end;
}

const char *hd_run_draw(hd_run *run, uint32_t most, size_t *size)
{
    return hd_turns_draw(run->turns, most, size);
}
