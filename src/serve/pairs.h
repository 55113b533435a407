/* The pairs page: from a model, as it is typed, to its rows, what they cover, and how they are exported. It is computed
 * in a job (serve/job.h), so a model that needs too much costs the page an answer and the server nothing. */
#ifndef HD_SERVE_PAIRS_H
#define HD_SERVE_PAIRS_H

/* Texts of the page; NULL: not given. */
typedef struct hd_serve_pairs {
    const char *model; /* in PICT's language, or a shorthand */
    const char *strength, *method, *time, *seed, *order; /* as the options of heddle pairs */
    const char *relation;
    const char *rows; /* a test set, as a table: it is kept and extended; with `row`, it is all there is */
    const char *row; /* the number of a row, from 0 on: tells the tuples that it covers */
    const char *output; /* a format: the rows in it; otherwise everything the page shows, as JSON */
} hd_serve_pairs;

/* For hd_serve_job_start; the context is an hd_serve_pairs. Status 2: the output is an error in one sentence. */
int hd_serve_pairs_run(const void *context);

#endif
