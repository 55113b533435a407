#include "model/search.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef hd_vec(uint32_t) numbers;

enum { MOST_PENDING = 16 };

typedef struct worker {
    hd_visitor visitor; /* first: the visitor is the worker */
    struct crew *crew;
    hd_stepper stepper;
    numbers open;
    hd_machine checker; /* of invariants */
    uint8_t *checked;
    hd_memo *memo;
    hd_packed base; /* the state being expanded */
    uint32_t current;
    uint64_t edges, expanded;
    uint8_t *bytes; /* of the base, once they are needed */
    bool unpacked;
    hd_packed pending[MOST_PENDING];
    int pending_count;
    pthread_t thread;
} worker;

/* What the workers of one search share. */
typedef struct crew {
    hd_search *search;
    worker *workers;
    int count, idle;
    numbers shared; /* given away */
    bool stop, overflow;
    pthread_mutex_t lock;
    pthread_cond_t given;
    double started, shown;
} crew;

double hd_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *hd_bound_text(hd_bound b)
{
    static const char *const texts[] = { "", "--max-states", "--memory", "interrupt", "the largest store" };
    return texts[b];
}

bool hd_state_has_messages(const hd_machine *m)
{
    for (int i = 0; i < m->shape->channels; i++)
        if (m->bytes[m->shape->offsets[m->shape->channel_component[i]] + 1] > 0)
            return true;
    return false;
}

/* --- findings ------------------------------------------------------------------------------ */

static bool known(const hd_search *s, hd_finding_kind kind, int line, hd_fault_kind fault)
{
    for (size_t i = 0; i < s->findings.count; i++) {
        const hd_finding *f = &s->findings.items[i];
        if (f->kind == kind && f->line == line && f->fault.kind == fault)
            return true;
    }
    return false;
}

static void add_finding(crew *c, hd_finding f, const hd_moves *moves)
{
    hd_search *s = c->search;
    pthread_mutex_lock(&c->lock);
    bool by_place = f.kind == HD_FINDING_ASSERTION || f.kind == HD_FINDING_FAULT;
    uint64_t before = s->counts[f.kind]++;
    if (by_place ? !known(s, f.kind, f.line, f.fault.kind) : before < s->limits.most_findings) {
        f.move_count = moves ? moves->count : 0;
        if (f.move_count) {
            f.moves = hd_alloc(&hd_heap, f.move_count * sizeof *f.moves);
            memcpy(f.moves, moves->items, f.move_count * sizeof *f.moves);
        }
        hd_vec_push(&s->findings, f);
    }
    pthread_mutex_unlock(&c->lock);
}

static void stop(crew *c, hd_bound bound)
{
    pthread_mutex_lock(&c->lock);
    if (bound != HD_BOUND_NONE && c->search->bound == HD_BOUND_NONE)
        c->search->bound = bound;
    __atomic_store_n(&c->stop, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
}

/* --- expanding -------------------------------------------------------------------------------- */

/* In a machine of its own: the stepper's may be in the middle of a step. */
static void check_invariant(worker *w, uint32_t number)
{
    hd_machine *m = &w->checker;
    hd_packed packed;
    hd_machine_load(m, w->checked, hd_store_get(w->crew->search->store, number, w->checked, &packed));
    if (!hd_machine_run(m, m->program->invariant) && m->fault.kind == HD_FAULT_NONE)
        add_finding(w->crew, (hd_finding) { .kind = HD_FINDING_INVARIANT, .state = number }, NULL);
    m->fault.kind = HD_FAULT_NONE;
}

/* A state that is new is expanded later. */
static bool settle(worker *w, hd_put put, uint32_t number)
{
    switch (put) {
    case HD_PUT_OLD:
        return true;
    case HD_PUT_NEW:
        hd_vec_push(&w->open, number);
        if (w->crew->search->program->invariant)
            check_invariant(w, number);
        return true;
    case HD_PUT_OVERFLOW:
        w->crew->overflow = true;
        stop(w->crew, HD_BOUND_NONE);
        return false;
    case HD_PUT_FULL:
        stop(w->crew, HD_BOUND_ROOM);
        return false;
    }
    return false;
}

static bool commit_pending(worker *w)
{
    bool ok = true;
    for (int i = 0; i < w->pending_count && ok; i++) {
        uint32_t number;
        hd_put put = hd_store_commit(w->crew->search->store, &w->pending[i], &number);
        ok = settle(w, put, number);
    }
    w->pending_count = 0;
    return ok;
}

/* Room for one more packed state: they are looked up together, so that the memory for it has time to come. */
static hd_packed *next_pending(worker *w)
{
    return w->pending_count < MOST_PENDING || commit_pending(w) ? &w->pending[w->pending_count] : NULL;
}

static bool arrive(hd_visitor *v, hd_stepper *stepper)
{
    worker *w = (worker *)v;
    hd_machine *m = &stepper->machine;
    w->edges++;
    if (m->failed_assertion) {
        add_finding(w->crew,
            (hd_finding) { .kind = HD_FINDING_ASSERTION, .line = m->failed_assertion, .state = w->current },
            &stepper->moves);
        hd_memo_forget(w->memo);
    }
    hd_packed *next = next_pending(w);
    if (!next)
        return false;
    if (!hd_store_pack(w->crew->search->store, m, &w->base, w->current, next))
        return settle(w, HD_PUT_OVERFLOW, 0);
    hd_memo_add(w->memo, m, next);
    w->pending_count++;
    return true;
}

static bool note_fault(hd_visitor *v, hd_stepper *stepper)
{
    worker *w = (worker *)v;
    hd_fault fault = stepper->machine.fault;
    add_finding(w->crew,
        (hd_finding) { .kind = HD_FINDING_FAULT, .fault = fault, .line = fault.line, .state = w->current },
        &stepper->moves);
    hd_memo_forget(w->memo);
    return true;
}

static const hd_shape *unpack(worker *w)
{
    if (!w->unpacked)
        hd_store_unpack(w->crew->search->store, &w->base, w->bytes);
    w->unpacked = true;
    return w->base.shape;
}

static bool take_way(worker *w, const hd_way *way)
{
    hd_store *store = w->crew->search->store;
    hd_packed *next = next_pending(w);
    if (!next)
        return false;
    if (way->shape == w->base.shape->index && way->kept == w->base.shape->components)
        hd_store_patch(store, &w->base, w->current, way->changes, way->change_count, way->flip, next);
    else
        hd_store_reshape(store, &w->base, w->current, w->crew->search->shapes.all[way->shape], way->kept, way->changes,
            way->change_count, next);
    w->pending_count++;
    return true;
}

/* The number of steps of one process: from the memo, or computed. */
static int expand_process(worker *w, int pid)
{
    const hd_ways *known_ways = hd_memo_find(w->memo, &w->base, pid);
    if (!known_ways) {
        const hd_shape *shape = unpack(w);
        hd_memo_begin(w->memo, &w->base, pid);
        int count = hd_stepper_expand_one(&w->stepper, w->bytes, shape, pid, &w->visitor);
        if (!w->stepper.stopped)
            hd_memo_end(w->memo, &w->stepper.machine);
        return count;
    }
    const hd_way *way = known_ways->first;
    for (uint64_t i = 0; i < known_ways->count; i++, way = hd_way_next(way))
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
    hd_store_read(w->crew->search->store, number, &w->base);
    for (int pid = w->base.shape->processes - 1; pid >= 0 && !w->stepper.stopped; pid--)
        ways += expand_process(w, pid);
    if (ways == 0)
        ways = hd_stepper_expand_timeout(&w->stepper, w->bytes, unpack(w), &w->visitor);
    commit_pending(w);
    if (ways > 0 || w->stepper.stopped)
        return;
    if (!hd_stepper_valid_end(&w->stepper, w->bytes, unpack(w)))
        add_finding(w->crew, (hd_finding) { .kind = HD_FINDING_DEADLOCK, .state = number }, NULL);
    else if (hd_state_has_messages(&w->stepper.machine))
        add_finding(w->crew, (hd_finding) { .kind = HD_FINDING_UNRECEIVED, .state = number }, NULL);
}

/* --- bounds and progress ------------------------------------------------------------------------- */

static void show_progress(crew *c, uint64_t states, uint64_t bytes)
{
    double now = hd_now();
    if (!c->search->limits.progress || now - c->shown < 1)
        return;
    c->shown = now;
    fprintf(stderr, "\r%llu states, %.0f a second, %llu MB   ", (unsigned long long)states,
        (double)states / (now - c->started), (unsigned long long)(bytes >> 20));
}

static void check_bounds(worker *w)
{
    crew *c = w->crew;
    const hd_limits *l = &c->search->limits;
    uint64_t states = hd_store_count(c->search->store);
    uint64_t bytes = hd_store_bytes(c->search->store) + hd_memo_bytes(w->memo) * (uint64_t)c->count;
    if (l->interrupted && *l->interrupted)
        stop(c, HD_BOUND_INTERRUPT);
    else if (l->max_states && states >= l->max_states)
        stop(c, HD_BOUND_STATES);
    else if (l->memory && bytes >= l->memory)
        stop(c, HD_BOUND_MEMORY);
    if (w == c->workers)
        show_progress(c, states, bytes);
}

/* --- workers ---------------------------------------------------------------------------------------- */

static void give_half(worker *w)
{
    crew *c = w->crew;
    pthread_mutex_lock(&c->lock);
    size_t half = w->open.count / 2;
    for (size_t i = 0; i < half; i++)
        hd_vec_push(&c->shared, w->open.items[i]);
    memmove(w->open.items, w->open.items + half, (w->open.count - half) * sizeof *w->open.items);
    w->open.count -= half;
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
}

/* Waits until another worker gives something, or all have nothing. */
static bool take_shared(worker *w)
{
    crew *c = w->crew;
    pthread_mutex_lock(&c->lock);
    __atomic_add_fetch(&c->idle, 1, __ATOMIC_RELAXED);
    while (c->shared.count == 0 && !c->stop && c->idle < c->count)
        pthread_cond_wait(&c->given, &c->lock);
    bool got = c->shared.count > 0 && !c->stop;
    for (size_t i = 0, n = (c->shared.count + 1) / 2; got && i < n; i++)
        hd_vec_push(&w->open, hd_vec_pop(&c->shared));
    if (got)
        __atomic_sub_fetch(&c->idle, 1, __ATOMIC_RELAXED);
    else
        pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
    return got;
}

static void *work(void *argument)
{
    worker *w = argument;
    crew *c = w->crew;
    const hd_limits *l = &c->search->limits;
    uint64_t every = l->max_states && l->max_states < 4096 ? 1 : 1024;
    while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
        if (w->open.count == 0 && !take_shared(w))
            break;
        if (++w->expanded % every == 0) {
            check_bounds(w);
            if (c->stop)
                break;
        }
        uint32_t number = hd_vec_pop(&w->open);
        expand(w, number);
        if (c->count > 1 && w->open.count > 8 && __atomic_load_n(&c->idle, __ATOMIC_RELAXED) > 0)
            give_half(w);
    }
    return NULL;
}

static void worker_open(worker *w, crew *c)
{
    memset(w, 0, sizeof *w);
    w->visitor = (hd_visitor) { arrive, note_fault };
    w->crew = c;
    hd_stepper_open(&w->stepper, c->search->program, &c->search->shapes, c->search->scheme);
    w->stepper.machine.unbounded = c->search->unbounded;
    hd_machine_open(&w->checker, c->search->program, &c->search->shapes, c->search->scheme);
    w->checked = hd_alloc(&hd_heap, HD_STATE_MOST_BYTES + 1);
    w->memo = hd_memo_open(c->search->store);
    w->bytes = hd_alloc(&hd_heap, HD_STATE_MOST_BYTES + 1);
}

static void worker_close(worker *w)
{
    hd_search *s = w->crew->search;
    s->edges += w->edges;
    s->memo_bytes += hd_memo_bytes(w->memo);
    for (size_t i = 0; i < s->program->model->proctypes.count; i++) {
        for (int n = 0; n < s->program->codes[i].flow->count; n++)
            s->reached[i][n] |= w->stepper.reached[i][n];
        for (int n = 0; n < s->program->codes[i].transition_count; n++)
            s->executed[i][n] |= w->stepper.executed[i][n];
    }
    hd_stepper_close(&w->stepper);
    hd_memo_close(w->memo);
    hd_vec_fini(&w->open);
    hd_release(&hd_heap, w->bytes, HD_STATE_MOST_BYTES + 1);
    hd_release(&hd_heap, w->checked, HD_STATE_MOST_BYTES + 1);
}

static void begin(crew *c)
{
    worker *w = &c->workers[0];
    hd_machine *m = &w->stepper.machine;
    m->bytes = w->bytes;
    if (!hd_machine_start(m)) {
        add_finding(c, (hd_finding) { .kind = HD_FINDING_FAULT, .fault = m->fault, .state = HD_STORE_NONE }, NULL);
        m->fault.kind = HD_FAULT_NONE;
        return;
    }
    hd_store_put(c->search->store, m, NULL, HD_STORE_NONE, &c->search->first);
    if (m->program->invariant)
        check_invariant(w, c->search->first);
    hd_vec_push(&w->open, c->search->first);
}

static bool run_once(hd_search *s, bool wide)
{
    crew c = { .search = s, .count = s->limits.jobs, .started = hd_now() };
    s->store = hd_store_open(&s->shapes, wide, c.count > 1);
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.given, NULL);
    c.workers = hd_alloc(&hd_heap, (size_t)c.count * sizeof *c.workers);
    for (int i = 0; i < c.count; i++)
        worker_open(&c.workers[i], &c);
    begin(&c);
    for (int i = 1; i < c.count; i++)
        pthread_create(&c.workers[i].thread, NULL, work, &c.workers[i]);
    work(&c.workers[0]);
    for (int i = 1; i < c.count; i++)
        pthread_join(c.workers[i].thread, NULL);
    if (s->limits.progress && c.shown > 0)
        fprintf(stderr, "\r%60s\r", "");
    for (int i = 0; i < c.count; i++)
        worker_close(&c.workers[i]);
    hd_release(&hd_heap, c.workers, (size_t)c.count * sizeof *c.workers);
    hd_vec_fini(&c.shared);
    pthread_mutex_destroy(&c.lock);
    pthread_cond_destroy(&c.given);
    return !c.overflow;
}

static void forget(hd_search *s)
{
    for (size_t i = 0; i < s->findings.count; i++)
        hd_release(&hd_heap, s->findings.items[i].moves, s->findings.items[i].move_count * sizeof(hd_move));
    hd_vec_clear(&s->findings);
    memset(s->counts, 0, sizeof s->counts);
    s->edges = s->memo_bytes = 0;
    if (s->store)
        hd_store_close(s->store);
    s->store = NULL;
}

void hd_search_open(hd_search *s, const hd_pml_program *program, hd_scheme scheme, const hd_limits *limits)
{
    memset(s, 0, sizeof *s);
    s->program = program;
    s->scheme = scheme;
    s->unbounded = scheme != HD_SCHEME_CAUSAL;
    s->limits = *limits;
    hd_shapes_init(&s->shapes, program, scheme != HD_SCHEME_CAUSAL);
    for (size_t i = 0; i < program->model->proctypes.count; i++) {
        s->reached[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].flow->count);
        s->executed[i] = hd_alloc(&hd_heap, (size_t)program->codes[i].transition_count);
    }
}

void hd_search_run(hd_search *s)
{
    double started = hd_now();
    if (!run_once(s, false)) {
        forget(s);
        run_once(s, true);
    }
    s->seconds = hd_now() - started;
}

void hd_search_close(hd_search *s)
{
    forget(s);
    hd_vec_fini(&s->findings);
    for (size_t i = 0; i < s->program->model->proctypes.count; i++) {
        hd_release(&hd_heap, s->reached[i], 0);
        hd_release(&hd_heap, s->executed[i], 0);
    }
    hd_shapes_fini(&s->shapes);
}

/* --- paths --------------------------------------------------------------------------------------------- */

typedef struct tracer {
    hd_visitor visitor;
    hd_store *store;
    hd_packed base;
    uint32_t from, to;
    hd_moves found;
} tracer;

static bool trace_arrive(hd_visitor *v, hd_stepper *stepper)
{
    tracer *t = (tracer *)v;
    uint32_t number;
    hd_put put = hd_store_put(t->store, &stepper->machine, &t->base, t->from, &number);
    if (put != HD_PUT_OLD || number != t->to)
        return true;
    for (size_t i = 0; i < stepper->moves.count; i++)
        hd_vec_push(&t->found, stepper->moves.items[i]);
    return false;
}

static bool trace_fault(hd_visitor *v, hd_stepper *stepper)
{
    (void)v, (void)stepper;
    return true;
}

void hd_search_path(hd_search *s, const hd_finding *f, hd_moves *path)
{
    numbers chain = { 0 };
    tracer t = { .visitor = { trace_arrive, trace_fault }, .store = s->store };
    hd_stepper stepper;
    uint8_t *bytes = hd_alloc(&hd_heap, HD_STATE_MOST_BYTES + 1);
    for (uint32_t n = f->state; n != HD_STORE_NONE; n = hd_store_parent(s->store, n))
        hd_vec_push(&chain, n);
    hd_stepper_open(&stepper, s->program, &s->shapes, s->scheme);
    stepper.machine.unbounded = s->unbounded;
    for (size_t i = chain.count; i-- > 1;) {
        t.from = chain.items[i];
        t.to = chain.items[i - 1];
        const hd_shape *shape = hd_store_get(s->store, t.from, bytes, &t.base);
        stepper.stopped = false;
        hd_stepper_expand(&stepper, bytes, shape, &t.visitor);
        for (size_t k = 0; k < t.found.count; k++)
            hd_vec_push(path, t.found.items[k]);
        hd_vec_clear(&t.found);
    }
    for (size_t i = 0; i < f->move_count; i++)
        hd_vec_push(path, f->moves[i]);
    hd_stepper_close(&stepper);
    hd_vec_fini(&t.found);
    hd_vec_fini(&chain);
    hd_release(&hd_heap, bytes, HD_STATE_MOST_BYTES + 1);
}
