/* The set of visited states, compressed without loss. Every component of a state (the globals, a
 * process, a channel up to its last message) is stored once and numbered; a state is the list of its
 * components' numbers, in two bytes each while there are fewer than 65536 components ("narrow"), in
 * four otherwise. A search that runs out of narrow numbers (HD_MODEL_PUT_OVERFLOW) is repeated with wide
 * ones.
 *
 * Both tables are split into shards, so that several searchers can share a store. Shards of
 * components have a lock each (not taken with one searcher). Shards of states have an owner each,
 * who alone looks up, adds and reads its states. A state's number is its location, so records never
 * move. */
#ifndef HD_MODEL_STORE_H
#define HD_MODEL_STORE_H

#include "model/machine.h"

enum { HD_MODEL_STORE_OWNERS = 16 }; /* at most */

typedef struct hd_model_store hd_model_store;

/* A packed state. Its hash is the exclusive or of the contributions of its shape and of each
 * component (Zobrist hashing), so replacing a component updates it in constant time. */
typedef struct hd_model_packed {
    uint64_t hash;
    const hd_model_shape *shape;
    uint32_t size; /* of the record */
    uint8_t record[6 + 4 * (HD_MODEL_MOST_COMPONENTS + 1)];
} hd_model_packed;

typedef enum hd_model_put {
    HD_MODEL_PUT_OLD,
    HD_MODEL_PUT_NEW,
    HD_MODEL_PUT_OVERFLOW, /* no number is left for a component */
    HD_MODEL_PUT_FULL, /* no number is left for a state */
} hd_model_put;

hd_model_store *hd_model_store_open(hd_model_shapes *shapes, bool wide, bool shared);
void hd_model_store_close(hd_model_store *s);

/* Adds the machine's state. `base` is the packed state that the machine's `changed` bits refer to,
 * or NULL. *number is the number of the state, new or old. */
hd_model_put hd_model_store_put(
    hd_model_store *s, const hd_model_machine *m, const hd_model_packed *base, uint32_t parent, uint32_t *number);

/* The same in two parts, so that memory for the second can be prefetched while other states are
 * packed. False: no component number is left. */
bool hd_model_store_pack(
    hd_model_store *s, const hd_model_machine *m, const hd_model_packed *base, uint32_t parent, hd_model_packed *p);
hd_model_put hd_model_store_commit(hd_model_store *s, const hd_model_packed *p, uint32_t *number);

/* The owner of a packed state, from 0; and a prefetch for its commit. */
int hd_model_store_owner(const hd_model_packed *p, int owners);
void hd_model_store_expect(const hd_model_store *s, const hd_model_packed *p);

/* The shape that the record says. */
const hd_model_shape *hd_model_store_shape(const hd_model_shapes *shapes, const hd_model_packed *p);

/* The number of a packed state, if it is stored. */
bool hd_model_store_find(hd_model_store *s, const hd_model_packed *p, uint32_t *number);

/* Builds a packed state without the machine: `base` with another shape that shares its first `kept`
 * components, and with some components replaced. */
typedef struct hd_model_change {
    uint32_t component, number;
} hd_model_change;

void hd_model_store_patch(hd_model_store *s, const hd_model_packed *base, uint32_t parent,
    const hd_model_change *changes, uint32_t count, uint64_t flip, hd_model_packed *p);
void hd_model_store_reshape(hd_model_store *s, const hd_model_packed *base, uint32_t parent,
    const hd_model_shape *shape, uint32_t kept, const hd_model_change *changes, uint32_t count, hd_model_packed *p);

/* Reads state `number` in packed form; unpacks a packed state to bytes; does both. */
void hd_model_store_read(hd_model_store *s, uint32_t number, hd_model_packed *p);
void hd_model_store_unpack(const hd_model_store *s, const hd_model_packed *p, uint8_t *bytes);
const hd_model_shape *hd_model_store_get(hd_model_store *s, uint32_t number, uint8_t *bytes, hd_model_packed *p);

/* The number of a packed state's component. */
uint32_t hd_model_store_component(const hd_model_store *s, const hd_model_packed *p, uint32_t component);

uint32_t hd_model_store_parent(hd_model_store *s, uint32_t number); /* HD_MODEL_NO_STATE for the first */
uint64_t hd_model_store_count(const hd_model_store *s);
uint64_t hd_model_store_bytes(const hd_model_store *s); /* of memory */

/* Checks that the record is the one of the shape, that the store has its components, and that its hash,
 * which steps update, is what its components give. Called for every state that is committed. */
bool hd_model_packed_is_valid(const hd_model_store *s, const hd_model_packed *p);

/* Checks:
 * - both tables are valid (records.h), and each record is in the shard that its hash gives;
 * - no two components have the same bytes and no two states the same components: so states are equal iff
 *   their numbers are, and no state is counted or expanded twice;
 * - components are stored without trailing zeros, their numbers are their indices, and the number leads to
 *   the component;
 * - the components and the parent of each state are stored.
 * Called after each new state, unless other searchers share the store. */
bool hd_model_store_is_valid(const hd_model_store *s);

/* For the validity of what refers to a store. Is there a component with this number? Can the changes lead to
 * a state of this shape: do they ascend, are they among its components, and all of those from `kept` on? */
bool hd_model_store_has(const hd_model_store *s, uint32_t number);
bool hd_model_changes_are_valid(
    const hd_model_store *s, uint32_t shape, uint32_t kept, const hd_model_change *changes, uint32_t count);

#endif
