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

#endif
