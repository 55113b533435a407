/* What gathered events are made of; only for the files explore/gather*.c.
 *
 *   gather.c        executions: steps, branches and edges become rows
 *   gather_past.c   the past of an operation on its object, and what it leaves there
 *   gather_rows.c   rows taken apart again
 */
#ifndef HD_EXPLORE_GATHERER_H
#define HD_EXPLORE_GATHERER_H

#include "explore/gather.h"
#include "sym/import.h"

/* A row: thread and flags, the event before, numbers of operations and edges; then those. */
enum { HD_ROW_HEAD, HD_ROW_BEFORE, HD_ROW_OPS, HD_ROW_EDGES, HD_ROW_BODY };

/* What has been done to some bytes of an object in the execution at hand. */
typedef struct hd_gather_part {
    uint8_t mask;
    uint32_t last_total; /* event */
    uint32_t front; /* others since, as a list in `fronts` */
    uint32_t next; /* piece of the same object */
} hd_gather_part;

typedef struct hd_gather_front {
    hd_gather_met met;
    uint32_t next;
} hd_gather_front;

struct hd_gather {
    hd_memory *memory;
    hd_gather_net net;
    hd_rows rows; /* the events */
    hd_rows ways; /* event, site, thread and ordinal, what */
    hd_vec(uint32_t) waits; /* of ways, one after the other */
    hd_vec(uint32_t) wait_starts; /* by way */
    hd_vec(uint32_t) run_ways; /* of the execution at hand */
    bool lost_ways;
    hd_terms terms; /* of conditions */
    hd_import import;
    hd_vec(hd_term) conditions; /* by event; those of the last ones may be missing */
    hd_vec(hd_gather_site) sites;
    hd_map site_index; /* address → site + 1 */
    hd_map place_index; /* hash of what the site says → site + 1: equal ones are one site */

    /* The execution at hand. */
    hd_map objects; /* key → piece + 1 */
    hd_vec(hd_gather_part) pieces;
    hd_vec(hd_gather_front) fronts;
    uint32_t last[HD_MAX_THREADS]; /* events */
    bool begun[HD_MAX_THREADS]; /* the edge by which a thread was created has been seen */
    hd_vec(hd_gather_edge) open[HD_MAX_THREADS]; /* edges into a thread that has done nothing since */
    hd_vec(uint32_t) run;
    hd_vec(uint32_t) inside; /* those of the step at hand, by their places in the log */
    /* Pieces that the event at hand uses, with the class: piece * 4 + class; and what was split off them. */
    hd_vec(uint32_t) touched, split;
};

static inline void hd_gather_put(hd_gather *g, uint32_t word)
{
    hd_rows_put(&g->rows, word);
}

/* The number of a place in the program. */
uint32_t hd_gather_site_number(hd_gather *g, const hd_site *site);

/* Puts an operation with the past that it meets. */
void hd_gather_put_op(hd_gather *g, const hd_op *op);

/* What the event at hand has used is now after it. */
void hd_gather_leave_traces(hd_gather *g, uint32_t event, uint16_t thread);

#endif
