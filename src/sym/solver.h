/* Are there inputs that take another way?
 *
 * A query is a list of conditions, terms of one bit that hold with the values
 * at hand, and goals, terms of one bit that are to hold as well. That inputs are in
 * their domains is a condition of every query. Only conditions
 * that share inputs with a goal, directly or through others, matter; all other
 * inputs keep their values. What was answered before is answered from memory:
 * the same query, one that contains a contradiction that is known, one that
 * recent values happen to satisfy. If all its inputs together have few values,
 * these are tried; otherwise a few values that are likely to do. Then its bits
 * are looked at (sym/blast.h), within a limit. The rest goes to the back end.
 *
 * HD_SAT is checked by evaluation, whoever gave the values: a wrong model ends
 * the process, it never becomes a test. HD_UNKNOWN (the back end ran out of
 * time or memory, or died) is counted; whoever asked must say that not everything
 * was explored.
 *
 * All state is in one hd_memory, without pointers to code.
 */
#ifndef HD_SYM_SOLVER_H
#define HD_SYM_SOLVER_H

#include "sym/sat.h"
#include "sym/term.h"

typedef enum hd_backend_kind {
    HD_BACKEND_Z3, /* in a process of its own, started at the first query that needs it */
    HD_BACKEND_BRUTE /* tries all values; for tests */
} hd_backend_kind;

typedef struct hd_solver_config {
    hd_backend_kind backend;
    char path[4096]; /* of the program that solves */
    uint32_t milliseconds; /* for one query */
    double until; /* of the monotonic clock: after that only easy queries have answers; 0: no limit */
    const volatile int *stop; /* the same as soon as this is set; NULL: nobody does */
    uint32_t
        few_bits; /* queries over so many bits or fewer are answered by trying all values; 0: nor is anything guessed */
    bool only_backend; /* bits are not looked at; for tests */
} hd_solver_config;

typedef struct hd_solver_counts {
    uint64_t queries; /* asked */
    uint64_t satisfiable;
    uint64_t same, cores, models; /* answered from memory: the same query, a contradiction, values that fit */
    uint64_t tried, guessed; /* answered by trying all values; a few */
    uint64_t blasted; /* answered by looking at bits */
    uint64_t solved; /* answered by the back end */
    uint64_t unknown; /* not answered */
    double seconds; /* in all of this */
} hd_solver_counts;

/* What goes to a back end. */
typedef struct hd_query {
    hd_terms *terms;
    const hd_term *conditions; /* all must be 1; in the order of the path, the goals last */
    uint32_t condition_count;
    const uint32_t *inputs; /* the places of theirs */
    uint32_t input_count;
    hd_values *values; /* HD_SAT: those of the inputs are set */
    hd_vec(hd_term) touched; /* by what is being tried */
    hd_vec(uint32_t) core; /* HD_UNSAT: places of conditions that contradict each other */
} hd_query;

typedef struct hd_solver hd_solver;

hd_solver *hd_solver_open(hd_terms *terms, const hd_solver_config *config, hd_memory *memory);
void hd_solver_close(hd_solver *s);

/* In another process than the one that opened it. */
void hd_solver_attach(hd_solver *s, const hd_solver_config *config);

/* The pool of terms has been cleared. */
void hd_solver_forget(hd_solver *s);

/* `values` satisfy the conditions and lie in the inputs' ranges (as those of hd_term_fill_values do); with HD_SAT they
 * satisfy the goals as well. */
hd_answer hd_solver_solve(hd_solver *s, const hd_term *conditions, size_t condition_count, const hd_term *goals,
    size_t goal_count, hd_values *values);

const hd_solver_counts *hd_solver_counted(const hd_solver *s);

/* --- back ends --------------------------------------------------------------------------- */

/* Tries to satisfy the goals and all conditions by moving one input; false: that
 * is not enough, which says nothing. The values at hand satisfy the conditions
 * but for the goals. */
bool hd_guess(hd_query *q, const hd_term *goals, size_t goal_count);

/* All values of all inputs, `most_bits` of them together at most (HD_UNKNOWN: there are more). */
hd_answer hd_brute_solve(hd_query *q, uint32_t most_bits);

/* The process that solves. */
typedef struct hd_z3 {
    int fd; /* -1: not started */
    hd_vec(uint8_t) sent; /* by term */
    hd_vec(uint8_t) message;
    bool failed; /* it cannot be started at all */
} hd_z3;

void hd_z3_init(hd_z3 *z, hd_memory *memory);
void hd_z3_fini(hd_z3 *z);
void hd_z3_attach(hd_z3 *z);
void hd_z3_forget(hd_z3 *z);
hd_answer hd_z3_solve(hd_z3 *z, hd_query *q, const hd_solver_config *config);

#endif
