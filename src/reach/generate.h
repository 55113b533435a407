/* Generate-Variants (Figure 3.2 of the paper): all race variants of a sequence, one at a time (5.2.2).
 *
 * The tail of Q is the set of its decisions that no other decision happens after. Q \t R is Q without R and all that
 * happens after it. A variant has none of the tail, and is one of Q \t tail(Q) (Theorem 3.4.1); or it has a non-empty
 * part R of it (3.4.2), and then it is one of Q′ = Q \t (tail(Q) \ R) that has R and any part of the rest of tail(Q′)
 * (3.4.3); with the whole tail, the outcomes of the tail are chosen from the race sets, at least one of them another
 * (3.4.4, mended as in variant.h). A receive that changes keeps the past of the message that it took in Q: the paper's
 * variants are those of definition 18 with this property.
 *
 * Decisions are the paper's receives; receives that wait at the end belong to no variant. */
#ifndef HD_REACH_GENERATE_H
#define HD_REACH_GENERATE_H

#include "reach/variant.h"

/* variant_intersect(Q, R), while it is computed. */
typedef struct hd_sr_intersection {
    uint64_t next; /* the next part of the rest of the tail; if R is the tail: the next combination of outcomes */
    bool whole; /* R is the tail */
} hd_sr_intersection;

/* Opaque in use. */
typedef struct hd_sr_generator {
    hd_sr_variant variant;
    uint32_t trims; /* how often the tail is still to be trimmed */
    hd_vec(bool) rest; /* what is left of Q */
    uint64_t part; /* the last part R of its tail */
    hd_vec(hd_sr_intersection) stack;
    hd_vec(bool) kept, parts; /* of each level of the stack, and event: is it in Q, and in R? */
    hd_vec(bool) gone; /* while a sequence is trimmed */
    bool too_wide; /* the tail has more parts than can be counted: variants were left out */
} hd_sr_generator;

/* `trims`: variants of Q, of Q \t tail(Q), … are generated, as often as the tail is trimmed. Each part of Q that is a
 * prefix of a known sequence needs no variants (3.5); UINT32_MAX: all. */
void hd_sr_generator_init(hd_sr_generator *g, const hd_sr *q, uint32_t trims, hd_memory *memory);
void hd_sr_generator_fini(hd_sr_generator *g);

/* Goes on to the next variant; false: there is none. */
bool hd_sr_generator_next(hd_sr_generator *g);

/* What is left of Q := Q \t tail(Q). False: there is nothing to trim. */
bool hd_sr_generator_trim(hd_sr_generator *g);

/* The decisions of what is left of Q. */
void hd_sr_generator_rest(const hd_sr_generator *g, hd_sr_decisions *out);

/* Is the event in the tail of what is kept? */
bool hd_sr_is_tail(const hd_sr *q, const bool *kept, uint32_t event);

/* kept := kept \t gone. */
void hd_sr_trim(const hd_sr *q, bool *kept, const bool *gone);

#endif
