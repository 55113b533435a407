/* Sequences that reverse a race, as views of the trace (docs/algorithms/dpor.md, "Speed").
 *
 * A sequence consists of the steps that come after a step, the *base*, and do not depend on it, in the order of the
 * trace (nor on further steps after the base that are left out with it); then one more step, the *last*, which is moved
 * to the end of the sequence. A step of the sequence is identified by its position in the trace, the last one by `end`,
 * the trace's length. Sets of steps are bit sets.
 *
 * Invariant: a sequence is closed. Whatever one of its steps depends on is in the sequence too, or comes before the
 * base. So a step depends on nothing in the sequence iff hd_item.after does not lie after the base.
 *
 * Steps are removed from it one after the other, each only when no remaining step happens before it. What remains is
 * the *rest*.
 *
 * An *initial* of a sequence is a step of it that no other step of it happens before. A *weak initial* is an initial,
 * or a step that is not in the sequence and conflicts with nothing in it (Abdulla et al., JACM 2017). These are the
 * steps with which an execution that begins with the sequence can begin, up to the order of independent steps. */
#ifndef HD_DPOR_SEQUENCE_H
#define HD_DPOR_SEQUENCE_H

#include "event/trace.h"
#include "inputs/decisions.h"

/* The step that is moved. */
typedef struct hd_sequence_last {
    uint16_t thread;
    uint8_t choice;
    bool inexact; /* it may turn out to conflict with less than `ops` say */
    bool unknown; /* which way it takes through branches in its middle is not known */
    uint32_t position; /* of the step in the trace; 0 if it was never performed */
    uint32_t before; /* its thread's item before it, or HD_NO_ITEM */
    const hd_op *ops;
    uint32_t op_count;
} hd_sequence_last;

typedef struct hd_sequence {
    const hd_trace *trace;
    const hd_path *path; /* the branches on inputs of the execution; NULL: there are none */
    hd_decisions *decisions; /* answers that depend on inputs, if there is a path */
    bool partial; /* a step is a weak initial with some inputs, but not with the current ones */
    uint32_t earlier; /* the base's item */
    const uint32_t *also; /* items after it that are left out with it */
    uint32_t also_count;
    uint64_t extensions; /* trace.extensions when it was made, to notice that the trace has changed */
    uint32_t start, end; /* positions in it are from `start` on */
    hd_sequence_last last;

    uint32_t first_word, words; /* sets are used from `first_word` on */
    uint64_t *in, *rest; /* the sequence without its last step, and the rest */
    uint64_t *needed; /* steps that keep a sleeping step, or a branch of the wakeup tree, from being a weak initial */
    hd_vec(uint64_t) bits; /* the memory of the sets */
} hd_sequence;

void hd_sequence_init(hd_sequence *s, hd_memory *memory);
void hd_sequence_fini(hd_sequence *s);

/* All steps after item `earlier` that do not depend on it, nor on one of the items `also`, which live as long as the
 * sequence is used. Free if trace and item are those of the last call, and nothing else is left out. */
void hd_sequence_begin(hd_sequence *s, const hd_trace *t, uint32_t earlier, const uint32_t *also, uint32_t also_count);

/* Sets the last step; only its choice may change afterwards. */
void hd_sequence_end(hd_sequence *s, hd_sequence_last last);

/* Makes the rest the whole sequence again, and the last step the only needed one. */
void hd_sequence_restart(hd_sequence *s);

/* Checks, after a restart:
 * - the sequence has every step after the base that does not depend on what is left out, and no other; so, whatever a
 * step depends on is in it too;
 * - a step is taken out of the rest only after those that it depends on; what is needed is in the sequence. */
bool hd_sequence_is_valid(const hd_sequence *s);

static inline bool hd_sequence_has(const uint64_t *set, uint32_t position)
{
    return set[position / 64] >> position % 64 & 1;
}

static inline void hd_sequence_add(uint64_t *set, uint32_t position)
{
    set[position / 64] |= 1ull << position % 64;
}

/* Is the rest empty? Is it the last step alone? */
bool hd_sequence_is_over(const hd_sequence *s);
bool hd_sequence_is_last(const hd_sequence *s);

/* Removes an initial of the rest. */
static inline void hd_sequence_remove(hd_sequence *s, uint32_t position)
{
    s->rest[position / 64] &= ~(1ull << position % 64);
}

/* Closes the needed steps under dependencies; `all`: makes all steps needed. */
void hd_sequence_close_needed(hd_sequence *s, bool all);

/* The step; and the way that the execution took through the branches on inputs after it (0: there are none, or they are
 * not known). */
hd_sleeper hd_sequence_step(const hd_sequence *s, uint32_t position);
uint64_t hd_sequence_way(const hd_sequence *s, uint32_t position);

/* The inputs with which the step has its effect (hd_path_when), and whether they are not known. */
hd_term hd_sequence_when(const hd_sequence *s, uint32_t position);
bool hd_sequence_is_unknown(const hd_sequence *s, uint32_t position);

/* The inputs with which the branches after it also go the same way. */
hd_term hd_sequence_condition(const hd_sequence *s, uint32_t position);

/* Adds to the decisions what the inputs of an execution that begins with the sequence must satisfy. */
void hd_sequence_require(const hd_sequence *s);

typedef enum hd_initial { HD_INITIAL, HD_WEAK_INITIAL, HD_NOT_INITIAL } hd_initial;

/* Is the step an initial of the rest, a weak one, or none? `position` is the step itself in the rest, or, if it is no
 * initial, a step of the rest that prevents it: one that conflicts with it, or the thread's own step there. */
hd_initial hd_sequence_initial(const hd_sequence *s, const hd_sleeper *step, uint32_t *position);

/* An initial or weak initial that has its effect only when the term holds: does it with the current inputs? */
bool hd_sequence_admits(hd_sequence *s, hd_term when, hd_initial at, uint32_t position);

/* hd_sequence_initial in three parts, because the first needs no operations.
 *
 * Is the thread's step with this outcome an initial of the rest? `own` is the thread's first step in the rest in any
 * case, or HD_NO_ITEM. */
bool hd_sequence_begins_with(const hd_sequence *s, uint16_t thread, uint8_t choice, uint32_t *own);

/* The effect of the last step is not known, and `own` is that step: is a step of its thread with these operations a
 * possible form of it, which is an initial because the operations conflict with nothing in the rest? */
bool hd_sequence_ends_with(const hd_sequence *s, const hd_op *ops, uint32_t op_count, uint8_t choice, uint32_t own);

/* Is a step with these operations, which is no initial, a weak one? If not, `position` prevents it. */
bool hd_sequence_commutes(const hd_sequence *s, const hd_op *ops, uint32_t op_count, uint32_t own, uint32_t *position);

/* Do the operations of two steps conflict? */
static inline bool hd_steps_conflict(const hd_op *a, uint32_t a_count, const hd_op *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++)
            if (hd_ops_conflict(&a[i], &b[k]))
                return true;
    return false;
}

#endif
