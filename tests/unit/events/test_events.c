/* The event structure, its trees and configurations, compared with the explorers' net (src/unfold). Both are fed with
 * all interleavings of small programs. They must have the same events, with the same causes and the same conflicts. */
#include "events/candidates.h"
#include "unfold/unfold.h"
#include "unit/suite/programs.h"
#include "unit/test.h"

enum { BYTES = 8, MOST_EVENTS = 4096 };

/* --- both models of a program ------------------------------------------------------------------------ */

typedef struct models {
    hd_unfolding *u;
    uint32_t objects[2][BYTES]; /* each byte of the two cells is an object of the net */
    uint32_t semaphores[2];
    uint32_t in_net[MOST_EVENTS]; /* per event: its number in the net */
} models;

static uint32_t add_access(const models *m, const hd_op *op, hd_unfold_access *out)
{
    uint32_t cell = (uint32_t)(op->object - 64) / 8, count = 0;
    uint8_t group = hd_kinds[op->kind].group;
    if (!hd_kind_is_memory(op->kind)) {
        out[count++] = (hd_unfold_access) { .object = m->semaphores[cell], .group = group };
        return count;
    }
    for (uint32_t i = 0; i < BYTES; i++)
        if (op->mask >> i & 1)
            out[count++] = (hd_unfold_access) { .object = m->objects[cell][i], .group = group };
    return count;
}

static void record_in_both(interleaving *i, const hd_execution *e)
{
    models *m = i->context;
    uint32_t count;
    hd_events_add(i->events, e);
    const uint32_t *events = hd_events_last(i->events, &count);
    CHECK_INT(count, e->log_count);
    hd_unfold_return(m->u, 0);
    for (uint16_t t = 1; t < i->program->threads; t++)
        hd_unfold_order(m->u, t, 0);
    for (uint32_t k = 0; k < count; k++) {
        hd_unfold_access accesses[BYTES];
        uint32_t accessed = add_access(m, &e->log[k], accesses);
        uint32_t event = hd_unfold_step(m->u, e->log[k].thread, accesses, accessed, 0, 0, 0);
        CHECK(!m->in_net[events[k]] || m->in_net[events[k]] == event);
        m->in_net[events[k]] = event;
    }
}

static void open_models(models *m, hd_net net)
{
    *m = (models) { .u = hd_unfold_open(net, &hd_heap) };
    for (int cell = 0; cell < 2; cell++) {
        m->semaphores[cell] = hd_unfold_add_object(m->u, 0);
        for (int i = 0; i < BYTES; i++)
            m->objects[cell][i] = hd_unfold_add_object(m->u, 0);
    }
}

/* Causes and conflicts of all pairs of events. */
static void compare(const models *m, const hd_trees *t)
{
    hd_configuration_space *space = hd_configuration_space_open(t);
    hd_configuration *cones = calloc(t->events.count + 1, sizeof *cones);
    for (uint32_t a = 0; a < t->events.count; a++)
        hd_configuration_of(space, a, &cones[a]);
    for (uint32_t a = 0; a < t->events.count; a++)
        for (uint32_t b = 0; b < t->events.count; b++) {
            CHECK(hd_configuration_has(t, &cones[b], a) == hd_unfold_precedes(m->u, m->in_net[a], m->in_net[b]));
            CHECK(hd_configurations_fit(space, &cones[a], &cones[b])
                == hd_unfold_compatible(m->u, m->in_net[a], m->in_net[b]));
        }
    for (uint32_t a = 0; a < t->events.count; a++)
        hd_vec_fini(&cones[a]);
    free(cones);
    hd_configuration_space_close(space);
}

static void compare_models(small_program *p, hd_net net)
{
    models m;
    hd_trees trees;
    open_models(&m, net);
    interleaving i = { .program = p, .run = record_in_both, .events = hd_events_open(net, &hd_heap), .context = &m };
    interleave(&i);
    hd_trees_init(&trees, i.events, hd_events_count(i.events));
    CHECK(hd_trees_is_valid(&trees));
    CHECK_INT(hd_events_count(i.events), hd_unfold_steps(m.u));
    compare(&m, &trees);
    hd_trees_fini(&trees);
    hd_events_close(i.events);
    hd_unfold_close(m.u);
}

/* With operations that commute with their like, the contextual net of unfold/ tells more events apart than the
 * definition (tests/unit/unfold/test_unfold.c). */
static bool has_semaphore(const small_program *p)
{
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = 0; i < p->steps[t]; i++)
            if (!hd_kind_is_memory(p->ops[t][i].kind))
                return true;
    return false;
}

TEST(the_explorers_net_has_the_same_events_causes_and_conflicts)
{
    hd_rng rng;
    hd_rng_seed(&rng, 1);
    for (int k = 0; k < 300; k++) {
        small_program p = random_program(&rng);
        compare_models(&p, HD_NET_REPLICATED);
        compare_models(&p, HD_NET_NAIVE);
        if (!has_semaphore(&p))
            compare_models(&p, HD_NET_CONTEXTUAL);
    }
}

/* --- pieces -------------------------------------------------------------------------------------------- */

static uint32_t pieces_of_last(hd_events *s, const uint32_t *order, uint32_t count, small_program *p)
{
    static const hd_outcome finished = { .kind = HD_FINISHED };
    hd_op log[MOST_LOG];
    uint32_t events;
    hd_event event = { 0 };
    for (uint32_t i = 0; i < count; i++)
        log[i] = p->ops[order[i]][0];
    hd_events_add(s, &(hd_execution) { .log = log, .log_count = count, .outcome = &finished });
    hd_events_read(s, hd_events_last(s, &events)[count - 1], &event);
    uint32_t pieces = (uint32_t)event.pieces.count;
    hd_event_fini(&event);
    return pieces;
}

TEST(bytes_with_the_same_causes_are_one_piece)
{
    small_program p = { 0 };
    add_step(&p, 0, HD_STORE, 64, 0x0f);
    add_step(&p, 1, HD_STORE, 64, 0xf0);
    add_step(&p, 2, HD_LOAD, 64, 0xff);
    hd_events *s = hd_events_open(HD_NET_REPLICATED, &hd_heap);
    CHECK_INT(pieces_of_last(s, (uint32_t[]) { 2 }, 1, &p), 1);
    CHECK_INT(pieces_of_last(s, (uint32_t[]) { 0, 2 }, 2, &p), 2);
    CHECK_INT(pieces_of_last(s, (uint32_t[]) { 0, 1, 2 }, 3, &p), 2);
    uint32_t before = hd_events_count(s);
    /* The two writes are independent: the other order has the same events. */
    CHECK_INT(pieces_of_last(s, (uint32_t[]) { 1, 0, 2 }, 3, &p), 2);
    CHECK_INT(hd_events_count(s), before);
    hd_events_close(s);
}

/* --- validity -------------------------------------------------------------------------------------------- */

TEST(trees_with_a_wrong_field_are_not_valid)
{
    small_program p = { 0 };
    hd_trees t;
    add_step(&p, 0, HD_STORE, 64, 0xff);
    add_step(&p, 0, HD_STORE, 64, 0xff);
    add_step(&p, 1, HD_LOAD, 64, 0xff);
    hd_events *s = record_all(&p, HD_NET_CONTEXTUAL);
    hd_trees_init(&t, s, hd_events_count(s));
    CHECK(hd_trees_is_valid(&t));
    uint32_t last = 0, context = 0;
    while (t.events.items[last].cause_count == 0)
        last++;
    while (t.contexts.items[context].use == HD_NO_USE)
        context++;
    CHECK_NOTICED(hd_trees_is_valid(&t), t.events.items[last].use_count, 0);
    CHECK_NOTICED(hd_trees_is_valid(&t), t.causes.items[t.events.items[last].cause], (uint32_t)t.events.count);
    CHECK_NOTICED(hd_trees_is_valid(&t), t.uses.items[0].event, 1);
    CHECK_NOTICED(hd_trees_is_valid(&t), t.uses.items[t.events.items[last].use].enter, UINT32_MAX);
    CHECK_NOTICED(hd_trees_is_valid(&t), t.contexts.items[context].place, t.contexts.items[context].place + 1);
    hd_trees_fini(&t);
    hd_events_close(s);
}
