/* The engine's entry inside the tested program, and the worker's three modes: exploring, replaying
 * one test, running a batch of tests. All that must outlive the worker is in the region; `worker`
 * is what this process keeps for itself. */
#include "base/clock.h"
#include "base/error.h"
#include "check/checks.h"
#include "explore/turns.h"
#include "worker/checkpoint.h"
#include "worker/bounds.h"
#include "worker/crew.h"
#include "worker/foreign.h"
#include "worker/session.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLOCK_EVERY = 64, MOST_TRIES = 64, FEW_BITS = 8, MOST_MESSAGE_RACES = 8 };

/* Checkpoints are at least checkpoint_every seconds apart, and so far that copying takes about
 * 1/checkpoint_share of the time. */
static const double checkpoint_every = 1, checkpoint_share = 30, bytes_a_second = 1e9;

typedef struct worker {
    hd_session *session;
    int line;
    const char *wanted; /* hd_runtime.wanted */
    double checkpointed;
    uint64_t most_memory;
    double looked; /* time when the clock was last read */
    hd_image image; /* of this process, before the first execution */
    uint32_t ticks, clock_every; /* executions since then; how many until it is read again, at most CLOCK_EVERY */
} worker;

static void announce(worker *w, char news)
{
    while (write(w->line, &news, 1) < 0 && errno == EINTR) { }
}

/* --- listening to the run --------------------------------------------------------------- */

/* The finding with this key, or the finding that it belongs to; found_count: there is none. */
static uint32_t find_known(const hd_keep *keep, uint64_t key)
{
    uint32_t i = 0, k = 0;
    while (i < keep->found_count && keep->found[i].finding.key != key)
        i++;
    if (i < keep->found_count)
        return i;
    while (k < keep->race_count && keep->races[k].key != key)
        k++;
    return k < keep->race_count ? keep->races[k].found : i;
}

/* Is it a data race, or a violation of the lock discipline, on a variable for which there is such a finding already?
 * Then it is added to that one. */
static bool is_other_race(hd_keep *keep, const hd_finding *f)
{
    uint32_t i = 0;
    while (i < keep->found_count
        && !(f->variable && keep->found[i].finding.variable == f->variable && keep->found[i].finding.kind == f->kind))
        i++;
    if (i == keep->found_count)
        return false;
    if (keep->race_count == HD_SESSION_RACES)
        return true;
    hd_found_race *race = &keep->races[keep->race_count];
    *race = (hd_found_race) { .key = f->key, .found = i };
    memcpy(race->places, f->places, sizeof race->places);
    __sync_synchronize();
    keep->race_count++;
    return true;
}

/* Roughly what it takes to replay the last execution twice, each time in a new process. */
static double time_to_replay(const worker *w)
{
    const double process = 0.1; /* and looking up its symbols */
    return 2 * (process + (hd_now() - w->looked) / (w->ticks + 1));
}

/* --- when to stop with --stop=first --------------------------------------------------------
 *
 * A failure ends the search. A limit of heddle does not: other executions may still fail. Nor does a data race: it is a
 * bug, but often a benign one, and many programs have one in their first execution, which would hide every failure. So
 * the search goes on for failures, for HUNT operations: about a second. It counts operations, not time, so a check is
 * reproducible. The first race is kept, as --stop=first says; confirming and reporting all of them would take longer
 * than the search. */

enum { HUNT = 300000 };

static bool is_race(const hd_finding *f)
{
    return f->kind == HD_FINDING_DATA_RACE;
}

static bool has_failure(const hd_keep *keep)
{
    for (uint32_t i = 0; i < keep->found_count; i++)
        if (hd_finding_is_bug(&keep->found[i].finding) && !is_race(&keep->found[i].finding)
            && !keep->found[i].suppressed)
            return true;
    return false;
}

static bool is_one_race_too_many(hd_session *s, const hd_finding *f)
{
    bool more = s->config.stop_at_first && is_race(f) && s->keep->hunt_until && !s->config.judged;
    s->keep->more_races |= more;
    return more;
}

static bool is_over(const hd_session *s)
{
    const hd_keep *keep = s->keep;
    bool hunted = keep->hunt_until && s->counts.events >= keep->hunt_until && !s->config.races_last;
    return s->config.stop_at_first && (hunted || has_failure(keep));
}

static bool add_finding(worker *w, const hd_finding *f, const hd_test_case *test)
{
    hd_session *s = w->session;
    hd_keep *keep = s->keep;
    uint32_t known = find_known(keep, f->key);
    if (known < keep->found_count)
        s->met[known]++;
    if (known < keep->found_count || (!s->config.judged && is_other_race(keep, f)) || is_one_race_too_many(s, f))
        return true;
    /* Counted only when it is complete: a worker that dies here leaves no half finding. */
    if (keep->found_count == HD_SESSION_FINDINGS) {
        hd_session_set_bound(s, "findings");
        return false;
    }
    hd_found *found = &keep->found[keep->found_count];
    *found = (hd_found) { .finding = *f };
    hd_test_case_init(&found->test, &keep->region.memory);
    hd_test_case_copy(&found->test, test);
    /* A replay needs what was known when the finding was made. */
    hd_target_get_facts(&s->target, &found->facts, &keep->region.memory);
    found->tried = !hd_finding_is_bug(f); /* a limit is not minimised */
    keep->replaying += time_to_replay(w);
    s->met[keep->found_count] = 1;
    keep->found_count++;
    if (is_race(f) && !keep->hunt_until)
        keep->hunt_until = s->counts.events + HUNT;
    announce(w, HD_NEWS_FINDING);
    /* A search that may be continued keeps all findings of this execution, and stops before the next one. */
    return s->config.judged || !is_over(s);
}

static bool on_finding(void *context, const hd_finding *f, const hd_test_case *test)
{
    worker *w = context;
    hd_crew_lock_findings(w->session);
    bool go_on = add_finding(w, f, test);
    hd_crew_unlock_findings(w->session);
    return go_on;
}

/* Minimising all findings may take a tenth of the time, but at least two seconds. */
static hd_deadline deadline_for_minimising(const hd_session *s, double now)
{
    const double share = 0.1, least = 2;
    double limit = hd_session_deadline(s), budget = share * (limit > 0 ? limit - s->started : now - s->started);
    double until = now + (budget > least ? budget : least) - s->keep->minimising;
    return (hd_deadline) { .until = limit > 0 && limit < until ? limit : until, .stop = &s->stop };
}

/* The finding is marked first: re-running it may kill the process, and the next worker must not try again. The shorter
 * test counts only when it is complete, as the process may be killed at any time. */
static void minimise(hd_session *s, hd_found *f)
{
    double started = hd_now();
    hd_deadline deadline = deadline_for_minimising(s, started);
    hd_test_case shorter;
    hd_test_case_init(&shorter, &s->region.memory);
    hd_test_case_copy(&shorter, &f->test);
    f->cut = !hd_minimise(&s->target, f->finding.key, &s->config.settings, &deadline, &shorter, &s->region.memory);
    hd_crew_lock_findings(s);
    hd_test_case_init(&f->shorter, &s->keep->region.memory);
    hd_test_case_copy(&f->shorter, &shorter);
    __sync_synchronize();
    f->has_shorter = true;
    s->keep->minimising += hd_now() - started;
    hd_crew_unlock_findings(s);
    hd_test_case_fini(&shorter);
}

/* Is it this worker's to minimise? */
static bool claim(const hd_session *s, hd_found *f)
{
    hd_crew_lock_findings(s);
    bool mine = !f->tried;
    f->cut |= mine;
    f->tried = true;
    hd_crew_unlock_findings(s);
    return mine;
}

/* Minimises new findings, between executions. */
static void minimise_findings(hd_session *s)
{
    for (uint32_t i = 0; i < s->keep->found_count; i++)
        if (!s->keep->found[i].tried && claim(s, &s->keep->found[i]))
            minimise(s, &s->keep->found[i]);
}

/* By default a share of the machine's memory: the program and the solver need some, too. The workers of a crew have
 * equal parts of it. */
static uint64_t most_memory(const hd_session *s)
{
    enum { SHARE = 4 };
    uint64_t all = s->config.memory ? s->config.memory
                                    : (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / SHARE;
    return hd_crew_has(s) ? all / s->config.jobs : all;
}

/* Read the clock every clock_every executions, or after each one if executions have processes of their own. */
static bool is_time_to_look(worker *w)
{
    return ++w->ticks >= w->clock_every || w->session->target.fork || w->session->stop;
}

/* The tests of a suite need what was learned; also those made from a checkpoint, if this worker is killed. */
static void take_facts(hd_session *s)
{
    if (!s->events)
        return;
    hd_release(&s->region.memory, (void *)s->facts.shared, s->facts.shared_count * sizeof *s->facts.shared);
    hd_target_get_facts(&s->target, &s->facts, &s->region.memory);
}

/* Another worker may have begun the search. */
static void take_foreign(hd_session *s, const hd_runtime *runtime)
{
    for (uint32_t i = 0; i < *runtime->foreign_count && s->foreign_count < HD_FOREIGN_ROOM; i++)
        if (!hd_session_has_foreign(s, &runtime->foreign[i]))
            s->foreign[s->foreign_count++] = runtime->foreign[i];
}

/* A checkpoint has what a worker needs that begins with the memory of a new process. */
static void take_checkpoint(worker *w)
{
    hd_session *s = w->session;
    if (hd_crew_has(s))
        return; /* it starts over instead of going back */
    if (!s->image.count && hd_image_read(&w->image))
        s->image = w->image;
    take_facts(s);
    take_foreign(s, s->target.runtime);
    hd_target_get_known(&s->target, &s->known);
    hd_checkpoint_take(s, w->most_memory);
    w->checkpointed = hd_now();
}

static void look_at_the_clock(worker *w)
{
    const double soon = 0.001;
    hd_session *s = w->session;
    /* Half of the limit, because a step may double the data; beyond the limit, the region ends the process. */
    if (s->region.used > w->most_memory / 2)
        hd_session_set_bound(s, "memory");
    double t = hd_now();
    /* Adapts to the speed of executions: read the clock about once a millisecond. */
    if (t - w->looked > soon)
        w->clock_every = 1;
    else if (w->clock_every < CLOCK_EVERY)
        w->clock_every *= 2;
    w->looked = t;
    w->ticks = 0;
    const char *due = hd_session_due(s);
    if (due)
        hd_session_set_bound(s, due);
    double pause = checkpoint_share * (double)s->region.used / bytes_a_second;
    if (t - w->checkpointed > (pause > checkpoint_every ? pause : checkpoint_every))
        take_checkpoint(w);
}

/* A bound that was not the last word: with more time or more executions the search goes on from here. What is run to
 * confirm its last execution is no part of it. */
static void keep_for_later(worker *w)
{
    static const char *const bounds[] = { "time", "interrupted", "max-tests" };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (!strcmp(w->session->bound, bounds[i]))
            take_checkpoint(w);
}

static bool goes_on_in_crew(worker *w)
{
    hd_session *s = w->session;
    if (hd_crew_goes_on(s) && is_time_to_look(w))
        look_at_the_clock(w);
    if (*s->bound || is_over(s))
        hd_crew_stop();
    return !hd_crew_here()->over;
}

static bool goes_on(void *context)
{
    worker *w = context;
    hd_session *s = w->session;
    if (s->config.links && *w->wanted)
        return false;
    minimise_findings(s);
    if (hd_crew_has(s))
        return goes_on_in_crew(w);
    /* All executions count, also those that are redundant, discarded or hunting. */
    uint64_t executions = s->counts.tests + s->counts.hunted + s->counts.blocked + s->counts.assumed;
    if (s->config.max_tests && executions >= s->config.max_tests)
        hd_session_set_bound(s, "max-tests");
    else if (is_time_to_look(w))
        look_at_the_clock(w);
    keep_for_later(w);
    return !*s->bound && !is_over(s);
}

static void on_start_over(void *context)
{
    const worker *w = context;
    if (w->session->events)
        hd_events_clear(w->session->events);
    if (w->session->coverage)
        hd_coverage_clear(w->session->coverage);
    /* The counters start over, so this bound no longer holds. */
    if (!strcmp(w->session->bound, "max-tests"))
        *w->session->bound = '\0';
    memset(w->session->met, 0, sizeof w->session->met);
    if (w->session->keep->hunt_until)
        w->session->keep->hunt_until = HUNT;
    if (hd_crew_has(w->session))
        hd_crew_start_over(w->session);
    hd_checkpoint_drop();
}

static void on_execution(void *context, const hd_execution *e)
{
    const hd_session *s = ((const worker *)context)->session;
    if (s->events)
        hd_events_add(s->events, e);
    if (s->coverage)
        hd_coverage_add(s->coverage, e);
}

static void on_notice(void *context, const char *text)
{
    worker *w = context;
    if (hd_session_add_notice(w->session, text))
        announce(w, HD_NEWS_NOTICE);
}

/* --- exploring ------------------------------------------------------------------------------ */

static void set_options(const hd_session *s, hd_runtime *runtime)
{
    *runtime->options = (hd_run_options) { .settings = s->config.settings,
        .show_output = s->config.show_output,
        .stacks = s->config.mode == HD_MODE_REPLAY,
        .states = s->config.states,
        .cover = s->config.cover,
        .alone = s->events && hd_explorer_find(s->config.explorer)->sees_joins,
        .debugged = s->config.debugged,
        .stop_at = s->config.stop_at };
}

/* The state in which the previous worker left the session. */
typedef enum legacy { NOTHING, BETWEEN_EXECUTIONS, IN_THE_PROGRAM } legacy;

/* The number of threads in the log: the runtime's own count is of the new process. */
static uint32_t threads_in_log(const hd_execution *e)
{
    uint32_t count = e->thread_count;
    for (uint32_t i = 0; i < e->log_count; i++)
        if (e->log[i].thread >= count)
            count = e->log[i].thread + 1u;
    return count;
}

/* Continues another worker's search. If that worker died in the program, its execution counts as a
 * crash: the log, in shared memory, tells how far it got. */
static void take_up(
    worker *w, legacy left, const hd_run_config *config, hd_runtime *runtime, const hd_run_listener *listener)
{
    hd_session *s = w->session;
    hd_target_attach(&s->target, runtime);
    hd_target_open_fresh(&s->target);
    runtime->options->settings.fork = s->target.fork;
    runtime->options->settings.real_files = s->target.real_files;
    if (s->went_back)
        hd_target_set_known(&s->target, &s->known);
    s->went_back = false;
    if (left == BETWEEN_EXECUTIONS) {
        hd_run_take_up(s->run, config, NULL, listener);
        return;
    }
    runtime->outcome->kind = HD_CRASH;
    runtime->outcome->signal = SIGKILL;
    runtime->outcome->site = NULL;
    snprintf(runtime->outcome->message, sizeof runtime->outcome->message, "the process was killed (out of memory?)");
    hd_execution died = hd_target_last(&s->target);
    died.thread_count = threads_in_log(&died);
    hd_run_take_up(s->run, config, &died, listener);
}

/* The solver is installed beside the engine. */
static void find_solver(char *path, size_t size)
{
    const char *engine = getenv(HD_ENV_ENGINE), *slash = engine ? strrchr(engine, '/') : NULL;
    snprintf(path, size, "%.*s/solve", slash ? (int)(slash - engine) : 1, slash ? engine : ".");
}

/* Queries without an answer may be due to the overall time limit and not to their own; then that is
 * the bound to report. */
static void note_lateness(worker *w)
{
    hd_session *s = w->session;
    const char *due = !*s->bound && s->counts.solver.unknown ? hd_session_due(s) : NULL;
    if (due)
        hd_session_set_bound(s, due);
}

static void note_terminal(worker *w, const hd_runtime *runtime)
{
    if (*runtime->read_terminal)
        on_notice(
            w, "standard input is a terminal, so the program finds it empty; redirect it: heddle check PROGRAM <FILE");
}

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Has a race of the same receive been told? */
static bool is_told(const hd_message_race *all, const hd_message_race *x)
{
    for (; all < x; all++)
        if (all->sends[1] && all->receive == x->receive && all->rank == x->rank)
            return true;
    return false;
}

/* MPI: receives from any source that can get messages of different senders. */
static void note_message_races(worker *w, const hd_runtime *runtime)
{
    char text[400];
    const hd_message_race *all = runtime->message_races;
    for (uint32_t i = 0, told = 0; i < HD_MESSAGE_RACES && all[i].receive && told < MOST_MESSAGE_RACES; i++) {
        const hd_message_race *x = &all[i];
        if (!x->sends[1] || is_told(all, x))
            continue;
        snprintf(text, sizeof text,
            "message race: the receive of rank %u at %.90s:%u can get the message of rank %u (%.90s:%u) or that of "
            "rank %u (%.90s:%u)",
            x->rank, name_in(x->receive->file), x->receive->line, x->from[0], name_in(x->sends[0]->file),
            x->sends[0]->line, x->from[1], name_in(x->sends[1]->file), x->sends[1]->line);
        on_notice(w, text);
        told++;
    }
}

static bool give_up_first(hd_session *s, const hd_run_listener *listener)
{
    return hd_run_give_up(s->run, "the explorer takes too much memory", listener);
}

/* At the memory limit, gives up the explorer that takes the memory if another can continue without it. */
static bool needs_less_memory(hd_session *s, const hd_run_listener *listener)
{
    if (strcmp(s->bound, "memory") || !give_up_first(s, listener))
        return false;
    *s->bound = 0;
    return true;
}

static void watch_foreign(hd_session *s, const hd_runtime *runtime)
{
    hd_program_functions functions = { .memory = &s->region.memory };
    s->stripped = !hd_foreign_find(&functions);
    runtime->watch_foreign(functions.items, (uint32_t)functions.count, !s->stripped);
}

/* Can the search that an earlier command began go on in this process? */
static bool can_continue(worker *w)
{
    hd_session *s = w->session;
    if (!hd_image_read(&w->image))
        snprintf(s->changed, sizeof s->changed, "a file of the program cannot be read");
    else
        hd_image_is_same(&s->image, &w->image, s->changed, sizeof s->changed);
    return !*s->changed;
}

/* The crew has explored everything before it had work for this worker, or it has stopped. */
static int stay_out(worker *w)
{
    hd_session *s = w->session;
    s->end = HD_END_COMPLETE;
    hd_crew_note_end(s);
    s->ended = true;
    announce(w, HD_NEWS_END);
    return 0;
}

static int explore(worker *w, hd_runtime *runtime, hd_engine **engine, legacy left)
{
    hd_session *s = w->session;
    hd_image_find(&w->image);
    if (s->continued && !can_continue(w)) {
        s->ended = true;
        announce(w, HD_NEWS_END);
        return 0;
    }
    hd_run_config config = { .explorer = hd_explorer_find(s->config.explorer),
        .second = hd_explorer_find(s->config.second),
        .hunts = s->config.hunts,
        .explore = { .seed = s->config.seed,
            .pct_depth = s->config.pct_depth,
            .bounded = s->config.bounded,
            .most = s->config.most,
            .races = s->config.settings.races,
            .compose = s->config.compose,
            .exits = s->config.exits,
            .dependency = s->config.dependency,
            .settings = s->config.settings,
            .reach = s->config.reach,
            .solver = { .milliseconds = s->config.solver_time,
                .deadline = { s->until, &s->stop },
                .few_bits = FEW_BITS } },
        .settings = s->config.settings,
        .count_states = s->config.states,
        .count_traces = s->config.states && hd_explorer_find(s->config.explorer)->reached };
    hd_run_listener listener = { w, on_finding, goes_on, on_notice, on_start_over, NULL };
    listener.ran = s->config.record_events || s->config.count_lines ? on_execution : NULL;
    watch_foreign(s, runtime);
    if (hd_crew_has(s)) {
        config.explore.pieces = &hd_crew_here()->pieces;
        config.explore.worker = s->config.worker;
        config.warm = s->config.worker > 0;
    }
    config.explore.allowed = s->config.persistent ? hd_allowed_find(&s->region.memory) : NULL;
    find_solver(config.explore.solver.path, sizeof config.explore.solver.path);
    *engine = &s->target.engine;
    if (left != NOTHING) {
        take_up(w, left, &config, runtime, &listener);
        if (s->continued)
            hd_run_set_clock(s->run);
    } else {
        hd_target_init(&s->target, runtime, &s->region.memory);
        hd_target_open_fresh(&s->target);
        s->target.phase = &s->phase;
        s->target.fork = s->config.settings.fork;
        s->target.real_files = s->config.settings.real_files;
        hd_target_set_facts(&s->target, &s->config.facts);
        s->known = (hd_known) { .cells = { .memory = &s->region.memory }, .kept = { .memory = &s->region.memory } };
        if (hd_crew_has(s) && !hd_crew_enter(s))
            return stay_out(w);
        s->events = s->config.record_events ? hd_events_open(s->config.net, &s->region.memory) : NULL;
        s->coverage = s->config.count_lines ? hd_coverage_open(&s->region.memory) : NULL;
        s->run = hd_run_open(&config, &s->target, &s->counts, &s->region.memory);
    }
    if (s->lean)
        give_up_first(s, &listener);
    s->end = HD_END_STOPPED;
    do {
        if (!is_over(s))
            s->end = hd_run_go(s->run, &listener);
        minimise_findings(s);
        /* Minimising may have discovered newly shared cells: then what was explored is incomplete, and
         * the search goes on. */
    } while ((s->end == HD_END_COMPLETE && s->target.learned) || needs_less_memory(s, &listener));
    s->region.most = 0; /* the limit is about exploring */
    if (hd_crew_has(s))
        hd_crew_note_end(s);
    note_lateness(w);
    note_terminal(w, runtime);
    note_message_races(w, runtime);
    snprintf(s->config.explorer, sizeof s->config.explorer, "%s", hd_run_explorer(s->run)->name);
    take_facts(s);
    take_foreign(s, runtime);
    if (s->config.links)
        snprintf(s->wanted, sizeof s->wanted, "%s", w->wanted);
    if (s->config.draw)
        s->drawing = hd_run_draw(s->run, s->config.draw, &s->drawing_size);
    s->ended = true;
    announce(w, HD_NEWS_END);
    return 0;
}

/* --- replaying -------------------------------------------------------------------------------- */

typedef struct recognition {
    uint64_t key;
    hd_finding *into;
    bool *reproduced;
    bool any;
} recognition;

static void recognise(void *context, const hd_finding *f)
{
    recognition *r = context;
    if (f->suspected && f->key != r->key)
        return;
    if (f->key == r->key || (!*r->reproduced && !r->any)) {
        *r->into = *f;
        r->any = true;
    }
    *r->reproduced |= f->key == r->key;
}

/* This process runs the test once, so nothing has to be rewound. If the run discovers newly shared
 * cells, a new process must run it again; under a debugger there is only this one. */
static bool run_once(hd_session *s, const hd_plan *plan, hd_runtime *runtime, hd_execution *e)
{
    bool learned;
    runtime->options->settings.fork = 1;
    do {
        *e = hd_target_run(&s->target, plan);
        learned = e->outcome->kind == HD_LEARNED && s->tries++ < MOST_TRIES;
    } while (learned && s->config.debugged);
    s->again = learned;
    return !learned;
}

static void record(hd_session *s, const hd_execution *e, const hd_plan *plan, const hd_runtime *runtime)
{
    hd_memory *memory = &s->region.memory;
    hd_recorded_run_fill(&s->recorded, e, runtime, memory);
    s->recorded.misfit = s->target.misfit;
    if (s->target.misfit == ~0u && s->target.position < plan->record_count)
        s->recorded.misfit = s->target.position; /* it ended before its schedule did */
    hd_trace trace;
    hd_trace_init(&trace, memory, s->config.settings.races);
    hd_trace_extend(&trace, e);
    recognition r = { s->config.key, &s->recorded.finding, &s->recorded.reproduced, false };
    hd_lockset *lockset = hd_lockset_open(&s->config.settings, memory);
    hd_lockset_suspect(lockset);
    hd_check_execution(e, &trace, lockset, recognise, &r);
    uint32_t entry = hd_finding_has_accesses(&s->recorded.finding) ? s->recorded.finding.entries[1] : ~0u;
    uint64_t address = entry < e->log_count ? e->log[entry].object : e->outcome->address;
    hd_recorded_run_add_block(&s->recorded, address, runtime, memory);
}

static int replay(worker *w, hd_runtime *runtime, hd_engine **engine)
{
    hd_session *s = w->session;
    hd_target_init(&s->target, runtime, &s->region.memory);
    s->target.phase = &s->phase;
    *engine = &s->target.engine;
    hd_target_set_facts(&s->target, &s->config.facts);
    hd_plan plan = { .given = s->config.given,
        .given_count = s->config.given_count,
        .prefix = s->config.schedule,
        .prefix_count = s->config.schedule_count,
        .forgiving = true,
        .records = s->config.records,
        .record_count = s->config.record_count,
        .tail = HD_TAIL_FIRST };
    hd_execution e;
    if (run_once(s, &plan, runtime, &e)) {
        record(s, &e, &plan, runtime);
        s->ended = true;
    }
    announce(w, HD_NEWS_END);
    return 0;
}

/* --- many tests ------------------------------------------------------------------------------ */

static int run_batch(worker *w, hd_runtime *runtime, hd_engine **engine, bool died)
{
    hd_session *s = w->session;
    if (died) {
        s->batch.tests[s->batch.next].died = s->batch.tests[s->batch.next].ran = true;
        s->batch.next++;
    }
    watch_foreign(s, runtime);
    hd_batch_run(s, runtime, engine);
    s->ended = true;
    announce(w, HD_NEWS_END);
    return 0;
}

/* --- the entry ---------------------------------------------------------------------------------- */

static int descriptor(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : -1;
}

/* dl_iterate_phdr visits the program itself first; stop there. */
static int note_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_addr;
    return 1;
}

__attribute__((visibility("default"))) int hd_worker_main(hd_runtime *runtime, hd_engine **engine)
{
    hd_error error;
    worker w = { .session = (hd_session *)HD_ENGINE_BASE, .line = descriptor(HD_ENV_LINE), .wanted = runtime->wanted };
    w.checkpointed = w.looked = hd_now();
    if (!hd_region_map(descriptor(HD_ENV_REGION), &error)) {
        fprintf(stderr, "heddle: %s\n", error.text);
        return HD_EXIT_USAGE;
    }
    const hd_session *mapped = w.session;
    if (hd_crew_has(mapped) && !hd_crew_map(mapped->crew_fd, mapped->config.worker > 0, &error)) {
        fprintf(stderr, "heddle: %s\n", error.text);
        return HD_EXIT_USAGE;
    }
    close(descriptor(HD_ENV_REGION));
    if (hd_crew_has(mapped) && mapped->config.worker)
        close(mapped->crew_fd);
    /* Programs that the tested program executes must not hold the pipe open. */
    fcntl(w.line, F_SETFD, FD_CLOEXEC);
    /* From here on the engine must not touch the program's heap. */
    hd_heap_forbid();
    hd_session *s = w.session;
    /* The stamp covers the layout of everything that runtime and engine share. */
    if (s->magic != HD_SESSION_MAGIC || runtime->stamp != HD_ABI_STAMP) {
        fprintf(stderr, "heddle: the program was built by another version of heddle; build it again\n");
        return HD_EXIT_USAGE;
    }
    /* The phase is what the previous worker was doing when it ended. */
    bool died = s->phase == HD_PHASE_PROGRAM;
    legacy left = !s->run ? NOTHING : died ? IN_THE_PROGRAM : BETWEEN_EXECUTIONS;
    hd_region_attach(&s->region);
    hd_region_attach(&s->keep->region);
    if (hd_crew_has(s))
        hd_region_attach(&hd_crew_here()->region);
    w.most_memory = most_memory(s);
    s->region.most = s->config.mode == HD_MODE_EXPLORE ? w.most_memory : 0;
    dl_iterate_phdr(note_base, &s->program_base);
    set_options(s, runtime);
    s->phase = HD_PHASE_ENGINE;
    if (s->config.mode == HD_MODE_REPLAY)
        return replay(&w, runtime, engine);
    if (s->config.mode == HD_MODE_BATCH)
        return run_batch(&w, runtime, engine, died);
    return explore(&w, runtime, engine, left);
}
