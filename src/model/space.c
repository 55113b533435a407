#include "model/space.h"

#include <string.h>

typedef struct walker {
    hd_model_visitor visitor;
    hd_model_space *space;
    uint64_t enabled;
    int skip; /* replaying: this many steps come before the one wanted */
    hd_model_moves *moves;
} walker;

static uint64_t bit_of(int pid)
{
    return pid < 64 ? 1ull << pid : 0;
}

static bool ignore_fault(hd_model_visitor *v, hd_model_stepper *stepper)
{
    (void)v, (void)stepper;
    return true;
}

/* --- expanding --------------------------------------------------------------------------------------- */

static uint32_t vertex_of(hd_model_space *s, uint32_t number)
{
    uint64_t *known = hd_map_get(&s->vertices_of, number);
    if (known)
        return (uint32_t)*known;
    *hd_map_put(&s->vertices_of, number) = s->vertices.count;
    hd_vec_push(&s->vertices, ((hd_model_vertex) { .number = number }));
    return (uint32_t)s->vertices.count - 1;
}

static bool arrive(hd_model_visitor *v, hd_model_stepper *stepper)
{
    walker *w = (walker *)v;
    hd_model_space *s = w->space;
    uint32_t number;
    hd_model_put put = hd_model_store_put(s->store, &stepper->machine, &s->base, HD_MODEL_NO_STATE, &number);
    /* The search is repeated with wide numbers, or ends (liveness.c). */
    if (put == HD_MODEL_PUT_OVERFLOW || put == HD_MODEL_PUT_FULL) {
        s->overflow = true;
        return false;
    }
    /* Both processes of a rendezvous take part in the step. */
    hd_model_successor successor = { .to = vertex_of(s, number) };
    for (size_t i = 0; i < stepper->moves.count; i++) {
        const hd_model_move *m = &stepper->moves.items[i];
        successor.moved |= bit_of(m->pid) | (m->receiving ? bit_of(m->receiver) : 0);
    }
    /* Only the process that begins a step is enabled; the receiver of a rendezvous cannot move by itself. */
    w->enabled |= bit_of(stepper->moves.items[0].pid);
    hd_vec_push(&s->successors, successor);
    return true;
}

/* Evaluates all propositions. `timeout` is true where no step was possible without it. */
static uint64_t look(hd_model_space *s, uint32_t vertex, const hd_model_shape *shape, uint64_t enabled, bool timeout)
{
    hd_model_machine *m = &s->stepper.machine;
    uint64_t holds = 0;
    hd_model_machine_load(m, s->bytes, shape);
    /* A proposition belongs to no process: it can read globals and, by name, other processes. */
    m->pid = -1;
    m->self = NULL;
    m->timeout = timeout;
    m->enabled = enabled;
    for (size_t i = 0; i < s->claim->propositions.count; i++) {
        bool value = hd_model_machine_run(m, s->claim->propositions.items[i].code) != 0;
        if (m->fault.kind != HD_MODEL_FAULT_NONE && s->fault.kind == HD_MODEL_FAULT_NONE) {
            s->fault = m->fault;
            s->fault_at = vertex;
        }
        /* A proposition that cannot be evaluated makes the whole verdict unknown; its value does
         * not matter. */
        holds |= value && m->fault.kind == HD_MODEL_FAULT_NONE ? 1ull << i : 0;
        m->fault.kind = HD_MODEL_FAULT_NONE;
    }
    m->timeout = false;
    return holds;
}

static bool at_accept_label(const hd_model_machine *m)
{
    for (int pid = 0; pid < m->shape->processes; pid++)
        if (hd_model_machine_code(m, pid)->flow->accept[hd_model_machine_control(m, pid)])
            return true;
    return false;
}

const hd_model_vertex *hd_model_space_expand(hd_model_space *s, uint32_t vertex)
{
    /* Expanded once; the product may reach a vertex with many states of the claim. */
    if (s->vertices.items[vertex].expanded)
        return &s->vertices.items[vertex];
    walker w = { .visitor = { arrive, ignore_fault }, .space = s };
    const hd_model_shape *shape = hd_model_store_get(s->store, s->vertices.items[vertex].number, s->bytes, &s->base);
    /* The steps of one vertex lie side by side. */
    uint32_t first = (uint32_t)s->successors.count;
    int ordinary = 0;
    for (int pid = shape->processes - 1; pid >= 0 && !s->overflow; pid--)
        ordinary += hd_model_stepper_expand_one(&s->stepper, s->bytes, shape, pid, &w.visitor);
    if (!ordinary && !s->overflow)
        hd_model_stepper_expand_timeout(&s->stepper, s->bytes, shape, &w.visitor);
    if (shape->processes > s->most_processes)
        s->most_processes = shape->processes;
    /* Only now: expanding may have moved the array. */
    hd_model_vertex *p = &s->vertices.items[vertex];
    p->first = first;
    p->count = (uint32_t)s->successors.count - first;
    p->enabled = w.enabled;
    p->holds = look(s, vertex, shape, w.enabled, !ordinary);
    p->accepts = at_accept_label(&s->stepper.machine);
    p->expanded = true;
    return p;
}

/* --- paths ----------------------------------------------------------------------------------------------- */

static bool replay(hd_model_visitor *v, hd_model_stepper *stepper)
{
    walker *w = (walker *)v;
    if (w->skip-- > 0)
        return true;
    for (size_t i = 0; i < stepper->moves.count; i++)
        hd_vec_push(w->moves, stepper->moves.items[i]);
    return false;
}

void hd_model_space_moves(hd_model_space *s, uint32_t vertex, uint32_t step, hd_model_moves *moves)
{
    walker w = { .visitor = { replay, ignore_fault }, .space = s, .skip = (int)step, .moves = moves };
    const hd_model_shape *shape = hd_model_store_get(s->store, s->vertices.items[vertex].number, s->bytes, &s->base);
    for (int pid = shape->processes - 1; pid >= 0 && !s->stepper.stopped; pid--)
        hd_model_stepper_expand_one(&s->stepper, s->bytes, shape, pid, &w.visitor);
    /* Steps are counted in the order in which hd_model_space_expand found them. */
    /* No ordinary step was met: the step is one of those with `timeout`. */
    if (w.skip == (int)step)
        hd_model_stepper_expand_timeout(&s->stepper, s->bytes, shape, &w.visitor);
    s->stepper.stopped = false;
    hd_assert(w.skip < 0);
}

/* --- opening ------------------------------------------------------------------------------------------- */

bool hd_model_space_open(hd_model_space *s, const hd_promela_program *program, hd_model_scheme scheme,
    const hd_model_claim *claim, bool wide)
{
    memset(s, 0, sizeof *s);
    s->program = program;
    s->claim = claim;
    hd_model_shapes_init(&s->shapes, program, scheme != HD_MODEL_SCHEME_CAUSAL);
    hd_model_stepper_open(&s->stepper, program, &s->shapes, scheme);
    s->stepper.machine.unbounded = scheme != HD_MODEL_SCHEME_CAUSAL;
    s->store = hd_model_store_open(&s->shapes, wide, false);
    s->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_map_init(&s->vertices_of, &hd_heap);
    s->stepper.machine.bytes = s->bytes;
    uint32_t number;
    if (!hd_model_machine_start(&s->stepper.machine))
        return false;
    hd_model_store_put(s->store, &s->stepper.machine, NULL, HD_MODEL_NO_STATE, &number);
    vertex_of(s, number);
    return true;
}

void hd_model_space_close(hd_model_space *s)
{
    hd_map_fini(&s->vertices_of);
    hd_vec_fini(&s->vertices);
    hd_vec_fini(&s->successors);
    hd_model_stepper_close(&s->stepper);
    hd_model_store_close(s->store);
    hd_model_shapes_fini(&s->shapes);
    hd_release(&hd_heap, s->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
}

uint64_t hd_model_space_bytes(const hd_model_space *s)
{
    return hd_model_store_bytes(s->store) + s->vertices.count * (sizeof *s->vertices.items + 32)
        + s->successors.count * sizeof *s->successors.items;
}
