/* A race variant (definition 18): a part of a sequence in which some decisions have other outcomes.
 *
 * What is kept is closed: with an event, all that happens before it. A *changed* decision is the last one of its past:
 * nothing that happens after it is kept, because none of it has an equivalent event in a sequence with the other
 * outcome (the paper's Theorem 3.4.4 keeps sends; that would diverge). No message is taken twice. So the variant can be
 * executed, and the program goes on from there, unless receives that find nothing contradict each other: each must come
 * before the sends that it misses. */
#ifndef HD_REACH_VARIANT_H
#define HD_REACH_VARIANT_H

#include "event/plan.h"
#include "reach/sequence.h"
#include "reach/tree.h"

/* Open: what makes variants fills it in, and tests read it. */
typedef struct hd_sr_variant {
    const hd_sr *q;
    hd_vec(bool) kept; /* of each event */
    hd_vec(uint32_t) outcomes; /* of each event: a send or HD_SR_NONE; of choices and local events a number */
    hd_vec(uint32_t) order, places; /* while it is made into a schedule: the kept events; the place of each there */
} hd_sr_variant;

void hd_sr_variant_init(hd_sr_variant *v, const hd_sr *q, hd_memory *memory);
void hd_sr_variant_fini(hd_sr_variant *v);

/* Keeps nothing, with the outcomes of the sequence. */
void hd_sr_variant_clear(hd_sr_variant *v);

/* Changes the outcome of a decision, and drops all that happens after it. */
void hd_sr_variant_change(hd_sr_variant *v, uint32_t decision, uint32_t outcome);

bool hd_sr_variant_changes(const hd_sr_variant *v, uint32_t event);

/* Its decisions, for the tree. */
void hd_sr_variant_decisions(const hd_sr_variant *v, hd_sr_decisions *out);

/* Does a changed decision keep receives that find nothing only because they are in the past of the message that it took
 * in the sequence? Without them the variant may be possible where it is not with them. */
bool hd_sr_variant_keeps_in_vain(const hd_sr_variant *v);

typedef hd_vec(hd_choice) hd_sr_schedule;

/* The schedule that executes it; `out` is cleared first. False: it cannot be executed. */
bool hd_sr_variant_schedule(hd_sr_variant *v, hd_sr_schedule *out);

#endif
