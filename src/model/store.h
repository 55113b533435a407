/* The set of states seen, compressed without loss. Every component of a state
 * (the globals, a process, a channel up to its last message) is kept once and
 * has a number; a state is the list of its components' numbers, in two bytes
 * each as long as there are fewer than 65536 different components ("narrow"),
 * in four otherwise. A search that runs out of narrow numbers starts again with
 * wide ones: hd_store_put then says `overflow`.
 *
 * Both tables are split into shards with a lock each, so that several searchers
 * can share a store; with one searcher no lock is taken. A state's number is
 * where it lies, so records never move.
 */
#ifndef HD_MODEL_STORE_H
#define HD_MODEL_STORE_H

#include "model/machine.h"

enum { HD_STORE_NONE = 0xffffffffu };

typedef struct hd_store hd_store;

/* A state's component numbers, and their hash. */
typedef struct hd_packed {
    uint64_t hash;
    uint32_t numbers[HD_MOST_COMPONENTS + 1];
} hd_packed;

typedef enum hd_put {
    HD_PUT_OLD,
    HD_PUT_NEW,
    HD_PUT_OVERFLOW, /* no number is left for a component */
    HD_PUT_FULL, /* no place is left for a state */
} hd_put;

hd_store *hd_store_open(hd_shapes *shapes, bool wide, bool shared);
void hd_store_close(hd_store *s);

/* Adds the machine's state. `base` is the packed state that the machine's
 * `changed` bits refer to, or NULL. *number is the state's number, old or new. */
hd_put hd_store_put(hd_store *s, const hd_machine *m, const hd_packed *base, uint32_t parent, uint32_t *number);

/* The same in two parts, so that the memory that the second needs can come
 * while other states are packed. False: no number is left for a component. */
typedef struct hd_pending {
    uint64_t hash;
    uint32_t size;
    uint8_t record[6 + 4 * (HD_MOST_COMPONENTS + 1)];
} hd_pending;

bool hd_store_pack(hd_store *s, const hd_machine *m, const hd_packed *base, uint32_t parent, hd_pending *p);
hd_put hd_store_commit(hd_store *s, const hd_pending *p, uint32_t *number);

/* Unpacks state `number` into `bytes`. */
const hd_shape *hd_store_get(hd_store *s, uint32_t number, uint8_t *bytes, hd_packed *packed);

uint32_t hd_store_parent(hd_store *s, uint32_t number); /* HD_STORE_NONE for the first */
uint64_t hd_store_count(const hd_store *s);
uint64_t hd_store_bytes(const hd_store *s); /* of memory */

#endif
