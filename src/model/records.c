#include "model/records.h"

#include <sched.h>

enum {
    CHUNK = 1 << HD_MODEL_CHUNK_BITS,
    PER_CHUNK = CHUNK / HD_MODEL_RECORD_UNIT,
    MOST_CHUNKS = HD_MODEL_CHUNK_FAN * HD_MODEL_CHUNK_FAN
};

void hd_model_records_lock(hd_model_records *h)
{
    for (int tries = 0; __atomic_exchange_n(&h->lock, 1, __ATOMIC_ACQUIRE); tries++)
        /* The holder may have lost its processor. */
        if (tries > 100)
            sched_yield();
}

void hd_model_records_unlock(hd_model_records *h)
{
    __atomic_store_n(&h->lock, 0, __ATOMIC_RELEASE);
}

/* The first unit of a chunk holds the number of its units in use. */
static uint32_t *taken_in(const hd_model_records *h, uint32_t chunk)
{
    return (uint32_t *)(void *)h->chunks[chunk / HD_MODEL_CHUNK_FAN][chunk % HD_MODEL_CHUNK_FAN];
}

static bool add_chunk(hd_model_records *h)
{
    if (h->chunk_count == MOST_CHUNKS - 1)
        return false;
    /* Offsets are in units over all chunks; unit 0 of each chunk is its header. */
    h->used = h->chunk_count * PER_CHUNK + 1;
    if (h->chunk_count % HD_MODEL_CHUNK_FAN == 0)
        h->chunks[h->chunk_count / HD_MODEL_CHUNK_FAN] = hd_alloc(&hd_heap, HD_MODEL_CHUNK_FAN * sizeof **h->chunks);
    h->chunks[h->chunk_count / HD_MODEL_CHUNK_FAN][h->chunk_count % HD_MODEL_CHUNK_FAN] =
        hd_resize(&hd_heap, NULL, 0, CHUNK);
    /* Atomic for hd_model_records_bytes, which other threads call. */
    __atomic_store_n(&h->chunk_count, h->chunk_count + 1, __ATOMIC_RELAXED);
    return true;
}

/* Allocates a record that does not cross a chunk. */
static uint32_t take(hd_model_records *h, uint32_t size)
{
    uint32_t units = (size + HD_MODEL_RECORD_UNIT - 1) / HD_MODEL_RECORD_UNIT;
    /* Larger than a chunk without its header: cannot be stored. */
    if (units > PER_CHUNK - 1)
        return HD_MODEL_NO_RECORD;
    if ((h->chunk_count == 0 || h->used + units > h->chunk_count * PER_CHUNK) && !add_chunk(h))
        return HD_MODEL_NO_RECORD;
    uint32_t offset = h->used;
    h->used += units;
    *taken_in(h, h->chunk_count - 1) = h->used - (h->chunk_count - 1) * PER_CHUNK;
    return offset;
}

static void insert(hd_model_records *h, uint64_t hash, uint32_t offset)
{
    uint32_t i = hd_model_records_first(h, hash);
    while (h->slots[i])
        i = i + 1 == h->room ? 0 : i + 1;
    h->slots[i] = hd_model_records_tag(hash) | (offset + 1);
}

/* Records are inserted in the order of their addresses, so memory is read sequentially. */
static void insert_chunk(hd_model_records *h, uint32_t chunk, hd_model_record_hash *hash_of, const void *context)
{
    for (uint32_t at = 1, end = *taken_in(h, chunk), size; at < end;) {
        uint32_t offset = chunk * PER_CHUNK + at;
        insert(h, hash_of(context, hd_model_record_at(h, offset), &size), offset);
        at += (size + HD_MODEL_RECORD_UNIT - 1) / HD_MODEL_RECORD_UNIT;
    }
}

static void grow(hd_model_records *h, hd_model_record_hash *hash_of, const void *context)
{
    /* Small tables double; large ones grow by half, to save memory. */
    uint32_t room = h->room < 64 ? 64 : h->room < 32768 ? h->room * 2 : h->room + h->room / 2;
    hd_release(&hd_heap, h->slots, h->room * sizeof *h->slots);
    h->slots = hd_alloc(&hd_heap, room * sizeof *h->slots);
    __atomic_store_n(&h->room, room, __ATOMIC_RELAXED);
    for (uint32_t chunk = 0; chunk < h->chunk_count; chunk++)
        insert_chunk(h, chunk, hash_of, context);
}

uint32_t hd_model_records_add(
    hd_model_records *h, uint64_t hash, uint32_t size, hd_model_record_hash *hash_of, const void *context)
{
    /* At most three quarters full, so that searches end at a free slot. */
    if ((uint64_t)(h->count + 1) * 4 > (uint64_t)h->room * 3)
        grow(h, hash_of, context);
    uint32_t offset = take(h, size);
    if (offset == HD_MODEL_NO_RECORD)
        return offset;
    insert(h, hash, offset);
    __atomic_store_n(&h->count, h->count + 1, __ATOMIC_RELAXED);
    return offset;
}

uint64_t hd_model_records_bytes(const hd_model_records *h)
{
    return (uint64_t)__atomic_load_n(&h->chunk_count, __ATOMIC_RELAXED) * CHUNK
        + (uint64_t)__atomic_load_n(&h->room, __ATOMIC_RELAXED) * sizeof *h->slots;
}

/* --- validity ---------------------------------------------------------------------------------- */

static bool is_indexed(const hd_model_records *h, uint64_t hash, uint32_t offset)
{
    uint32_t found;
    for (uint32_t i = hd_model_records_first(h, hash);
         (found = hd_model_records_next(h, hash, &i)) != HD_MODEL_NO_RECORD;)
        if (found == offset)
            return true;
    return false;
}

static bool chunk_is_valid(const hd_model_records *h, uint32_t chunk, hd_model_record_hash *hash_of,
    hd_model_record_check *check, const void *context, uint32_t *count)
{
    uint32_t at = 1, end = *taken_in(h, chunk), size;
    for (; at < end; ++*count) {
        uint32_t offset = chunk * PER_CHUNK + at;
        uint64_t hash = hash_of(context, hd_model_record_at(h, offset), &size);
        if (!is_indexed(h, hash, offset) || !check(context, h, offset, hash))
            return false;
        at += (size + HD_MODEL_RECORD_UNIT - 1) / HD_MODEL_RECORD_UNIT;
    }
    return at == end && (chunk + 1 < h->chunk_count || h->used == chunk * PER_CHUNK + end);
}

/* Each record is in the index, and the index has as many entries: so it has each once. */
bool hd_model_records_is_valid(
    const hd_model_records *h, hd_model_record_hash *hash_of, hd_model_record_check *check, const void *context)
{
    uint32_t indexed = 0, count = 0;
    for (uint32_t i = 0; i < h->room; i++)
        indexed += h->slots[i] != 0;
    if (indexed != h->count || (uint64_t)indexed * 4 > (uint64_t)h->room * 3)
        return false;
    for (uint32_t chunk = 0; chunk < h->chunk_count; chunk++)
        if (!chunk_is_valid(h, chunk, hash_of, check, context, &count))
            return false;
    return count == h->count;
}

void hd_model_records_close(hd_model_records *h)
{
    for (uint32_t i = 0; i < h->chunk_count; i++)
        hd_release(&hd_heap, h->chunks[i / HD_MODEL_CHUNK_FAN][i % HD_MODEL_CHUNK_FAN], CHUNK);
    for (int i = 0; i < HD_MODEL_CHUNK_FAN; i++)
        hd_release(&hd_heap, h->chunks[i], HD_MODEL_CHUNK_FAN * sizeof **h->chunks);
    hd_release(&hd_heap, h->slots, (size_t)h->room * sizeof *h->slots);
}
