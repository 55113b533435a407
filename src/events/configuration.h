/* Configurations as vectors: the last use at each place that the configuration touches, sorted by place
 * (events/trees.h). Two configurations are consistent iff at each place the last use of one is an ancestor of the
 * other's. The *cone* of an event is the event with all its causes (its local configuration). */
#ifndef HD_EVENTS_CONFIGURATION_H
#define HD_EVENTS_CONFIGURATION_H

#include "events/trees.h"

typedef struct hd_last_use {
    uint32_t place, use;
} hd_last_use;

typedef hd_vec(hd_last_use) hd_configuration;

/* Memory for questions about the configurations of one set of trees. */
typedef struct hd_configuration_space hd_configuration_space;

hd_configuration_space *hd_configuration_space_open(const hd_trees *trees);
void hd_configuration_space_close(hd_configuration_space *s);

/* Sets `out` to the cone of an event. */
void hd_configuration_of(hd_configuration_space *s, uint32_t event, hd_configuration *out);

/* The last use at a place, or HD_NO_USE. */
uint32_t hd_configuration_at(const hd_configuration *c, uint32_t place);

/* Does the configuration contain the event? */
bool hd_configuration_has(const hd_trees *t, const hd_configuration *c, uint32_t event);

void hd_configuration_copy(hd_configuration *to, const hd_configuration *from);

/* into = into ∪ from; the two must be consistent. */
void hd_configuration_join(hd_configuration *into, const hd_configuration *from);

/* Is the union one chain at each place? */
bool hd_configurations_consistent(const hd_trees *t, const hd_configuration *a, const hd_configuration *b);

/* Is consistency sufficient for a union to be a configuration? Not if there are contexts (cycles) or branches. */
bool hd_configurations_only_need_chains(const hd_trees *t);

/* Is a ∪ b a configuration, if a and b are? Checks chains, then cycles and inputs where there are contexts and
 * branches. */
bool hd_configurations_fit(hd_configuration_space *s, const hd_configuration *a, const hd_configuration *b);

/* The events in an order in which they can happen; valid until the next question. False: the configuration has a
 * cycle. */
bool hd_configuration_linearise(
    hd_configuration_space *s, const hd_configuration *c, const uint32_t **events, uint32_t *count);

#endif
