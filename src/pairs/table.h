/* Test sets as files: reading rows back against a model, and writing them. */
#ifndef HD_PAIRS_TABLE_H
#define HD_PAIRS_TABLE_H

#include "pairs/needs.h"

#include <stdio.h>

/* A file of rows with a header line of parameter names, separated by tabs, or
 * by commas with CSV's quotes if the header has no tab. */
typedef struct hd_pairs_table {
    hd_pairs_rows rows; /* cells that are empty, or whose value the model does not have, are HD_PAIRS_ANY */
    hd_vec(int) lines; /* per row: its line in the file */
    hd_vec(int) lost; /* per row: cells whose value the model does not have */
    hd_vec(const char *) unknown; /* columns that are no parameter of the model */
    hd_vec(const char *) absent; /* parameters that are no column of the file */
    hd_arena arena;
} hd_pairs_table;

/* Reads a table from a file ("-": standard input), or from a text; `file` is for messages. */
bool hd_pairs_table_open(const hd_pairs_model *m, const char *file, hd_pairs_table *into, hd_error *error);
bool hd_pairs_table_read(
    const hd_pairs_model *m, const char *file, const char *text, hd_pairs_table *into, hd_error *error);
void hd_pairs_table_fini(hd_pairs_table *t);

typedef enum hd_pairs_format {
    hd_pairs_tsv,
    hd_pairs_csv,
    hd_pairs_json,
    hd_pairs_markdown,
    hd_pairs_c_header
} hd_pairs_format;

/* Finds a format by its name: tsv, csv, json, markdown, c. */
bool hd_pairs_format_named(const char *name, hd_pairs_format *format);

typedef struct hd_pairs_summary {
    const char *how;
    int strength; /* 0: full */
    bool smallest;
    double seconds;
} hd_pairs_summary;

void hd_pairs_write(const hd_pairs_model *m, const hd_pairs_rows *rows, hd_pairs_format format,
    const hd_pairs_summary *summary, FILE *out);

/* How a cell is shown: its name (the aliases of a value in turn, counted by
 * `turn`), with the negative prefix. The text lives as long as model and arena. */
const char *hd_pairs_cell_text(const hd_pairs_model *m, int column, int value, int turn, hd_arena *arena);

#endif
