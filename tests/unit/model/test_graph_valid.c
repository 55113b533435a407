/* hd_model_graph_is_valid notices a wrong field of each kind. A graph is opaque; this test is the only one that looks
 * inside. */
#include "model/graph.c"

#include "unit/test.h"

#define CHECK_GRAPH(field, wrong) CHECK_NOTICED(hd_model_graph_is_valid(g), g->field, wrong)

enum { NODES = 100 };

TEST(validity_notices_what_is_wrong_with_a_graph)
{
    hd_model_graph *g = hd_model_graph_open();
    hd_model_moves moves = { 0 };
    for (uint32_t i = 0; i < NODES; i++) {
        bool added;
        CHECK_INT(hd_model_graph_put(g, (uint8_t *)&i, sizeof i, &added), i);
        CHECK(added);
        hd_model_graph_reached(g, i, i ? i / 2 : UINT32_MAX, &moves, NULL, 0);
        CHECK_INT(hd_model_graph_put(g, (uint8_t *)&i, sizeof i, &added), i);
        CHECK(!added);
    }
    CHECK_GRAPH(nodes.items[5].hash, g->nodes.items[5].hash + 1);
    CHECK_GRAPH(nodes.items[5].size, 3);
    CHECK_GRAPH(nodes.items[5].key[0], 6);
    CHECK_GRAPH(nodes.items[5].parent, 5);
    CHECK_GRAPH(nodes.count, NODES - 1);
    CHECK_GRAPH(nodes.count, NODES + 1);
    CHECK_GRAPH(room, NODES + NODES / 2);
    uint32_t used = 0;
    for (size_t i = 0; i < g->room; i++)
        if (!g->slots[i])
            CHECK_GRAPH(slots[i], 1);
        else if (!used++)
            CHECK_GRAPH(slots[i], g->slots[i] == 1 ? 2 : 1);
    /* Two nodes with the same key. */
    uint8_t *key = g->nodes.items[5].key;
    uint64_t hash = g->nodes.items[5].hash;
    g->nodes.items[5].key = g->nodes.items[6].key;
    g->nodes.items[5].hash = g->nodes.items[6].hash;
    CHECK(!hd_model_graph_is_valid(g));
    g->nodes.items[5].key = key;
    g->nodes.items[5].hash = hash;
    CHECK(hd_model_graph_is_valid(g));
    hd_model_graph_close(g);
}
