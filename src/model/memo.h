/* A cache of steps. What a process does next depends on its own component and on the few others
 * that its guards and effects read: channels, perhaps the globals. The store numbers components, so
 * the steps of a process, once computed, are looked up by a few numbers and repeated by replacing a
 * few others, without unpacking the state or running code. There are far fewer such local situations
 * than states.
 *
 * For every process in a local state the memo keeps the set of components that its steps have ever
 * read from there; a situation is the numbers of these components. When a step reads a component
 * that is not in the set yet, the set grows, and situations stored under the old set are no longer
 * found.
 *
 * A memo is bounded: when it is full it is emptied, and if it was of little use until then (states
 * with little in common) it is switched off. It belongs to one searcher and one store. */
#ifndef HD_MODEL_MEMO_H
#define HD_MODEL_MEMO_H

#include "model/store.h"

/* One step: the difference between the states before and after it. Open for speed: steps are applied
 * without a call. */
typedef struct hd_model_way {
    uint64_t flip; /* change of the hash; valid only if the shape stays the same */
    uint16_t shape, kept; /* see hd_model_store_reshape */
    uint32_t change_count;
    hd_model_change changes[];
} hd_model_way;

/* The steps of a process in a situation. */
typedef struct hd_model_ways {
    uint64_t count;
    hd_model_way first[];
} hd_model_ways;

static inline const hd_model_way *hd_model_way_next(const hd_model_way *w)
{
    return (const hd_model_way *)(const void *)(w->changes + w->change_count);
}

typedef struct hd_model_memo hd_model_memo;

enum { HD_MODEL_MEMO_WORDS = 1 << 21 }; /* enough for most, and 16 MB */

hd_model_memo *hd_model_memo_open(hd_model_store *store, size_t most_words);
void hd_model_memo_close(hd_model_memo *m);
uint64_t hd_model_memo_bytes(const hd_model_memo *m);

/* The steps of process `pid` in a state, or NULL: not known. Valid until the next hd_model_memo_end. */
const hd_model_ways *hd_model_memo_find(hd_model_memo *m, const hd_model_packed *state, int pid);

/* To fill it: begin, one `add` per step with the state after it, end. `forget` in between says that
 * the steps of this local state must always be computed, because they have findings. */
void hd_model_memo_begin(hd_model_memo *m, const hd_model_packed *state, int pid);
void hd_model_memo_add(hd_model_memo *m, const hd_model_machine *machine, const hd_model_packed *after);
void hd_model_memo_forget(hd_model_memo *m);
void hd_model_memo_end(hd_model_memo *m, const hd_model_machine *machine);

/* Checks:
 * - every local state and every situation is found under its key, and there are no others: so what is found
 *   was stored for this key;
 * - a set of components has none twice; a situation has at most as many numbers as its local state has
 *   components now, and the store has them;
 * - steps lead to states that exist: the shape, its components and their numbers are known.
 * That a remembered step gives the right hash is checked where the state is committed (store.h). */
bool hd_model_memo_is_valid(const hd_model_memo *m);

#endif
