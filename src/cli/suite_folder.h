/* The folder that `heddle suite` writes and `heddle replay --all` runs: a replay file
 * per test, the manifest, and a snippet for make. */
#ifndef HD_CLI_SUITE_FOLDER_H
#define HD_CLI_SUITE_FOLDER_H

#include "cli/program.h"
#include "cli/suiting.h"
#include "event/record.h"
#include "suite/manifest.h"

/* Writes the tests of `x` that are added or kept, takes the files of those that are dropped
 * away, and gives new ones their names. `m` has what was asked for; the rest is filled in. */
bool hd_suite_folder_write(
    const char *folder, hd_manifest *m, hd_suiting *x, const hd_program *program, hd_arena *arena, hd_error *error);

/* The tests that a manifest lists, as records. */
bool hd_suite_folder_read(
    const char *folder, const hd_manifest *m, hd_record *records, hd_arena *arena, hd_error *error);

/* The program of a folder: built again if the manifest says from what. `words` are
 * the user's own, if there are any. */
bool hd_suite_folder_program(
    const char *folder, const hd_manifest *m, hd_program *program, hd_arena *arena, hd_error *error);

#endif
