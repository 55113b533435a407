/* The folder that `heddle suite` writes and `heddle replay --all` runs: a replay file per test, the
 * manifest, and a snippet for make. */
#ifndef HD_SUITE_SUITE_FOLDER_H
#define HD_SUITE_SUITE_FOLDER_H

#include "supervisor/program.h"
#include "suite/suite_maker.h"
#include "event/record.h"
#include "suite/manifest.h"

/* Writes the added and kept tests of `x`, removes the files of dropped ones, and names new ones.
 * `m` holds the settings; the rest of it is filled in. */
bool hd_suite_folder_write(const char *folder, hd_suite_manifest *m, hd_suite_maker *x, const hd_program *program,
    hd_arena *arena, hd_error *error);

/* Reads the tests that a manifest lists. */
bool hd_suite_folder_read(
    const char *folder, const hd_suite_manifest *m, hd_record *records, hd_arena *arena, hd_error *error);

/* The program of a folder; it is rebuilt if the manifest names its sources. */
bool hd_suite_folder_program(
    const char *folder, const hd_suite_manifest *m, hd_program *program, hd_arena *arena, hd_error *error);

/* Tests to run, with what the user knows them by. */
typedef struct hd_suite_tests {
    const char *suite; /* the name of the whole */
    hd_record *records;
    const char **names;
    size_t count;
} hd_suite_tests;

/* All tests of a folder, for its program, which is rebuilt if the manifest names its sources. */
bool hd_suite_folder_tests(const char *folder, hd_suite_tests *tests, hd_arena *arena, hd_error *error);

/* The replay files among these; the other files of a suite's folder are skipped. */
bool hd_suite_folder_some_tests(char **files, size_t count, hd_suite_tests *tests, hd_arena *arena, hd_error *error);

#endif
