/* The states of a reduced graph, each stored once: its key (keys are equal iff states are) and how
 * it was reached first. Nodes are numbered in the order of arrival; what a node points to lives as
 * long as the graph. */
#ifndef HD_MODEL_GRAPH_H
#define HD_MODEL_GRAPH_H

#include "model/order.h"

/* Plain data, written by hd_model_graph_reached. */
typedef struct hd_model_node {
    uint64_t hash;
    uint8_t *key; /* the state's bytes, then the order's */
    uint32_t size;
    uint32_t parent;
    hd_model_order *order; /* NULL: not kept */
    hd_model_move *moves; /* from the parent */
    uint32_t move_count;
} hd_model_node;

typedef struct hd_model_graph hd_model_graph;

hd_model_graph *hd_model_graph_open(void);
void hd_model_graph_close(hd_model_graph *g);
void hd_model_graph_clear(hd_model_graph *g);

/* The number of the node with this key, added if it is new (*added says so). */
uint32_t hd_model_graph_put(hd_model_graph *g, const uint8_t *key, uint32_t size, bool *added);

/* Records how a node was reached. `order` may be NULL. */
void hd_model_graph_reached(hd_model_graph *g, uint32_t node, uint32_t parent, const hd_model_moves *moves,
    const hd_model_order *order, size_t order_size);

/* A node; the pointer is valid until the next node is added. */
const hd_model_node *hd_model_graph_node(const hd_model_graph *g, uint32_t node);
uint64_t hd_model_graph_count(const hd_model_graph *g);
uint64_t hd_model_graph_bytes(const hd_model_graph *g); /* approximate memory use */

/* Checks that every node is found under its key, and nothing else is, so that no two have the same; that at
 * least half of the index is free; and that a node's parent came before it, so that paths end. */
bool hd_model_graph_is_valid(const hd_model_graph *g);

#endif
