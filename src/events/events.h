/* The event structure of a program: the events of all executions of an exploration.
 *
 * An *event* is a step of a thread together with its causes. It is identified by what it does and by its *direct
 * causes*: the thread's previous event; for each object that it uses, the events that the net makes causes
 * (events/net.h); and the events behind edges (creation, joins, wake-ups). Equal steps with equal causes are one event,
 * whatever executions they occur in. An event's number is greater than the numbers of its causes.
 *
 *   net            a write's causes on its object                       a read's
 *   replicated     the last write, and the reads of each thread since   the last write
 *   contextual     the last write                                       the last write
 *   naive          the last operation                                   the last operation
 *
 * Each event is stored as a row of words: thread and flags, the previous event, the operations, each with its pieces
 * (bytes of a cell with the same causes), and the edges. Equal events have equal rows, so a row is looked up by its
 * hash. `hd_events_read` decodes a row. events/trees.h arranges the events in trees, for questions about
 * configurations.
 *
 * All data is in one hd_memory and contains no pointers to code: it outlives the process that recorded it. */
#ifndef HD_EVENTS_EVENTS_H
#define HD_EVENTS_EVENTS_H

#include "base/vec.h"
#include "event/plan.h"
#include "events/net.h"
#include "sym/term.h"

enum { HD_NO_EVENT = 0xffffffffu };

typedef struct hd_events hd_events;

hd_events *hd_events_open(hd_net net, hd_memory *memory);
void hd_events_close(hd_events *s);
hd_net hd_events_net(const hd_events *s);

/* Removes all events. */
void hd_events_clear(hd_events *s);

/* Adds the events of an execution. */
void hd_events_add(hd_events *s, const hd_execution *e);

uint32_t hd_events_count(const hd_events *s);

/* The events of the execution that was added last, in the order of their steps. */
const uint32_t *hd_events_last(const hd_events *s, uint32_t *count);

/* --- source positions ----------------------------------------------------------------------- */

/* A source position; a copy, valid without the program. */
typedef struct hd_event_site {
    const char *file, *function;
    uint32_t line, column;
} hd_event_site;

const hd_event_site *hd_events_sites(const hd_events *s, uint32_t *count);

/* The copy of a site of the program; only in the process that runs the program. */
const hd_event_site *hd_events_site_of(hd_events *s, const hd_site *site);

/* --- statements and branches ------------------------------------------------------------ */

/* What a thread reached between one of its events and the next.
 *
 * The event is necessary for it. It is also sufficient, unless the thread waited in between (for a join, a wake-up):
 * then the threads that it waited for must reach their ends as well. `waits` are their last events in the first
 * execution with this way; together with the event they lead to it. */
typedef struct hd_event_way {
    uint32_t event; /* HD_NO_EVENT: no event of the thread or of its creator is necessary */
    uint32_t site, what, ordinal; /* HD_COVER_…, of the hooks at one source position */
    uint16_t thread;
    const uint32_t *waits;
    uint32_t wait_count;
} hd_event_way;

/* All ways, each once. */
uint32_t hd_events_way_count(const hd_events *s);
hd_event_way hd_events_way(const hd_events *s, uint32_t number);

/* The ways of the execution that was added last. */
const uint32_t *hd_events_last_ways(const hd_events *s, uint32_t *count);

/* Did an execution have more ways than could be recorded? */
bool hd_events_lost_ways(const hd_events *s);

/* --- inputs ------------------------------------------------------------------------------ */

/* The constraint on inputs under which the event's branches go as they did, as a term of one bit; 0: none. */
hd_term hd_events_constraint(const hd_events *s, uint32_t event);
hd_terms *hd_events_terms(hd_events *s);

/* --- an event, decoded ----------------------------------------------------------------- */

/* A cause on an object. */
typedef struct hd_event_cause {
    uint8_t group; /* HD_GROUP_… of its operation */
    uint16_t thread;
    uint32_t event;
} hd_event_cause;

/* Part of an operation: bytes with the same causes. */
typedef struct hd_event_piece {
    uint64_t object;
    uint8_t mask, group;
    uint32_t cause, cause_count; /* in `causes` of the event */
} hd_event_piece;

typedef struct hd_event_op {
    uint64_t object; /* of a branch: its value */
    uint8_t kind, choice, mask;
    uint32_t site;
    uint32_t piece, piece_count;
} hd_event_op;

typedef struct hd_event_edge {
    uint32_t event;
    bool creates; /* the thread begins with it */
} hd_event_edge;

typedef struct hd_event {
    uint16_t thread;
    bool is_branch; /* a branch on inputs: not a step of its own */
    bool is_alone; /* not a step of schedules: HD_OP_ALONE */
    uint32_t before; /* in its thread, or HD_NO_EVENT */
    hd_vec(hd_event_op) ops;
    hd_vec(hd_event_piece) pieces;
    hd_vec(hd_event_cause) causes;
    hd_vec(hd_event_edge) edges;
} hd_event;

/* Decodes event `number` into `event`, whose vectors are reused. */
void hd_events_read(const hd_events *s, uint32_t number, hd_event *event);
void hd_event_fini(hd_event *event);

#endif
