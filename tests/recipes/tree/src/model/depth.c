/* Every reachable state, depth first. */
#include "model/paths.h"
#include "model/search.h"

typedef struct depth {
    hd_model_visitor visitor; /* first: the visitor is the search */
    hd_model_setup setup;
    hd_model_shapes shapes;
    hd_model_store *store;
    hd_model_stepper stepper;
    hd_vec(uint32_t) open;
    hd_model_packed base; /* the state being expanded */
    uint32_t current;
    uint8_t *bytes;
    hd_model_result result;
} depth;

static void add_finding(depth *d, hd_model_finding f, const hd_model_moves *moves)
{
    hd_model_findings_add(&d->result.findings, d->result.counts, d->setup.limits.most_findings, f, moves);
}

static bool arrive(hd_model_visitor *v, hd_model_stepper *s)
{
    depth *d = (depth *)v;
    uint32_t number;
    d->result.edges++;
    if (s->machine.failed_assertion)
        add_finding(d,
            (hd_model_finding) {
                .kind = HD_MODEL_FINDING_ASSERTION, .line = s->machine.failed_assertion, .state = d->current },
            &s->moves);
    hd_model_put put = hd_model_store_put(d->store, &s->machine, &d->base, d->current, &number);
    if (put == HD_MODEL_PUT_NEW)
        hd_vec_push(&d->open, number);
    else if (put != HD_MODEL_PUT_OLD)
        d->result.bound = HD_MODEL_BOUND_ROOM;
    return d->result.bound == HD_MODEL_BOUND_NONE;
}

static bool note_fault(hd_model_visitor *v, hd_model_stepper *s)
{
    depth *d = (depth *)v;
    hd_model_fault fault = s->machine.fault;
    add_finding(d,
        (hd_model_finding) { .kind = HD_MODEL_FINDING_FAULT, .fault = fault, .line = fault.line, .state = d->current },
        &s->moves);
    return true;
}

static void *depth_open(const hd_model_setup *setup, hd_error *error)
{
    (void)error;
    depth *d = hd_alloc(&hd_heap, sizeof *d);
    *d = (depth) { .visitor = { arrive, note_fault }, .setup = *setup, .result.kept_as = setup->scheme };
    hd_model_shapes_init(&d->shapes, setup->program, setup->scheme != HD_MODEL_SCHEME_CAUSAL);
    d->store = hd_model_store_open(&d->shapes, true, false);
    d->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_model_stepper_open(&d->stepper, setup->program, &d->shapes, setup->scheme);
    d->stepper.machine.unbounded = setup->unbounded;
    d->stepper.machine.bytes = d->bytes;
    return d;
}

static void depth_run(void *self, const hd_model_edges *edges)
{
    (void)edges;
    depth *d = self;
    uint32_t first;
    double started = hd_now();
    hd_model_machine_start(&d->stepper.machine);
    hd_model_store_put(d->store, &d->stepper.machine, NULL, HD_MODEL_NO_STATE, &first);
    hd_vec_push(&d->open, first);
    while (d->open.count && d->result.bound == HD_MODEL_BOUND_NONE) {
        hd_model_finding f = { .state = d->current = hd_vec_pop(&d->open) };
        const hd_model_shape *shape = hd_model_store_get(d->store, d->current, d->bytes, &d->base);
        if (!hd_model_stepper_expand(&d->stepper, d->bytes, shape, &d->visitor)
            && hd_model_end_is_finding(&d->stepper, d->bytes, shape, &d->setup.limits, &f.kind))
            add_finding(d, f, NULL);
        if (d->result.bound == HD_MODEL_BOUND_NONE)
            d->result.bound = hd_model_limits_reached(&d->setup.limits, hd_model_store_count(d->store), 0);
    }
    d->result.states = hd_model_store_count(d->store);
    d->result.seconds = hd_now() - started;
}

static const hd_model_result *depth_result(void *self)
{
    return &((depth *)self)->result;
}

static hd_model_paths paths_of(depth *d)
{
    return (hd_model_paths) { d->setup.program, &d->shapes, d->setup.scheme, d->setup.unbounded, d->store };
}

static void depth_path(void *self, const hd_model_finding *f, hd_model_moves *path)
{
    hd_model_paths paths = paths_of(self);
    hd_model_paths_find(&paths, f, path);
}

static void depth_load(void *self, uint32_t state, hd_model_machine *m, uint8_t *bytes)
{
    hd_model_paths paths = paths_of(self);
    hd_model_paths_load(&paths, state, m, bytes);
}

static void depth_close(void *self)
{
    depth *d = self;
    hd_model_result_fini(&d->result);
    hd_model_stepper_close(&d->stepper);
    hd_model_store_close(d->store);
    hd_model_shapes_fini(&d->shapes);
    hd_vec_fini(&d->open);
    hd_release(&hd_heap, d->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_release(&hd_heap, d, sizeof *d);
}

const hd_model_search hd_model_search_depth = { .name = "depth",
    .has_trails = true,
    .open = depth_open,
    .run = depth_run,
    .result = depth_result,
    .path = depth_path,
    .load = depth_load,
    .close = depth_close };
