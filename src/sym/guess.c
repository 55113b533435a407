/* Guesses values without a solver. Most branches compare two values, and often one input can be
 * changed so that the comparison turns while the conditions before it keep holding. For each input
 * of the goals a handful of values is tried: those that make the two sides equal, or apart by one. */
#include "sym/solver.h"

/* Bounds that keep a guess cheap compared with a query. */
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

/* Collects candidates from the comparisons in a condition. If the input enters one side with
 * coefficient 1 or -1, then input ± (b - a) makes the sides equal; if it is one of the sides, the
 * other side's value does. */
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
    /* A condition may combine comparisons by AND, OR and NOT: look into its one-bit operands. */
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

static bool has(hd_input_set set, uint32_t index)
{
    for (uint32_t i = 0; i < set.count; i++)
        if (set.indices[i] == index)
            return true;
    return false;
}

/* The conditions that contain the input; the others keep their values. */
static void find_touched(hd_query *q, uint32_t index)
{
    hd_vec_clear(&q->touched);
    for (uint32_t i = 0; i < q->condition_count; i++)
        if (has(hd_term_inputs(q->terms, q->conditions[i]), index))
            hd_vec_push(&q->touched, q->conditions[i]);
}

/* Tries the candidates for one input; its old value is restored if none works. */
static bool move_input(hd_query *q, const hd_term *goals, size_t goal_count, uint32_t index)
{
    uint64_t before = q->values->items[index], mask = hd_term_mask(q->terms->inputs.items[index].width);
    candidates c = { .count = 0 };
    uint32_t left = MOST_COMPARISONS;
    for (size_t i = 0; i < goal_count; i++)
        look_at(q, goals[i], before, &c, &left);
    find_touched(q, index);
    for (uint32_t i = 0; i < c.count; i++) {
        q->values->items[index] = c.values[i] & mask;
        if (all_hold(q, goals, goal_count) && all_hold(q, q->touched.items, q->touched.count))
            return true;
    }
    q->values->items[index] = before;
    return false;
}

bool hd_guess(hd_query *q, const hd_term *goals, size_t goal_count)
{
    uint32_t left = MOST_INPUTS;
    for (size_t i = 0; i < goal_count; i++) {
        hd_input_set set = hd_term_inputs(q->terms, goals[i]);
        /* The latest inputs first: earlier conditions depend less on them. */
        for (uint32_t k = set.count; k-- > 0 && left; left--) {
            /* move_input may add input sets, which moves the arrays: ask again. */
            uint32_t index = hd_term_inputs(q->terms, goals[i]).indices[k];
            if (move_input(q, goals, goal_count, index))
                return true;
        }
    }
    return false;
}
