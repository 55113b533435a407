/* Variants without stored sequences (5.2.2 of the paper): each sequence is the continuation of exactly one variant of
 * one other sequence (docs/algorithms/reach.md, "Without stored sequences").
 *
 * The events of a sequence have an order, their *stamps*: the kept events of its variant first, in the order that they
 * had, then those of the free run. The free run depends on the events so far alone: the next event is that of the first
 * thread that can go on, and a decision takes its first outcome, the *plain* one: of a receive the least message that
 * is there, or nothing if there is none; of a choice 0. In the order of stamps there are two kinds of variants:
 *
 *   forward   a decision of the free run takes another outcome that is possible there; all after it is dropped
 *   backward  a send of the free run is taken by a receive that came before it; of what came after the receive only the
 *             past of the send is kept. Only if the receive, and every decision that is dropped, has the outcome that
 * is plain for what came before it and the past of the send, and no receive that is kept takes a message that is
 * dropped.
 *
 * The condition finds, for each variant, the one sequence that it is derived from. */
#ifndef HD_REACH_REVISIT_H
#define HD_REACH_REVISIT_H

#include "reach/variant.h"

typedef hd_vec(uint32_t) hd_sr_stamps;

/* Opaque in use. */
typedef struct hd_sr_revisits {
    hd_sr_variant variant;
    hd_sr_stamps stamps; /* of each event */
    hd_vec(uint32_t) order; /* the events by their stamps */
    uint32_t at; /* the stamp of the event whose variants are being taken */
    uint32_t next; /* its next outcome, or the stamp of the next receive that could take it */
    uint32_t revisited; /* the decision of the present variant */
} hd_sr_revisits;

/* `planned`: the stamps of the kept events of the variant that the sequence continues, by thread and index, in order
 * (hd_sr_revisits_plan); empty: it is the first one. */
typedef struct hd_sr_planned {
    uint16_t thread;
    uint32_t index;
} hd_sr_planned;
typedef hd_vec(hd_sr_planned) hd_sr_plan;

void hd_sr_revisits_init(hd_sr_revisits *v, const hd_sr *q, const hd_sr_plan *planned, hd_memory *memory);
void hd_sr_revisits_fini(hd_sr_revisits *v);

/* Goes on to the next variant; false: there is none. */
bool hd_sr_revisits_next(hd_sr_revisits *v);

/* The kept events of the present variant by their stamps. */
void hd_sr_revisits_plan(const hd_sr_revisits *v, hd_sr_plan *out);

#endif
