/* Paths and edges of a graph whose states are in a store. The store keeps states and their parents,
 * but no moves: the moves from one state to the next are found again by expanding it. */
#ifndef HD_MODEL_PATHS_H
#define HD_MODEL_PATHS_H

#include "model/search.h"
#include "model/store.h"

/* A graph, as the search left it; the first four are as the search had them. */
typedef struct hd_model_paths {
    const hd_promela_program *program;
    hd_model_shapes *shapes;
    hd_model_scheme scheme;
    bool unbounded;
    hd_model_store *store;
} hd_model_paths;

/* For the contract's `path` and `load`. */
void hd_model_paths_find(const hd_model_paths *in, const hd_model_finding *f, hd_model_moves *path);
void hd_model_paths_load(const hd_model_paths *in, uint32_t state, hd_model_machine *m, uint8_t *bytes);

/* Reports every edge that starts and ends in a stored state; states are numbered in the order of
 * discovery, from the number `first` in the store. */
void hd_model_paths_edges(const hd_model_paths *in, uint32_t first, const hd_model_edges *edges);

#endif
