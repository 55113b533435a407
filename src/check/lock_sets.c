#include "check/lock_sets.h"

#include <string.h>

void hd_lock_sets_init(hd_lock_sets *s, hd_memory *memory)
{
    s->locks.memory = s->sets.memory = memory;
    hd_map_init(&s->numbers, memory);
    hd_map_init(&s->meets, memory);
    hd_vec_push(&s->sets, ((hd_lock_span) { 0, 0 })); /* HD_NO_LOCKS */
}

void hd_lock_sets_fini(hd_lock_sets *s)
{
    hd_vec_fini(&s->locks);
    hd_vec_fini(&s->sets);
    hd_map_fini(&s->numbers);
    hd_map_fini(&s->meets);
}

const uint64_t *hd_lock_sets_locks(const hd_lock_sets *s, hd_lock_set number, uint32_t *count)
{
    const hd_lock_span *span = &s->sets.items[number];
    *count = span->count;
    return s->locks.items + span->first;
}

bool hd_lock_sets_has(const hd_lock_sets *s, hd_lock_set number, uint64_t lock)
{
    uint32_t count;
    const uint64_t *locks = hd_lock_sets_locks(s, number, &count);
    for (uint32_t i = 0; i < count; i++)
        if (locks[i] == lock)
            return true;
    return false;
}

static bool is_set(const hd_lock_sets *s, hd_lock_set number, const uint64_t *locks, uint32_t count)
{
    uint32_t has;
    const uint64_t *known = hd_lock_sets_locks(s, number, &has);
    return has == count && !memcmp(known, locks, count * sizeof *locks);
}

void hd_lock_sets_add(hd_lock_sets *s, uint32_t begun, uint64_t lock)
{
    hd_vec_push(&s->locks, lock);
    for (size_t i = s->locks.count - 1; i > begun && s->locks.items[i - 1] > lock; i--) {
        s->locks.items[i] = s->locks.items[i - 1];
        s->locks.items[i - 1] = lock;
    }
}

/* The set's locks are the last ones of `locks`. They stay there if the set is new. */
hd_lock_set hd_lock_sets_end(hd_lock_sets *s, uint32_t begun)
{
    uint32_t count = (uint32_t)s->locks.count - begun;
    const uint64_t *locks = s->locks.items + begun;
    if (!count)
        return HD_NO_LOCKS;
    for (uint64_t hash = hd_hash_bytes(locks, count * sizeof *locks, 1);; hash++) {
        uint64_t *number = hd_map_put(&s->numbers, hash);
        if (!*number) {
            hd_vec_push(&s->sets, ((hd_lock_span) { begun, count }));
            *number = s->sets.count;
            return (hd_lock_set)(*number - 1);
        }
        if (is_set(s, (hd_lock_set)(*number - 1), locks, count)) {
            s->locks.count = begun;
            return (hd_lock_set)(*number - 1);
        }
    }
}

static hd_lock_set intersect(hd_lock_sets *s, hd_lock_set a, hd_lock_set b)
{
    uint32_t first = (uint32_t)s->locks.count;
    hd_lock_span x = s->sets.items[a], y = s->sets.items[b];
    for (uint32_t i = 0, k = 0; i < x.count && k < y.count;) {
        uint64_t left = s->locks.items[x.first + i], right = s->locks.items[y.first + k];
        if (left == right)
            hd_vec_push(&s->locks, left);
        i += left <= right;
        k += right <= left;
    }
    return hd_lock_sets_end(s, first);
}

hd_lock_set hd_lock_sets_meet(hd_lock_sets *s, hd_lock_set a, hd_lock_set b)
{
    if (a == HD_ALL_LOCKS || b == HD_ALL_LOCKS || a == b)
        return a == HD_ALL_LOCKS ? b : a;
    if (a == HD_NO_LOCKS || b == HD_NO_LOCKS)
        return HD_NO_LOCKS;
    uint64_t key = (uint64_t)a << 32 | b, *known = hd_map_get(&s->meets, key);
    if (known)
        return (hd_lock_set)(*known - 1);
    hd_lock_set both = intersect(s, a, b);
    *hd_map_put(&s->meets, key) = (uint64_t)both + 1;
    return both;
}

static bool set_is_valid(const hd_lock_sets *s, hd_lock_set number)
{
    uint32_t count;
    const uint64_t *locks = hd_lock_sets_locks(s, number, &count);
    for (uint32_t i = 1; i < count; i++)
        if (locks[i - 1] >= locks[i])
            return false;
    for (hd_lock_set other = 0; other < number; other++)
        if (is_set(s, other, locks, count))
            return false;
    return true;
}

bool hd_lock_sets_are_valid(const hd_lock_sets *s)
{
    for (hd_lock_set i = 0; i < s->sets.count; i++)
        if (!set_is_valid(s, i))
            return false;
    return true;
}
