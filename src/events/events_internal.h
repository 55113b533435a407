/* The inside of hd_events; only for the files of this folder.
 *
 *   events.c   executions become rows: steps, branches, edges
 *   past.c     the causes of an operation on its object, and what the event leaves there
 *   ways.c     source positions; statements and branches between events
 */
#ifndef HD_EVENTS_EVENTS_INTERNAL_H
#define HD_EVENTS_EVENTS_INTERNAL_H

#include "base/map.h"
#include "base/rows.h"
#include "events/events.h"
#include "sym/import.h"

/* A row: thread and flags, the previous event, numbers of operations and edges; then the operations and edges. */
enum { HD_ROW_HEAD, HD_ROW_BEFORE, HD_ROW_OPS, HD_ROW_EDGES, HD_ROW_BODY };

/* What has happened to some bytes of an object in the current execution. */
typedef struct hd_event_history {
    uint8_t mask;
    uint32_t last; /* event with the last operation that commutes with nothing */
    uint32_t since; /* later operations: a list in `entries` */
    uint32_t next; /* history of other bytes of the same object */
} hd_event_history;

typedef struct hd_event_entry {
    hd_event_cause cause;
    uint32_t next;
} hd_event_entry;

/* The current event uses the bytes of a history with operations of a group. */
typedef struct hd_event_touch {
    uint32_t history;
    uint8_t group;
} hd_event_touch;

struct hd_events {
    hd_memory *memory;
    hd_net net;
    hd_rows rows; /* the events */
    hd_rows ways; /* event, site, thread, ordinal, what */
    hd_vec(uint32_t) waits; /* of all ways, one after the other */
    hd_vec(uint32_t) wait_starts; /* by way */
    hd_vec(uint32_t) run_ways; /* of the current execution */
    bool lost_ways;
    hd_terms terms; /* of constraints */
    hd_import import;
    hd_vec(hd_term) constraints; /* by event; those of the last events may be missing */
    hd_vec(hd_event_site) sites;
    hd_arena texts; /* of sites */
    hd_map site_index; /* address → site + 1 */
    hd_map position_index; /* hash of the position → site + 1: equal positions are one site */

    /* The current execution. */
    hd_map objects; /* key → history + 1 */
    hd_vec(hd_event_history) histories;
    hd_vec(hd_event_entry) entries;
    uint32_t threads; /* the number of slots that any execution has used */
    uint32_t last[HD_MAX_THREADS]; /* events */
    bool begun[HD_MAX_THREADS]; /* the edge by which the thread was created has been seen */
    hd_vec(hd_event_edge) open[HD_MAX_THREADS]; /* edges into a thread that has had no event since */
    hd_vec(uint32_t) run; /* its events */
    hd_vec(uint32_t) inside; /* branches of the current step: entries of the log */
    hd_vec(hd_event_cause) causes; /* of the current operation */
    hd_vec(hd_event_touch) touched, split; /* by the current event; split: off histories that it had touched before */
};

static inline void hd_events_put(hd_events *s, uint32_t word)
{
    hd_rows_put(&s->rows, word);
}

/* --- past.c --- */

/* Puts an operation, with its causes, into the current row. */
void hd_events_put_op(hd_events *s, const hd_op *op);

/* Later operations on what the current event has used come after it. */
void hd_events_enter(hd_events *s, uint32_t event, uint16_t thread);

/* --- ways.c --- */

uint32_t hd_events_site_number(hd_events *s, const hd_site *site);

/* Adds the ways from number `next` of the execution on that were seen before the log had more than `position` entries;
 * gives the next number. */
uint32_t hd_events_add_ways(hd_events *s, const hd_execution *e, uint32_t next, uint32_t position);

#endif
