/* Configurations as vectors. A *cone* is a configuration given by its last use at each place that it
 * touches, sorted by place. The cone of an event is the event with its causal past (the paper's
 * local configuration). See suite/problem.h for places and uses.
 *
 * A space holds the scratch memory for questions about one net; entries stamped with the current
 * `round` are valid, so nothing has to be cleared. */
#ifndef HD_SUITE_CONFIG_H
#define HD_SUITE_CONFIG_H

#include "suite/problem.h"

typedef struct hd_mark {
    uint32_t place, use;
} hd_mark;

typedef hd_vec(hd_mark) hd_cone;

typedef struct hd_space {
    const hd_problem *problem;
    uint32_t round; /* entries stamped with it belong to the current question */
    uint32_t *event_stamp, *place_stamp;
    uint8_t *event_state;
    uint32_t *last_use; /* per place: the last use found so far */
    uint32_t *reader_stamp, *reader; /* per token: the head of a list of its readers (contexts) */
    uint32_t *next_reader; /* per context */
    bool *is_thread; /* per place: is it a thread's control? */
    hd_vec(uint32_t) events, stack, places, branches;
    hd_cone joined;
} hd_space;

void hd_space_init(hd_space *s, const hd_problem *problem);
void hd_space_fini(hd_space *s);

/* Sets `out` to the cone of an event. */
void hd_cone_of(hd_space *s, uint32_t event, hd_cone *out);

/* Does the configuration contain the event? */
bool hd_cone_has(const hd_problem *n, const hd_cone *c, uint32_t event);

void hd_cone_copy(hd_cone *to, const hd_cone *from);

/* into = into ∪ from; the two must be consistent. */
void hd_cone_join(hd_cone *into, const hd_cone *from);

/* Is the union one chain at each place? */
bool hd_cones_consistent(const hd_problem *n, const hd_cone *a, const hd_cone *b);

/* Is a ∪ b a configuration, if a and b are? Checks chains, then cycles and inputs where the net has
 * contexts and branches. */
bool hd_cones_fit(hd_space *s, const hd_cone *a, const hd_cone *b);

/* The events in an order in which they can happen; valid until the next question. False: the
 * configuration has a cycle. */
bool hd_cone_linearise(hd_space *s, const hd_cone *c, const uint32_t **events, uint32_t *count);

#endif
