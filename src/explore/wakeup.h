/* Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial
 * order reduction, 2014): the sequences of steps that remain to be explored
 * from a node, as an ordered tree. A sequence is added only if no branch that
 * is there already leads to an equivalent execution; so every branch will give
 * an execution that no other gives.
 *
 * What a thread does after a branch on inputs depends on its value. A sequence
 * is run with the inputs of the execution that it came from, and compared only
 * with those that came the same way. Where it would go on behind a step that it
 * does not have itself, and that is followed by branches, it is not added: all
 * ways that there are behind a step are explored.
 */
#ifndef HD_EXPLORE_WAKEUP_H
#define HD_EXPLORE_WAKEUP_H

#include "base/vec.h"
#include "event/trace.h"

/* A step of a sequence: who, which outcome, what it does, what comes before. */
typedef struct hd_wakeup_step {
    uint16_t thread;
    uint8_t choice;
    bool removed;
    bool inexact; /* its operations might do less than these */
    bool needed; /* it keeps something that is known from coming first */
    uint32_t number; /* the thread's how-manieth step it is */
    uint32_t position; /* in the trace that the sequence was made of */
    const uint32_t *clock; /* full clock */
    uint64_t way; /* the branches on inputs that follow it, as a number; 0: none */
    const hd_op *ops;
    uint32_t op_count;
} hd_wakeup_step;

typedef hd_vec(hd_wakeup_step) hd_wakeup_sequence;

/* 64 bytes: trees are large, and walked through again and again. */
typedef struct hd_wakeup_node {
    uint16_t thread;
    uint8_t choice;
    bool inexact; /* of the step */
    bool doubtful; /* it might turn out that this need not be explored */
    uint32_t child, sibling; /* 0: none */
    uint32_t inputs; /* with which the execution that it came from ran */
    uint64_t way; /* that execution's after this step */
    uint64_t from; /* and before it */
    uint32_t op_count;
    hd_op *ops; /* NULL: it is one */
    hd_op op;
} hd_wakeup_node;

/* All trees of an exploration; node 0 is not used. A tree is the number of its
 * first branch. */
typedef struct hd_wakeup_trees {
    hd_vec(hd_wakeup_node) nodes;
    uint32_t unused; /* list of free nodes, through sibling */
    uint32_t inputs; /* of the execution whose sequences are added */
    uint32_t added; /* nodes with those inputs */
    hd_vec(uint32_t) released; /* the inputs of nodes that are free again */
} hd_wakeup_trees;

void hd_wakeup_init(hd_wakeup_trees *t, hd_memory *memory);
void hd_wakeup_fini(hd_wakeup_trees *t);

/* What it depends on that a sequence is known, or where it went: steps of the
 * trace up to `position`, and, if `beside`, that something that is not in it
 * conflicts with nothing in it. A sequence that has the same steps up to there
 * has the same fate, unless it has more steps and `beside`. */
typedef struct hd_wakeup_reasons {
    uint32_t position;
    bool beside;
} hd_wakeup_reasons;

/* Adds the sequence, which begins after `way`, to the tree at *root, if it is not covered by a branch. The
 * caller has marked what is needed. */
void hd_wakeup_insert(
    hd_wakeup_trees *t, uint32_t *root, uint64_t way, hd_wakeup_sequence *sequence, hd_wakeup_reasons *reasons);

/* Takes the first branch off the tree and gives its number; free it with
 * hd_wakeup_release, its children stay. */
uint32_t hd_wakeup_take(hd_wakeup_trees *t, uint32_t *root);
void hd_wakeup_release(hd_wakeup_trees *t, uint32_t node);

/* Gives up the whole tree. */
void hd_wakeup_drop(hd_wakeup_trees *t, uint32_t *root);

/* Is it a tree, with branches that differ? */
bool hd_wakeup_is_valid(const hd_wakeup_trees *t, uint32_t root);

/* What the operation might conflict with when it is done in another place:
 * a failed try might succeed there. */
hd_op hd_op_at_its_strongest(hd_op op);

/* Do the operations of two steps conflict? */
static inline bool hd_wakeup_ops_conflict(const hd_op *a, uint32_t a_count, const hd_op *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++)
            if (hd_ops_conflict(&a[i], &b[k]))
                return true;
    return false;
}

typedef enum hd_wakeup_place { HD_WAKEUP_IN_IT, HD_WAKEUP_BESIDE_IT, HD_WAKEUP_NOT_FIRST } hd_wakeup_place;

/* Can the step come first in an execution that begins with the sequence,
 * because it is in it and depends on nothing there, or because it is not and
 * conflicts with nothing? Else `index` is the step that stands against it. */
hd_wakeup_place hd_wakeup_place_of(const hd_wakeup_sequence *s, const hd_sleeper *step, size_t *index);

/* That is a reason. */
void hd_wakeup_note(hd_wakeup_reasons *r, const hd_wakeup_sequence *s, hd_wakeup_place at, size_t index);

#endif
