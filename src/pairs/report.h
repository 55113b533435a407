/* Reports on verified, reused and executed test sets. */
#ifndef HD_PAIRS_REPORT_H
#define HD_PAIRS_REPORT_H

#include "pairs/run.h"
#include "pairs/table.h"
#include "pairs/verify.h"

typedef struct hd_pairs_verify_report {
    const hd_pairs_model *model;
    const hd_pairs_interactions *needed;
    const hd_pairs_table *table;
    const hd_pairs_coverage *coverage;
    const char *file;
} hd_pairs_verify_report;

void hd_pairs_report_verify(const hd_pairs_verify_report *r, FILE *out);
void hd_pairs_report_verify_json(const hd_pairs_verify_report *r, FILE *out);

/* "A=1, B=x" for a tuple; in the arena. */
const char *hd_pairs_missing_text(
    const hd_pairs_model *m, const hd_pairs_interactions *needed, const hd_pairs_missing *missing, hd_arena *arena);

/* Rows of a file that can be kept, and which cannot. */
typedef struct hd_pairs_reuse {
    hd_pairs_rows rows;
    hd_vec(size_t) from; /* per row kept: its row in the table */
    hd_vec(size_t) invalid; /* rows of the table that no valid row contains */
} hd_pairs_reuse;

void hd_pairs_reuse_prepare(
    const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_table *table, hd_pairs_reuse *into);
void hd_pairs_reuse_fini(hd_pairs_reuse *r);
void hd_pairs_report_reuse(const hd_pairs_model *m, const hd_pairs_table *table, const hd_pairs_reuse *reuse,
    const hd_pairs_rows *result, const char *file, FILE *out);

typedef struct hd_pairs_run_report {
    const hd_pairs_model *model;
    const hd_pairs_rows *rows;
    const char *command;
    const hd_pairs_outcome *outcomes;
    const hd_pairs_suspects *suspects;
} hd_pairs_run_report;

/* Writes it and returns how many rows failed. */
size_t hd_pairs_report_run(const hd_pairs_run_report *r, bool json, FILE *out);

#endif
