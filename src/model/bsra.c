#include "model/atomic.h"
#include "model/bsra_internal.h"

#include <string.h>

/* What the expanders of one search share. The crew's lock guards the graph and the findings. */
typedef struct hd_model_bsra_team {
    hd_model_crew *crew;
    hd_model_expander *expanders;
    hd_model_progress progress;
} team;

/* --- findings and bounds ------------------------------------------------------------------------- */

void hd_model_expander_finding(hd_model_expander *e, hd_model_finding f, const hd_model_moves *moves)
{
    hd_model_bsra *b = e->b;
    hd_model_crew_lock(e->team->crew);
    hd_model_findings_add(&b->result.findings, b->result.counts, b->setup.limits.most_findings, f, moves);
    hd_model_crew_unlock(e->team->crew);
}

bool hd_model_expander_stopped(hd_model_expander *e)
{
    hd_model_bsra *b = e->b;
    /* Bounds are checked at every 16th step only. */
    if (e->stop || e->steps++ % 16)
        return e->stop;
    hd_model_crew_lock(e->team->crew);
    uint64_t states = hd_model_graph_count(b->graph), bytes = hd_model_graph_bytes(b->graph);
    hd_model_bound bound = hd_model_limits_reached(&b->setup.limits, states, bytes);
    if (bound != HD_MODEL_BOUND_NONE && b->result.bound == HD_MODEL_BOUND_NONE)
        b->result.bound = bound;
    e->stop = b->result.bound != HD_MODEL_BOUND_NONE;
    hd_model_crew_unlock(e->team->crew);
    if (e == e->team->expanders)
        hd_model_progress_show(&e->team->progress, &b->setup.limits, states, bytes);
    return e->stop;
}

/* --- edges ---------------------------------------------------------------------------------------- */

/* Invariants are checked in states of the graph only: with visible transitions every value that a
 * global takes is seen in one of them (docs/algorithms/bsra.md). */
static void check_arrival(hd_model_expander *e, uint32_t index)
{
    hd_model_machine *m = &e->stepper.machine;
    uint32_t code = m->program->invariant;
    if (!code)
        return;
    hd_model_position_use(e, &e->next);
    m->pid = 0;
    if (!hd_model_machine_run(m, code) && m->fault.kind == HD_MODEL_FAULT_NONE)
        hd_model_expander_finding(e, (hd_model_finding) { .kind = HD_MODEL_FINDING_INVARIANT, .state = index }, NULL);
    m->fault.kind = HD_MODEL_FAULT_NONE;
}

/* The number of the state in e->next; it is added if it is new. */
static uint32_t put_next(hd_model_expander *e, bool *added)
{
    hd_model_bsra *b = e->b;
    uint32_t size = hd_model_position_key(e, &e->next);
    hd_model_crew_lock(e->team->crew);
    uint32_t index = hd_model_graph_put(b->graph, e->key, size, added);
    if (*added)
        /* The first way to reach a state is kept, for paths. */
        hd_model_graph_reached(b->graph, index, e->current, &e->moves, e->next.order, b->layout.size);
    hd_model_crew_unlock(e->team->crew);
    return index;
}

/* Under the lock, so that edges arrive one at a time. */
static void show_edge(hd_model_expander *e, uint32_t to, size_t before)
{
    hd_model_crew_lock(e->team->crew);
    e->b->edges->edge(e->b->edges->context, e->current, to, e->moves.items, before, e->moves.count);
    hd_model_crew_unlock(e->team->crew);
}

void hd_model_expander_arrive(hd_model_expander *e, size_t before)
{
    bool added;
    uint32_t index = put_next(e, &added);
    if (added)
        check_arrival(e, index);
    /* With sleep sets, a known state is expanded again if it is reached with fewer sleepers. */
    if (e->b->kind == HD_MODEL_BSRA_SLEEP ? hd_model_sleeps_reach(e->b->sleeps, index, &e->next_asleep) : added)
        hd_vec_push(&e->open, index);
    /* A state that is its own blocking point without a move is no edge. */
    if (index == e->current && e->moves.count == 0)
        return;
    e->edges++;
    if (e->b->edges)
        show_edge(e, index, before);
}

/* --- expanding ------------------------------------------------------------------------------------- */

/* Can some process make a move other than a receive? Then the position is no end. */
static bool can_move_alone(hd_model_expander *e, hd_model_position *p)
{
    hd_model_machine *m = &e->stepper.machine;
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        hd_model_position_use(e, p);
        const hd_promela_code *code = hd_model_machine_code(m, pid);
        int control = hd_model_machine_control(m, pid);
        for (int i = code->first[control]; i < code->first[control + 1]; i++)
            if (code->transitions[i].action != HD_ACTION_RECEIVE
                && hd_model_expander_enabled(e, p, pid, &code->transitions[i], 0) == 1)
                return true;
        m->fault.kind = HD_MODEL_FAULT_NONE;
    }
    return false;
}

/* Different combinations of runs can lead to the same blocking point: each is expanded once per state. */
static void leave_blocking_point(hd_model_expander *e)
{
    bool added;
    uint32_t size = hd_model_position_key(e, &e->blocking);
    hd_model_graph_put(e->seen, e->key, size, &added);
    if (!added)
        return;
    /* From here on it is step 2: what each process may receive, and all sets of that. */
    e->blocking_points++;
    for (int pid = 0; pid < e->b->system.processes; pid++)
        hd_model_expander_collect(e, &e->blocking, pid);
    /* A blocking point without a continuation is an end; it becomes a state only if it is a finding. */
    if (hd_model_expander_try_sets(e) || can_move_alone(e, &e->blocking))
        return;
    hd_model_finding_kind kind;
    if (!hd_model_end_is_finding(&e->stepper, e->blocking.bytes, e->b->system.shape, &e->b->setup.limits, &kind))
        return;
    hd_model_position_copy(e, &e->next, &e->blocking);
    hd_vec_clear(&e->next_asleep);
    hd_model_expander_arrive(e, e->moves.count);
}

/* The cross product of the processes' runs (gen_next_bp). Runs only send and compute, so any order
 * of them leads to the same blocking point. */
static void combine_runs(hd_model_expander *e, int pid, const hd_model_position *p)
{
    if (pid == e->b->system.processes) {
        hd_model_position_copy(e, &e->blocking, p);
        leave_blocking_point(e);
        return;
    }
    for (size_t i = 0; i < e->runs[pid].count && !e->stop; i++) {
        hd_model_local_run r = e->runs[pid].items[i];
        size_t before = e->moves.count;
        /* A run without moves leaves the position as it is; otherwise the moves work on a copy. */
        hd_model_position next = *p;
        if (r.count > 0) {
            next = (hd_model_position) { hd_arena_alloc(&e->scratch, e->b->system.shape->size + 1),
                e->b->ordered ? hd_arena_alloc(&e->scratch, e->b->layout.size) : NULL };
            hd_model_position_copy(e, &next, p);
        }
        bool possible = true;
        for (uint32_t k = 0; possible && k < r.count; k++) {
            hd_model_move move = e->run_moves.items[r.first + k];
            hd_vec_push(&e->moves, move);
            /* Another process's run cannot disable a send or an internal transition: what fails
             * here is a port that overflows, or the ids of messages. */
            possible = hd_model_expander_redo(e, &next, &move);
            if (!possible)
                hd_model_expander_fault(e, &e->moves);
        }
        if (possible)
            combine_runs(e, pid + 1, &next);
        e->moves.count = before;
    }
}

/* No process can move: an end that is not valid, or messages that are left, are findings. */
static void end_of_path(hd_model_expander *e)
{
    hd_model_finding f = { .state = e->current };
    if (hd_model_end_is_finding(&e->stepper, e->at.bytes, e->b->system.shape, &e->b->setup.limits, &f.kind))
        hd_model_expander_finding(e, f, NULL);
}

/* A state from which no set leads on. Neither a run nor a receive is possible. */
static bool is_terminal(hd_model_expander *e)
{
    if (can_move_alone(e, &e->at))
        return false;
    for (int pid = 0; pid < e->b->system.processes; pid++) {
        e->b->kind == HD_MODEL_SRA ? hd_model_expander_collect_steps(e, &e->at, pid)
                                   : hd_model_expander_collect(e, &e->at, pid);
        if (e->options[pid].count)
            return false;
    }
    return true;
}

static void load(hd_model_expander *e, uint32_t index)
{
    hd_model_bsra *b = e->b;
    hd_model_crew_lock(e->team->crew);
    /* The node is copied: another worker may add nodes, which moves them. What it points to stays. */
    hd_model_node n = *hd_model_graph_node(b->graph, index);
    hd_model_crew_unlock(e->team->crew);
    e->current = index;
    memcpy(e->at.bytes, n.key, b->system.shape->size);
    if (b->ordered)
        memcpy(e->at.order, n.order, b->layout.size);
}

/* SRA: the state is its own blocking point, and sets may have transitions of any kind. */
static void expand_in_steps(hd_model_expander *e)
{
    hd_vec_clear(&e->moves);
    hd_model_position_copy(e, &e->blocking, &e->at);
    for (int pid = 0; pid < e->b->system.processes; pid++)
        hd_model_expander_collect_steps(e, &e->blocking, pid);
    hd_model_expander_try_sets(e);
}

/* Loads the sleep set of the current state. False: it need not be expanded. */
static bool wake_up(hd_model_expander *e)
{
    bool first = true, needed = true;
    if (e->b->kind == HD_MODEL_BSRA_SLEEP)
        needed = hd_model_sleeps_expand(e->b->sleeps, e->current, &e->asleep, &e->woken, &first);
    e->again = !first;
    return needed;
}

static void expand(hd_model_expander *e, uint32_t index)
{
    load(e, index);
    if (!wake_up(e))
        return;
    if (is_terminal(e)) {
        /* A state that is expanded again was reported the first time. */
        if (!e->again)
            end_of_path(e);
        return;
    }
    if (e->b->kind == HD_MODEL_SRA) {
        expand_in_steps(e);
        return;
    }
    /* Blocking points are remembered per state only: they are no states of the graph. */
    hd_model_graph_clear(e->seen);
    hd_vec_clear(&e->run_moves);
    for (int pid = 0; pid < e->b->system.processes; pid++)
        hd_model_expander_find_runs(e, pid, &e->at);
    combine_runs(e, 0, &e->at);
    hd_arena_fini(&e->scratch);
}

/* --- the search -------------------------------------------------------------------------------------- */

static size_t key_room(const hd_model_bsra *b)
{
    return b->system.shape->size + b->layout.most_written;
}

/* How messages are stored in states of the graph. BSRA lets processes run ahead of each other, so the
 * order within a port's queue is not known: every message is stored with its sender (machine.h), and
 * orders between senders are in model/order.h. */
static hd_model_scheme kept_as(hd_model_bsra_kind kind, hd_model_scheme scheme)
{
    return kind == HD_MODEL_SRA || scheme == HD_MODEL_SCHEME_ASYNC ? scheme : HD_MODEL_SCHEME_FIFO;
}

static void expander_open(hd_model_expander *e, hd_model_bsra *b, team *t)
{
    memset(e, 0, sizeof *e);
    e->b = b;
    e->team = t;
    hd_arena_init(&e->scratch, &hd_heap);
    e->seen = hd_model_graph_open();
    hd_model_stepper_open(&e->stepper, b->system.program, &b->shapes, b->result.kept_as);
    /* The paper's ports have no capacity, so a send never blocks; one that a channel cannot hold is
     * a fault. */
    e->stepper.machine.unbounded = true;
    hd_model_position_init(e, &e->at);
    hd_model_position_init(e, &e->blocking);
    hd_model_position_init(e, &e->next);
    e->key = hd_alloc(&hd_heap, key_room(b));
}

static void expander_close(hd_model_expander *e)
{
    e->b->result.edges += e->edges;
    e->b->result.blocking_points += e->blocking_points;
    hd_model_position_fini(e, &e->at);
    hd_model_position_fini(e, &e->blocking);
    hd_model_position_fini(e, &e->next);
    hd_release(&hd_heap, e->key, key_room(e->b));
    hd_model_stepper_close(&e->stepper);
    for (int i = 0; i < HD_MODEL_MOST_SENDERS; i++) {
        hd_vec_fini(&e->runs[i]);
        hd_vec_fini(&e->options[i]);
    }
    hd_vec_fini(&e->open);
    hd_vec_fini(&e->moves);
    hd_vec_fini(&e->run_moves);
    hd_vec_fini(&e->mark);
    hd_vec_fini(&e->path);
    hd_vec_fini(&e->asleep);
    hd_vec_fini(&e->woken);
    hd_vec_fini(&e->next_asleep);
    hd_model_graph_close(e->seen);
    hd_arena_fini(&e->scratch);
}

static void begin(hd_model_expander *e)
{
    bool added;
    hd_model_bsra *b = e->b;
    e->current = HD_MODEL_NO_STATE;
    memcpy(e->next.bytes, b->system.start, b->system.shape->size);
    if (b->ordered)
        hd_model_order_init(&b->layout, e->next.order, b->strict);
    uint32_t first = put_next(e, &added);
    if (b->kind == HD_MODEL_BSRA_SLEEP)
        hd_model_sleeps_reach(b->sleeps, first, &e->next_asleep);
    check_arrival(e, first);
    hd_vec_push(&e->open, first);
}

static void *work(void *argument)
{
    hd_model_expander *e = argument;
    for (uint32_t index; hd_model_crew_next(e->team->crew, &e->open, &index);) {
        expand(e, index);
        /* A bound ends the search for all. */
        if (e->stop)
            hd_model_crew_stop(e->team->crew);
    }
    return NULL;
}

static void bsra_run(void *self, const hd_model_edges *edges)
{
    hd_model_bsra *b = self;
    b->edges = edges;
    size_t count = (size_t)b->setup.limits.jobs;
    team t = { .progress.started = hd_now(), .expanders = hd_alloc(&hd_heap, count * sizeof *t.expanders) };
    t.crew = hd_model_crew_open(b->setup.limits.jobs);
    for (size_t i = 0; i < count; i++)
        expander_open(&t.expanders[i], b, &t);
    begin(t.expanders);
    hd_model_crew_run(t.crew, work, t.expanders, sizeof *t.expanders);
    hd_model_progress_end(&t.progress);
    for (size_t i = 0; i < count; i++)
        expander_close(&t.expanders[i]);
    hd_release(&hd_heap, t.expanders, count * sizeof *t.expanders);
    hd_model_crew_close(t.crew);
    b->result.states = hd_model_graph_count(b->graph);
    b->result.seconds = hd_now() - t.progress.started;
}

/* --- the contract --------------------------------------------------------------------------------------- */

/* SRA is for causal communication; sleep sets are for models without visible transitions. */
static bool open_system(hd_model_bsra *b, hd_error *error)
{
    const hd_promela_program *program = b->setup.program;
    if (b->kind == HD_MODEL_SRA && b->setup.scheme != HD_MODEL_SCHEME_CAUSAL)
        return hd_fail(error, "--reduce=sra is for causal communication: use bsra with --scheme=fifo and async");
    if (!hd_model_system_open(&b->system, program, &b->shapes, b->result.kept_as, error))
        return false;
    bool ok = hd_model_atomic_may_interleave(&b->system, b->setup.scheme, error);
    if (ok && b->kind == HD_MODEL_BSRA_SLEEP && b->system.has_visible)
        ok = hd_fail(
            error, "%s: asserts or shares variables, so no receive may sleep; use --reduce=bsra", program->model->file);
    if (!ok)
        hd_model_system_close(&b->system);
    return ok;
}

static void *open_kind(hd_model_bsra_kind kind, const hd_model_setup *setup, hd_error *error)
{
    hd_model_bsra *b = hd_alloc(&hd_heap, sizeof *b);
    *b = (hd_model_bsra) { .kind = kind, .setup = *setup, .result.kept_as = kept_as(kind, setup->scheme) };
    hd_model_shapes_init(&b->shapes, setup->program, kind != HD_MODEL_SRA);
    if (!open_system(b, error)) {
        hd_model_shapes_fini(&b->shapes);
        hd_release(&hd_heap, b, sizeof *b);
        return NULL;
    }
    hd_model_order_layout_init(&b->layout, &b->system);
    /* Where a port has one sender, its messages are in the order sent in any case. */
    b->ordered = kind != HD_MODEL_SRA && setup->scheme == HD_MODEL_SCHEME_CAUSAL && b->system.racy != 0;
    /* More than one port with several senders: see `strict` in model/order.h. */
    b->strict = b->ordered && (b->system.racy & (b->system.racy - 1)) != 0;
    b->graph = hd_model_graph_open();
    b->sleeps = hd_model_sleeps_open();
    return b;
}

static void *bsra_open(const hd_model_setup *setup, hd_error *error)
{
    return open_kind(HD_MODEL_BSRA, setup, error);
}

static void *bsra_sleep_open(const hd_model_setup *setup, hd_error *error)
{
    return open_kind(HD_MODEL_BSRA_SLEEP, setup, error);
}

static void *sra_open(const hd_model_setup *setup, hd_error *error)
{
    return open_kind(HD_MODEL_SRA, setup, error);
}

static const hd_model_result *bsra_result(void *self)
{
    return &((hd_model_bsra *)self)->result;
}

static void bsra_load(void *self, uint32_t state, hd_model_machine *m, uint8_t *bytes)
{
    hd_model_bsra *b = self;
    hd_model_machine_open(m, b->setup.program, &b->shapes, b->result.kept_as);
    memcpy(bytes, hd_model_graph_node(b->graph, state)->key, b->system.shape->size);
    hd_model_machine_load(m, bytes, b->system.shape);
}

static void bsra_path(void *self, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_bsra *b = self;
    hd_model_numbers chain = { 0 };
    for (uint32_t n = f->state; n != HD_MODEL_NO_STATE; n = hd_model_graph_node(b->graph, n)->parent)
        /* Parents lead backwards, so they are collected first. */
        hd_vec_push(&chain, n);
    for (size_t i = 0; i < b->system.prologue.count; i++)
        hd_vec_push(path, b->system.prologue.items[i]);
    while (chain.count) {
        const hd_model_node *n = hd_model_graph_node(b->graph, hd_vec_pop(&chain));
        for (uint32_t i = 0; i < n->move_count; i++)
            hd_vec_push(path, n->moves[i]);
    }
    for (size_t i = 0; i < f->move_count; i++)
        hd_vec_push(path, f->moves[i]);
    hd_vec_fini(&chain);
}

static void bsra_close(void *self)
{
    hd_model_bsra *b = self;
    hd_model_result_fini(&b->result);
    hd_model_graph_close(b->graph);
    hd_model_sleeps_close(b->sleeps);
    hd_model_system_close(&b->system);
    hd_model_shapes_fini(&b->shapes);
    hd_release(&hd_heap, b, sizeof *b);
}

#define FUNCTIONS .run = bsra_run, .result = bsra_result, .path = bsra_path, .load = bsra_load, .close = bsra_close

const hd_model_search hd_model_search_bsra = {
    .name = "bsra", .has_jobs = true, .has_edges = true, .open = bsra_open, FUNCTIONS
};

/* With sleep sets the order of edges matters, so there is one job. */
const hd_model_search hd_model_search_bsra_sleep = {
    .name = "bsra-sleep", .has_edges = true, .open = bsra_sleep_open, FUNCTIONS
};

const hd_model_search hd_model_search_sra = {
    .name = "sra", .has_jobs = true, .has_edges = true, .has_trails = true, .open = sra_open, FUNCTIONS
};
