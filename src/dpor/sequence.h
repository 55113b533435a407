/* Sequences that reverse a race, as views of the trace.
 *
 * What comes after a step, the base, and does not depend on it, in the order of
 * the trace; then one more step, the last, that is in a new place there. A step
 * of the sequence is known by its position in the trace, the last one by `end`,
 * the trace's length. Sets of them are bits.
 *
 * Invariant: whatever a step of the sequence depends on is in the sequence too,
 * or comes before the base. So a step depends on nothing in the sequence iff
 * hd_item.after is not behind the base.
 *
 * Steps can be taken out of it one after the other, each only when nothing that
 * is left comes before it; what is left is the *rest*.
 */
#ifndef HD_DPOR_SEQUENCE_H
#define HD_DPOR_SEQUENCE_H

#include "event/trace.h"
#include "inputs/decisions.h"

/* The step in a new place. */
typedef struct hd_sequence_last {
    uint16_t thread;
    uint8_t choice;
    bool inexact; /* its operations might do less than these */
    bool unknown; /* which way it goes through branches in its middle is not known */
    uint32_t position; /* where the trace has it; 0 if it does not */
    uint32_t before; /* its thread's item before it, or HD_NO_ITEM */
    const hd_op *ops;
    uint32_t op_count;
} hd_sequence_last;

typedef struct hd_sequence {
    const hd_trace *trace;
    const hd_path *path; /* the branches on inputs of the execution; NULL: there are none */
    hd_decisions *decisions; /* about it, if there is a path */
    bool partial; /* something that can come first in it with some inputs does not with those at hand */
    uint32_t earlier; /* the base's item */
    uint64_t extensions; /* of the trace that it was made of */
    uint32_t start, end; /* positions in it are from `start` on */
    hd_sequence_last last;

    uint32_t first_word, words; /* sets are used from `first_word` on */
    uint64_t *in, *rest; /* the sequence, and what is left of it */
    uint64_t *needed; /* to keep something that is known from coming first */
    hd_vec(uint64_t) bits; /* where the sets are */
} hd_sequence;

void hd_sequence_init(hd_sequence *s, hd_memory *memory);
void hd_sequence_fini(hd_sequence *s);

/* All that does not depend on item `earlier`; with the same trace and item as
 * the time before, it costs nothing. */
void hd_sequence_begin(hd_sequence *s, const hd_trace *t, uint32_t earlier);

/* The last step; only its choice may change afterwards. */
void hd_sequence_end(hd_sequence *s, hd_sequence_last last);

/* Makes the rest the whole sequence again, of which only the last is needed. */
void hd_sequence_restart(hd_sequence *s);

static inline bool hd_sequence_has(const uint64_t *set, uint32_t position)
{
    return set[position / 64] >> position % 64 & 1;
}

static inline void hd_sequence_add(uint64_t *set, uint32_t position)
{
    set[position / 64] |= 1ull << position % 64;
}

/* Is nothing left? Nothing but the last? */
bool hd_sequence_is_over(const hd_sequence *s);
bool hd_sequence_is_last(const hd_sequence *s);

/* Takes a step out that nothing of the rest comes before. */
static inline void hd_sequence_remove(hd_sequence *s, uint32_t position)
{
    s->rest[position / 64] &= ~(1ull << position % 64);
}

/* Adds what the needed steps depend on to them; `all`: everything. */
void hd_sequence_close_needed(hd_sequence *s, bool all);

/* What the step is, and, of the branches on inputs behind it, which way the
 * execution went (0: there are none, or they are not known). */
hd_sleeper hd_sequence_step(const hd_sequence *s, uint32_t position);
uint64_t hd_sequence_way(const hd_sequence *s, uint32_t position);

/* With which inputs it does what it does there (hd_path_when), and whether that is not known. */
hd_term hd_sequence_when(const hd_sequence *s, uint32_t position);
bool hd_sequence_is_unknown(const hd_sequence *s, uint32_t position);

/* With which inputs it also leads where it led. */
hd_term hd_sequence_condition(const hd_sequence *s, uint32_t position);

/* What the inputs of an execution that begins with the sequence must fulfil. */
void hd_sequence_require(const hd_sequence *s);

typedef enum hd_initial { HD_INITIAL, HD_WEAK_INITIAL, HD_NOT_INITIAL } hd_initial;

/* Can the step come first in an execution that begins with the rest, because it
 * is in it and depends on nothing there, or because it is not and conflicts with
 * nothing? `position` is the step itself, or one that stands against it: the two
 * conflict, or it is its thread's own and depends on others. */
hd_initial hd_sequence_initial(const hd_sequence *s, const hd_sleeper *step, uint32_t *position);

/* A step that does what it does only when the term holds: does it with the inputs at
 * hand? `at` and `position` say where else it is. */
bool hd_sequence_admits(hd_sequence *s, hd_term when, hd_initial at, uint32_t position);

/* hd_sequence_initial in two parts, because one needs no operations. Is a step of the thread,
 * with this outcome, in the rest, and nothing before it? `own` is the thread's first
 * there in any case, or HD_NO_ITEM. If so, the step is in it; if not, can it come
 * first beside the rest? Else `position` stands against it. */
bool hd_sequence_begins_with(const hd_sequence *s, uint16_t thread, uint8_t choice, uint32_t *own);

/* It is not known what the last one does; if `own` is that: a step of its thread that does
 * these operations before the rest is what it does, if they conflict with nothing there. */
bool hd_sequence_ends_with(const hd_sequence *s, const hd_op *ops, uint32_t op_count, uint8_t choice, uint32_t own);
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
