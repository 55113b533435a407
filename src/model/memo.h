/* What a process does next depends on its own component and on the few others
 * that its guards and effects look at: channels, perhaps the globals. The store
 * numbers components, so the steps of a process, once computed, can be looked
 * up by a few numbers and done again by replacing a few others, without
 * unpacking the state or running any code. There are far fewer such local
 * situations than states.
 *
 * For every process in a local state the memo keeps the set of components that
 * its steps have ever looked at from there; a situation is the numbers of
 * those. When a step looks at a component that is not in the set yet, the set
 * grows and situations kept under the old one are no longer found.
 *
 * A memo is bounded: when it is full it starts again from nothing, and when it
 * was of little use by then (states with hardly anything in common) it gives
 * up. It belongs to one searcher and one store.
 */
#ifndef HD_MODEL_MEMO_H
#define HD_MODEL_MEMO_H

#include "model/store.h"

/* One step: how the state after it differs from the one before it. */
typedef struct hd_way {
    uint64_t flip; /* of the hash; only if the shape stays */
    uint16_t shape, kept; /* see hd_store_reshape */
    uint32_t change_count;
    hd_change changes[];
} hd_way;

/* The steps of a process in a situation. */
typedef struct hd_ways {
    uint64_t count;
    hd_way first[];
} hd_ways;

static inline const hd_way *hd_way_next(const hd_way *w)
{
    return (const hd_way *)(const void *)(w->changes + w->change_count);
}

typedef struct hd_memo hd_memo;

enum { HD_MEMO_WORDS = 1 << 21 }; /* enough for most, and 16 MB */

hd_memo *hd_memo_open(hd_store *store, size_t most_words);
void hd_memo_close(hd_memo *m);
uint64_t hd_memo_bytes(const hd_memo *m);

/* The steps of process `pid` in a state, or NULL: not known. Valid until the next hd_memo_end. */
const hd_ways *hd_memo_find(hd_memo *m, const hd_packed *state, int pid);

/* To teach it: begin, one `add` for every step with the state that it leads to,
 * and end; `forget` in between says that these steps must be computed anew
 * every time (something was found on them). */
void hd_memo_begin(hd_memo *m, const hd_packed *state, int pid);
void hd_memo_add(hd_memo *m, const hd_machine *machine, const hd_packed *after);
void hd_memo_forget(hd_memo *m);
void hd_memo_end(hd_memo *m, const hd_machine *machine);

#endif
