/* The inputs of a pool of terms. An input with two domains, on different paths, has an index for
 * each; `same` links them. */
#include "sym/term.h"

static uint32_t first_index(const hd_terms *t, uint16_t thread, uint32_t number)
{
    const uint64_t *index = hd_map_get(&t->indices, (uint64_t)thread << 32 | number);
    return index ? (uint32_t)*index - 1 : HD_NO_INPUT;
}

/* A value without domain (from an old replay file or the user) belongs to the first index. */
uint32_t hd_term_input_index(const hd_terms *t, const hd_given *g)
{
    uint32_t index = first_index(t, g->thread, g->number);
    for (; index != HD_NO_INPUT; index = t->inputs.items[index].same) {
        const hd_term_input *i = &t->inputs.items[index];
        if (!g->domain || g->domain == hd_domain(i->width, i->low, i->count))
            break;
    }
    return index;
}

void hd_term_fill_values(const hd_terms *t, hd_values *values, size_t count)
{
    for (size_t index = values->count; index < count; index++)
        hd_vec_push(values, t->inputs.items[index].low);
}

void hd_term_set_value(const hd_terms *t, uint32_t index, hd_values *values, uint64_t given)
{
    const hd_term_input *i = &t->inputs.items[index];
    hd_term_fill_values(t, values, index + 1);
    values->items[index] = hd_value_within(i->width, i->low, i->count, given);
}

hd_given hd_term_given(const hd_terms *t, uint32_t index, const hd_values *values)
{
    const hd_term_input *i = &t->inputs.items[index];
    return (hd_given) { hd_term_value(t, index, values), i->number, i->thread, hd_domain(i->width, i->low, i->count) };
}

/* low <= input < low + count, as one unsigned comparison that also holds for ranges that wrap around. */
static hd_term is_within(hd_terms *t, hd_term term, uint32_t width, uint64_t low, uint64_t count)
{
    if (!count)
        return 0;
    hd_term distance = hd_term_make(t, HD_EXPR_SUB, width, term, hd_term_constant(t, width, low), 0, 0);
    return hd_term_make(t, HD_EXPR_ULE, 1, distance, hd_term_constant(t, width, count - 1), 0, 0);
}

hd_term hd_term_input_of(hd_terms *t, uint16_t thread, uint32_t number, uint32_t width)
{
    return hd_term_input_within(t, thread, number, width, 0, 0);
}

/* An input that is known with this domain is returned; otherwise a new index is added in front of its list. */
hd_term hd_term_input_within(
    hd_terms *t, uint16_t thread, uint32_t number, uint32_t width, uint64_t low, uint64_t count)
{
    uint64_t *first = hd_map_put(&t->indices, (uint64_t)thread << 32 | number);
    uint32_t same = *first ? (uint32_t)*first - 1 : HD_NO_INPUT;
    for (uint32_t i = same; i != HD_NO_INPUT; i = t->inputs.items[i].same)
        if (t->inputs.items[i].width == width && t->inputs.items[i].low == low && t->inputs.items[i].count == count)
            return t->inputs.items[i].term;
    hd_term_node node = { .kind = HD_EXPR_INPUT, .width = (uint8_t)width, .value = t->inputs.count };
    hd_term term = hd_term_intern(t, &node);
    hd_vec_push(&t->inputs, ((hd_term_input) { number, thread, (uint8_t)width, term, same, low, count, 0 }));
    *first = t->inputs.count;
    /* Not in the line above: making terms must not happen while `inputs` grows. */
    hd_term within = is_within(t, term, width, low, count);
    hd_vec_last(&t->inputs)->within = within;
    return term;
}
