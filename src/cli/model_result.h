/* The result of a search of `heddle model`, in one form for all searches, and its output: on the
 * terminal, as JSON, as SPIN's trail. */
#ifndef HD_CLI_MODEL_RESULT_H
#define HD_CLI_MODEL_RESULT_H

#include "model/liveness.h"
#include "model/report.h"
#include "model/full.h"

typedef struct hd_model_result {
    const hd_promela_program *program;
    hd_model_scheme scheme, replay_scheme; /* how messages are stored: in the search, and while a path is replayed */
    const char *reduce;
    uint64_t states, edges, bytes;
    const uint64_t *counts;
    const hd_model_findings *findings;
    hd_model_bound bound;
    double seconds;
    bool *const *executed;
    bool *const *reached; /* NULL after a reduction, which need not reach everything */
    int diverges; /* see hd_model_bsra */
    void *search;
    void (*path)(void *search, const hd_model_finding *f, hd_model_moves *path);
    bool breadth_first; /* so its paths are shortest */
    hd_model_full *shorter; /* otherwise: a search for shorter paths, or NULL */
    const hd_model_liveness *claims; /* claims that were checked */
    size_t claim_count;
} hd_model_result;

bool hd_model_found(const hd_model_result *r); /* is there a finding that counts as an error? */
bool hd_model_complete(const hd_model_result *r);
void hd_model_show(const hd_model_result *r, bool all);
bool hd_model_write_json(const hd_model_result *r, const char *name, hd_error *error);
bool hd_model_write_trail(const hd_model_result *r, const char *name, hd_error *error); /* of the first finding */

/* A file to write to, or NULL with an error. */
FILE *hd_model_create(const char *name, hd_error *error);

#endif
