/* Partial-order reduction for the same systems that BSRA takes, to compare
 * with. Persistent sets: the steps of one process suffice in a state if nothing
 * that others may do before could interfere with any of them; a step interferes
 * with a send to the same queue, and a receive with a message that may still
 * come first. Sleep sets: a process whose steps were taken from a state need
 * not take them again after an independent step of another; they are kept with
 * the states, and a state reached again with a smaller sleep set is expanded
 * for the difference.
 *
 * With visible transitions, a process's steps suffice only if none is visible
 * and all lead to new states (so that nothing is put off for ever).
 */
#ifndef HD_MODEL_POR_H
#define HD_MODEL_POR_H

#include "model/search.h"
#include "model/system.h"

typedef struct hd_por {
    hd_system system;
    hd_shapes shapes;
    hd_scheme scheme;
    hd_limits limits;
    hd_store *store;
    uint64_t edges;
    uint64_t counts[HD_FINDING_KINDS];
    hd_findings findings;
    hd_bound bound;
    bool *executed[HD_MOST_PROCESSES + 1];
    double seconds;
} hd_por;

bool hd_por_open(hd_por *r, const hd_pml_program *program, hd_scheme scheme, const hd_limits *limits, hd_error *error);
void hd_por_run(hd_por *r);
void hd_por_close(hd_por *r);
void hd_por_path(hd_por *r, const hd_finding *f, hd_moves *path);

#endif
