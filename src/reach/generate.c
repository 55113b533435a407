#include "reach/generate.h"

#include "base/error.h"

enum { MOST_TAIL = 62 };

void hd_sr_generator_init(hd_sr_generator *g, const hd_sr *q, uint32_t trims, hd_memory *memory)
{
    *g = (hd_sr_generator) { .trims = trims };
    g->rest.memory = g->stack.memory = g->kept.memory = g->parts.memory = g->gone.memory = memory;
    hd_sr_variant_init(&g->variant, q, memory);
    for (uint32_t i = 0; i < q->events.count; i++)
        hd_vec_push(&g->rest, !q->events.items[i].pending);
}

void hd_sr_generator_fini(hd_sr_generator *g)
{
    hd_sr_variant_fini(&g->variant);
    hd_vec_fini(&g->rest);
    hd_vec_fini(&g->stack);
    hd_vec_fini(&g->kept);
    hd_vec_fini(&g->parts);
    hd_vec_fini(&g->gone);
}

/* --- tails and trimming -------------------------------------------------------------------------------------- */

bool hd_sr_is_tail(const hd_sr *q, const bool *kept, uint32_t event)
{
    if (!kept[event] || !hd_sr_decides(&q->events.items[event]))
        return false;
    for (uint32_t i = event + 1; i < q->events.count; i++)
        if (kept[i] && hd_sr_decides(&q->events.items[i]) && hd_sr_before(q, event, i))
            return false;
    return true;
}

void hd_sr_trim(const hd_sr *q, bool *kept, const bool *gone)
{
    for (uint32_t i = 0; i < q->events.count; i++)
        for (uint32_t k = 0; k <= i && kept[i]; k++)
            kept[i] = !(gone[k] && hd_sr_before(q, k, i));
}

static uint32_t event_count(const hd_sr_generator *g)
{
    return (uint32_t)g->variant.q->events.count;
}

static bool *kept_of(const hd_sr_generator *g, size_t level)
{
    return g->kept.items + level * event_count(g);
}

static bool *part_of(const hd_sr_generator *g, size_t level)
{
    return g->parts.items + level * event_count(g);
}

static bool is_tail(const hd_sr_generator *g, size_t level, uint32_t event)
{
    return hd_sr_is_tail(g->variant.q, kept_of(g, level), event);
}

/* Is it in tail(Q) \ R? */
static bool is_rest(const hd_sr_generator *g, size_t level, uint32_t event)
{
    return !part_of(g, level)[event] && is_tail(g, level, event);
}

/* --- Theorem 3.4.4: the whole tail ------------------------------------------------------------------------------ */

/* The n-th outcome of Race(event) in the level's sequence, its own being 0. False: there are not so many; `n` is then
 * their number. */
static bool find_outcome(hd_sr_generator *g, size_t level, uint32_t event, uint64_t *n, uint32_t *outcome)
{
    const hd_sr *q = g->variant.q;
    uint64_t seen = 1;
    uint32_t next = 0;
    *outcome = hd_sr_outcome(&q->events.items[event]);
    if (!*n)
        return true;
    while (hd_sr_next_outcome(q, event, &next, outcome)) {
        bool sent = q->events.items[event].kind == HD_SR_RECEIVE && *outcome != HD_SR_NONE;
        if (sent && !(kept_of(g, level)[*outcome]))
            continue;
        if (seen++ == *n)
            return true;
    }
    *n = seen;
    return false;
}

/* Has every changed decision a message that is still sent, and that no other receive takes? */
static bool is_consistent(const hd_sr_variant *v)
{
    for (uint32_t i = 0; i < v->q->events.count; i++) {
        uint32_t s = v->outcomes.items[i];
        if (!v->kept.items[i] || v->q->events.items[i].kind != HD_SR_RECEIVE || s == HD_SR_NONE)
            continue;
        if (!v->kept.items[s])
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (v->kept.items[k] && v->q->events.items[k].kind == HD_SR_RECEIVE && v->outcomes.items[k] == s)
                return false;
    }
    return true;
}

/* Makes combination `number` of the outcomes of the tail; 0 is that of the sequence. False: there is none. */
static bool combine(hd_sr_generator *g, size_t level, uint64_t number)
{
    hd_sr_variant *v = &g->variant;
    hd_sr_variant_clear(v);
    for (uint32_t i = 0; i < event_count(g); i++)
        v->kept.items[i] = kept_of(g, level)[i];
    for (uint32_t i = 0; i < event_count(g); i++) {
        uint64_t count = UINT64_MAX, digit;
        uint32_t outcome;
        if (!is_tail(g, level, i))
            continue;
        find_outcome(g, level, i, &count, &outcome);
        digit = number % count;
        number /= count;
        if (digit && find_outcome(g, level, i, &digit, &outcome))
            hd_sr_variant_change(v, i, outcome);
    }
    return !number;
}

/* --- Theorems 3.4.2 and 3.4.3: parts of the tail -------------------------------------------------------------------
 */

static uint32_t count_rest(const hd_sr_generator *g, size_t level)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < event_count(g); i++)
        count += is_rest(g, level, i);
    return count;
}

/* Adds part number `part` of the rest of the tail to R. */
static void add_part(hd_sr_generator *g, size_t level, uint64_t part)
{
    uint32_t bit = 0;
    for (uint32_t i = 0; i < event_count(g); i++)
        if (is_rest(g, level, i))
            part_of(g, level)[i] = part >> bit++ & 1;
}

/* Q := Q \t (tail(Q) \ R). */
static void trim_rest(hd_sr_generator *g, size_t level)
{
    hd_vec_clear(&g->gone);
    for (uint32_t i = 0; i < event_count(g); i++)
        hd_vec_push(&g->gone, is_rest(g, level, i));
    hd_sr_trim(g->variant.q, kept_of(g, level), g->gone.items);
}

/* Generate-Intersect-Variants, of the sets that are on top. */
static void begin(hd_sr_generator *g)
{
    size_t level = g->stack.count;
    bool whole = !count_rest(g, level);
    if (!whole)
        trim_rest(g, level);
    g->too_wide |= count_rest(g, level) > MOST_TAIL;
    hd_vec_push(&g->stack, ((hd_sr_intersection) { .next = whole, .whole = whole }));
}

/* Goes down to R with part number `part` of the rest of the tail. */
static void descend(hd_sr_generator *g, size_t level, uint64_t part)
{
    for (uint32_t i = 0; i < event_count(g); i++) {
        bool kept = kept_of(g, level)[i], part_of_it = part_of(g, level)[i];
        hd_vec_push(&g->kept, kept);
        hd_vec_push(&g->parts, part_of_it);
    }
    add_part(g, level + 1, part);
    begin(g);
}

static void ascend(hd_sr_generator *g)
{
    g->stack.count--;
    g->kept.count = g->parts.count = g->stack.count * event_count(g);
}

/* The next variant of the intersections on the stack. */
static bool next_of_stack(hd_sr_generator *g)
{
    while (g->stack.count) {
        size_t level = g->stack.count - 1;
        bool whole = g->stack.items[level].whole;
        uint64_t next = g->stack.items[level].next++;
        if (whole && combine(g, level, next)) {
            if (is_consistent(&g->variant))
                return true;
        } else if (!whole && !g->too_wide && !(next >> count_rest(g, level)))
            descend(g, level, next);
        else
            ascend(g);
    }
    return false;
}

/* Generate-Tail-Variants: the next non-empty part of the tail. */
static bool next_part(hd_sr_generator *g)
{
    hd_vec_clear(&g->kept);
    hd_vec_clear(&g->parts);
    for (uint32_t i = 0; i < event_count(g); i++) {
        hd_vec_push(&g->kept, g->rest.items[i]);
        hd_vec_push(&g->parts, false);
    }
    uint32_t count = count_rest(g, 0);
    g->too_wide |= count > MOST_TAIL;
    if (g->too_wide || ++g->part >> count)
        return false;
    add_part(g, 0, g->part);
    begin(g);
    return true;
}

/* Generate-Variants: goes on to Q \t tail(Q). */
bool hd_sr_generator_trim(hd_sr_generator *g)
{
    bool any = false;
    hd_vec_clear(&g->gone);
    for (uint32_t i = 0; i < event_count(g); i++) {
        hd_vec_push(&g->gone, hd_sr_is_tail(g->variant.q, g->rest.items, i));
        any |= *hd_vec_last(&g->gone);
    }
    hd_sr_trim(g->variant.q, g->rest.items, g->gone.items);
    g->part = 0;
    return any;
}

void hd_sr_generator_rest(const hd_sr_generator *g, hd_sr_decisions *out)
{
    const hd_sr *q = g->variant.q;
    hd_vec_clear(out);
    for (uint32_t i = 0; i < event_count(g); i++)
        if (g->rest.items[i] && hd_sr_decides(&q->events.items[i]))
            hd_vec_push(out, hd_sr_decision_of(q, i, hd_sr_outcome(&q->events.items[i])));
    hd_sr_decisions_sort(out);
}

bool hd_sr_generator_next(hd_sr_generator *g)
{
    do {
        do {
            if (next_of_stack(g))
                return true;
        } while (next_part(g));
    } while (g->trims && g->trims-- && hd_sr_generator_trim(g));
    return false;
}
