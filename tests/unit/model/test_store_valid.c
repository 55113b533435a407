/* The validity functions of the store notice a wrong field of each kind. The store is opaque; this test is the only one
 * that looks inside. */
#include "model/store.c"

#include "unit/model/programs.h"

#define CHECK_STORE(field, wrong) CHECK_NOTICED(hd_model_store_is_valid(s), field, wrong)
#define CHECK_PACKED(field, wrong) CHECK_NOTICED(hd_model_packed_is_valid(s, p), p->field, wrong)

enum { STATES = 300 };

typedef struct stored {
    hd_promela_program *program;
    hd_model_shapes shapes;
    hd_model_machine machine;
    hd_model_store *store;
    uint8_t *bytes;
    hd_model_packed last;
} stored;

/* States that differ in a global; each but the first has the one before as its parent. */
static void fill(stored *x)
{
    uint32_t parent = HD_MODEL_NO_STATE;
    x->program = program_of("short x; byte y; active proctype P() { x = 1; y = 1 } active proctype Q() { skip }", NULL);
    hd_model_shapes_init(&x->shapes, x->program, false);
    hd_model_machine_open(&x->machine, x->program, &x->shapes, HD_MODEL_SCHEME_CAUSAL);
    x->store = hd_model_store_open(&x->shapes, false, false);
    x->machine.bytes = x->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    CHECK(hd_model_machine_start(&x->machine));
    for (int i = 0; i < STATES; i++) {
        memcpy(x->bytes + x->machine.shape->offsets[0], &(uint16_t) { (uint16_t)i }, 2);
        CHECK(hd_model_store_pack(x->store, &x->machine, NULL, parent, &x->last));
        CHECK_INT(hd_model_store_commit(x->store, &x->last, &parent), HD_MODEL_PUT_NEW);
        CHECK_INT(hd_model_store_commit(x->store, &x->last, &parent), HD_MODEL_PUT_OLD);
    }
}

static void empty(stored *x)
{
    hd_model_store_close(x->store);
    hd_model_shapes_fini(&x->shapes);
    hd_promela_program_close(x->program);
    hd_release(&hd_heap, x->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
}

static uint32_t first_slot(const hd_model_records *h)
{
    uint32_t i = 0;
    while (!h->slots[i])
        i++;
    return i;
}

static void break_records(const hd_model_store *s, hd_model_records *h)
{
    uint32_t *taken = (uint32_t *)(void *)h->chunks[0][0], *slot = &h->slots[first_slot(h)];
    CHECK_STORE(h->count, h->count - 1);
    CHECK_STORE(h->count, h->count + 1);
    CHECK_STORE(h->used, h->used + 1);
    CHECK_STORE(*taken, *taken - 1);
    CHECK_STORE(*slot, 0);
    CHECK_STORE(*slot, *slot ^ 1u << HD_MODEL_OFFSET_BITS);
    CHECK_STORE(*slot, *slot + 1);
    /* Fuller than three quarters: searches would be long, and might not end. */
    CHECK_STORE(h->room, h->count + h->count / 4);
    uint32_t unused = 0;
    while (h->slots[unused])
        unused++;
    CHECK_STORE(h->slots[unused], *slot);
}

TEST(validity_notices_what_is_wrong_with_records)
{
    stored x;
    fill(&x);
    for (int i = 0; i < HD_MODEL_SHARDS; i++) {
        break_records(x.store, &x.store->states[i]);
        break_records(x.store, &x.store->components[i].records);
    }
    empty(&x);
}

/* The offset of a component of the shard that has bytes. */
static uint32_t a_component(const components *shard)
{
    component c;
    for (uint32_t i = 0;; i++) {
        memcpy(&c, hd_model_record_at(&shard->records, offset_of(shard, i)), sizeof c);
        if (c.size)
            return offset_of(shard, i);
    }
}

static void break_component(const hd_model_store *s, components *shard)
{
    component *c = (component *)(void *)hd_model_record_at(&shard->records, a_component(shard));
    uint8_t *last = (uint8_t *)c + sizeof *c + c->size - 1;
    CHECK_STORE(c->number, c->number ^ 1);
    CHECK_STORE(c->number, c->number + HD_MODEL_SHARDS);
    CHECK_STORE(c->number, shard->records.count << HD_MODEL_SHARD_BITS | (c->number & (HD_MODEL_SHARDS - 1)));
    CHECK_STORE(*last, (uint8_t)(*last + 1));
    CHECK_STORE(shard->pages[0][0][c->number >> HD_MODEL_SHARD_BITS], 1 + (uint32_t)(c->number < HD_MODEL_SHARDS) * 2);
}

static void break_state(const hd_model_store *s, hd_model_records *h)
{
    uint8_t *record = hd_model_record_at(h, 1);
    uint32_t *parent = (uint32_t *)(void *)record;
    uint16_t *number = (uint16_t *)(void *)(record + NUMBERS);
    CHECK_STORE(*parent, 5);
    CHECK_STORE(*parent, 0x7fffffff);
    CHECK_STORE(*number, (uint16_t)(*number + HD_MODEL_SHARDS));
    CHECK_STORE(*number, 0xffff);
}

TEST(validity_notices_what_is_wrong_with_components_and_states)
{
    stored x;
    fill(&x);
    for (int i = 0; i < HD_MODEL_SHARDS; i++) {
        break_component(x.store, &x.store->components[i]);
        break_state(x.store, &x.store->states[i]);
    }
    empty(&x);
}

/* A record that is added under its hash although there is one with the same content. */
static void add_twice(hd_model_store *s, hd_model_records *h, uint32_t offset, hd_model_record_hash *hash_of)
{
    uint32_t size;
    uint64_t hash = hash_of(s, hd_model_record_at(h, offset), &size);
    uint32_t twin = hd_model_records_add(h, hash, size, hash_of, s);
    memcpy(hd_model_record_at(h, twin), hd_model_record_at(h, offset), size);
}

TEST(validity_notices_a_state_that_is_stored_twice)
{
    stored x;
    fill(&x);
    CHECK(hd_model_store_is_valid(x.store));
    add_twice(x.store, &x.store->states[3], 1, state_hash);
    CHECK(!hd_model_store_is_valid(x.store));
    empty(&x);
}

TEST(validity_notices_a_component_that_is_stored_twice)
{
    stored x;
    fill(&x);
    components *shard = &x.store->components[3];
    add_twice(x.store, &shard->records, 1, component_hash);
    uint32_t index = shard->records.count - 1, twin = shard->records.used - 3;
    component *c = (component *)(void *)hd_model_record_at(&shard->records, twin);
    c->number = index << HD_MODEL_SHARD_BITS | 3;
    keep_offset(shard, index, twin);
    CHECK(!hd_model_store_is_valid(x.store));
    empty(&x);
}

TEST(validity_notices_trailing_zeros_and_large_numbers)
{
    stored x;
    fill(&x);
    CHECK(hd_model_store_is_valid(x.store));
    number_of(x.store, (const uint8_t[]) { 1, 1, 1, 1 }, 4);
    CHECK(hd_model_store_is_valid(x.store));
    number_of(x.store, (const uint8_t[]) { 1, 1, 1, 1, 0 }, 5);
    CHECK(!hd_model_store_is_valid(x.store));
    empty(&x);
    fill(&x);
    /* Wide numbers in a narrow store. */
    x.store->wide = true;
    for (uint32_t i = 0x01000000; x.store->components[0].records.count <= (0xffff >> HD_MODEL_SHARD_BITS) + 1; i++)
        number_of(x.store, (const uint8_t *)&i, sizeof i);
    x.store->wide = false;
    CHECK(!hd_model_store_is_valid(x.store));
    empty(&x);
}

TEST(validity_notices_what_is_wrong_with_a_packed_state)
{
    stored x;
    fill(&x);
    const hd_model_store *s = x.store;
    hd_model_packed *p = &x.last;
    const hd_model_shape *shape = p->shape;
    CHECK_PACKED(hash, p->hash ^ 1);
    CHECK_PACKED(size, p->size + 2);
    CHECK_PACKED(record[NUMBERS], p->record[NUMBERS] ^ 1);
    CHECK_PACKED(record[SHAPE], p->record[SHAPE] ^ 1);
    CHECK(hd_model_packed_is_valid(s, p));
    p->shape = shape->parent;
    CHECK(!hd_model_packed_is_valid(s, p));
    p->shape = shape;
    /* A component that is not stored, with the right hash. */
    p->hash ^= mix(0, get_number(s, p->record, 0)) ^ mix(0, 0xfff0);
    set_number(s, p->record, 0, 0xfff0);
    CHECK(!hd_model_packed_is_valid(s, p));
    empty(&x);
}

TEST(validity_notices_changes_that_lead_nowhere)
{
    stored x;
    fill(&x);
    const hd_model_shape *shape = x.last.shape;
    uint32_t all = shape->components, number = get_number(x.store, x.last.record, 0);
    hd_model_change c[] = { { 0, number }, { 1, number }, { 2, number } };
    CHECK_INT(all, 3);
#define VALID(kept, count) hd_model_changes_are_valid(x.store, shape->index, kept, c, count)
    CHECK(VALID(3, 0) && VALID(3, 2) && VALID(0, 3) && VALID(1, 3));
    CHECK(!VALID(4, 3) && !VALID(2, 0) && !VALID(2, 2));
    CHECK(!hd_model_changes_are_valid(x.store, (uint32_t)x.shapes.count, 0, c, 3));
    CHECK_NOTICED(VALID(3, 2), c[1].component, 0);
    CHECK_NOTICED(VALID(3, 2), c[1].component, 3);
    CHECK_NOTICED(VALID(3, 2), c[0].number, 0xfff0);
#undef VALID
    empty(&x);
}
