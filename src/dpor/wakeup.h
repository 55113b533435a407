/* Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial
 * order reduction, 2014): the sequences of steps that remain to be explored
 * from a node, as an ordered tree. A sequence is inserted only if no branch of the
 * tree leads to an equivalent execution. So every branch gives an execution that no
 * other branch gives.
 *
 * What a thread does after a branch on inputs depends on the branch's value. A sequence
 * is run with the inputs of the execution in which it was found, and compared only with
 * sequences that took the same path. If it would continue after a step that it does not
 * contain itself and that branches follow, it is not inserted: all paths after a step
 * are explored in any case.
 *
 * Branches that begin with a step of unknown way come last. They stand for sequences that
 * no execution has shown. When one is run, all known sequences have been explored, and the
 * step can be put to sleep whatever it turns out to do (docs/algorithms/inputs.md, "dpor
 * with inputs", has the proof).
 */
#ifndef HD_DPOR_WAKEUP_H
#define HD_DPOR_WAKEUP_H

#include "base/vec.h"
#include "dpor/sequence.h"

/* Open and small, 12 bytes: trees are large, and every insertion walks through them. */
typedef struct hd_wakeup_node {
    uint16_t thread;
    uint8_t choice;
    bool inexact : 1; /* hd_sequence_last.inexact of the step */
    bool doubtful : 1; /* it was compared with an inexact step, so it may turn out to be redundant */
    bool led : 1; /* `from` is not 0 */
    bool turned : 1; /* the path after it is known only to sequences that contain it: branches follow it, or it was the
                        last step of its sequence */
    bool unknown : 1; /* its way is unknown: all ways through it must be explored */
    bool
        taken : 1; /* a worker explores all that follows, alone or with others (pieces.h): it leads to every sequence */
    bool explored : 1; /* … and that is done */
    uint32_t child, sibling; /* 0: none */
} hd_wakeup_node;

/* The rest of a node: read only for a step that is not in the sequence to insert. */
typedef struct hd_wakeup_step {
    uint64_t way; /* hd_path_way after this step, in the execution in which it was found */
    uint64_t from; /* and before it */
    uint32_t inputs; /* of that execution: a record of hd_path */
    hd_term when; /* the step has this effect for inputs for which this holds; 0: for all */
    hd_term condition; /* and the branches after it go the same way if this holds */
    uint32_t op_count;
    hd_op *ops; /* NULL: the only operation is `op` */
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
    uint32_t parent; /* the node after which the last sequence was inserted; 0: at the root */
    hd_vec(uint32_t) released; /* the inputs of nodes that have been freed; the caller drops its references */
} hd_wakeup_trees;

void hd_wakeup_init(hd_wakeup_trees *t, hd_memory *memory);
void hd_wakeup_fini(hd_wakeup_trees *t);

/* Why a sequence was redundant, or which branches it followed. That depends on its steps up to `position` of the trace,
 * and, if `beside`, on a weak initial that conflicts with nothing in it. A sequence with the same steps up to there has
 * the same result, unless `beside` is set and it has further steps. */
typedef struct hd_wakeup_reasons {
    uint32_t position;
    bool beside;
} hd_wakeup_reasons;

/* Adds the result of a comparison to the reasons. */
void hd_wakeup_note(hd_wakeup_reasons *r, const hd_sequence *s, hd_initial at, uint32_t position);

/* Inserts the sequence, whose path up to its start is `way`, into the tree at *root, unless a branch covers it. The
 * caller has marked the steps that sleeping steps need. Steps that the tree has already are removed from the sequence's
 * rest. Returns the first node that was added, or 0. */
uint32_t hd_wakeup_insert(
    hd_wakeup_trees *t, uint32_t *root, uint64_t way, hd_sequence *sequence, hd_wakeup_reasons *reasons);

/* A new node without branches, in no tree yet. */
uint32_t hd_wakeup_add(hd_wakeup_trees *t, const hd_wakeup_node *node, const hd_sleeper *step);

/* Takes the first branch off the tree and returns its number. hd_wakeup_release frees that node, not its children. */
uint32_t hd_wakeup_take(hd_wakeup_trees *t, uint32_t *root);
void hd_wakeup_release(hd_wakeup_trees *t, uint32_t node);

/* Puts back a branch that was taken off and not followed: first, or last if its way is unknown. */
void hd_wakeup_put_back(hd_wakeup_trees *t, uint32_t *root, uint32_t node);

/* Drops the first sequence of the tree, */
void hd_wakeup_drop_first(hd_wakeup_trees *t, uint32_t *root);

/* or the whole tree. */
void hd_wakeup_drop(hd_wakeup_trees *t, uint32_t *root);

/* Checks:
 * - it is a tree, and each step has its operations;
 * - branches of a node differ, and unknown ones come last;
 * - no branch can come first in all sequences of a later one (it would lead to the same executions), where all
 *   operations are known. */
bool hd_wakeup_is_valid(const hd_wakeup_trees *t, uint32_t root);

#endif
