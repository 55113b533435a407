/* Partial-order reduction (Godefroid 1996) for the same systems that BSRA accepts, for comparison.
 *
 * Persistent sets: the steps of one process suffice in a state if nothing that other processes may
 * do before could interfere with them. Sends to the same queue interfere, and so does a message
 * that may still be received first. Sleep sets: a process whose steps have been explored from a
 * state need not take them again after an independent step of another process. They are stored with
 * states; a state reached again with a smaller sleep set is expanded for the difference.
 *
 * With visible transitions, the steps of a process suffice only if none is visible and all lead to
 * new states, so that no process is postponed for ever (the ignoring problem). */
#ifndef HD_MODEL_POR_H
#define HD_MODEL_POR_H

#include "model/full.h"
#include "model/system.h"

typedef struct hd_model_por {
    hd_model_system system;
    hd_model_shapes shapes;
    hd_model_scheme scheme;
    hd_model_limits limits;
    hd_model_store *store;
    uint64_t edges;
    uint64_t counts[HD_MODEL_FINDING_KINDS];
    hd_model_findings findings;
    hd_model_bound bound;
    bool *executed[HD_MODEL_MOST_PROCESSES + 1];
    double seconds;
} hd_model_por;

bool hd_model_por_open(hd_model_por *r, const hd_promela_program *program, hd_model_scheme scheme,
    const hd_model_limits *limits, hd_error *error);
void hd_model_por_run(hd_model_por *r);
void hd_model_por_close(hd_model_por *r);
void hd_model_por_path(hd_model_por *r, const hd_model_finding *f, hd_model_moves *path);

#endif
