/* A check of a model, from a request to everything that a report says. It has up to three parts: a
 * search of the states; after a search of every state, one search per claim (liveness.h); and where
 * findings do not have shortest paths, a breadth-first search of the full graph for shorter ones,
 * which ends at the first finding of each kind. */
#ifndef HD_MODEL_CHECK_H
#define HD_MODEL_CHECK_H

#include "model/liveness.h"
#include "model/search.h"

typedef struct hd_model_request {
    const hd_model_search *search;
    hd_model_scheme scheme;
    hd_model_limits limits;
    const char *claim; /* the name of an ltl formula or never claim; "all", "none" */
    const char *liveness; /* "acceptance", "progress" or NULL: a claim that is built in */
    bool fair; /* claims are about weakly fair executions only */
    bool shortest; /* look for shorter paths however long it takes */
    const char *dot; /* a file for the graph of the search, or NULL */
} hd_model_request;

/* Open for the report, which reads it. */
typedef struct hd_model_check {
    const hd_promela_program *program;
    hd_model_request request;
    void *searcher; /* of request.search */
    const hd_model_result *result;
    void *shorter; /* a full search for shorter paths, or NULL */
    hd_vec(hd_model_claim) claims;
    hd_vec(hd_model_liveness) verdicts; /* of the claims */
} hd_model_check;

/* Translates the claims, whose code is added to the program, and opens the search. False: the
 * request makes no sense, or the search does not accept the model. */
bool hd_model_check_open(
    hd_model_check *c, hd_promela_program *program, const hd_model_request *request, hd_error *error);

/* False: the graph cannot be written. */
bool hd_model_check_run(hd_model_check *c, hd_error *error);
void hd_model_check_close(hd_model_check *c);

bool hd_model_check_found(const hd_model_check *c); /* is there a finding that counts as an error? */
bool hd_model_check_complete(const hd_model_check *c); /* was everything searched that was asked for? */

/* The path from the first state to a finding, if it has a state; `scheme`: how to replay it. Returns
 * whether no path is shorter. */
bool hd_model_check_path(
    const hd_model_check *c, const hd_model_finding *f, hd_model_moves *path, hd_model_scheme *scheme);

#endif
