/* Configurations under construction. A *cone* is a configuration as a vector:
 * the last use at each place that it touches, sorted by place. The cone of an event
 * is the event with everything that must come before it.
 *
 * A space holds the scratch memory of all questions about one net. */
#ifndef HD_SUITE_CONFIG_H
#define HD_SUITE_CONFIG_H

#include "suite/problem.h"

typedef struct hd_mark {
    uint32_t place, use;
} hd_mark;

typedef hd_vec(hd_mark) hd_cone;

typedef struct hd_space {
    const hd_problem *problem;
    uint32_t round; /* what is stamped with it belongs to the question at hand */
    uint32_t *event_stamp, *place_stamp;
    uint8_t *event_state;
    uint32_t *last_use; /* per place */
    uint32_t *reader_stamp, *reader; /* per token: its first reader, as a context's number */
    uint32_t *next_reader; /* per context */
    bool *is_thread; /* per place */
    hd_vec(uint32_t) events, stack, places, branches;
    hd_cone joined;
} hd_space;

void hd_space_init(hd_space *s, const hd_problem *problem);
void hd_space_fini(hd_space *s);

/* The cone of an event; replaces what `out` holds. */
void hd_cone_of(hd_space *s, uint32_t event, hd_cone *out);

/* Is the event in it? */
bool hd_cone_has(const hd_problem *n, const hd_cone *c, uint32_t event);

void hd_cone_copy(hd_cone *to, const hd_cone *from);

/* into ∪ from, which must be consistent. */
void hd_cone_join(hd_cone *into, const hd_cone *from);

/* One chain at each place? */
bool hd_cones_consistent(const hd_problem *n, const hd_cone *a, const hd_cone *b);

/* Is a ∪ b a configuration, a and b being ones? */
bool hd_cones_fit(hd_space *s, const hd_cone *a, const hd_cone *b);

/* Its events in an order in which they can happen; valid until the next question.
 * False: it has a cycle, there is none. */
bool hd_cone_linearise(hd_space *s, const hd_cone *c, const uint32_t **events, uint32_t *count);

#endif
