/* The full reachability graph (algorithm Generate_RG): every step of every state, each state once,
 * breadth first. So with one job, no path to the first finding of a kind has fewer steps than the one
 * shown (an atomic sequence is one step). States are counted as SPIN counts them: states inside
 * atomic sequences are not. With several jobs the workers share the store; each owns a part of the
 * states (model/post.h) and has a queue of those that it has to expand. */
#include "model/crew.h"
#include "model/memo.h"
#include "model/paths.h"
#include "model/post.h"
#include "model/search.h"

#include <string.h>

enum { MOST_PENDING = 16, WORTH_MOVING = 65536 };

typedef struct full {
    hd_model_setup setup;
    hd_model_shapes shapes;
    hd_model_store *store;
    uint32_t first; /* the first state's number */
    hd_model_result result;
} full;

typedef struct worker {
    hd_model_visitor visitor; /* first: the visitor is the worker */
    struct team *team;
    int self;
    hd_model_stepper stepper;
    hd_model_numbers open; /* discovered states, oldest first; those before `next` have been expanded */
    size_t next;
    hd_model_machine checker; /* of invariants */
    uint8_t *checked;
    hd_model_memo *memo;
    hd_model_packed base; /* the state being expanded */
    uint32_t current;
    uint64_t edges, expanded;
    uint8_t *bytes; /* of `base`, unpacked on demand */
    bool unpacked;
    hd_model_packed pending[MOST_PENDING];
    int pending_count;
} worker;

/* What the workers of one search share. */
typedef struct team {
    hd_model_crew *crew;
    int jobs;
    hd_model_post *post;
    full *search;
    worker *workers;
    bool overflow;
    hd_model_progress progress;
} team;

static void stop(worker *w, hd_model_bound bound)
{
    full *s = w->team->search;
    hd_model_crew_lock(w->team->crew);
    /* No bound means that narrow numbers ran out: the search is repeated with wide ones. */
    w->team->overflow |= bound == HD_MODEL_BOUND_NONE;
    if (s->result.bound == HD_MODEL_BOUND_NONE)
        s->result.bound = bound;
    hd_model_crew_unlock(w->team->crew);
    hd_model_post_stop(w->team->post);
}

static bool has_all(const hd_model_findings *list, const hd_model_findings *wanted)
{
    for (size_t i = 0; i < wanted->count; i++)
        if (!hd_model_findings_like(list, &wanted->items[i]))
            return false;
    return true;
}

static void add_finding(worker *w, hd_model_finding f, const hd_model_moves *moves)
{
    full *s = w->team->search;
    hd_model_crew_lock(w->team->crew);
    hd_model_findings_add(&s->result.findings, s->result.counts, s->setup.limits.most_findings, f, moves);
    /* A search for shorter paths ends as soon as it has one for each finding. */
    bool enough = s->setup.wanted && has_all(&s->result.findings, s->setup.wanted);
    hd_model_crew_unlock(w->team->crew);
    if (enough)
        stop(w, HD_MODEL_BOUND_FOUND);
}

/* --- expanding -------------------------------------------------------------------------------- */

/* Uses a machine of its own, because the stepper's may be in the middle of a step. */
static void check_invariant(worker *w, uint32_t number)
{
    hd_model_machine *m = &w->checker;
    hd_model_packed packed;
    hd_model_machine_load(m, w->checked, hd_model_store_get(w->team->search->store, number, w->checked, &packed));
    if (!hd_model_machine_run(m, m->program->invariant) && m->fault.kind == HD_MODEL_FAULT_NONE)
        add_finding(w, (hd_model_finding) { .kind = HD_MODEL_FINDING_INVARIANT, .state = number }, NULL);
    m->fault.kind = HD_MODEL_FAULT_NONE;
}

/* Handles the result of a put: a new state is queued. */
static bool settle(worker *w, hd_model_put put, uint32_t number)
{
    switch (put) {
    case HD_MODEL_PUT_OLD:
        return true;
    case HD_MODEL_PUT_NEW:
        hd_vec_push(&w->open, number);
        if (w->team->search->setup.program->invariant)
            check_invariant(w, number);
        return true;
    case HD_MODEL_PUT_OVERFLOW:
        stop(w, HD_MODEL_BOUND_NONE);
        return false;
    case HD_MODEL_PUT_FULL:
        stop(w, HD_MODEL_BOUND_ROOM);
        return false;
    }
    return false;
}

static bool commit_pending(worker *w)
{
    bool ok = true;
    for (int i = 0; i < w->pending_count && ok; i++) {
        uint32_t number;
        hd_model_put put = hd_model_store_commit(w->team->search->store, &w->pending[i], &number);
        ok = settle(w, put, number);
    }
    w->pending_count = 0;
    return ok;
}

/* Room for one more packed state. States are committed in groups, so that the prefetched memory has
 * time to arrive. */
static hd_model_packed *next_pending(worker *w)
{
    return w->pending_count < MOST_PENDING || commit_pending(w) ? &w->pending[w->pending_count] : NULL;
}

static void keep_pending(worker *w)
{
    hd_model_store_expect(w->team->search->store, &w->pending[w->pending_count++]);
}

/* The next pending state is packed: keep it, or send it to its owner. */
static void hand_over(worker *w)
{
    const hd_model_packed *packed = &w->pending[w->pending_count];
    int owner = hd_model_store_owner(packed, w->team->jobs);
    if (owner == w->self)
        keep_pending(w);
    else
        hd_model_post_send(w->team->post, w->self, owner, packed);
}

static bool arrive(hd_model_visitor *v, hd_model_stepper *stepper)
{
    worker *w = (worker *)v;
    hd_model_machine *m = &stepper->machine;
    w->edges++;
    if (m->failed_assertion) {
        add_finding(w,
            (hd_model_finding) { .kind = HD_MODEL_FINDING_ASSERTION, .line = m->failed_assertion, .state = w->current },
            &stepper->moves);
        /* Steps with findings are not cached, so that each state reports them. */
        hd_model_memo_forget(w->memo);
    }
    hd_model_packed *next = next_pending(w);
    if (!next)
        return false;
    if (!hd_model_store_pack(w->team->search->store, m, &w->base, w->current, next))
        return settle(w, HD_MODEL_PUT_OVERFLOW, 0);
    hd_model_memo_add(w->memo, m, next);
    hand_over(w);
    return true;
}

static bool note_fault(hd_model_visitor *v, hd_model_stepper *stepper)
{
    worker *w = (worker *)v;
    hd_model_fault fault = stepper->machine.fault;
    add_finding(w,
        (hd_model_finding) { .kind = HD_MODEL_FINDING_FAULT, .fault = fault, .line = fault.line, .state = w->current },
        &stepper->moves);
    hd_model_memo_forget(w->memo);
    return true;
}

static const hd_model_shape *unpack(worker *w)
{
    if (!w->unpacked)
        hd_model_store_unpack(w->team->search->store, &w->base, w->bytes);
    w->unpacked = true;
    return w->base.shape;
}

static bool take_way(worker *w, const hd_model_way *way)
{
    hd_model_store *store = w->team->search->store;
    hd_model_packed *next = next_pending(w);
    if (!next)
        return false;
    /* The common case: same shape, a few components replaced. */
    /* The hash of the result follows from the difference alone. */
    if (way->shape == w->base.shape->index && way->kept == w->base.shape->components)
        hd_model_store_patch(store, &w->base, w->current, way->changes, way->change_count, way->flip, next);
    else
        hd_model_store_reshape(store, &w->base, w->current, w->team->search->shapes.all[way->shape], way->kept,
            way->changes, way->change_count, next);
    hand_over(w);
    return true;
}

/* Takes the steps of one process, cached or computed; returns their number. */
static int expand_process(worker *w, int pid)
{
    const hd_model_ways *known_ways = hd_model_memo_find(w->memo, &w->base, pid);
    if (!known_ways) {
        const hd_model_shape *shape = unpack(w);
        hd_model_memo_begin(w->memo, &w->base, pid);
        int count = hd_model_stepper_expand_one(&w->stepper, w->bytes, shape, pid, &w->visitor);
        /* A stopped expansion has not seen all steps: it must not be remembered. */
        if (!w->stepper.stopped)
            hd_model_memo_end(w->memo, &w->stepper.machine);
        return count;
    }
    const hd_model_way *way = known_ways->first;
    for (uint64_t i = 0; i < known_ways->count; i++, way = hd_model_way_next(way))
        if (!take_way(w, way)) {
            w->stepper.stopped = true;
            break;
        }
    w->edges += known_ways->count;
    return (int)known_ways->count;
}

static void expand(worker *w, uint32_t number)
{
    int ways = 0;
    w->current = number;
    w->unpacked = false;
    /* The state stays packed as long as all of its steps are cached. */
    hd_model_store_read(w->team->search->store, number, &w->base);
    /* The youngest process first, as in SPIN. */
    for (int pid = w->base.shape->processes - 1; pid >= 0 && !w->stepper.stopped; pid--)
        ways += expand_process(w, pid);
    /* Statements that wait for `timeout` are executable only if nothing else is. */
    if (ways == 0)
        ways = hd_model_stepper_expand_timeout(&w->stepper, w->bytes, unpack(w), &w->visitor);
    commit_pending(w);
    if (ways > 0 || w->stepper.stopped)
        return;
    hd_model_finding f = { .state = number };
    if (hd_model_end_is_finding(&w->stepper, w->bytes, unpack(w), &w->team->search->setup.limits, &f.kind))
        add_finding(w, f, NULL);
}

/* --- workers ---------------------------------------------------------------------------------------- */

static void check_bounds(worker *w)
{
    team *t = w->team;
    const hd_model_limits *l = &t->search->setup.limits;
    uint64_t states = hd_model_store_count(t->search->store);
    /* Other workers' memos are taken to be as large as this one. */
    uint64_t bytes = hd_model_store_bytes(t->search->store) + hd_model_memo_bytes(w->memo) * (uint64_t)t->jobs;
    hd_model_bound bound = hd_model_limits_reached(l, states, bytes);
    if (bound != HD_MODEL_BOUND_NONE)
        stop(w, bound);
    else if (w == t->workers)
        hd_model_progress_show(&t->progress, l, states, bytes);
}

/* Takes in states that other workers have found and this one owns. */
static void receive(worker *w)
{
    const hd_model_shapes *shapes = &w->team->search->shapes;
    for (hd_model_packed *next; (next = next_pending(w)) && hd_model_post_next(w->team->post, w->self, shapes, next);)
        keep_pending(w);
    commit_pending(w);
}

/* False: it is over. */
/* States of other workers come first, so that batches do not pile up. */
static bool find_work(worker *w)
{
    hd_model_post *post = w->team->post;
    do {
        if (w->team->jobs > 1) {
            hd_model_post_hurry(post, w->self);
            receive(w);
        }
        if (hd_model_post_stopped(post))
            return false;
    } while (w->next == w->open.count && hd_model_post_wait(post, w->self));
    return w->next < w->open.count;
}

/* Breadth first: takes the oldest state, so paths to states are shortest (to findings only with one worker). */
static uint32_t take_oldest(worker *w)
{
    uint32_t number = w->open.items[w->next++];
    if (w->next == w->open.count) {
        w->next = w->open.count = 0;
    } else if (w->next >= WORTH_MOVING && w->next * 2 > w->open.count) {
        w->open.count -= w->next;
        memmove(w->open.items, w->open.items + w->next, w->open.count * sizeof *w->open.items);
        w->next = 0;
    }
    return number;
}

static void *work(void *argument)
{
    worker *w = argument;
    const hd_model_limits *l = &w->team->search->setup.limits;
    /* A small bound is checked after every state. */
    uint64_t every = l->max_states && l->max_states < 4096 ? 1 : 1024;
    while (find_work(w)) {
        expand(w, take_oldest(w));
        if (++w->expanded % every == 0)
            check_bounds(w);
    }
    return NULL;
}

static void worker_open(worker *w, team *t)
{
    memset(w, 0, sizeof *w);
    w->visitor = (hd_model_visitor) { arrive, note_fault };
    w->team = t;
    w->self = (int)(w - t->workers);
    /* Each worker has machines and a memo of its own; store and shapes are shared. */
    hd_model_stepper_open(&w->stepper, t->search->setup.program, &t->search->shapes, t->search->setup.scheme);
    w->stepper.machine.unbounded = t->search->setup.unbounded;
    hd_model_machine_open(&w->checker, t->search->setup.program, &t->search->shapes, t->search->setup.scheme);
    w->checked = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    w->memo = hd_model_memo_open(t->search->store, t->search->setup.memo_words);
    w->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
}

static void worker_close(worker *w)
{
    full *s = w->team->search;
    s->result.edges += w->edges;
    s->result.bytes += hd_model_memo_bytes(w->memo);
    for (size_t i = 0; i < s->setup.program->model->proctypes.count; i++) {
        for (int n = 0; n < s->setup.program->codes[i].flow->count; n++)
            s->result.reached[i][n] |= w->stepper.reached[i][n];
        for (int n = 0; n < s->setup.program->codes[i].transition_count; n++)
            s->result.executed[i][n] |= w->stepper.executed[i][n];
    }
    hd_model_stepper_close(&w->stepper);
    hd_model_memo_close(w->memo);
    hd_vec_fini(&w->open);
    hd_release(&hd_heap, w->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_release(&hd_heap, w->checked, HD_MODEL_STATE_MOST_BYTES + 1);
}

static void begin(worker *w)
{
    full *s = w->team->search;
    hd_model_machine *m = &w->stepper.machine;
    m->bytes = w->bytes;
    if (!hd_model_machine_start(m)) {
        add_finding(w,
            (hd_model_finding) { .kind = HD_MODEL_FINDING_FAULT, .fault = m->fault, .state = HD_MODEL_NO_STATE }, NULL);
        m->fault.kind = HD_MODEL_FAULT_NONE;
        return;
    }
    hd_model_packed first;
    hd_model_store_pack(s->store, m, NULL, HD_MODEL_NO_STATE, &first);
    hd_model_store_commit(s->store, &first, &s->first);
    if (m->program->invariant)
        check_invariant(w, s->first);
    /* The first state belongs to one worker, like any other. */
    hd_vec_push(&w->team->workers[hd_model_store_owner(&first, w->team->jobs)].open, s->first);
}

/* False: the store ran out of narrow component numbers. */
static bool run_once(full *s, bool wide)
{
    /* More workers than shards would own nothing. */
    int jobs = s->setup.limits.jobs < HD_MODEL_STORE_OWNERS ? s->setup.limits.jobs : HD_MODEL_STORE_OWNERS;
    size_t count = (size_t)jobs;
    team t = { .search = s, .jobs = jobs, .post = hd_model_post_open(jobs), .progress.started = hd_now() };
    t.crew = hd_model_crew_open(jobs);
    s->store = hd_model_store_open(&s->shapes, wide, count > 1);
    t.workers = hd_alloc(&hd_heap, count * sizeof *t.workers);
    for (size_t i = 0; i < count; i++)
        worker_open(&t.workers[i], &t);
    begin(t.workers);
    hd_model_crew_run(t.crew, work, t.workers, sizeof *t.workers);
    hd_model_progress_end(&t.progress);
    for (size_t i = 0; i < count; i++)
        worker_close(&t.workers[i]);
    hd_release(&hd_heap, t.workers, count * sizeof *t.workers);
    hd_model_crew_close(t.crew);
    hd_model_post_close(t.post);
    return !t.overflow;
}

static void forget(full *s)
{
    hd_model_findings_clear(&s->result.findings);
    memset(s->result.counts, 0, sizeof s->result.counts);
    s->result.edges = s->result.bytes = 0;
    if (s->store)
        hd_model_store_close(s->store);
    s->store = NULL;
}

/* --- the contract --------------------------------------------------------------------------------------- */

static void *full_open(const hd_model_setup *setup, hd_error *error)
{
    (void)error;
    full *s = hd_alloc(&hd_heap, sizeof *s);
    const hd_promela_program *program = setup->program;
    *s = (full) { .setup = *setup, .result.kept_as = setup->scheme };
    hd_model_shapes_init(&s->shapes, program, setup->scheme != HD_MODEL_SCHEME_CAUSAL);
    for (size_t i = 0; i < program->model->proctypes.count; i++) {
        s->result.reached[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].flow->count);
        s->result.executed[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].transition_count);
    }
    return s;
}

static hd_model_paths paths_of(full *s)
{
    return (hd_model_paths) { s->setup.program, &s->shapes, s->setup.scheme, s->setup.unbounded, s->store };
}

static void full_run(void *self, const hd_model_edges *edges)
{
    full *s = self;
    double started = hd_now();
    /* Narrow numbers suffice for most models and halve the store; few searches start again. */
    if (!run_once(s, false) && s->result.bound == HD_MODEL_BOUND_NONE) {
        forget(s);
        run_once(s, true);
    }
    s->result.seconds = hd_now() - started;
    s->result.states = hd_model_store_count(s->store);
    s->result.bytes += hd_model_store_bytes(s->store);
    hd_model_paths paths = paths_of(s);
    if (edges)
        hd_model_paths_edges(&paths, s->first, edges);
}

static const hd_model_result *full_result(void *self)
{
    return &((full *)self)->result;
}

static void full_path(void *self, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_paths paths = paths_of(self);
    hd_model_paths_find(&paths, f, path);
}

static void full_load(void *self, uint32_t state, hd_model_machine *m, uint8_t *bytes)
{
    hd_model_paths paths = paths_of(self);
    hd_model_paths_load(&paths, state, m, bytes);
}

static void full_close(void *self)
{
    full *s = self;
    forget(s);
    hd_model_result_fini(&s->result);
    hd_model_shapes_fini(&s->shapes);
    hd_release(&hd_heap, s, sizeof *s);
}

const hd_model_search hd_model_search_full = { .name = "none",
    .every_state = true,
    .has_jobs = true,
    .has_edges = true,
    .has_trails = true,
    .open = full_open,
    .run = full_run,
    .result = full_result,
    .path = full_path,
    .load = full_load,
    .close = full_close };
