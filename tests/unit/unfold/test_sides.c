/* Branches on inputs in a net, with a judge that the test speaks for. */
#include "unit/test.h"

#include "unfold/unfold.h"

typedef struct asked {
    hd_unfold_literals literals; /* of the last question */
    uint32_t times;
    bool answer;
} asked;

static bool permits(void *context, const hd_unfold_literal *literals, size_t count, bool afresh)
{
    asked *a = context;
    a->times += afresh;
    hd_vec_clear(&a->literals);
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&a->literals, literals[i]);
    return a->answer;
}

typedef struct net {
    hd_unfolding *u;
    asked asked;
    hd_unfold_schedule schedule;
    hd_rng rng;
    uint32_t sure, side;
} net;

static void open_net(net *n)
{
    *n = (net) { .u = hd_unfold_open(HD_NET_REPLICATED, &hd_heap) };
    n->schedule.memory = n->asked.literals.memory = &hd_heap;
    n->asked.answer = true;
    hd_rng_seed(&n->rng, 1);
}

static void close_net(net *n)
{
    CHECK(hd_unfold_is_valid(n->u));
    hd_unfold_close(n->u);
    hd_vec_fini(&n->schedule);
    hd_vec_fini(&n->asked.literals);
}

static bool next(net *n)
{
    hd_unfold_judge judge = { &n->asked, permits };
    return hd_unfold_next(n->u, HD_TARGETS_LAST, &n->rng, &judge, &n->schedule, &n->sure);
}

/* Thread t comes to a branch; gives the side's number. */
static uint32_t branch(net *n, uint16_t t, uint64_t value, uint8_t sides)
{
    hd_unfold_access a = { .group = HD_GROUP_ALONE, .branches = true, .value = value, .sides = sides };
    hd_unfold_branch(n->u, t, &a, true, 0);
    return a.side;
}

TEST(another_side_is_a_target_until_both_are_known)
{
    net n;
    open_net(&n);
    uint32_t first = branch(&n, 0, 0, 2);
    CHECK(hd_unfold_finish(n.u, &n.side));
    CHECK(next(&n));
    CHECK_INT(n.schedule.count, 0); /* nobody schedules a branch */
    CHECK_INT(n.asked.literals.count, 1);
    CHECK(n.asked.literals.items[0].side == first && !n.asked.literals.items[0].holds);
    hd_unfold_return(n.u, 0);
    CHECK(branch(&n, 0, 1, 2) != first);
    CHECK(hd_unfold_finish(n.u, &n.side));
    CHECK(!next(&n));
    CHECK_INT(hd_unfold_sides(n.u), 2);
    CHECK_INT(hd_unfold_steps(n.u), 2);
    close_net(&n);
}

TEST(a_branch_of_many_values_is_a_target_until_inputs_permit_no_other)
{
    net n;
    open_net(&n);
    branch(&n, 0, 0, 0);
    for (uint64_t value = 1; value < 5; value++) {
        CHECK(next(&n));
        CHECK_INT(n.asked.literals.count, value);
        hd_unfold_return(n.u, 0);
        branch(&n, 0, value, 0);
        CHECK(hd_unfold_finish(n.u, &n.side));
    }
    n.asked.answer = false;
    n.asked.times = 0;
    CHECK(!next(&n));
    n.asked.answer = true;
    CHECK(!next(&n)); /* it is never asked about again */
    CHECK_INT(n.asked.times, 1);
    CHECK_INT(hd_unfold_sides(n.u), 5);
    close_net(&n);
}

TEST(a_side_that_was_not_seen_is_passed_over)
{
    net n;
    open_net(&n);
    uint32_t first = branch(&n, 0, 0, 0);
    CHECK(next(&n));
    hd_unfold_return(n.u, 0);
    CHECK(!hd_unfold_finish(n.u, &n.side)); /* the execution came to nothing */
    CHECK_INT(n.side, first);
    hd_unfold_access other = { .branches = true, .value = 7 };
    CHECK(hd_unfold_pass_over(n.u, n.side, &other));
    CHECK(!hd_unfold_pass_over(n.u, n.side, &other));
    CHECK(next(&n)); /* there may be a third */
    CHECK_INT(n.asked.literals.count, 2);
    CHECK_INT(hd_unfold_steps(n.u), 1); /* and what was passed over is no event */
    close_net(&n);
}

/* Thread 2 takes a side and changes something that thread 1, which has taken another, is to look at. */
static void meet(net *n, uint32_t sides[2])
{
    open_net(n);
    uint32_t x = hd_unfold_add_object(n->u, 0);
    hd_unfold_access changes = { .object = x, .group = HD_GROUP_ALONE }, looks = { .object = x };
    hd_unfold_order(n->u, 1, 0);
    hd_unfold_order(n->u, 2, 0);
    sides[0] = branch(n, 1, 1, 1);
    sides[1] = branch(n, 2, 1, 1);
    hd_unfold_step(n->u, 2, &changes, 1, 0, 0, 0);
    hd_unfold_wish(n->u, 1, &looks, 1, 0);
    CHECK(hd_unfold_finish(n->u, &n->side));
}

TEST(what_two_threads_have_taken_is_asked_together)
{
    net n;
    uint32_t sides[2], most = 0;
    meet(&n, sides);
    n.asked.answer = false;
    for (int i = 0; i < 2; i++) /* before the change: its own side alone; behind it: both */
        CHECK(!next(&n));
    CHECK_INT(n.asked.times, 2);
    CHECK_INT(hd_unfold_targets(n.u), 0);
    close_net(&n);
    meet(&n, sides);
    while (next(&n)) {
        most = n.asked.literals.count > most ? (uint32_t)n.asked.literals.count : most;
        for (size_t i = 0; i < n.asked.literals.count; i++)
            CHECK(n.asked.literals.items[i].holds);
        hd_unfold_return(n.u, 0);
        hd_unfold_finish(n.u, &n.side);
    }
    CHECK_INT(most, 2);
    close_net(&n);
}
