/* Searches of a model's states: the contract, and what every search returns.
 *
 * A search is one file and one row in searches.def; `--reduce` takes the names of the rows. It is
 * used in this order: `open`, `run`, then `result`, `path` and `load` in any order, `close`. A
 * search may be made for some models only: then `open` refuses the others and says why. The state of
 * a finding is a number that only the search understands; `path` and `load` take it, so the search
 * stays open while its findings are in use. */
#ifndef HD_MODEL_SEARCH_H
#define HD_MODEL_SEARCH_H

#include "model/outcome.h"

/* What is searched, and how far. Plain data. */
typedef struct hd_model_setup {
    const hd_promela_program *program;
    hd_model_scheme scheme;
    hd_model_limits limits;
    /* The rest is for the full search. */
    bool unbounded; /* a send to a full channel is a fault instead of blocking */
    const hd_model_findings *wanted; /* stop when a finding like each of these is found; NULL: search everything */
    size_t memo_words; /* room of each worker's memo (memo.h) */
} hd_model_setup;

/* The usual setup: a send blocks only under causal communication, as in Promela. */
hd_model_setup hd_model_setup_of(
    const hd_promela_program *program, hd_model_scheme scheme, const hd_model_limits *limits);

/* What a search has found. Plain data. */
typedef struct hd_model_result {
    uint64_t states, edges;
    uint64_t bytes; /* of memory for the states; 0: not known */
    uint64_t blocking_points; /* of BSRA */
    uint64_t counts[HD_MODEL_FINDING_KINDS]; /* findings of each kind, kept or not */
    hd_model_findings findings;
    hd_model_bound bound;
    double seconds;
    hd_model_scheme kept_as; /* how messages are stored in its states: for replaying its paths */
    int diverges; /* line of a process that can run forever without receiving, or 0 */
    /* Of a search of every state: control states and transitions that were tried and executed, per proctype. */
    bool *reached[HD_MODEL_MOST_PROCESSES + 1], *executed[HD_MODEL_MOST_PROCESSES + 1];
} hd_model_result;

void hd_model_result_fini(hd_model_result *r);

/* Receives the edges of a graph, one at a time. States are numbered from 0. Of the moves, the first
 * `before` lead to where the others are executed at once; in the full graph all of them do. */
typedef struct hd_model_edges {
    void (*edge)(void *context, uint32_t from, uint32_t to, const hd_model_move *moves, size_t before, size_t count);
    void *context;
} hd_model_edges;

typedef struct hd_model_search {
    const char *name;
    bool every_state; /* visits every reachable state; with one job breadth first, so that paths are shortest */
    bool has_jobs; /* several threads can share the search */
    bool has_edges; /* `run` reports edges */
    bool has_trails; /* under causal communication, SPIN can replay its paths */

    void *(*open)(const hd_model_setup *setup, hd_error *error); /* NULL with an error: not for this model */
    void (*run)(void *self, const hd_model_edges *edges); /* once; `edges` may be NULL */
    const hd_model_result *(*result)(void *self);
    void (*close)(void *self);

    /* Appends the moves from the first state to a finding. */
    void (*path)(void *self, const hd_model_finding *f, hd_model_moves *path);

    /* A state of a finding, in a machine that uses `bytes` (HD_MODEL_STATE_MOST_BYTES of them). */
    void (*load)(void *self, uint32_t state, hd_model_machine *m, uint8_t *bytes);
} hd_model_search;

#define SEARCH(name) extern const hd_model_search hd_model_search_##name;
#include "model/searches.def"
#undef SEARCH

/* By name, or NULL. */
const hd_model_search *hd_model_search_find(const char *name);

/* The names of the searches for which `has` holds (NULL: of all), as "a, b or c". */
void hd_model_search_names(bool (*has)(const hd_model_search *), char *out, size_t room);

#endif
