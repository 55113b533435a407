#include "unfolder/feasibility.h"

#include "base/error.h"

void hd_feasibility_init(hd_feasibility *c, const hd_solver_config *config, hd_memory *memory)
{
    *c = (hd_feasibility) { 0 };
    hd_path_init(&c->path, config, memory);
    c->sides.memory = c->permitted.memory = c->values.memory = c->asked.memory = c->given.memory = memory;
    c->matters.memory = memory;
    hd_feasibility_forget(c);
}

void hd_feasibility_fini(hd_feasibility *c)
{
    hd_path_fini(&c->path);
    hd_vec_fini(&c->sides);
    hd_vec_fini(&c->permitted);
    hd_vec_fini(&c->values);
    hd_vec_fini(&c->asked);
    hd_vec_fini(&c->given);
    hd_vec_fini(&c->matters);
}

static void add(hd_feasibility *c, hd_term term, hd_term condition, const hd_site *site)
{
    hd_vec_push(&c->sides, ((hd_feasibility_side) { term, condition, site }));
}

void hd_feasibility_forget(hd_feasibility *c)
{
    hd_vec_clear(&c->sides);
    add(c, 0, 0, NULL);
}

void hd_feasibility_begin(hd_feasibility *c, const hd_execution *e)
{
    hd_path_begin(&c->path, e);
}

void hd_feasibility_add(hd_feasibility *c, uint32_t side, const hd_op *branch)
{
    if (side < c->sides.count)
        return; /* the term of a known side is the same in every execution */
    hd_assert(side == c->sides.count);
    hd_path_branch b = hd_path_understand(&c->path, branch);
    add(c, b.term, b.condition, b.site);
}

/* --- asking ------------------------------------------------------------------------------------ */

/* The values of the last execution are tried first: most targets need no solver then. */
static void start(hd_feasibility *c)
{
    hd_vec_clear(&c->permitted);
    hd_vec_clear(&c->values);
    for (size_t i = 0; i < c->path.values.count; i++)
        hd_vec_push(&c->values, c->path.values.items[i]);
}

/* Collects the permitted terms and those of the literals; false: one can never hold. */
static bool collect(hd_feasibility *c, const hd_unfold_literal *literals, size_t count)
{
    hd_vec_clear(&c->asked);
    for (size_t i = 0; i < c->permitted.count; i++)
        hd_vec_push(&c->asked, c->permitted.items[i]);
    for (size_t i = 0; i < count; i++) {
        hd_term term = c->sides.items[literals[i].side].condition;
        if (!term && !literals[i].holds)
            return false; /* the side is taken with all inputs */
        if (term)
            hd_vec_push(&c->asked, literals[i].holds ? term : hd_term_not(&c->path.terms, term));
    }
    return true;
}

static void keep(hd_feasibility *c)
{
    for (size_t i = c->permitted.count; i < c->asked.count; i++)
        hd_vec_push(&c->permitted, c->asked.items[i]);
}

bool hd_feasibility_permits(void *context, const hd_unfold_literal *literals, size_t count, bool afresh)
{
    hd_feasibility *c = context;
    if (afresh)
        start(c);
    if (!collect(c, literals, count))
        return false;
    const hd_site *site = count ? c->sides.items[literals[count - 1].side].site : NULL;
    bool feasible = hd_path_satisfy(&c->path, c->asked.items, c->asked.count, site, &c->values) == HD_SAT;
    if (feasible)
        keep(c);
    return feasible;
}

/* --- inputs ------------------------------------------------------------------------------------- */

/* Which inputs the permitted terms mention. */
static void find_what_matters(hd_feasibility *c)
{
    const hd_terms *terms = &c->path.terms;
    hd_vec_clear(&c->matters);
    for (size_t i = 0; i < terms->inputs.count; i++)
        hd_vec_push(&c->matters, false);
    for (size_t i = 0; i < c->permitted.count; i++) {
        hd_input_set set = hd_term_inputs(&c->path.terms, c->permitted.items[i]);
        for (uint32_t k = 0; k < set.count; k++)
            c->matters.items[set.indices[k]] = true;
    }
}

/* An input that the last execution had, with its new value if it matters. */
static void give_again(hd_feasibility *c, hd_given g)
{
    uint32_t index = hd_term_input_index(&c->path.terms, &g);
    if (index != HD_NO_INPUT && c->matters.items[index]) {
        g.value = hd_term_value(&c->path.terms, index, &c->values);
        c->matters.items[index] = false;
    }
    hd_vec_push(&c->given, g);
}

const hd_given_list *hd_feasibility_inputs(hd_feasibility *c)
{
    const hd_terms *terms = &c->path.terms;
    hd_vec_clear(&c->given);
    find_what_matters(c);
    for (size_t i = 0; i < c->path.given.count; i++)
        give_again(c, c->path.given.items[i]);
    for (uint32_t index = 0; index < terms->inputs.count; index++)
        if (c->matters.items[index])
            hd_vec_push(&c->given, hd_term_given(terms, index, &c->values));
    return &c->given;
}

void hd_feasibility_missed(hd_feasibility *c, hd_unfolding *u, uint32_t side, bool failed)
{
    hd_terms *terms = &c->path.terms;
    hd_term term = c->sides.items[side].term;
    hd_unfold_access branch = { .branches = true, .sides = hd_term_at(terms, term)->width == 1 ? 2 : 0 };
    branch.value = hd_term_evaluate(terms, term, &c->path.values);
    uint32_t passed = failed ? hd_unfold_pass_over(u, side, &branch) : 0;
    if (passed)
        add(c, term, hd_term_equals(terms, term, branch.value), c->sides.items[side].site);
    else
        hd_path_lose(&c->path, c->sides.items[side].site);
}
