/* Answers a query by enumerating all values of its inputs, seen as one number. */
#include "sym/solver.h"

static uint32_t bits_of(const hd_query *q)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < q->input_count; i++)
        bits += q->terms->inputs.items[q->inputs[i]].width;
    return bits;
}

static void set_values(hd_query *q, uint64_t number)
{
    for (uint32_t i = 0; i < q->input_count; i++) {
        uint32_t width = q->terms->inputs.items[q->inputs[i]].width;
        q->values->items[q->inputs[i]] = number & hd_term_mask(width);
        number >>= width;
    }
}

/* The condition that failed last is evaluated first: it is likely to fail again. */
static bool all_hold(const hd_query *q, uint32_t *first)
{
    for (uint32_t i = 0; i < q->condition_count; i++) {
        uint32_t at = (*first + i) % q->condition_count;
        if (!hd_term_evaluate(q->terms, q->conditions[at], q->values)) {
            *first = at;
            return false;
        }
    }
    return true;
}

hd_answer hd_brute_solve(hd_query *q, uint32_t most_bits)
{
    uint32_t bits = bits_of(q), first = 0;
    if (bits > most_bits)
        return HD_UNKNOWN;
    for (uint64_t number = 0; number < 1ull << bits; number++) {
        set_values(q, number);
        if (all_hold(q, &first))
            return HD_SAT;
    }
    /* All conditions together are a core, though not a minimal one. */
    hd_vec_clear(&q->core);
    for (uint32_t i = 0; i < q->condition_count; i++)
        hd_vec_push(&q->core, i);
    return HD_UNSAT;
}
