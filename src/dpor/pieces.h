/* A search of dpor by several workers (docs/algorithms/jobs.md).
 *
 * A *piece* is a node of the search below which nothing sleeps: everything that begins with the steps to it. The
 * workers share one tree, whose leaves are pieces. A worker takes a leaf that nobody has taken, and explores what
 * follows it alone. The sequences that it finds for nodes before its piece go into the shared tree, where they become
 * new leaves. If others have nothing to do, it moves the beginning of its own stack into the tree: its piece becomes
 * smaller, and the sequences that are planned there are leaves that others take.
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

#include "base/lock.h"
#include "dpor/wakeup.h"

/* What a piece's node in the tree is: its number; 0: the start of the program. */
typedef uint32_t hd_piece;

/* Where a node of the tree is. */
typedef struct hd_piece_place {
    uint32_t parent; /* 0: it is at the start */
    uint32_t left; /* leaves from here on that nobody has taken */
} hd_piece_place;

typedef struct hd_pieces {
    hd_wakeup_trees trees;
    hd_vec(hd_piece_place) places; /* of its nodes */
    uint32_t branches; /* of the start */
    hd_lock lock; /* of the tree */
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

typedef struct hd_piece_step {
    uint32_t node;
    uint16_t thread;
    uint8_t choice;
} hd_piece_step;

/* A step that sleeps at the node at `position`. */
typedef struct hd_piece_sleeper {
    uint32_t position;
    uint16_t thread;
    uint8_t choice;
    uint32_t first_op, op_count;
} hd_piece_sleeper;

/* The way to a piece from the start, and what sleeps on it: a copy, as the tree changes. */
typedef struct hd_piece_way {
    hd_vec(hd_piece_step) steps;
    hd_vec(hd_piece_sleeper) asleep;
    hd_vec(hd_op) ops; /* of those */
    uint32_t common; /* so many steps are those to the worker's last piece: what sleeps there is left out */
    uint32_t next; /* the first of `asleep` that has not been put to sleep */
} hd_piece_way;

/* Takes a leaf that nobody has taken, near the worker's last piece, and writes the way to it, in the order of
 * positions: at each, first what sleeps there, then the step. The worker's last execution began with the `count` steps
 * `last`, the way to its last piece: where both ways are the same, the same steps sleep, and they are left out. False:
 * there is no leaf. */
bool hd_pieces_take(
    hd_pieces *p, uint32_t worker, hd_piece near, const hd_choice *last, uint32_t count, hd_piece_way *way);

/* Everything in the piece that is not in another piece of the tree is explored. */
void hd_pieces_finish(hd_pieces *p, uint32_t worker, hd_piece piece);

/* Inserts a sequence at the node after the step `parent` (0: the start). */
void hd_pieces_insert(
    hd_pieces *p, uint32_t worker, uint32_t parent, hd_sequence *sequence, hd_wakeup_reasons *reasons);

/* To move a stack: adds a branch after the step `parent`, after those that are there. `taken`: it is a piece, or sleeps
 * because it is explored. The caller holds the lock. */
uint32_t hd_pieces_add(hd_pieces *p, uint32_t parent, const hd_sleeper *step, bool taken, bool explored);

/* Adds a copy of the branches of another tree, whose leaves nobody has taken. The caller holds the lock. */
void hd_pieces_add_planned(hd_pieces *p, uint32_t parent, const hd_wakeup_trees *from, uint32_t branches);

/* Checks: the tree is valid, its leaves are counted, and only leaves and the nodes above pieces are not taken. */
bool hd_pieces_are_valid(const hd_pieces *p);

#endif
