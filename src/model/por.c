/* Partial-order reduction (Godefroid 1996) for the same systems that BSRA accepts, for comparison.
 *
 * Persistent sets: the steps of one process suffice in a state if nothing that other processes may
 * do before could interfere with them. Sends to the same queue interfere, and so does a message
 * that may still be received first. Sleep sets: a process whose steps have been explored from a
 * state need not take them again after an independent step of another process. They are stored with
 * states; a state reached again with a smaller sleep set is expanded for the difference.
 *
 * With visible transitions, the steps of a process suffice only if none is visible and all lead to
 * new states, so that no process is postponed forever (the ignoring problem). */
#include "base/map.h"
#include "model/paths.h"
#include "model/search.h"
#include "model/system.h"

#include <string.h>

typedef struct por {
    hd_model_setup setup;
    hd_model_system system;
    hd_model_shapes shapes;
    hd_model_store *store;
    hd_model_result result;
} por;

typedef struct task {
    uint32_t state;
    uint64_t sleep; /* sleep set: bits of processes */
} task;

typedef struct searcher {
    hd_model_visitor visitor;
    por *por;
    hd_model_stepper stepper;
    hd_vec(task) open;
    hd_map sleeping; /* per state: the sleep set that it was expanded with */
    hd_model_packed base;
    uint8_t *bytes;
    const hd_model_shape *shape;
    uint32_t current;
    uint64_t awake; /* sleep set of the states that the current process leads to */
    int new_states, old_states;
    int moving;
    bool stop;
    hd_model_progress progress;
} searcher;

static void add_finding(searcher *s, hd_model_finding f, const hd_model_moves *moves)
{
    hd_model_findings_add(
        &s->por->result.findings, s->por->result.counts, s->por->setup.limits.most_findings, f, moves);
}

/* --- independence ------------------------------------------------------------------------------------ */

static int length_of(const hd_model_machine *m, int port)
{
    const hd_promela_channel *type;
    return hd_model_machine_channel(m, port + 1, &type)[1];
}

/* Ports that the process may send to from its current control state on (reachable(l, T)). */
static hd_model_ports may_send(const searcher *s, const hd_model_machine *m, int pid)
{
    return s->por->system.sends[pid][hd_model_machine_control(m, pid)];
}

/* Could another process's message be received instead of the first one now? */
static bool may_get_another(const searcher *s, const hd_model_machine *m, int pid, int port)
{
    int length = length_of(m, port);
    const hd_promela_channel *type;
    const uint8_t *c = hd_model_machine_channel(m, port + 1, &type);
    /* One queue: its head stays until it is received. */
    if (s->por->setup.scheme == HD_MODEL_SCHEME_CAUSAL && length > 0)
        return false;
    for (int other = 0; other < m->shape->processes; other++) {
        /* Under fifo a message of the same sender waits in front of it. */
        bool behind = false;
        for (int i = 0; s->por->setup.scheme == HD_MODEL_SCHEME_FIFO && i < length; i++)
            behind |= c[HD_CHANNEL_HEADER + (uint32_t)i * hd_model_message_size(m, type)] == other;
        if (other != pid && !behind && (may_send(s, m, other) >> port & 1))
            return true;
    }
    return false;
}

static bool others_may_send(const searcher *s, const hd_model_machine *m, int pid, int port)
{
    for (int other = 0; other < m->shape->processes; other++)
        if (other != pid && (may_send(s, m, other) >> port & 1))
            return true;
    return false;
}

/* Could another process, before `pid` moves, change what its step does? A receive that is not the
 * first transition of the step takes whatever is there by then. */
static bool interferes(const searcher *s, const hd_model_machine *m, int pid, const hd_model_step_uses *u)
{
    /* Visible steps are explored in every order with everything that is visible. */
    if (u->visible)
        return true;
    for (hd_model_ports ports = u->receives; ports; ports &= ports - 1)
        if (may_get_another(s, m, pid, __builtin_ctzll(ports)))
            return true;
    for (hd_model_ports ports = u->later_receives; ports; ports &= ports - 1)
        if (others_may_send(s, m, pid, __builtin_ctzll(ports)))
            return true;
    for (hd_model_ports ports = s->por->setup.scheme == HD_MODEL_SCHEME_CAUSAL ? u->sends : 0; ports;
         ports &= ports - 1)
        if (others_may_send(s, m, pid, __builtin_ctzll(ports)))
            return true;
    return false;
}

static const hd_model_step_uses *uses_of(const searcher *s, const hd_model_machine *m, int pid)
{
    return &s->por->system.steps[pid][hd_model_machine_control(m, pid)];
}

/* Are the steps of `pid` a persistent set? */
static bool suffices(searcher *s, int pid)
{
    hd_model_machine *m = &s->stepper.machine;
    /* Expanding other processes has moved the machine. */
    hd_model_machine_load(m, s->bytes, s->shape);
    return !interferes(s, m, pid, uses_of(s, m, pid));
}

/* Do the steps of the two processes commute and not disable each other? */
static bool independent(searcher *s, int pid, int other)
{
    hd_model_machine *m = &s->stepper.machine;
    hd_model_machine_load(m, s->bytes, s->shape);
    const hd_model_step_uses *a = uses_of(s, m, pid), *b = uses_of(s, m, other);
    /* Steps on different ports commute. Two that use the same port are taken to be dependent, also
     * a send and a receive: that costs states, not soundness. */
    hd_model_ports of_a = a->sends | a->receives | a->later_receives, of_b = b->sends | b->receives | b->later_receives;
    return !(a->visible || a->ends || b->visible || b->ends || (of_a & of_b));
}

/* --- expanding --------------------------------------------------------------------------------------------- */

static void check_invariant(searcher *s, uint32_t number)
{
    hd_model_machine *m = &s->stepper.machine;
    if (m->program->invariant && !hd_model_machine_run(m, m->program->invariant))
        add_finding(s, (hd_model_finding) { .kind = HD_MODEL_FINDING_INVARIANT, .state = number }, NULL);
}

static bool arrive(hd_model_visitor *v, hd_model_stepper *stepper)
{
    searcher *s = (searcher *)v;
    hd_model_machine *m = &stepper->machine;
    uint32_t number;
    s->por->result.edges++;
    if (m->failed_assertion)
        add_finding(s,
            (hd_model_finding) { .kind = HD_MODEL_FINDING_ASSERTION, .line = m->failed_assertion, .state = s->current },
            &stepper->moves);
    hd_model_put put = hd_model_store_put(s->por->store, m, &s->base, s->current, &number);
    if (put == HD_MODEL_PUT_NEW) {
        /* A new state is expanded with the sleep set of its first arrival. */
        s->new_states++;
        check_invariant(s, number);
        hd_vec_push(&s->open, ((task) { number, s->awake }));
    } else if (put == HD_MODEL_PUT_OLD) {
        s->old_states++;
        /* A known state has to be expanded again only for processes that slept then and are awake
         * now. */
        uint64_t *before = hd_map_get(&s->sleeping, number);
        if (!before || (*before & ~s->awake))
            hd_vec_push(&s->open, ((task) { number, s->awake }));
    } else {
        s->por->result.bound = HD_MODEL_BOUND_ROOM;
        s->stop = true;
    }
    return !s->stop;
}

static bool note_fault(hd_model_visitor *v, hd_model_stepper *stepper)
{
    searcher *s = (searcher *)v;
    hd_model_fault f = stepper->machine.fault;
    add_finding(s,
        (hd_model_finding) { .kind = HD_MODEL_FINDING_FAULT, .fault = f, .line = f.line, .state = s->current },
        &stepper->moves);
    return true;
}

static int expand_process(searcher *s, int pid)
{
    s->moving = pid;
    return hd_model_stepper_expand_one(&s->stepper, s->bytes, s->shape, pid, &s->visitor);
}

/* Tries to find one process whose steps suffice. With visible transitions or an invariant, a step
 * to a known state could close a cycle on which others are postponed: then all are expanded. */
static bool expand_persistent(searcher *s, uint64_t sleep)
{
    bool watched = s->por->system.has_visible || s->por->system.program->invariant;
    for (int pid = s->shape->processes - 1; pid >= 0; pid--) {
        /* A sleeping process cannot be the persistent set: its steps are explored elsewhere. */
        if ((sleep >> pid & 1) || !suffices(s, pid))
            continue;
        /* The inherited sleep set is dropped: fewer sleepers are always sound. */
        s->awake = 0;
        s->new_states = s->old_states = 0;
        if (expand_process(s, pid) > 0 && !(watched && s->old_states > 0))
            return true;
        if (s->stop)
            return true;
    }
    return false;
}

static int expand_all(searcher *s, uint64_t sleep)
{
    int ways = 0;
    uint64_t done = sleep;
    for (int pid = s->shape->processes - 1; pid >= 0 && !s->stop; pid--) {
        /* A sleeping process can move, so the state is no end; what follows is explored from
         * another state. */
        if (sleep >> pid & 1) {
            ways++;
            continue;
        }
        s->awake = 0;
        /* Godefroid's rule: processes explored before this one sleep after its step if the steps
         * are independent. */
        for (int other = 0; other < s->shape->processes; other++)
            if ((done >> other & 1) && other != pid && independent(s, pid, other))
                s->awake |= 1ull << other;
        int mine = expand_process(s, pid);
        ways += mine;
        /* Explored processes sleep in the states that later ones lead to, if they are independent. */
        if (mine > 0)
            done |= 1ull << pid;
    }
    return ways;
}

static void expand(searcher *s, task t)
{
    por *r = s->por;
    uint64_t *before = hd_map_get(&s->sleeping, t.state), sleep = t.sleep;
    /* Nothing has woken up since the last expansion. */
    if (before && !(*before & ~sleep))
        return;
    /* An earlier expansion left some processes asleep: expand for those that are awake now or were then. */
    if (before)
        sleep &= *before;
    /* Recorded before expanding: a step that leads back here must find it. */
    *hd_map_put(&s->sleeping, t.state) = sleep;
    s->current = t.state;
    s->shape = hd_model_store_get(r->store, t.state, s->bytes, &s->base);
    if (expand_persistent(s, sleep) || expand_all(s, sleep) > 0 || s->stop)
        return;
    hd_model_finding f = { .state = t.state };
    if (hd_model_end_is_finding(&s->stepper, s->bytes, s->shape, &r->setup.limits, &f.kind))
        add_finding(s, f, NULL);
}

static bool at_bound(searcher *s)
{
    por *r = s->por;
    uint64_t states = hd_model_store_count(r->store);
    uint64_t bytes = hd_model_store_bytes(r->store) + s->sleeping.room * sizeof *s->sleeping.slots;
    /* Checked at every state: a reduced graph is small. */
    r->result.bound = hd_model_limits_reached(&r->setup.limits, states, bytes);
    hd_model_progress_show(&s->progress, &r->setup.limits, states, bytes);
    return r->result.bound != HD_MODEL_BOUND_NONE;
}

static void por_run(void *self, const hd_model_edges *edges)
{
    (void)edges; /* the explored part of the graph depends on sleep sets: it is not drawn */
    por *r = self;
    searcher s = { .visitor = { arrive, note_fault }, .por = r, .progress.started = hd_now() };
    uint32_t first;
    hd_map_init(&s.sleeping, &hd_heap);
    hd_model_stepper_open(&s.stepper, r->system.program, &r->shapes, r->setup.scheme);
    s.stepper.machine.unbounded = true;
    s.bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    s.stepper.machine.bytes = s.bytes;
    /* It starts: hd_model_system_open has tried. */
    hd_model_machine_start(&s.stepper.machine);
    hd_model_store_put(r->store, &s.stepper.machine, NULL, HD_MODEL_NO_STATE, &first);
    check_invariant(&s, first);
    hd_vec_push(&s.open, ((task) { first, 0 }));
    while (s.open.count && !s.stop && !at_bound(&s)) {
        task t = hd_vec_pop(&s.open);
        expand(&s, t);
    }
    hd_model_progress_end(&s.progress);
    r->result.seconds = hd_now() - s.progress.started;
    r->result.states = hd_model_store_count(r->store);
    r->result.bytes = hd_model_store_bytes(r->store);
    hd_model_stepper_close(&s.stepper);
    hd_map_fini(&s.sleeping);
    hd_vec_fini(&s.open);
    hd_release(&hd_heap, s.bytes, HD_MODEL_STATE_MOST_BYTES + 1);
}

/* --- the contract --------------------------------------------------------------------------------------- */

static void *por_open(const hd_model_setup *setup, hd_error *error)
{
    por *r = hd_alloc(&hd_heap, sizeof *r);
    *r = (por) { .setup = *setup, .result.kept_as = setup->scheme };
    hd_model_shapes_init(&r->shapes, setup->program, setup->scheme != HD_MODEL_SCHEME_CAUSAL);
    if (!hd_model_system_open(&r->system, setup->program, &r->shapes, setup->scheme, error)) {
        hd_model_shapes_fini(&r->shapes);
        hd_release(&hd_heap, r, sizeof *r);
        return NULL;
    }
    /* Wide from the start: a reduced graph rarely needs the memory, and this search does not repeat
     * itself. */
    r->store = hd_model_store_open(&r->shapes, true, false);
    return r;
}

static const hd_model_result *por_result(void *self)
{
    return &((por *)self)->result;
}

static hd_model_paths paths_of(por *r)
{
    return (hd_model_paths) { r->setup.program, &r->shapes, r->setup.scheme, true, r->store };
}

static void por_path(void *self, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_paths paths = paths_of(self);
    hd_model_paths_find(&paths, f, path);
}

static void por_load(void *self, uint32_t state, hd_model_machine *m, uint8_t *bytes)
{
    hd_model_paths paths = paths_of(self);
    hd_model_paths_load(&paths, state, m, bytes);
}

static void por_close(void *self)
{
    por *r = self;
    hd_model_result_fini(&r->result);
    hd_model_store_close(r->store);
    hd_model_system_close(&r->system);
    hd_model_shapes_fini(&r->shapes);
    hd_release(&hd_heap, r, sizeof *r);
}

const hd_model_search hd_model_search_por = { .name = "por",
    .has_trails = true,
    .open = por_open,
    .run = por_run,
    .result = por_result,
    .path = por_path,
    .load = por_load,
    .close = por_close };
