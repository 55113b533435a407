/* Records of bytes in chunks that never move, found by hash through an index of their offsets: one
 * shard of a store. A record is never changed or removed.
 *
 * The index keeps a few bits of the hash beside each offset, so that most records with another hash
 * are not even read. When it fills up it is rebuilt in the order in which the records lie in
 * memory. */
#ifndef HD_MODEL_RECORDS_H
#define HD_MODEL_RECORDS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HD_MODEL_SHARD_BITS = 4, /* a record's number is its offset and its shard */
    HD_MODEL_SHARDS = 1 << HD_MODEL_SHARD_BITS,
    HD_MODEL_RECORD_UNIT = 4, /* of offsets, in bytes */
    HD_MODEL_CHUNK_BITS = 16,
    HD_MODEL_CHUNK_FAN = 128,
    HD_MODEL_NO_RECORD = 0xffffffff
};

/* Open for speed: look-ups are inlined into the store. */
typedef struct hd_model_records {
    uint8_t **chunks[HD_MODEL_CHUNK_FAN]; /* two levels, so that few records take little room */
    uint32_t chunk_count, used; /* units taken */
    uint32_t *slots; /* a tag of the hash, then 1 + offset; 0: free */
    uint32_t room, count;
    int lock;
    uint8_t apart[64]; /* padding: the next shard may be written by another processor */
} hd_model_records;

/* The size and hash of a record, for rebuilding the index. */
typedef uint64_t hd_model_record_hash(const void *context, const uint8_t *record, uint32_t *size);

/* Adds a record of `size` bytes, to be filled in by the caller. Returns its offset, or HD_MODEL_NO_RECORD
 * if there is no room. */
uint32_t hd_model_records_add(
    hd_model_records *h, uint64_t hash, uint32_t size, hd_model_record_hash *hash_of, const void *context);
uint64_t hd_model_records_bytes(const hd_model_records *h); /* of memory */

/* Checks:
 * - records fill every chunk up to its mark, and there are `count` of them;
 * - the index has each record once, where a search for its hash finds it, and nothing else;
 * - at least a quarter of the index is free, so that every search ends;
 * - `check` accepts each record. */
typedef bool hd_model_record_check(const void *context, const hd_model_records *h, uint32_t offset, uint64_t hash);
bool hd_model_records_is_valid(
    const hd_model_records *h, hd_model_record_hash *hash_of, hd_model_record_check *check, const void *context);
void hd_model_records_close(hd_model_records *h);

/* A spin lock, held for a few memory accesses. After some tries a waiter yields, since the holder
 * may not be running. */
void hd_model_records_lock(hd_model_records *h);
void hd_model_records_unlock(hd_model_records *h);

static inline uint8_t *hd_model_record_at(const hd_model_records *h, uint32_t offset)
{
    uint32_t chunk = offset >> (HD_MODEL_CHUNK_BITS - 2);
    return h->chunks[chunk / HD_MODEL_CHUNK_FAN][chunk % HD_MODEL_CHUNK_FAN]
        + (offset & ((1u << (HD_MODEL_CHUNK_BITS - 2)) - 1)) * HD_MODEL_RECORD_UNIT;
}

/* Iterates over the records that may have a hash:
 *   for (uint32_t i = hd_model_records_first(h, hash), offset; (offset = hd_model_records_next(h, hash, &i)) !=
 * HD_MODEL_NO_RECORD;) */
enum { HD_MODEL_OFFSET_BITS = 32 - HD_MODEL_SHARD_BITS };

static inline uint32_t hd_model_records_first(const hd_model_records *h, uint64_t hash)
{
    return (uint32_t)(((hash & 0xffffffffu) * h->room) >> 32);
}

static inline uint32_t hd_model_records_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 32) << HD_MODEL_OFFSET_BITS;
}

static inline uint32_t hd_model_records_next(const hd_model_records *h, uint64_t hash, uint32_t *i)
{
    if (!h->room)
        return HD_MODEL_NO_RECORD;
    for (uint32_t slot; (slot = h->slots[*i]);) {
        *i = *i + 1 == h->room ? 0 : *i + 1;
        if (!((slot ^ hd_model_records_tag(hash)) >> HD_MODEL_OFFSET_BITS))
            return (slot & ((1u << HD_MODEL_OFFSET_BITS) - 1)) - 1;
    }
    return HD_MODEL_NO_RECORD;
}

static inline void hd_model_records_prefetch(const hd_model_records *h, uint64_t hash)
{
    __builtin_prefetch(h->slots + hd_model_records_first(h, hash));
}

#endif
