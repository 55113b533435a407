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
 *
 * Branches that begin with a step of which it is not known which way it goes come
 * last. They stand for sequences that nobody has seen; when one is run, all that were
 * seen have been, and the step can go to sleep whatever it turns out to do.
 */
#ifndef HD_DPOR_WAKEUP_H
#define HD_DPOR_WAKEUP_H

#include "base/vec.h"
#include "dpor/sequence.h"

/* Small: trees are large, and walked through again and again. */
typedef struct hd_wakeup_node {
    uint16_t thread;
    uint8_t choice;
    bool inexact : 1; /* of the step */
    bool doubtful : 1; /* it might turn out that this need not be explored */
    bool led : 1; /* `from` is not 0 */
    bool turned : 1; /* which way leads on from it is not known without having it: there are branches behind it, or it
                        was the last of its sequence */
    bool unknown : 1; /* nor is which way leads through it: all are to be explored */
    uint32_t child, sibling; /* 0: none */
} hd_wakeup_node;

/* What else is known of a node. */
typedef struct hd_wakeup_step {
    uint64_t way; /* that the execution which it came from went after this step */
    uint64_t from; /* and before it */
    uint32_t inputs; /* with which that execution ran */
    hd_term when; /* what the step does is done when this holds of inputs; 0: always */
    hd_term condition; /* and it leads where it led when this does */
    uint32_t op_count;
    hd_op *ops; /* NULL: it is one */
    hd_op op;
} hd_wakeup_step;

/* All trees of an exploration; node 0 is not used. A tree is the number of its
 * first branch. */
typedef struct hd_wakeup_trees {
    hd_vec(hd_wakeup_node) nodes;
    hd_vec(hd_wakeup_step) steps; /* of the nodes */
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

/* That is a reason. */
void hd_wakeup_note(hd_wakeup_reasons *r, const hd_sequence *s, hd_initial at, uint32_t position);

/* Adds the sequence, which begins after `way`, to the tree at *root, if it is not covered by a branch. The
 * caller has marked what is needed. What the tree has already is taken out of the sequence's rest. Gives
 * the first node that was added, 0 if none was. */
uint32_t hd_wakeup_insert(
    hd_wakeup_trees *t, uint32_t *root, uint64_t way, hd_sequence *sequence, hd_wakeup_reasons *reasons);

/* Takes the first branch off the tree and gives its number; free it with
 * hd_wakeup_release, its children stay. */
uint32_t hd_wakeup_take(hd_wakeup_trees *t, uint32_t *root);
void hd_wakeup_release(hd_wakeup_trees *t, uint32_t node);

/* Puts a branch back that was taken off and not followed. */
void hd_wakeup_put_back(hd_wakeup_trees *t, uint32_t *root, uint32_t node);

/* Gives up the first sequence of the tree, */
void hd_wakeup_drop_first(hd_wakeup_trees *t, uint32_t *root);

/* the whole tree. */
void hd_wakeup_drop(hd_wakeup_trees *t, uint32_t *root);

/* Is it a tree, with branches that differ? */
bool hd_wakeup_is_valid(const hd_wakeup_trees *t, uint32_t root);

#endif
