#include "model/store.h"

#include "base/map.h"

#include <sched.h>
#include <string.h>

enum {
    SHARD_BITS = 4,
    SHARDS = 1 << SHARD_BITS,
    CHUNK_BITS = 16,
    CHUNK = 1 << CHUNK_BITS,
    UNIT = 4,
    FAN = 128,
    MOST_CHUNKS = FAN * FAN,
    PAGE = 4096,
    MOST_PAGES = FAN * FAN
};

/* Records in chunks that never move, found through an index of their offsets in units of 4 bytes. */
typedef struct shard {
    uint8_t **chunks[FAN]; /* two levels, so that a small store is small */
    uint32_t chunk_count, used; /* units taken */
    uint32_t *slots; /* 4 bits of the hash, then 1 + offset; 0: free */
    uint32_t room, count;
    uint32_t **pages[FAN]; /* of components: their offsets, by count */
    int lock;
} shard;

struct hd_store {
    hd_shapes *shapes;
    bool wide, shared;
    shard states[SHARDS], components[SHARDS];
};

/* A component: its size, its number, its bytes. */
typedef struct component {
    uint32_t number;
    uint16_t size;
} component;

/* --- shards ---------------------------------------------------------------------------------- */

/* Held for a few memory accesses; who waits longer lets others run, the holder may be among them. */
static void lock(const hd_store *s, shard *h)
{
    for (int tries = 0; s->shared && __atomic_exchange_n(&h->lock, 1, __ATOMIC_ACQUIRE); tries++)
        if (tries > 100)
            sched_yield();
}

static void unlock(const hd_store *s, shard *h)
{
    if (s->shared)
        __atomic_store_n(&h->lock, 0, __ATOMIC_RELEASE);
}

static uint8_t *record_at(const shard *h, uint32_t offset)
{
    uint32_t chunk = offset >> (CHUNK_BITS - 2);
    return h->chunks[chunk / FAN][chunk % FAN] + (offset & ((CHUNK >> 2) - 1)) * UNIT;
}

/* Room for a record that does not cross a chunk. HD_STORE_NONE: the shard is full. */
static uint32_t take(shard *h, uint32_t size)
{
    uint32_t units = (size + UNIT - 1) / UNIT, per_chunk = CHUNK / UNIT;
    if (h->used % per_chunk + units > per_chunk || h->used / per_chunk == h->chunk_count) {
        if (h->chunk_count == MOST_CHUNKS - 1 || units > per_chunk)
            return HD_STORE_NONE;
        h->used = h->chunk_count * per_chunk;
        if (h->chunk_count % FAN == 0)
            h->chunks[h->chunk_count / FAN] = hd_alloc(&hd_heap, FAN * sizeof **h->chunks);
        h->chunks[h->chunk_count / FAN][h->chunk_count % FAN] = hd_resize(&hd_heap, NULL, 0, CHUNK);
        h->chunk_count++;
    }
    uint32_t offset = h->used;
    h->used += units;
    return offset;
}

/* Offsets have 28 bits, since a number is an offset and a shard. */
enum { OFFSET_BITS = 32 - SHARD_BITS };

static inline uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32) << OFFSET_BITS;
}

static inline uint32_t slot_of(const shard *h, uint64_t hash)
{
    return (uint32_t)(((hash & 0xffffffffu) * h->room) >> 32);
}

static inline uint32_t offset_in(uint32_t slot)
{
    return (slot & ((1u << OFFSET_BITS) - 1)) - 1;
}

static void insert(shard *h, uint64_t hash, uint32_t offset)
{
    uint32_t i = slot_of(h, hash);
    while (h->slots[i])
        i = i + 1 == h->room ? 0 : i + 1;
    h->slots[i] = tag_of(hash) | (offset + 1);
}

typedef uint64_t record_hash(const hd_store *s, const uint8_t *record);

static void grow(const hd_store *s, shard *h, record_hash *hash_of)
{
    uint32_t old_room = h->room, *old = h->slots;
    h->room = old_room < 64 ? 64 : old_room < 32768 ? old_room * 2 : old_room + old_room / 2;
    h->slots = hd_alloc(&hd_heap, (size_t)h->room * sizeof *h->slots);
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i])
            insert(h, hash_of(s, record_at(h, offset_in(old[i]))), offset_in(old[i]));
    hd_release(&hd_heap, old, (size_t)old_room * sizeof *old);
}

static void make_room(const hd_store *s, shard *h, record_hash *hash_of)
{
    if ((uint64_t)(h->count + 1) * 4 > (uint64_t)h->room * 3)
        grow(s, h, hash_of);
}

static uint64_t shard_bytes(const shard *h)
{
    return (uint64_t)h->chunk_count * CHUNK + (uint64_t)h->room * sizeof *h->slots;
}

static void shard_close(shard *h)
{
    for (uint32_t i = 0; i < h->chunk_count; i++)
        hd_release(&hd_heap, h->chunks[i / FAN][i % FAN], CHUNK);
    for (int i = 0; i < FAN; i++) {
        for (int k = 0; h->pages[i] && k < FAN; k++)
            hd_release(&hd_heap, h->pages[i][k], PAGE * sizeof ***h->pages);
        hd_release(&hd_heap, h->chunks[i], FAN * sizeof **h->chunks);
        hd_release(&hd_heap, h->pages[i], FAN * sizeof **h->pages);
    }
    hd_release(&hd_heap, h->slots, (size_t)h->room * sizeof *h->slots);
}

/* --- components --------------------------------------------------------------------------------- */

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

static uint64_t component_hash(const hd_store *s, const uint8_t *record)
{
    (void)s;
    component c;
    memcpy(&c, record, sizeof c);
    return hash_bytes(record + sizeof c, c.size);
}

static const uint8_t *find_component(const shard *h, uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    if (!h->room)
        return NULL;
    uint32_t tag = tag_of(hash);
    for (uint32_t i = slot_of(h, hash); h->slots[i]; i = i + 1 == h->room ? 0 : i + 1) {
        if ((h->slots[i] ^ tag) >> OFFSET_BITS)
            continue;
        const uint8_t *record = record_at(h, offset_in(h->slots[i]));
        component c;
        memcpy(&c, record, sizeof c);
        if (c.size == size && !memcmp(record + sizeof c, bytes, size))
            return record;
    }
    return NULL;
}

/* A component's number is its place among those of its shard, and the shard: nearly dense. */
static uint32_t add_component(hd_store *s, shard *h, uint32_t index, uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    uint32_t number = h->count << SHARD_BITS | index;
    if ((!s->wide && number > 0xffff) || h->count == PAGE * MOST_PAGES)
        return HD_STORE_NONE;
    make_room(s, h, component_hash);
    uint32_t offset = take(h, (uint32_t)sizeof(component) + size);
    if (offset == HD_STORE_NONE)
        return HD_STORE_NONE;
    component c = { number, (uint16_t)size };
    memcpy(record_at(h, offset), &c, sizeof c);
    memcpy(record_at(h, offset) + sizeof c, bytes, size);
    insert(h, hash, offset);
    uint32_t page = h->count / PAGE;
    if (!h->pages[page / FAN])
        h->pages[page / FAN] = hd_alloc(&hd_heap, FAN * sizeof **h->pages);
    if (!h->pages[page / FAN][page % FAN])
        h->pages[page / FAN][page % FAN] = hd_alloc(&hd_heap, PAGE * sizeof ***h->pages);
    h->pages[page / FAN][page % FAN][h->count % PAGE] = offset;
    h->count++;
    return number;
}

static uint32_t number_of(hd_store *s, const uint8_t *bytes, uint32_t size)
{
    uint64_t hash = hash_bytes(bytes, size);
    uint32_t index = (uint32_t)(hash >> (64 - SHARD_BITS)), number;
    shard *h = &s->components[index];
    lock(s, h);
    const uint8_t *found = find_component(h, hash, bytes, size);
    if (found)
        memcpy(&number, found, sizeof number);
    else
        number = add_component(s, h, index, hash, bytes, size);
    unlock(s, h);
    return number;
}

/* Trailing zeros are not kept: an empty channel's room, mostly. */
static uint32_t trimmed(const uint8_t *bytes, uint32_t size)
{
    while (size > 0 && bytes[size - 1] == 0)
        size--;
    return size;
}

static void read_component(const hd_store *s, uint32_t number, uint8_t *into, uint32_t size)
{
    const shard *h = &s->components[number & (SHARDS - 1)];
    uint32_t place = number >> SHARD_BITS;
    uint32_t page = place / PAGE;
    const uint8_t *record = record_at(h, h->pages[page / FAN][page % FAN][place % PAGE]);
    component c;
    memcpy(&c, record, sizeof c);
    memcpy(into, record + sizeof c, c.size);
    memset(into + c.size, 0, size - c.size);
}

/* --- states ------------------------------------------------------------------------------------- */

/* A record: parent, shape, the components' numbers. */
enum { PARENT = 0, SHAPE = 4, NUMBERS = 6 };

static inline uint64_t mix(uint32_t component_index, uint32_t number)
{
    uint64_t x = ((uint64_t)component_index << 32 | number) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 29);
}

static uint64_t shape_seed(const hd_shape *shape)
{
    return mix(0xffff, shape->index);
}

static uint32_t read_number(const hd_store *s, const uint8_t *record, uint32_t i)
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

static const hd_shape *record_shape(const hd_store *s, const uint8_t *record)
{
    uint16_t index;
    memcpy(&index, record + SHAPE, 2);
    return s->shapes->all[index];
}

static uint64_t state_hash(const hd_store *s, const uint8_t *record)
{
    const hd_shape *shape = record_shape(s, record);
    uint64_t hash = shape_seed(shape);
    for (uint32_t i = 0; i < shape->components; i++)
        hash ^= mix(i, read_number(s, record, i));
    return hash;
}

static uint32_t write_record(const hd_store *s, uint8_t *record, const hd_shape *shape, const uint32_t *numbers)
{
    uint16_t index = shape->index;
    memcpy(record + SHAPE, &index, 2);
    if (s->wide) {
        memcpy(record + NUMBERS, numbers, shape->components * 4u);
        return NUMBERS + shape->components * 4u;
    }
    for (uint32_t i = 0; i < shape->components; i++) {
        uint16_t narrow = (uint16_t)numbers[i];
        memcpy(record + NUMBERS + i * 2, &narrow, 2);
    }
    return NUMBERS + shape->components * 2u;
}

static uint32_t number_component(hd_store *s, const hd_machine *m, uint32_t i)
{
    const uint8_t *bytes = m->bytes + m->shape->offsets[i];
    return number_of(s, bytes, trimmed(bytes, m->shape->offsets[i + 1] - m->shape->offsets[i]));
}

static bool pack_all(hd_store *s, const hd_machine *m, hd_packed *p)
{
    p->hash = shape_seed(m->shape);
    for (uint32_t i = 0; i < m->shape->components; i++) {
        p->numbers[i] = number_component(s, m, i);
        if (p->numbers[i] == HD_STORE_NONE)
            return false;
        p->hash ^= mix(i, p->numbers[i]);
    }
    return true;
}

static bool pack_changed(hd_store *s, const hd_machine *m, const hd_packed *base, hd_packed *p)
{
    p->hash = base->hash;
    memcpy(p->numbers, base->numbers, m->shape->components * sizeof *p->numbers);
    for (uint32_t word = 0; word <= m->shape->components / 64u; word++)
        for (uint64_t bits = m->changed[word]; bits; bits &= bits - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
            uint32_t number = number_component(s, m, i);
            if (number == HD_STORE_NONE)
                return false;
            p->hash ^= mix(i, p->numbers[i]) ^ mix(i, number);
            p->numbers[i] = number;
        }
    return true;
}

/* memcmp for short, even sizes. */
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

static uint32_t find_state(const shard *h, uint64_t hash, const uint8_t *record, uint32_t size)
{
    if (!h->room)
        return HD_STORE_NONE;
    uint32_t tag = tag_of(hash);
    for (uint32_t i = slot_of(h, hash); h->slots[i]; i = i + 1 == h->room ? 0 : i + 1) {
        if ((h->slots[i] ^ tag) >> OFFSET_BITS)
            continue;
        uint32_t offset = offset_in(h->slots[i]);
        if (same(record_at(h, offset) + SHAPE, record + SHAPE, size - SHAPE))
            return offset;
    }
    return HD_STORE_NONE;
}

bool hd_store_pack(hd_store *s, const hd_machine *m, const hd_packed *base, uint32_t parent, hd_pending *pending)
{
    hd_packed p;
    if (!(base && !m->reshaped ? pack_changed(s, m, base, &p) : pack_all(s, m, &p)))
        return false;
    pending->hash = p.hash;
    pending->size = write_record(s, pending->record, m->shape, p.numbers);
    memcpy(pending->record + PARENT, &parent, 4);
    const shard *h = &s->states[p.hash >> (64 - SHARD_BITS)];
    if (h->room)
        __builtin_prefetch(&h->slots[slot_of(h, p.hash)]);
    return true;
}

hd_put hd_store_commit(hd_store *s, const hd_pending *p, uint32_t *number)
{
    uint32_t index = (uint32_t)(p->hash >> (64 - SHARD_BITS));
    shard *h = &s->states[index];
    hd_put result = HD_PUT_OLD;
    lock(s, h);
    uint32_t offset = find_state(h, p->hash, p->record, p->size);
    if (offset == HD_STORE_NONE) {
        make_room(s, h, state_hash);
        offset = take(h, p->size);
        if (offset != HD_STORE_NONE) {
            memcpy(record_at(h, offset), p->record, p->size);
            insert(h, p->hash, offset);
            h->count++;
        }
        result = offset == HD_STORE_NONE ? HD_PUT_FULL : HD_PUT_NEW;
    }
    unlock(s, h);
    *number = offset << SHARD_BITS | index;
    return result;
}

hd_put hd_store_put(hd_store *s, const hd_machine *m, const hd_packed *base, uint32_t parent, uint32_t *number)
{
    hd_pending p;
    return hd_store_pack(s, m, base, parent, &p) ? hd_store_commit(s, &p, number) : HD_PUT_OVERFLOW;
}

static uint8_t *record_of(hd_store *s, uint32_t number)
{
    return record_at(&s->states[number & (SHARDS - 1)], number >> SHARD_BITS);
}

const hd_shape *hd_store_get(hd_store *s, uint32_t number, uint8_t *bytes, hd_packed *packed)
{
    const uint8_t *record = record_of(s, number);
    const hd_shape *shape = record_shape(s, record);
    packed->hash = shape_seed(shape);
    for (uint32_t i = 0; i < shape->components; i++) {
        packed->numbers[i] = read_number(s, record, i);
        packed->hash ^= mix(i, packed->numbers[i]);
        read_component(s, packed->numbers[i], bytes + shape->offsets[i], shape->offsets[i + 1] - shape->offsets[i]);
    }
    return shape;
}

uint32_t hd_store_parent(hd_store *s, uint32_t number)
{
    uint32_t parent;
    memcpy(&parent, record_of(s, number) + PARENT, 4);
    return parent;
}

hd_store *hd_store_open(hd_shapes *shapes, bool wide, bool shared)
{
    hd_store *s = hd_alloc(&hd_heap, sizeof *s);
    s->shapes = shapes;
    s->wide = wide;
    s->shared = shared;
    return s;
}

void hd_store_close(hd_store *s)
{
    for (int i = 0; i < SHARDS; i++) {
        shard_close(&s->states[i]);
        shard_close(&s->components[i]);
    }
    hd_release(&hd_heap, s, sizeof *s);
}

uint64_t hd_store_count(const hd_store *s)
{
    uint64_t count = 0;
    for (int i = 0; i < SHARDS; i++)
        count += s->states[i].count;
    return count;
}

uint64_t hd_store_bytes(const hd_store *s)
{
    uint64_t bytes = 0;
    for (int i = 0; i < SHARDS; i++)
        bytes += shard_bytes(&s->states[i]) + shard_bytes(&s->components[i]);
    return bytes;
}
