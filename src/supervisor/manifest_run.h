/* Runs the checks of a manifest, several at a time, each as a command of its own in the manifest's folder. */
#ifndef HD_SUPERVISOR_MANIFEST_RUN_H
#define HD_SUPERVISOR_MANIFEST_RUN_H

#include "report/cases.h"
#include "supervisor/manifest.h"

#include <stdio.h>

/* cases[i] becomes the result of check i, in `arena`; `wanted` says which ones to run (the others have no name). A
 * check that does not end as expected is FAILED; one that cannot be run (status 2) is an ERROR. Its output is printed.
 * SIGINT and SIGTERM end those under way and what follows; a check that is kept from its result in this way is LIMITED.
 */
bool hd_manifest_run(const hd_manifest *m, const bool *wanted, uint32_t jobs, hd_report_case *cases, hd_arena *arena,
    FILE *out, hd_error *error);

/* The kinds of findings in the output of a check, sorted, with commas between; `text` must have room for all. For
 * tests. */
void hd_manifest_kinds(const char *output, char *text, size_t size);

#endif
