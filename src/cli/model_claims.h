/* The claims that `heddle model` checks, and their results. */
#ifndef HD_CLI_MODEL_CLAIMS_H
#define HD_CLI_MODEL_CLAIMS_H

#include "model/liveness.h"

typedef struct hd_model_claims {
    hd_vec(hd_model_claim) claims;
    hd_vec(hd_model_liveness) results;
    bool fair;
} hd_model_claims;

/* Translates the model's claims with this name ('all', 'none'), and the one that --liveness names
 * (may be NULL). */
bool hd_model_claims_open(
    hd_model_claims *c, hd_promela_program *p, const char *name, const char *liveness, bool fair, hd_error *error);
void hd_model_claims_run(
    hd_model_claims *c, const hd_promela_program *p, hd_model_scheme scheme, const hd_model_limits *limits);
void hd_model_claims_close(hd_model_claims *c);

#endif
