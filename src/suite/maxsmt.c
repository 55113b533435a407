/* Algorithm 2 of the paper (Max-SMT): one configuration after the other, each with as many open
 * goals as possible, found by Z3's optimiser. One open goal is forced to be in it, so only goals
 * that fit with that one, and their pasts, have to be encoded. */
#include "suite/bounds.h"
#include "suite/encode.h"
#include "events/candidates.h"
#include "suite/packing.h"

/* The goals that can share a test with a given goal: the cones of all members, with an index. */
typedef struct company {
    hd_suite_packing *packing;
    hd_configuration *cones; /* per member of a goal, goal after goal */
    uint32_t *goal, *first; /* per cone; per goal, and one more at the end */
    uint32_t count;
    hd_candidates *index;
    bool *invited; /* per goal */
    hd_vec(uint32_t) goals; /* the invited goals; the forced one is first */
    hd_configuration pair; /* a cone of the forced goal joined with one of another goal */
} company;

static void open_company(company *c, hd_suite_packing *p)
{
    const hd_suite_problem *n = p->problem;
    size_t members = n->members.count + 1, goals = n->goals.count + 1;
    *c = (company) { .packing = p };
    c->cones = hd_alloc(&hd_heap, members * sizeof *c->cones);
    c->goal = hd_alloc(&hd_heap, members * sizeof *c->goal);
    c->first = hd_alloc(&hd_heap, goals * sizeof *c->first);
    c->invited = hd_alloc(&hd_heap, goals);
    for (uint32_t g = 0; g < n->goals.count; g++) {
        c->first[g] = c->count;
        for (uint32_t m = 0; m < n->goals.items[g].member_count; m++) {
            c->goal[c->count] = g;
            hd_configuration_of(p->space, n->members.items[n->goals.items[g].member + m], &c->cones[c->count++]);
        }
    }
    c->first[n->goals.count] = c->count;
    c->index = hd_candidates_open(n->trees, c->cones, c->count, HD_NO_USE);
}

static void close_company(company *c)
{
    const hd_suite_problem *n = c->packing->problem;
    size_t members = n->members.count + 1, goals = n->goals.count + 1;
    for (uint32_t i = 0; i < c->count; i++)
        hd_vec_fini(&c->cones[i]);
    hd_release(&hd_heap, c->cones, members * sizeof *c->cones);
    hd_release(&hd_heap, c->goal, members * sizeof *c->goal);
    hd_release(&hd_heap, c->first, goals * sizeof *c->first);
    hd_release(&hd_heap, c->invited, goals);
    hd_vec_fini(&c->goals);
    hd_vec_fini(&c->pair);
    hd_candidates_close(c->index);
}

static void invite(company *c, uint32_t goal)
{
    c->invited[goal] = true;
    hd_vec_push(&c->goals, goal);
}

/* Collects the open goals that fit with the forced one. */
static void gather_company(company *c, const bool *reached, uint32_t forced)
{
    hd_configuration_space *space = c->packing->space;
    for (size_t i = 0; i < c->goals.count; i++)
        c->invited[c->goals.items[i]] = false;
    hd_vec_clear(&c->goals);
    hd_configuration_copy(&c->pair, &c->cones[c->first[forced]]);
    invite(c, forced);
    for (uint32_t m = c->first[forced]; m < c->first[forced + 1]; m++) {
        uint32_t count;
        const uint32_t *candidates = hd_candidates_of(c->index, &c->cones[m], &count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t goal = c->goal[candidates[i]];
            /* The index gives candidates only; each is checked. */
            if (reached[goal] || c->invited[goal]
                || !hd_configurations_fit(space, &c->cones[m], &c->cones[candidates[i]]))
                continue;
            invite(c, goal);
            hd_configuration_copy(&c->pair, &c->cones[m]);
            hd_configuration_join(&c->pair, &c->cones[candidates[i]]);
        }
    }
}

/* Marks the goals that the test reaches. */
static void note_reached(const company *c, const hd_configuration *test, bool *reached)
{
    const hd_suite_problem *n = c->packing->problem;
    for (size_t i = 0; i < c->goals.count; i++) {
        const hd_suite_problem_goal *goal = &n->goals.items[c->goals.items[i]];
        for (uint32_t m = 0; m < goal->member_count && !reached[c->goals.items[i]]; m++)
            reached[c->goals.items[i]] = hd_configuration_has(n->trees, test, n->members.items[goal->member + m]);
    }
}

static void put_question(hd_suite_encoding *e, const company *c)
{
    const hd_suite_problem *n = e->problem;
    hd_suite_encode_focus(e, c->goals.items, (uint32_t)c->goals.count);
    hd_suite_encode_copy(e, 0);
    for (size_t i = 0; i < c->goals.count; i++) {
        /* The forced goal is hard, the others are soft. */
        hd_smt_print(&e->text, i ? "(assert-soft " : "(assert ");
        hd_suite_encode_goal(e, &n->goals.items[c->goals.items[i]], 1);
        hd_smt_print(&e->text, ")\n");
    }
}

/* A test with the forced goal and as many others as possible. With at most one other the answer is
 * known without the solver. */
static bool find_test(hd_suite_encoding *e, const company *c, hd_configuration *test)
{
    if (c->goals.count <= 2) {
        hd_configuration_copy(test, &c->pair);
        return true;
    }
    put_question(e, c);
    bool found = hd_suite_encode_optimise(e) == HD_SUITE_ENCODE_YES;
    if (found)
        hd_suite_encode_cone(e, 0, test);
    return found;
}

/* Packs the goals that the solver did not get to first fit. */
static void pack_the_rest(hd_suite_packing *p, const bool *reached)
{
    const hd_suite_problem *n = p->problem;
    hd_configuration cone = { 0 };
    for (size_t g = 0; g < n->goals.count; g++) {
        if (reached[g])
            continue;
        hd_configuration_of(p->space, n->members.items[n->goals.items[g].member], &cone);
        size_t i = 0;
        while (i < p->cover->tests.count && !hd_configurations_fit(p->space, &p->cover->tests.items[i], &cone))
            i++;
        if (i < p->cover->tests.count)
            hd_configuration_join(&p->cover->tests.items[i], &cone);
        else
            hd_suite_packing_add(p, &cone);
    }
    hd_vec_fini(&cone);
}

static bool solve(hd_suite_packing *p, hd_suite_encoding *e, bool *reached)
{
    const hd_suite_problem *n = p->problem;
    company c;
    bool fine = true;
    open_company(&c, p);
    for (uint32_t g = 0; g < n->goals.count && fine; g++) {
        hd_configuration test = { 0 };
        if (reached[g])
            continue;
        gather_company(&c, reached, g);
        fine = hd_suite_packing_goes_on(p) && find_test(e, &c, &test);
        if (fine) {
            note_reached(&c, &test, reached);
            hd_vec_push(&p->cover->tests, test);
        }
    }
    close_company(&c);
    return fine;
}

void hd_suite_cover_maxsmt(const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *out)
{
    hd_suite_packing p;
    hd_suite_encoding e;
    hd_suite_clique clique = { 0 };
    bool *reached = hd_alloc(&hd_heap, n->goals.count + 1);
    hd_suite_packing_open(&p, n, watch, out);
    out->lower = hd_suite_bounds_lower(p.space, &p.goals, watch, &clique);
    out->stopped = !(hd_suite_encode_open(&e, &p, 1) && solve(&p, &e, reached));
    if (out->stopped)
        pack_the_rest(&p, reached);
    hd_suite_packing_tell(&p);
    hd_suite_encode_close(&e);
    hd_vec_fini(&clique);
    hd_suite_packing_close(&p);
    hd_release(&hd_heap, reached, n->goals.count + 1);
}
