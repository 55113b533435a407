/* Suites on disk: what `heddle suite` writes and brings up to date, and `heddle replay` runs. */
#ifndef HD_SUITE_SUITE_STORE_H
#define HD_SUITE_SUITE_STORE_H

#include "supervisor/program.h"
#include "suite/suite_file.h"
#include "suite/suite_maker.h"

/* Writes the added and kept tests of `x` to the file, and numbers the new ones. `f` holds the settings; the rest of it
 * is filled in. */
bool hd_suite_store_write(
    const char *path, hd_suite_file *f, hd_suite_maker *x, const hd_program *program, hd_arena *arena, hd_error *error);

/* The program of a suite that was read from `path`; it is rebuilt if the suite names its sources. */
bool hd_suite_store_program(const char *path, const hd_suite_file *f, hd_program *program, hd_cc_limits *limits,
    hd_arena *arena, hd_error *error);

/* Tests to run, each with a name: what `heddle replay` has to be given to run it alone. */
typedef struct hd_suite_tests {
    const char *suite; /* the name of the whole */
    hd_record *records;
    const char **names;
    size_t count;
} hd_suite_tests;

/* The tests of these replay files and suites, for their programs. */
bool hd_suite_store_tests(
    char **paths, size_t count, hd_suite_tests *tests, hd_cc_limits *limits, hd_arena *arena, hd_error *error);

/* The replay files and suites of a folder that is not a suite itself, sorted by name; in `arena`. */
bool hd_suite_store_folder(const char *folder, char ***paths, size_t *count, hd_arena *arena, hd_error *error);

/* One test of a suite. */
bool hd_suite_store_test(
    const char *path, uint32_t number, hd_record *record, hd_cc_limits *limits, hd_arena *arena, hd_error *error);

#endif
