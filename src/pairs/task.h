/* What heddle pairs does with a model: it generates a test set and prints it, or runs a command for
 * each of its rows; or it verifies a test set that a file holds. */
#ifndef HD_PAIRS_TASK_H
#define HD_PAIRS_TASK_H

#include "pairs/generate.h"
#include "pairs/table.h"

/* Plain data: the options of the command. */
typedef struct hd_pairs_task {
    int strength; /* HD_PAIRS_FULL: all valid rows */
    hd_pairs_method method;
    double effort; /* see hd_pairs_request */
    uint64_t seed;
    const char *seed_rows; /* a file of rows to keep, or NULL */
    const char *verify; /* a file of rows to verify instead of generating any, or NULL */
    const char *run; /* a command to run for each row, or NULL: print the rows */
    bool by_coverage; /* rows that cover the most come first */
    hd_pairs_format format; /* of the rows */
    bool json; /* reports of `verify` and `run` are JSON */
    int jobs; /* commands at a time */
    const volatile sig_atomic_t *interrupted; /* not 0: everything ends, with the report of what is known */
    FILE *progress; /* of the commands; NULL: none */
} hd_pairs_task;

/* Writes to standard output; notes on `seed_rows` go to standard error. Returns the exit status:
 * HD_EXIT_FOUND if a verified set is not complete or a command fails; HD_EXIT_BOUND if it was interrupted
 * before everything was covered, verified or run; HD_EXIT_USAGE with an error. */
int hd_pairs_task_run(const hd_pairs_task *t, const hd_pairs_model *m, hd_error *error);

#endif
