/* Makes the suite of a program from start to end, or brings one up to date: explore, keep what still works,
 * add what is missing, write the file. */
#ifndef HD_SUITE_SUITE_RUN_H
#define HD_SUITE_SUITE_RUN_H

#include "suite/suite_store.h"
#include "suite/suite_report.h"

typedef struct hd_suite_run {
    hd_suite_maker_config config;
    hd_program program;
    const char *path;
    hd_suite_file file; /* to be written; has the sources and how the tests are chosen */
    hd_ending *ending;
    const hd_suite_file *old; /* the suite that is brought up to date, or NULL */
} hd_suite_run;

/* The result is in `arena`. */
bool hd_suite_make(hd_suite_run *run, hd_suite_result *result, hd_arena *arena, hd_error *error);

#endif
