/* A search of dpor by several workers (docs/algorithms/jobs.md).
 *
 * A *piece* is a node of the search below which nothing sleeps: everything that begins with the steps to it. The workers
 * share one tree, whose leaves are pieces. A worker takes a leaf that nobody has taken, and explores what follows it
 * alone. The sequences that it finds for nodes before its piece go into the shared tree, where they become new leaves.
 * If others have nothing to do, it moves the beginning of its own stack into the tree: its piece becomes smaller, and
 * the sequences that are planned there are leaves that others take.
 *
 * The tree keeps the branches of a node in the order in which one worker would follow them. What comes before a branch
 * sleeps below it, explored or not: it will be explored. So all workers together run what one would.
 *
 * Invariants:
 * - No two leaves lead to the same trace, and a sequence that leads to a leaf leads into that piece.
 * - A sequence from outside of a piece stops at its first node. A sequence from inside never comes before the branch
 *   that its worker follows. So what a worker has put to sleep at a node stays asleep there.
 * - An inner node stays in the tree until everything before it in the order is explored: until then, sequences may
 *   arrive that pass through it.
 * - All operations in the tree are known and the same with any inputs; otherwise the search is refused, and one worker
 *   starts over.
 *
 * Everything is in the memory that the workers share, at the same address in each of them. The type is open for
 * dpor/piece.c alone. */
#ifndef HD_DPOR_PIECES_H
#define HD_DPOR_PIECES_H

#include "dpor/wakeup.h"

/* What a piece's node in the tree is: its number; 0: the start of the program. */
typedef uint32_t hd_piece;

typedef struct hd_pieces {
    hd_wakeup_trees trees;
    uint32_t branches; /* of the start */
    volatile uint32_t holder; /* the worker that changes the tree, from 1; 0: none does */
    volatile uint32_t left; /* leaves that nobody has taken */
    volatile uint32_t unexplored; /* pieces that are not explored to their ends */
    volatile uint32_t idle; /* workers without a piece */
    volatile bool begun; /* the whole search has been taken, as the first piece */
    volatile bool divides; /* workers may divide their pieces */
    volatile bool refused; /* a sequence cannot be in the tree */
    volatile bool over; /* nobody takes another piece */
    bool patient; /* workers without a piece wait for one; otherwise they are told that there is nothing now */
    uint32_t every; /* executions of a piece before it is divided */
    volatile uint64_t taken; /* how many pieces have been */
} hd_pieces;

void hd_pieces_init(hd_pieces *p, uint32_t every, hd_memory *memory);
void hd_pieces_fini(hd_pieces *p);

/* Is everything explored? */
bool hd_pieces_are_explored(const hd_pieces *p);

/* Nobody takes another piece: workers that wait for one go on. */
void hd_pieces_stop(hd_pieces *p);

/* A step on the way to a piece; `sleeps`: it is not on it, but sleeps at the node at `position`. */
typedef struct hd_piece_step {
    uint32_t position, node;
    bool sleeps;
    uint16_t thread;
    uint8_t choice;
    uint32_t first_op, op_count; /* of those that sleep */
} hd_piece_step;

/* A copy, as the tree changes. */
typedef struct hd_piece_way {
    hd_vec(hd_piece_step) steps;
    hd_vec(hd_op) ops;
} hd_piece_way;

/* Between these, one worker alone reads and changes the tree. */
void hd_pieces_lock(hd_pieces *p, uint32_t worker);
void hd_pieces_unlock(hd_pieces *p);

/* Takes the first leaf that nobody has taken and writes the way to it, in the order of positions: at each, first what
 * sleeps there, then the step. False: there is none. */
bool hd_pieces_take(hd_pieces *p, uint32_t worker, hd_piece_way *way);

/* Everything in the piece that is not in another piece of the tree is explored. */
void hd_pieces_finish(hd_pieces *p, uint32_t worker, hd_piece piece);

/* Inserts a sequence at the node after the step `parent` (0: the start). */
void hd_pieces_insert(
    hd_pieces *p, uint32_t worker, uint32_t parent, hd_sequence *sequence, hd_wakeup_reasons *reasons);

/* To move a stack: adds a branch after the step `parent`, after those that are there. `taken`: it is a piece, or sleeps
 * because it is explored. Locked. */
uint32_t hd_pieces_add(hd_pieces *p, uint32_t parent, const hd_sleeper *step, bool taken, bool explored);

/* Adds a copy of the branches of another tree, whose leaves nobody has taken. Locked. */
void hd_pieces_add_planned(hd_pieces *p, uint32_t parent, const hd_wakeup_trees *from, uint32_t branches);

/* Checks: the tree is valid, its leaves are counted, and only leaves and the nodes above pieces are not taken. */
bool hd_pieces_are_valid(const hd_pieces *p);

#endif
