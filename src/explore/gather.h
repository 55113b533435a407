/* The events of all executions: what an exploration has seen, as one structure.
 *
 * An event is a step of a thread after a certain past. It is known by what it does
 * and by its *direct causes*: the thread's event before it; on each object that it
 * uses, the events whose effect it meets; and the events behind edges (creation,
 * joining, waking). Equal steps after equal pasts are one event, whatever execution
 * they were seen in. An event's number is greater than those of its causes.
 *
 * What counts as the past on an object is the *net*:
 *
 *   replicated   a write (anything that changes the object) meets the last write and what
 *                other threads have read since; a read meets the last write
 *   contextual   a write meets the last write alone; a read meets the last write
 *   naive        everything meets the last operation on the object
 *
 * Each event is kept as a row of words, the same words for the same event:
 * thread and flags, the event before it in its thread, the operations each with its
 * pieces (bytes of a cell that have the same past), then the edges. `hd_gather_read`
 * takes a row apart again.
 *
 * Everything is in one hd_memory, without pointers to code: it outlives the process. */
#ifndef HD_EXPLORE_GATHER_H
#define HD_EXPLORE_GATHER_H

#include "base/map.h"
#include "base/rows.h"
#include "base/vec.h"
#include "event/plan.h"
#include "sym/term.h"

enum { HD_NO_EVENT = 0xffffffffu };

typedef enum hd_gather_net { HD_GATHER_REPLICATED, HD_GATHER_CONTEXTUAL, HD_GATHER_NAIVE } hd_gather_net;

/* How an operation shares its object: looks commute with looks, those of a group
 * (see event/op.c) with each other, the rest with nothing. */
typedef enum hd_access_class { HD_LOOKS, HD_GROUPED, HD_TOTAL } hd_access_class;

typedef struct hd_gather_site {
    const char *file, *function;
    uint32_t line, column;
} hd_gather_site;

typedef struct hd_gather hd_gather;

hd_gather *hd_gather_open(hd_gather_net net, hd_memory *memory);
void hd_gather_close(hd_gather *g);

/* Forgets everything. */
void hd_gather_clear(hd_gather *g);

/* Adds the events of an execution. */
void hd_gather_add(hd_gather *g, const hd_execution *e);

/* The events of the execution that was added last, in their order. */
const uint32_t *hd_gather_last(const hd_gather *g, uint32_t *count);

uint32_t hd_gather_count(const hd_gather *g);
const hd_gather_site *hd_gather_sites(const hd_gather *g, uint32_t *count);

/* A place in the program as it is kept; in the process that runs it. */
const hd_gather_site *hd_gather_site_of(hd_gather *g, const hd_site *site);

/* --- statements and branches ------------------------------------------------------------ */

/* What a thread came to between an event of it and the next one.
 *
 * The event is necessary for it, and sufficient unless the thread waited in between (a join, a wake-up): then the
 * threads that it waited for must get to their ends as well. `waits` are their last events, in the execution that
 * showed the way first: together with the event, they lead to it. */
typedef struct hd_gather_way {
    uint32_t event; /* HD_NO_EVENT: no event of its own or of its creator is necessary */
    uint32_t site, what, ordinal; /* HD_COVER_…, of the hooks at one place */
    uint16_t thread;
    const uint32_t *waits;
    uint32_t wait_count;
} hd_gather_way;

/* All of them, each once. */
uint32_t hd_gather_way_count(const hd_gather *g);
hd_gather_way hd_gather_way_at(const hd_gather *g, uint32_t number);

/* The ways of the execution that was added last. */
const uint32_t *hd_gather_last_ways(const hd_gather *g, uint32_t *count);

/* Some execution had more of them than could be kept. */
bool hd_gather_lost_ways(const hd_gather *g);

/* --- inputs ------------------------------------------------------------------------------ */

/* What must hold of the inputs for a branch to go as the event says, as a term of one bit; 0: nothing. */
hd_term hd_gather_condition(const hd_gather *g, uint32_t event);
hd_terms *hd_gather_terms(hd_gather *g);

/* --- a row taken apart ----------------------------------------------------------------- */

typedef struct hd_gather_met {
    uint8_t class;
    uint16_t thread;
    uint32_t event;
} hd_gather_met;

/* Part of an operation: bytes with one past. */
typedef struct hd_gather_piece {
    uint64_t object;
    uint8_t mask, class;
    uint32_t met, met_count; /* in `met` of the row */
} hd_gather_piece;

typedef struct hd_gather_op {
    uint64_t object;
    uint8_t kind, choice, mask;
    uint32_t site;
    uint32_t piece, piece_count;
} hd_gather_op;

typedef struct hd_gather_edge {
    uint32_t event;
    bool creates; /* the thread begins with it */
} hd_gather_edge;

typedef struct hd_gather_row {
    uint16_t thread;
    bool is_branch; /* no step of its own: the way taken, as inputs decide it */
    bool is_alone; /* no step of schedules: HD_OP_ALONE */
    uint32_t before; /* in its thread, or HD_NO_EVENT */
    hd_vec(hd_gather_op) ops;
    hd_vec(hd_gather_piece) pieces;
    hd_vec(hd_gather_met) met;
    hd_vec(hd_gather_edge) edges;
} hd_gather_row;

/* Into `row`, whose vectors are used again. */
void hd_gather_read(const hd_gather *g, uint32_t event, hd_gather_row *row);
void hd_gather_row_fini(hd_gather_row *row);

#endif
