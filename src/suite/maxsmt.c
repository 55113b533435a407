/* Algorithm 2 of the paper: one configuration after the other, each with as many goals
 * as can be that none before it has, found by Z3's optimiser. One goal that is still open is
 * forced to be in it, which makes the search much shorter. */
#include "suite/bounds.h"
#include "suite/encode.h"
#include "suite/packing.h"

/* Marks the goals that the test has. */
static void note_reached(const hd_packing *p, const hd_cone *test, bool *reached)
{
    const hd_problem *n = p->problem;
    for (size_t g = 0; g < n->goals.count; g++) {
        const hd_problem_goal *goal = &n->goals.items[g];
        for (uint32_t m = 0; m < goal->member_count && !reached[g]; m++)
            reached[g] = hd_cone_has(n, test, n->members.items[goal->member + m]);
    }
}

static void put_question(hd_encoding *e, const bool *reached, size_t forced)
{
    const hd_problem *n = e->problem;
    hd_script_print(&e->text, "(assert ");
    hd_encode_goal(e, &n->goals.items[forced], 1);
    hd_script_print(&e->text, ")\n");
    for (size_t g = 0; g < n->goals.count; g++)
        if (!reached[g] && g != forced) {
            hd_script_print(&e->text, "(assert-soft ");
            hd_encode_goal(e, &n->goals.items[g], 1);
            hd_script_print(&e->text, ")\n");
        }
}

/* What the solver did not get to is packed without it. */
static void pack_the_rest(hd_packing *p, const bool *reached)
{
    const hd_problem *n = p->problem;
    hd_cone cone = { 0 };
    for (size_t g = 0; g < n->goals.count; g++) {
        if (reached[g])
            continue;
        hd_cone_of(&p->space, n->members.items[n->goals.items[g].member], &cone);
        size_t i = 0;
        while (i < p->cover->tests.count && !hd_cones_fit(&p->space, &p->cover->tests.items[i], &cone))
            i++;
        if (i < p->cover->tests.count)
            hd_cone_join(&p->cover->tests.items[i], &cone);
        else
            hd_packing_add(p, &cone);
    }
    hd_vec_fini(&cone);
}

static bool solve(hd_packing *p, hd_encoding *e, bool *reached)
{
    const hd_problem *n = p->problem;
    hd_encode_copy(e, 0);
    hd_encode_keep(e);
    for (size_t g = 0; g < n->goals.count; g++) {
        if (reached[g])
            continue;
        hd_cone test = { 0 };
        put_question(e, reached, g);
        if (hd_encode_optimise(e) != HD_ENCODE_YES)
            return false;
        hd_encode_cone(e, 0, &test);
        note_reached(p, &test, reached);
        hd_vec_push(&p->cover->tests, test);
    }
    return true;
}

void hd_cover_maxsmt(const hd_problem *n, const hd_cover_watch *watch, hd_cover *out)
{
    hd_packing p;
    hd_encoding e;
    hd_clique clique = { 0 };
    bool *reached = hd_alloc(&hd_heap, n->goals.count + 1);
    hd_packing_open(&p, n, watch, out);
    out->lower = hd_bounds_lower(&p.space, &p.goals, watch, &clique);
    out->stopped = !(hd_encode_open(&e, &p, 1) && solve(&p, &e, reached));
    if (out->stopped)
        pack_the_rest(&p, reached);
    hd_packing_tell(&p);
    hd_encode_close(&e);
    hd_vec_fini(&clique);
    hd_packing_close(&p);
    hd_release(&hd_heap, reached, n->goals.count + 1);
}
