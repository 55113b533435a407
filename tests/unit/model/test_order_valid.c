/* hd_model_order_is_valid notices a wrong field of each kind. An order is opaque; this test is the only one that looks
 * inside. */
#include "model/order.c"

#include "unit/model/programs.h"

#include <stdlib.h>

#define VALID hd_model_order_is_valid(&layout, o, m)
#define CHECK_ORDER(field, wrong) CHECK_NOTICED(VALID, o->field, wrong)

/* Messages 11 to 14 of one sender and 21 to 24 of another wait in a port; 11 and 12 come before 24. */
TEST(validity_notices_what_is_wrong_with_an_order)
{
    hd_promela_program *p = program_of(figure_2_7, NULL);
    hd_model_shapes shapes;
    hd_model_system system;
    hd_model_order_layout layout;
    hd_error error;
    hd_model_stepper s;
    hd_model_shapes_init(&shapes, p, true);
    CHECK(hd_model_system_open(&system, p, &shapes, HD_MODEL_SCHEME_FIFO, &error));
    hd_model_order_layout_init(&layout, &system);
    hd_model_order *o = malloc(layout.size);
    hd_model_order_init(&layout, o, false);
    hd_model_stepper_open(&s, p, &shapes, HD_MODEL_SCHEME_FIFO);
    hd_model_machine *m = &s.machine;
    hd_model_machine_load(m, system.start, system.shape);
    static const int pids[] = { 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
    for (int i = 0; i < 10; i++) {
        CHECK(VALID);
        step(&layout, &s, o, pids[i]);
    }
    CHECK(VALID);
    uint32_t racy_slots = layout.first[1];
    slot *first = &o->slots[racy_slots], *second = first + 1, *last = first + 7;
    /* The messages of port 2 are in slots, those of port 1 are gone. */
    CHECK_ORDER(slots[0].id, 9);
    CHECK_ORDER(slots[0].before, 1);
    CHECK_ORDER(slots[racy_slots + 8].before, bit(first->id));
    CHECK_NOTICED(VALID, first->id, NO_ID);
    CHECK_NOTICED(VALID, first->id, second->id);
    CHECK_NOTICED(VALID, first->id, 64);
    CHECK_ORDER(ids, o->ids | 1ull << 63);
    CHECK_ORDER(ids, o->ids & ~bit(last->id));
    /* A message that is not there, a message before itself, a relation that is not transitive. */
    CHECK_NOTICED(VALID, first->before, 1ull << 63);
    CHECK_NOTICED(VALID, first->before, bit(first->id));
    CHECK_NOTICED(VALID, last->before, last->before & ~bit(first->id));
    CHECK_ORDER(past[0], o->past[0] & ~bit(first->id));
    CHECK_ORDER(past[1], o->past[1] | 1ull << 63);
    CHECK_ORDER(port_past[1], bit(second->id));
    CHECK_ORDER(port_past[0], 1ull << 63);
    /* Messages without a slot, and slots without a message. */
    const hd_promela_channel *type;
    uint8_t *other = hd_model_machine_channel(m, 1, &type), *port = hd_model_machine_channel(m, 2, &type);
    CHECK_NOTICED(VALID, other[1], 3);
    CHECK_NOTICED(VALID, port[1], 9);
    CHECK_NOTICED(VALID, port[1], 7);
    /* Transitive, but the second message of a sender may overtake the first. */
    o->past[0] = o->past[1] = 0;
    for (int i = 2; i < 8; i++)
        first[i].before = 0;
    CHECK(!VALID);
    hd_model_stepper_close(&s);
    free(o);
    hd_model_system_close(&system);
    hd_model_shapes_fini(&shapes);
    hd_promela_program_close(p);
}
