/* The solver: are there inputs that take another branch?
 *
 * A query has conditions, one-bit terms that hold with the current values, and goals, one-bit terms
 * that shall hold as well. The ranges of inputs are implicit conditions. Only conditions that share
 * inputs with a goal, directly or through other conditions, matter (KLEE's independence); other
 * inputs keep their values. A query is answered by the first of these that can: the cache of
 * queries, a known core that it contains, recent models that satisfy it, enumeration if its inputs
 * have few bits, guessing (sym/guess.c), bit-blasting within a limit (sym/blast.h), the back end.
 * See docs/algorithms/inputs.md, "Solving".
 *
 * HD_SAT is always checked by evaluation: a wrong model is a panic and never becomes a test.
 * HD_UNKNOWN (the back end ran out of time or memory, or died twice) is counted; then the caller must
 * report that not everything was explored.
 *
 * All state is in one hd_memory, without pointers to code. */
#ifndef HD_SYM_SOLVER_H
#define HD_SYM_SOLVER_H

#include "sym/counts.h"
#include "base/clock.h"
#include "sym/sat.h"
#include "sym/term.h"

typedef enum hd_backend_kind {
    HD_BACKEND_Z3, /* in a process of its own, started at the first query that needs it */
    HD_BACKEND_BRUTE /* tries all values; for tests */
} hd_backend_kind;

typedef struct hd_solver_config {
    hd_backend_kind backend;
    char path[4096]; /* of the back end's program */
    uint32_t milliseconds; /* for one query */
    hd_deadline deadline; /* from then on only cheap methods are used */
    uint32_t few_bits; /* queries over at most this many bits are enumerated; 0: neither enumeration nor guessing */
    bool only_backend; /* no bit-blasting; for tests */
} hd_solver_config;

/* A query as back ends see it. */
typedef struct hd_query {
    hd_terms *terms;
    const hd_term *conditions; /* all must be 1; in the order of the path, the goals last */
    uint32_t condition_count;
    const uint32_t *inputs; /* indices of the inputs that occur in them */
    uint32_t input_count;
    hd_values *values; /* on HD_SAT, the values of the inputs are set */
    hd_vec(hd_term) touched; /* scratch of hd_guess: conditions that contain the input */
    hd_vec(uint32_t) core; /* HD_UNSAT: indices of conditions that are contradictory together; empty: not known */
} hd_query;

typedef struct hd_solver hd_solver;

hd_solver *hd_solver_open(hd_terms *terms, const hd_solver_config *config, hd_memory *memory);
void hd_solver_close(hd_solver *s);

/* To be called by a new process that continues with a solver opened by another. */
void hd_solver_attach(hd_solver *s, const hd_solver_config *config);

/* To be called when the pool of terms has been cleared. */
void hd_solver_forget(hd_solver *s);

/* Precondition: `values` satisfy the conditions and lie in the inputs' ranges (as those of
 * hd_term_fill_values do). On HD_SAT they satisfy the goals as well; otherwise they are unchanged. */
hd_answer hd_solver_solve(hd_solver *s, const hd_term *conditions, size_t condition_count, const hd_term *goals,
    size_t goal_count, hd_values *values);

const hd_solver_counts *hd_solver_counted(const hd_solver *s);

/* --- back ends --------------------------------------------------------------------------- */

/* Tries to satisfy all conditions and goals by changing one input. The current values satisfy the
 * conditions but the goals. False says nothing about satisfiability. */
bool hd_guess(hd_query *q, const hd_term *goals, size_t goal_count);

/* Enumerates all values of all inputs. HD_UNKNOWN: they have more than `most_bits` bits together. */
hd_answer hd_brute_solve(hd_query *q, uint32_t most_bits);

/* The connection to the solver process. */
typedef struct hd_z3 {
    int fd; /* -1: not started */
    hd_vec(uint8_t) sent; /* by term: the process knows it */
    hd_vec(uint8_t) message;
    bool failed; /* it could not be started; do not try again */
} hd_z3;

void hd_z3_init(hd_z3 *z, hd_memory *memory);
void hd_z3_fini(hd_z3 *z);
void hd_z3_attach(hd_z3 *z);
void hd_z3_forget(hd_z3 *z);
hd_answer hd_z3_solve(hd_z3 *z, hd_query *q, const hd_solver_config *config, uint32_t milliseconds);

#endif
