/* The SR-tree: all sequences that have been executed (3.5 of the paper).
 *
 * A sequence in canonical form is its decisions, level by level; an edge of the tree is the set of decisions of one
 * level, as identities. Sends between two levels follow from the decisions before them. The level of a decision depends
 * on its past alone, so it is the same in a variant and in every sequence that the variant is a prefix of. A variant is
 * a prefix of a sequence if the sequence has all its decisions: at each level a subset. So it need not be a path of the
 * tree, and the search may have to follow several edges of a node. */
#ifndef HD_REACH_TREE_H
#define HD_REACH_TREE_H

#include "reach/sequence.h"

/* Of a sequence or a variant. */
typedef hd_vec(hd_sr_decision) hd_sr_decisions;

/* To be called before the functions below: sorts them by level and identity. */
void hd_sr_decisions_sort(hd_sr_decisions *d);

typedef struct hd_sr_tree hd_sr_tree;

hd_sr_tree *hd_sr_tree_open(hd_memory *memory);
void hd_sr_tree_close(hd_sr_tree *t);

/* Adds a sequence; false: it is there already. */
bool hd_sr_tree_add(hd_sr_tree *t, const hd_sr_decisions *sequence);

bool hd_sr_tree_has(const hd_sr_tree *t, const hd_sr_decisions *sequence);

/* Is the variant a prefix of a sequence in the tree? */
bool hd_sr_tree_has_prefix(const hd_sr_tree *t, const hd_sr_decisions *variant);

/* The tree as a graph for dot (Figure 3.7): an edge is labelled with its decisions, (i,j)→(u,v) for a pair; the j-th
 * event of thread i. The end of a sequence is a double circle. */
typedef hd_vec(char) hd_sr_text;
void hd_sr_tree_draw(const hd_sr_tree *t, hd_sr_text *out);

/* Sequences, and edges. */
uint64_t hd_sr_tree_sequences(const hd_sr_tree *t);
uint64_t hd_sr_tree_edges(const hd_sr_tree *t);

/* The edges of each node are different, their sets are sorted, and the numbers are right (abi/valid.h). */
bool hd_sr_tree_is_valid(const hd_sr_tree *t);

#endif
