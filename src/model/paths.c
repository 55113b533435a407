#include "model/paths.h"

#include "base/map.h"
#include "model/crew.h"

typedef struct tracer {
    hd_model_visitor visitor;
    hd_model_store *store;
    hd_model_stepper stepper;
    uint8_t *bytes;
    hd_model_packed base;
    uint32_t from, to; /* numbers in the store */
    hd_model_moves *path;
    const hd_model_edges *edges;
    hd_map names; /* of states, for edges: where they are in `found` */
    hd_model_numbers found;
} tracer;

static bool ignore_fault(hd_model_visitor *v, hd_model_stepper *stepper)
{
    (void)v, (void)stepper;
    return true;
}

static void tracer_open(tracer *t, const hd_model_paths *in)
{
    t->visitor.fault = ignore_fault;
    t->store = in->store;
    t->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_model_stepper_open(&t->stepper, in->program, in->shapes, in->scheme);
    t->stepper.machine.unbounded = in->unbounded;
}

static void tracer_close(tracer *t)
{
    hd_model_stepper_close(&t->stepper);
    hd_release(&hd_heap, t->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
}

static void expand(tracer *t)
{
    const hd_model_shape *shape = hd_model_store_get(t->store, t->from, t->bytes, &t->base);
    t->stepper.stopped = false;
    hd_model_stepper_expand(&t->stepper, t->bytes, shape, &t->visitor);
}

/* The number of the stored state that the stepper has arrived at. False: it was not stored, because
 * the search ended early. */
static bool stored(tracer *t, hd_model_stepper *stepper, uint32_t *number)
{
    hd_model_packed p;
    return hd_model_store_pack(t->store, &stepper->machine, &t->base, t->from, &p)
        && hd_model_store_find(t->store, &p, number);
}

static bool follow(hd_model_visitor *v, hd_model_stepper *stepper)
{
    tracer *t = (tracer *)v;
    uint32_t number;
    if (!stored(t, stepper, &number) || number != t->to)
        return true;
    for (size_t i = 0; i < stepper->moves.count; i++)
        hd_vec_push(t->path, stepper->moves.items[i]);
    return false;
}

void hd_model_paths_find(const hd_model_paths *in, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_numbers chain = { 0 };
    tracer t = { .visitor.arrive = follow, .path = path };
    tracer_open(&t, in);
    /* From the finding back to the first state, then forward along the chain. */
    for (uint32_t n = f->state; n != HD_MODEL_NO_STATE; n = hd_model_store_parent(in->store, n))
        hd_vec_push(&chain, n);
    for (size_t i = chain.count; i-- > 1;) {
        t.from = chain.items[i];
        t.to = chain.items[i - 1];
        expand(&t);
    }
    for (size_t i = 0; i < f->move_count; i++)
        hd_vec_push(path, f->moves[i]);
    tracer_close(&t);
    hd_vec_fini(&chain);
}

/* Numbers in the store are addresses; drawings count states from 0. */
static uint32_t name_of(tracer *t, uint32_t number)
{
    uint64_t *name = hd_map_get(&t->names, number);
    if (name)
        return (uint32_t)*name;
    *hd_map_put(&t->names, number) = t->found.count;
    hd_vec_push(&t->found, number);
    return (uint32_t)t->found.count - 1;
}

static void report_edge(tracer *t, uint32_t to, const hd_model_moves *moves)
{
    uint32_t from = name_of(t, t->from);
    t->edges->edge(t->edges->context, from, name_of(t, to), moves->items, moves->count, moves->count);
}

static bool show_edge(hd_model_visitor *v, hd_model_stepper *stepper)
{
    tracer *t = (tracer *)v;
    uint32_t number;
    if (stored(t, stepper, &number))
        report_edge(t, number, &stepper->moves);
    return true;
}

void hd_model_paths_edges(const hd_model_paths *in, uint32_t first, const hd_model_edges *edges)
{
    tracer t = { .visitor.arrive = show_edge, .edges = edges };
    tracer_open(&t, in);
    hd_map_init(&t.names, &hd_heap);
    if (hd_model_store_count(in->store))
        name_of(&t, first);
    /* Breadth first from the first state; `found` grows meanwhile. */
    for (size_t i = 0; i < t.found.count; i++) {
        t.from = t.found.items[i];
        expand(&t);
    }
    hd_map_fini(&t.names);
    hd_vec_fini(&t.found);
    tracer_close(&t);
}

void hd_model_paths_load(const hd_model_paths *in, uint32_t state, hd_model_machine *m, uint8_t *bytes)
{
    hd_model_packed packed;
    hd_model_machine_open(m, in->program, in->shapes, in->scheme);
    hd_model_machine_load(m, bytes, hd_model_store_get(in->store, state, bytes, &packed));
}
