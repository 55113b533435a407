#include "model/store.h"

#include "abi/valid.h"
#include "model/records.h"

#include <string.h>

enum { FAN = 128, PAGE = 4096, MOST_PAGES = FAN * FAN };

/* One shard of the components, with their offsets by number. */
typedef struct components {
    hd_model_records records;
    uint32_t **pages[FAN];
} components;

struct hd_model_store {
    hd_model_shapes *shapes;
    bool wide, shared;
    hd_model_records states[HD_MODEL_SHARDS];
    components components[HD_MODEL_SHARDS];
};

/* The shard comes from the top bits; the index inside a shard uses the lower 32 and the tag some of
 * the others (records.h), so they stay independent. */
static inline uint32_t shard_of(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - HD_MODEL_SHARD_BITS));
}

static inline void lock(const hd_model_store *s, hd_model_records *h)
{
    if (s->shared)
        hd_model_records_lock(h);
}

static inline void unlock(const hd_model_store *s, hd_model_records *h)
{
    if (s->shared)
        hd_model_records_unlock(h);
}

/* --- components --------------------------------------------------------------------------------- */

/* A component's record: this, then its bytes. */
typedef struct component {
    uint32_t number;
    uint16_t size;
} component;

/* Eight bytes at a time: components are short, and this runs for each one that a step changes. The
 * size is part of the hash, since trailing zeros are trimmed. */
static inline uint64_t hash_bytes(const uint8_t *bytes, uint32_t size)
{
    uint64_t hash = size * 0x9e3779b97f4a7c15u, word;
    for (; size >= 8; size -= 8, bytes += 8) {
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, bytes, size);
    hash = (hash ^ word) * 0xd6e8feb86659fd93u;
    return hash ^ (hash >> 29);
}

/* For rebuilding an index: the number is not part of the content. */
static uint64_t component_hash(const void *store, const uint8_t *record, uint32_t *size)
{
    (void)store;
    component c;
    memcpy(&c, record, sizeof c);
    *size = (uint32_t)sizeof c + c.size;
    return hash_bytes(record + sizeof c, c.size);
}

static const uint8_t *find_component(const hd_model_records *h, uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    uint32_t offset;
    for (uint32_t i = hd_model_records_first(h, hash);
         (offset = hd_model_records_next(h, hash, &i)) != HD_MODEL_NO_RECORD;) {
        const uint8_t *record = hd_model_record_at(h, offset);
        component c;
        memcpy(&c, record, sizeof c);
        /* Equal hashes prove nothing: no state is ever lost to a collision. */
        if (c.size == size && !memcmp(record + sizeof c, bytes, size))
            return record;
    }
    return NULL;
}

/* Two levels of pages: numbers are dense, and few components need little room. Pages never move, so
 * readers need no lock. */
static void keep_offset(components *c, uint32_t index, uint32_t offset)
{
    uint32_t page = index / PAGE;
    if (!c->pages[page / FAN])
        c->pages[page / FAN] = hd_alloc(&hd_heap, FAN * sizeof **c->pages);
    if (!c->pages[page / FAN][page % FAN])
        c->pages[page / FAN][page % FAN] = hd_alloc(&hd_heap, PAGE * sizeof ***c->pages);
    c->pages[page / FAN][page % FAN][index % PAGE] = offset;
}

/* A component's number is its index within its shard, and the shard: numbers are nearly dense. */
static uint32_t add_component(hd_model_store *s, uint32_t index, uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    hd_model_records *h = &s->components[index].records;
    uint32_t number = h->count << HD_MODEL_SHARD_BITS | index;
    /* Narrow numbers are exhausted: the search restarts with wide ones. */
    if ((!s->wide && number > 0xffff) || h->count == PAGE * MOST_PAGES)
        return HD_MODEL_NO_STATE;
    uint32_t offset = hd_model_records_add(h, hash, (uint32_t)sizeof(component) + size, component_hash, s);
    if (offset == HD_MODEL_NO_RECORD)
        return HD_MODEL_NO_STATE;
    component c = { number, (uint16_t)size };
    memcpy(hd_model_record_at(h, offset), &c, sizeof c);
    memcpy(hd_model_record_at(h, offset) + sizeof c, bytes, size);
    keep_offset(&s->components[index], number >> HD_MODEL_SHARD_BITS, offset);
    return number;
}

/* The number of a component, which is added if it is new. The lock also covers the look-up: another
 * worker may be rebuilding the index. */
static uint32_t number_of(hd_model_store *s, const uint8_t *bytes, uint32_t size)
{
    uint64_t hash = hash_bytes(bytes, size);
    uint32_t index = shard_of(hash), number;
    hd_model_records *h = &s->components[index].records;
    lock(s, h);
    const uint8_t *found = find_component(h, hash, bytes, size);
    if (found)
        memcpy(&number, found, sizeof number);
    else
        number = add_component(s, index, hash, bytes, size);
    unlock(s, h);
    return number;
}

/* Trailing zeros, mostly the unused room of a channel, are not stored. */
static uint32_t trimmed(const uint8_t *bytes, uint32_t size)
{
    while (size > 0 && bytes[size - 1] == 0)
        size--;
    return size;
}

static inline uint32_t offset_of(const components *shard, uint32_t index)
{
    uint32_t page = index / PAGE;
    return shard->pages[page / FAN][page % FAN][index % PAGE];
}

static void read_component(const hd_model_store *s, uint32_t number, uint8_t *into, uint32_t size)
{
    const components *shard = &s->components[number & (HD_MODEL_SHARDS - 1)];
    const uint8_t *record = hd_model_record_at(&shard->records, offset_of(shard, number >> HD_MODEL_SHARD_BITS));
    component c;
    memcpy(&c, record, sizeof c);
    memcpy(into, record + sizeof c, c.size);
    /* The trimmed zeros come back. */
    memset(into + c.size, 0, size - c.size);
}

/* --- packed states -------------------------------------------------------------------------------- */

/* A record: parent, shape, the components' numbers. */
enum { PARENT = 0, SHAPE = 4, NUMBERS = 6 };

/* The contribution of one component to a state's hash (Zobrist hashing, with a mixing function
 * instead of a table of random numbers). */
static inline uint64_t mix(uint32_t component_index, uint32_t number)
{
    uint64_t x = ((uint64_t)component_index << 32 | number) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 29);
}

/* No component has this index, so shapes and components contribute independently. */
static uint64_t shape_seed(const hd_model_shape *shape)
{
    return mix(0xffff, shape->index);
}

static inline uint32_t width(const hd_model_store *s)
{
    return s->wide ? 4 : 2;
}

static inline uint32_t get_number(const hd_model_store *s, const uint8_t *record, uint32_t i)
{
    uint16_t narrow;
    uint32_t wide;
    if (s->wide) {
        memcpy(&wide, record + NUMBERS + i * 4, 4);
        return wide;
    }
    memcpy(&narrow, record + NUMBERS + i * 2, 2);
    return narrow;
}

static inline void set_number(const hd_model_store *s, uint8_t *record, uint32_t i, uint32_t number)
{
    uint16_t narrow = (uint16_t)number;
    if (s->wide)
        memcpy(record + NUMBERS + i * 4, &number, 4);
    else
        memcpy(record + NUMBERS + i * 2, &narrow, 2);
}

uint32_t hd_model_store_component(const hd_model_store *s, const hd_model_packed *p, uint32_t component)
{
    return get_number(s, p->record, component);
}

static const hd_model_shape *record_shape(const hd_model_shapes *shapes, const uint8_t *record)
{
    uint16_t index;
    memcpy(&index, record + SHAPE, 2);
    return shapes->all[index];
}

const hd_model_shape *hd_model_store_shape(const hd_model_shapes *shapes, const hd_model_packed *p)
{
    return record_shape(shapes, p->record);
}

/* The contribution of the shape and the first `count` components to the hash. */
static uint64_t hash_numbers(
    const hd_model_store *s, const hd_model_shape *shape, const uint8_t *record, uint32_t count)
{
    uint64_t hash = shape_seed(shape);
    for (uint32_t i = 0; i < count; i++)
        hash ^= mix(i, get_number(s, record, i));
    return hash;
}

/* For rebuilding an index, and for reading: hashes are not stored. */
static uint64_t state_hash(const void *store, const uint8_t *record, uint32_t *size)
{
    const hd_model_store *s = store;
    const hd_model_shape *shape = record_shape(s->shapes, record);
    *size = NUMBERS + shape->components * width(s);
    return hash_numbers(s, shape, record, shape->components);
}

/* A packed state of this shape, with the first `kept` components of `base`; those after them are not set. */
static void start_from(const hd_model_store *s, const hd_model_packed *base, uint32_t parent,
    const hd_model_shape *shape, uint32_t kept, hd_model_packed *p)
{
    p->shape = shape;
    p->size = NUMBERS + shape->components * width(s);
    memcpy(p->record + PARENT, &parent, 4);
    memcpy(p->record + SHAPE, &shape->index, 2);
    if (kept)
        memcpy(p->record + NUMBERS, base->record + NUMBERS, kept * width(s));
    /* The same components in the same shape: the hash is known, and replacing some of them updates
     * it. */
    bool same_shape = kept == shape->components && base->shape == shape;
    p->hash = same_shape ? base->hash : hash_numbers(s, shape, p->record, kept);
}

/* Looks up the i-th component of the machine's state and adds its contribution to the hash. */
static bool renumber(hd_model_store *s, const hd_model_machine *m, uint32_t i, hd_model_packed *p)
{
    const uint8_t *bytes = m->bytes + m->shape->offsets[i];
    uint32_t number = number_of(s, bytes, trimmed(bytes, m->shape->offsets[i + 1] - m->shape->offsets[i]));
    if (number == HD_MODEL_NO_STATE)
        return false;
    set_number(s, p->record, i, number);
    p->hash ^= mix(i, number);
    return true;
}

static bool renumber_changed(hd_model_store *s, const hd_model_machine *m, uint32_t kept, hd_model_packed *p)
{
    for (uint32_t word = 0; word <= kept / 64; word++)
        for (uint64_t bits = m->changed[word]; bits; bits &= bits - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (i >= kept)
                return true;
            /* Replacing a component: its old contribution is removed from the hash, the new one added. */
            p->hash ^= mix(i, get_number(s, p->record, i));
            if (!renumber(s, m, i, p))
                return false;
        }
    return true;
}

bool hd_model_store_pack(
    hd_model_store *s, const hd_model_machine *m, const hd_model_packed *base, uint32_t parent, hd_model_packed *p)
{
    uint32_t kept = base ? m->kept : 0;
    start_from(s, base, parent, m->shape, kept, p);
    if (!renumber_changed(s, m, kept, p))
        return false;
    /* Components that the base does not have: all of them if there is no base. */
    for (uint32_t i = kept; i < m->shape->components; i++)
        if (!renumber(s, m, i, p))
            return false;
    return true;
}

void hd_model_store_patch(hd_model_store *s, const hd_model_packed *base, uint32_t parent,
    const hd_model_change *changes, uint32_t count, uint64_t flip, hd_model_packed *p)
{
    memcpy(p->record, base->record, base->size);
    memcpy(p->record + PARENT, &parent, 4);
    p->shape = base->shape;
    p->size = base->size;
    p->hash = base->hash ^ flip;
    for (uint32_t i = 0; i < count; i++)
        set_number(s, p->record, changes[i].component, changes[i].number);
}

void hd_model_store_reshape(hd_model_store *s, const hd_model_packed *base, uint32_t parent,
    const hd_model_shape *shape, uint32_t kept, const hd_model_change *changes, uint32_t count, hd_model_packed *p)
{
    start_from(s, base, parent, shape, kept, p);
    for (uint32_t i = 0; i < count; i++)
        set_number(s, p->record, changes[i].component, changes[i].number);
    p->hash = hash_numbers(s, shape, p->record, shape->components);
}

void hd_model_store_unpack(const hd_model_store *s, const hd_model_packed *p, uint8_t *bytes)
{
    const uint32_t *offsets = p->shape->offsets;
    for (uint32_t i = 0; i < p->shape->components; i++)
        read_component(s, get_number(s, p->record, i), bytes + offsets[i], offsets[i + 1] - offsets[i]);
}

/* --- stored states ----------------------------------------------------------------------------------- */

/* memcmp for short, even sizes, inline. The parent is not compared: it is not part of the state. */
static inline bool same(const uint8_t *a, const uint8_t *b, uint32_t size)
{
    uint64_t x, y;
    for (; size >= 8; size -= 8, a += 8, b += 8) {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y)
            return false;
    }
    uint16_t u, v;
    for (; size >= 2; size -= 2, a += 2, b += 2) {
        memcpy(&u, a, 2);
        memcpy(&v, b, 2);
        if (u != v)
            return false;
    }
    return true;
}

/* States are equal iff shape and components' numbers are, because equal components have equal
 * numbers. */
static uint32_t find_state(const hd_model_records *h, const hd_model_packed *p)
{
    uint32_t offset;
    for (uint32_t i = hd_model_records_first(h, p->hash);
         (offset = hd_model_records_next(h, p->hash, &i)) != HD_MODEL_NO_RECORD;)
        if (same(hd_model_record_at(h, offset) + SHAPE, p->record + SHAPE, p->size - SHAPE))
            return offset;
    return HD_MODEL_NO_RECORD;
}

_Static_assert((int)HD_MODEL_STORE_OWNERS == (int)HD_MODEL_SHARDS, "a shard has one owner");

int hd_model_store_owner(const hd_model_packed *p, int owners)
{
    return (int)(shard_of(p->hash) * (uint32_t)owners / HD_MODEL_SHARDS);
}

void hd_model_store_expect(const hd_model_store *s, const hd_model_packed *p)
{
    hd_model_records_prefetch(&s->states[shard_of(p->hash)], p->hash);
}

/* In comparisons: some for each record of both tables. */
static uint64_t cost_of_check(const hd_model_store *s)
{
    uint64_t records = 0;
    for (int i = 0; i < HD_MODEL_SHARDS; i++)
        records += s->states[i].count + s->components[i].records.count;
    return 16 * records;
}

hd_model_put hd_model_store_commit(hd_model_store *s, const hd_model_packed *p, uint32_t *number)
{
    uint32_t index = shard_of(p->hash);
    hd_check_valid(hd_model_packed_is_valid(s, p), p->shape->components, 0);
    /* No lock: only the owner of the shard comes here. */
    hd_model_records *h = &s->states[index];
    hd_model_put result = HD_MODEL_PUT_OLD;
    uint32_t offset = find_state(h, p);
    if (offset == HD_MODEL_NO_RECORD) {
        offset = hd_model_records_add(h, p->hash, p->size, state_hash, s);
        result = offset == HD_MODEL_NO_RECORD ? HD_MODEL_PUT_FULL : HD_MODEL_PUT_NEW;
        if (offset != HD_MODEL_NO_RECORD)
            memcpy(hd_model_record_at(h, offset), p->record, p->size);
        /* Other searchers change a shared store meanwhile. */
        hd_check_valid(s->shared || hd_model_store_is_valid(s), cost_of_check(s), hd_model_store_count(s));
    }
    /* Offset and shard together: the number says where the record is. */
    *number = offset << HD_MODEL_SHARD_BITS | index;
    return result;
}

bool hd_model_store_find(hd_model_store *s, const hd_model_packed *p, uint32_t *number)
{
    uint32_t offset = find_state(&s->states[shard_of(p->hash)], p);
    *number = offset << HD_MODEL_SHARD_BITS | shard_of(p->hash);
    return offset != HD_MODEL_NO_RECORD;
}

hd_model_put hd_model_store_put(
    hd_model_store *s, const hd_model_machine *m, const hd_model_packed *base, uint32_t parent, uint32_t *number)
{
    hd_model_packed p;
    return hd_model_store_pack(s, m, base, parent, &p) ? hd_model_store_commit(s, &p, number) : HD_MODEL_PUT_OVERFLOW;
}

static uint8_t *record_of(hd_model_store *s, uint32_t number)
{
    return hd_model_record_at(&s->states[number & (HD_MODEL_SHARDS - 1)], number >> HD_MODEL_SHARD_BITS);
}

void hd_model_store_read(hd_model_store *s, uint32_t number, hd_model_packed *p)
{
    const uint8_t *record = record_of(s, number);
    p->shape = record_shape(s->shapes, record);
    p->hash = state_hash(s, record, &p->size);
    memcpy(p->record, record, p->size);
}

const hd_model_shape *hd_model_store_get(hd_model_store *s, uint32_t number, uint8_t *bytes, hd_model_packed *p)
{
    hd_model_store_read(s, number, p);
    hd_model_store_unpack(s, p, bytes);
    return p->shape;
}

uint32_t hd_model_store_parent(hd_model_store *s, uint32_t number)
{
    uint32_t parent;
    memcpy(&parent, record_of(s, number) + PARENT, 4);
    return parent;
}

/* --- the store ------------------------------------------------------------------------------------------- */

hd_model_store *hd_model_store_open(hd_model_shapes *shapes, bool wide, bool shared)
{
    hd_model_store *s = hd_alloc(&hd_heap, sizeof *s);
    s->shapes = shapes;
    s->wide = wide;
    s->shared = shared;
    return s;
}

static void pages_close(components *c)
{
    for (int i = 0; i < FAN; i++) {
        for (int k = 0; c->pages[i] && k < FAN; k++)
            hd_release(&hd_heap, c->pages[i][k], PAGE * sizeof ***c->pages);
        hd_release(&hd_heap, c->pages[i], FAN * sizeof **c->pages);
    }
}

void hd_model_store_close(hd_model_store *s)
{
    for (int i = 0; i < HD_MODEL_SHARDS; i++) {
        hd_model_records_close(&s->states[i]);
        hd_model_records_close(&s->components[i].records);
        pages_close(&s->components[i]);
    }
    hd_release(&hd_heap, s, sizeof *s);
}

/* Counters of other owners may be read while they change; only bounds and progress use them. */
uint64_t hd_model_store_count(const hd_model_store *s)
{
    uint64_t count = 0;
    for (int i = 0; i < HD_MODEL_SHARDS; i++)
        count += __atomic_load_n(&s->states[i].count, __ATOMIC_RELAXED);
    return count;
}

uint64_t hd_model_store_bytes(const hd_model_store *s)
{
    uint64_t bytes = 0;
    for (int i = 0; i < HD_MODEL_SHARDS; i++)
        bytes += hd_model_records_bytes(&s->states[i]) + hd_model_records_bytes(&s->components[i].records);
    return bytes;
}

/* --- validity -------------------------------------------------------------------------------------------- */

bool hd_model_store_has(const hd_model_store *s, uint32_t number)
{
    const hd_model_records *h = &s->components[number & (HD_MODEL_SHARDS - 1)].records;
    return number >> HD_MODEL_SHARD_BITS < __atomic_load_n(&h->count, __ATOMIC_RELAXED);
}

static bool has_all(const hd_model_store *s, const hd_model_shape *shape, const uint8_t *record)
{
    for (uint32_t i = 0; i < shape->components; i++)
        if (!hd_model_store_has(s, get_number(s, record, i)))
            return false;
    return true;
}

bool hd_model_packed_is_valid(const hd_model_store *s, const hd_model_packed *p)
{
    uint32_t size;
    return record_shape(s->shapes, p->record) == p->shape && state_hash(s, p->record, &size) == p->hash
        && size == p->size && has_all(s, p->shape, p->record);
}

bool hd_model_changes_are_valid(
    const hd_model_store *s, uint32_t shape, uint32_t kept, const hd_model_change *changes, uint32_t count)
{
    if (shape >= (uint32_t)s->shapes->count || kept > s->shapes->all[shape]->components)
        return false;
    uint32_t components = s->shapes->all[shape]->components, after = components - kept;
    for (uint32_t i = 0; i < count; i++)
        if (changes[i].component >= components || (i && changes[i].component <= changes[i - 1].component)
            || !hd_model_store_has(s, changes[i].number))
            return false;
    /* They ascend, so the last ones are all of those from `kept` on iff the first of these is `kept`. */
    return count >= after && (!after || changes[count - after].component == kept);
}

static bool component_is_valid(const void *store, const hd_model_records *h, uint32_t offset, uint64_t hash)
{
    const hd_model_store *s = store;
    const components *shard = &s->components[shard_of(hash)];
    const uint8_t *record = hd_model_record_at(h, offset);
    component c;
    memcpy(&c, record, sizeof c);
    /* The first component with these bytes is this one: there is no other. */
    return &shard->records == h && find_component(h, hash, record + sizeof c, c.size) == record
        && (c.number & (HD_MODEL_SHARDS - 1)) == shard_of(hash) && hd_model_store_has(s, c.number)
        && offset_of(shard, c.number >> HD_MODEL_SHARD_BITS) == offset && (s->wide || c.number <= 0xffff)
        && trimmed(record + sizeof c, c.size) == c.size;
}

/* Is there a state where the number says? */
static bool is_stored(const hd_model_store *s, uint32_t number)
{
    const hd_model_records *h = &s->states[number & (HD_MODEL_SHARDS - 1)];
    uint32_t offset = number >> HD_MODEL_SHARD_BITS;
    if (offset >= h->used)
        return false;
    hd_model_packed p;
    const uint8_t *record = hd_model_record_at(h, offset);
    p.shape = record_shape(s->shapes, record);
    if (!p.shape)
        return false;
    p.hash = state_hash(s, record, &p.size);
    memcpy(p.record, record, p.size);
    return &s->states[shard_of(p.hash)] == h && find_state(h, &p) == offset;
}

static bool state_is_valid(const void *store, const hd_model_records *h, uint32_t offset, uint64_t hash)
{
    const hd_model_store *s = store;
    const uint8_t *record = hd_model_record_at(h, offset);
    uint32_t parent;
    memcpy(&parent, record + PARENT, sizeof parent);
    return &s->states[shard_of(hash)] == h && is_stored(s, offset << HD_MODEL_SHARD_BITS | shard_of(hash))
        && has_all(s, record_shape(s->shapes, record), record) && (parent == HD_MODEL_NO_STATE || is_stored(s, parent));
}

bool hd_model_store_is_valid(const hd_model_store *s)
{
    for (int i = 0; i < HD_MODEL_SHARDS; i++)
        if (!hd_model_records_is_valid(&s->components[i].records, component_hash, component_is_valid, s)
            || !hd_model_records_is_valid(&s->states[i], state_hash, state_is_valid, s))
            return false;
    return true;
}
