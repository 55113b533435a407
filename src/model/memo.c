#include "model/memo.h"

#include "abi/valid.h"
#include "base/map.h"

#include <string.h>

enum { MOST_USED = 10, FEW_HITS = 4 };

/* A process in a local state. */
typedef struct local {
    uint64_t key; /* shape, process, its number */
    uint16_t used[MOST_USED]; /* components that its steps look at */
    uint8_t count;
    bool hopeless; /* they read too many components, or have findings: never cached */
} local;

/* An open hash table from hashes to indices; what lies there is compared by the user. */
typedef struct lookup {
    uint32_t *slots; /* index + 1; 0: free */
    uint32_t room, count;
} lookup;

struct hd_model_memo {
    hd_model_store *store;
    size_t most_words;
    hd_vec(local) locals;
    hd_vec(uint64_t)
        words; /* situations: the local's index and the number of components, their numbers (a word each), the ways */
    lookup by_key, by_situation;
    hd_vec(uint64_t) draft; /* the ways being added */
    const hd_model_packed *base;
    int pid;
    uint64_t draft_count, hits, misses;
    bool drafting, useless;
};

/* --- the indexes ---------------------------------------------------------------------------------- */

/* The multiplications make the order of the words count. */
static uint64_t situation_hash(const uint64_t *words, uint64_t count)
{
    uint64_t hash = 0;
    for (uint64_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint32_t first_slot(const lookup *x, uint64_t hash)
{
    return (uint32_t)((hash * 0xd6e8feb86659fd93u) >> 32) & (x->room - 1);
}

static void lookup_add(lookup *x, uint64_t hash, uint32_t index)
{
    uint32_t i = first_slot(x, hash);
    while (x->slots[i])
        i = (i + 1) & (x->room - 1);
    x->slots[i] = index + 1;
    x->count++;
}

/* Empties it and sets its size, a power of two. */
static void lookup_clear(lookup *x, uint32_t room)
{
    hd_release(&hd_heap, x->slots, x->room * sizeof *x->slots);
    *x = (lookup) { .room = room, .slots = hd_alloc(&hd_heap, room * sizeof *x->slots) };
}

/* --- finding ----------------------------------------------------------------------------------------- */

/* A process in a local state: the shape, the process and the number of its component. */
static uint64_t local_key(const hd_model_memo *m, const hd_model_packed *state, int pid)
{
    uint32_t number = hd_model_store_component(m->store, state, state->shape->process_component[pid]);
    return (uint64_t)state->shape->index << 48 | (uint64_t)pid << 32 | number;
}

/* UINT32_MAX: not known. */
static uint32_t find_local(const hd_model_memo *m, uint64_t key)
{
    for (uint32_t i = first_slot(&m->by_key, key); m->by_key.slots[i]; i = (i + 1) & (m->by_key.room - 1))
        if (m->locals.items[m->by_key.slots[i] - 1].key == key)
            return m->by_key.slots[i] - 1;
    return UINT32_MAX;
}

/* The words that a situation begins with. */
static uint32_t write_situation(const hd_model_memo *m, const hd_model_packed *state, uint32_t index, uint64_t *words)
{
    const local *l = &m->locals.items[index];
    /* The count is part of the key: situations stored before the set of components grew no longer
     * match. */
    words[0] = (uint64_t)index << 8 | l->count;
    for (uint32_t i = 0; i < l->count; i++)
        words[i + 1] = hd_model_store_component(m->store, state, l->used[i]);
    return l->count + 1u;
}

static const hd_model_ways *find_situation(const hd_model_memo *m, const uint64_t *words, uint32_t count)
{
    const lookup *x = &m->by_situation;
    for (uint32_t i = first_slot(x, situation_hash(words, count)); x->slots[i]; i = (i + 1) & (x->room - 1)) {
        const uint64_t *here = m->words.items + x->slots[i] - 1;
        if (here[0] == words[0] && !memcmp(here, words, count * sizeof *words))
            return (const hd_model_ways *)(const void *)(here + count);
    }
    return NULL;
}

const hd_model_ways *hd_model_memo_find(hd_model_memo *m, const hd_model_packed *state, int pid)
{
    uint64_t words[MOST_USED + 1];
    if (m->useless)
        return NULL;
    uint32_t index = find_local(m, local_key(m, state, pid));
    if (index == UINT32_MAX || m->locals.items[index].hopeless)
        return NULL;
    const hd_model_ways *ways = find_situation(m, words, write_situation(m, state, index, words));
    m->hits += ways != NULL;
    return ways;
}

/* --- learning ---------------------------------------------------------------------------------------- */

static void forget_all(hd_model_memo *m)
{
    hd_vec_clear(&m->locals);
    hd_vec_clear(&m->words);
    lookup_clear(&m->by_key, 256);
    lookup_clear(&m->by_situation, 256);
}

/* From now on every step is computed. */
static void give_up(hd_model_memo *m)
{
    m->useless = true;
    hd_vec_fini(&m->locals);
    hd_vec_fini(&m->words);
    lookup_clear(&m->by_key, 1);
    lookup_clear(&m->by_situation, 1);
}

static uint32_t put_local(hd_model_memo *m, uint64_t key)
{
    uint32_t index = find_local(m, key);
    if (index != UINT32_MAX)
        return index;
    /* At most half full. */
    if (m->by_key.count * 2 >= m->by_key.room) {
        lookup_clear(&m->by_key, m->by_key.room * 2);
        for (uint32_t i = 0; i < m->locals.count; i++)
            lookup_add(&m->by_key, m->locals.items[i].key, i);
    }
    hd_vec_push(&m->locals, (local) { .key = key });
    lookup_add(&m->by_key, key, (uint32_t)m->locals.count - 1);
    return (uint32_t)m->locals.count - 1;
}

static bool has(const local *l, uint32_t component)
{
    for (int i = 0; i < l->count; i++)
        if (l->used[i] == component)
            return true;
    return false;
}

/* Adds the components that the steps have read to the set of the local state. */
static void note_used(hd_model_memo *m, local *l, const hd_model_machine *machine)
{
    const hd_model_shape *shape = m->base->shape;
    uint32_t own = shape->process_component[m->pid];
    for (uint32_t i = 0; i < shape->components; i++) {
        if (!(machine->used[i >> 6] >> (i & 63) & 1) || i == own || has(l, i))
            continue;
        /* A step that reads too much rarely repeats: it is not worth a look-up. */
        if (l->count == MOST_USED) {
            l->hopeless = true;
            return;
        }
        l->used[l->count++] = (uint16_t)i;
    }
}

static void grow_situations(hd_model_memo *m)
{
    lookup old = m->by_situation;
    m->by_situation = (lookup) { 0 };
    lookup_clear(&m->by_situation, old.room * 2);
    for (uint32_t i = 0; i < old.room; i++) {
        if (!old.slots[i])
            continue;
        const uint64_t *words = m->words.items + old.slots[i] - 1;
        /* A situation holds its own length, so its key can be hashed again. */
        lookup_add(&m->by_situation, situation_hash(words, (words[0] & 0xff) + 1u), old.slots[i] - 1);
    }
    hd_release(&hd_heap, old.slots, old.room * sizeof *old.slots);
}

static void keep_draft(hd_model_memo *m, uint32_t index)
{
    uint64_t words[MOST_USED + 1];
    uint32_t count = write_situation(m, m->base, index, words);
    if (m->by_situation.count * 2 >= m->by_situation.room)
        grow_situations(m);
    lookup_add(&m->by_situation, situation_hash(words, count), (uint32_t)m->words.count);
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&m->words, words[i]);
    hd_vec_push(&m->words, m->draft_count);
    for (size_t i = 0; i < m->draft.count; i++)
        hd_vec_push(&m->words, m->draft.items[i]);
}

/* `base` stays valid until hd_model_memo_end: it is the state that the searcher expands. */
void hd_model_memo_begin(hd_model_memo *m, const hd_model_packed *state, int pid)
{
    m->drafting = !m->useless;
    m->base = state;
    m->pid = pid;
    m->draft_count = 0;
    hd_vec_clear(&m->draft);
}

static void draft_change(hd_model_memo *m, const hd_model_packed *after, uint32_t component)
{
    hd_model_change c = { component, hd_model_store_component(m->store, after, component) };
    uint64_t word;
    memcpy(&word, &c, sizeof word);
    hd_vec_push(&m->draft, word);
}

void hd_model_memo_add(hd_model_memo *m, const hd_model_machine *machine, const hd_model_packed *after)
{
    if (!m->drafting)
        return;
    size_t at = m->draft.count;
    hd_model_way way = {
        .flip = after->hash ^ m->base->hash, .shape = after->shape->index, .kept = (uint16_t)machine->kept
    };
    /* Room for the header, which is written when the number of changes is known. */
    for (size_t i = 0; i < sizeof way / 8; i++)
        hd_vec_push(&m->draft, 0);
    /* The difference: components that were written, and all that come after the common part of
     * the shapes. */
    for (uint32_t i = 0; i < after->shape->components; i++)
        if (i >= machine->kept || (machine->changed[i >> 6] >> (i & 63) & 1))
            draft_change(m, after, i);
    way.change_count = (uint32_t)(m->draft.count - at - sizeof way / 8);
    memcpy(m->draft.items + at, &way, sizeof way);
    m->draft_count++;
}

void hd_model_memo_forget(hd_model_memo *m)
{
    if (!m->drafting)
        return;
    uint32_t index = put_local(m, local_key(m, m->base, m->pid));
    /* Findings must be seen in every state: never cache these steps. */
    m->locals.items[index].hopeless = true;
    m->drafting = false;
}

void hd_model_memo_end(hd_model_memo *m, const hd_model_machine *machine)
{
    if (!m->drafting)
        return;
    m->drafting = false;
    m->misses++;
    if (m->words.count + m->draft.count > m->most_words) {
        /* Full. If it paid off it is emptied and filled again, otherwise switched off. */
        if (m->hits < FEW_HITS * m->misses) {
            give_up(m);
            return;
        }
        forget_all(m);
        m->hits = m->misses = 0;
    }
    uint32_t index = put_local(m, local_key(m, m->base, m->pid));
    /* First the set of components, then the situation: its key must contain everything that was
     * read. */
    note_used(m, &m->locals.items[index], machine);
    if (!m->locals.items[index].hopeless)
        keep_draft(m, index);
    hd_check_valid(hd_model_memo_is_valid(m), m->words.count + 8 * m->locals.count + m->by_situation.room, m->misses);
}

/* --- validity ---------------------------------------------------------------------------------------- */

/* Indices below `limit`, as many as counted, and a free slot. */
static bool lookup_is_valid(const lookup *x, size_t limit)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < x->room; i++) {
        used += x->slots[i] != 0;
        if (x->slots[i] > limit)
            return false;
    }
    return used == x->count && used < x->room;
}

static bool local_is_valid(const hd_model_memo *m, uint32_t index)
{
    const local *l = &m->locals.items[index];
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < i; k++)
            if (l->used[i] == l->used[k])
                return false;
    return l->count <= MOST_USED && find_local(m, l->key) == index;
}

/* The number of words that the steps at `at` take; 0: they are not valid. */
static size_t size_of_ways(const hd_model_memo *m, size_t at)
{
    size_t from = at++;
    for (uint64_t i = 0; i < m->words.items[from]; i++) {
        const hd_model_way *w = (const hd_model_way *)(const void *)(m->words.items + at);
        if (m->words.count < at + sizeof *w / 8 || m->words.count < at + sizeof *w / 8 + w->change_count
            || !hd_model_changes_are_valid(m->store, w->shape, w->kept, w->changes, w->change_count))
            return 0;
        at += sizeof *w / 8 + w->change_count;
    }
    return at - from;
}

/* The number of words that the situation at `at` takes; 0: it is not valid. */
static size_t size_of_situation(const hd_model_memo *m, size_t at)
{
    const uint64_t *words = m->words.items + at;
    uint64_t index = words[0] >> 8, used = words[0] & 0xff;
    if (index >= m->locals.count || used > m->locals.items[index].count || m->words.count - at < used + 2)
        return 0;
    for (uint64_t i = 1; i <= used; i++)
        if (words[i] > UINT32_MAX || !hd_model_store_has(m->store, (uint32_t)words[i]))
            return 0;
    /* The first situation with this key is this one: there is no other. */
    if ((const uint64_t *)(const void *)find_situation(m, words, (uint32_t)used + 1) != words + used + 1)
        return 0;
    size_t ways = size_of_ways(m, at + used + 1);
    return ways ? used + 1 + ways : 0;
}

bool hd_model_memo_is_valid(const hd_model_memo *m)
{
    uint32_t situations = 0;
    if (!lookup_is_valid(&m->by_key, m->locals.count) || !lookup_is_valid(&m->by_situation, m->words.count)
        || m->by_key.count != m->locals.count)
        return false;
    for (uint32_t i = 0; i < m->locals.count; i++)
        if (!local_is_valid(m, i))
            return false;
    for (size_t at = 0, size; at < m->words.count; at += size, situations++)
        if (!(size = size_of_situation(m, at)))
            return false;
    return situations == m->by_situation.count;
}

/* --- */

hd_model_memo *hd_model_memo_open(hd_model_store *store, size_t most_words)
{
    hd_model_memo *m = hd_alloc(&hd_heap, sizeof *m);
    m->store = store;
    m->most_words = most_words;
    forget_all(m);
    return m;
}

void hd_model_memo_close(hd_model_memo *m)
{
    hd_vec_fini(&m->locals);
    hd_vec_fini(&m->words);
    hd_vec_fini(&m->draft);
    hd_release(&hd_heap, m->by_key.slots, m->by_key.room * sizeof *m->by_key.slots);
    hd_release(&hd_heap, m->by_situation.slots, m->by_situation.room * sizeof *m->by_situation.slots);
    hd_release(&hd_heap, m, sizeof *m);
}

uint64_t hd_model_memo_bytes(const hd_model_memo *m)
{
    return m->words.room * sizeof *m->words.items + m->locals.room * sizeof *m->locals.items
        + (m->by_key.room + m->by_situation.room) * sizeof(uint32_t);
}
