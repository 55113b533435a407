/* Values without a solver. Most branches compare something with something else,
 * and one of their inputs can be moved so that the comparison turns, without
 * touching the conditions before it. For each input of the goals a handful of
 * values is tried: those that bring the two sides together, or one apart. */
#include "sym/solver.h"

enum { MOST_INPUTS = 8, MOST_CANDIDATES = 24, MOST_COMPARISONS = 6 };

typedef struct candidates {
    uint64_t values[MOST_CANDIDATES];
    uint32_t count;
} candidates;

static void add(candidates *c, uint64_t value)
{
    if (c->count < MOST_CANDIDATES)
        c->values[c->count++] = value;
}

static void add_around(candidates *c, uint64_t value)
{
    add(c, value);
    add(c, value + 1);
    add(c, value - 1);
}

/* The sides of the comparisons that a condition is made of. */
static void look_at(hd_query *q, hd_term term, uint64_t now, candidates *c, uint32_t *left)
{
    const hd_term_node n = *hd_term_at(q->terms, term);
    if (!*left)
        return;
    if (n.kind >= HD_EXPR_EQ && n.kind <= HD_EXPR_SLE) {
        uint64_t a = hd_term_evaluate(q->terms, n.operands[0], q->values);
        uint64_t b = hd_term_evaluate(q->terms, n.operands[1], q->values);
        --*left;
        add_around(c, now + (b - a));
        add_around(c, now + (a - b));
        add_around(c, b);
        add_around(c, a);
        return;
    }
    for (uint32_t i = 0; n.width == 1 && i < hd_term_operand_count(n.kind); i++)
        if (hd_term_at(q->terms, n.operands[i])->width == 1)
            look_at(q, n.operands[i], now, c, left);
}

static bool all_hold(const hd_query *q, const hd_term *terms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!hd_term_evaluate(q->terms, terms[i], q->values))
            return false;
    return true;
}

static bool has(hd_input_set set, uint32_t place)
{
    for (uint32_t i = 0; i < set.count; i++)
        if (set.places[i] == place)
            return true;
    return false;
}

/* The conditions that the input is part of: the others stay as they are. */
static void find_touched(hd_query *q, uint32_t place)
{
    hd_vec_clear(&q->touched);
    for (uint32_t i = 0; i < q->condition_count; i++)
        if (has(hd_term_inputs(q->terms, q->conditions[i]), place))
            hd_vec_push(&q->touched, q->conditions[i]);
}

static bool move_input(hd_query *q, const hd_term *goals, size_t goal_count, uint32_t place)
{
    uint64_t before = q->values->items[place], mask = hd_term_mask(q->terms->inputs.items[place].width);
    candidates c = { .count = 0 };
    uint32_t left = MOST_COMPARISONS;
    for (size_t i = 0; i < goal_count; i++)
        look_at(q, goals[i], before, &c, &left);
    find_touched(q, place);
    for (uint32_t i = 0; i < c.count; i++) {
        q->values->items[place] = c.values[i] & mask;
        if (all_hold(q, goals, goal_count) && all_hold(q, q->touched.items, q->touched.count))
            return true;
    }
    q->values->items[place] = before;
    return false;
}

bool hd_guess(hd_query *q, const hd_term *goals, size_t goal_count)
{
    uint32_t left = MOST_INPUTS;
    for (size_t i = 0; i < goal_count; i++) {
        hd_input_set set = hd_term_inputs(q->terms, goals[i]);
        for (uint32_t k = set.count; k-- > 0 && left; left--) {
            uint32_t place = hd_term_inputs(q->terms, goals[i]).places[k];
            if (move_input(q, goals, goal_count, place))
                return true;
        }
    }
    return false;
}
