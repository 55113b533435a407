/* The validity functions of dpor notice a wrong field of each kind. */
#include "dpor/dpor_internal.h"
#include "unit/scripted.h"
#include "unit/test.h"

#define CHECK_DPOR(field, wrong) CHECK_NOTICED(hd_dpor_is_valid(d), d->field, wrong)

static void close_all(scripted *x, hd_dpor *d)
{
    hd_explorer_dpor.close(d);
    scripted_close(x);
}

/* Runs a program `most` times; NULL: it has not so many executions. */
static hd_dpor *run(scripted *x, uint64_t seed, uint32_t most)
{
    hd_script_program p;
    hd_plan plan;
    draw_program(&p, seed, 0);
    scripted_open(x, &p, &hd_heap);
    hd_explore_config config = scripted_config(1);
    hd_dpor *d = hd_explorer_dpor.open(&config, &hd_heap);
    while (most--) {
        if (!hd_explorer_dpor.next(d, &plan)) {
            close_all(x, d);
            return NULL;
        }
        hd_execution e = hd_target_run(&x->target, &plan);
        CHECK(hd_explorer_dpor.learn(d, &e));
        CHECK(hd_dpor_is_valid(d));
    }
    return d;
}

static void break_sleep(hd_dpor *d, uint32_t node)
{
    hd_dpor_node *n = &d->nodes.items[node];
    uint32_t first = n->asleep.first;
    CHECK_DPOR(nodes.items[node].asleep.count, n->asleep.count - 1);
    CHECK_DPOR(nodes.items[node].inherited, n->inherited + 1);
    CHECK_DPOR(nodes.items[node].asleep.first, first + 1);
    CHECK_DPOR(sleep.entries.items[first].thread, (uint16_t)(d->sleep.entries.items[first].thread + 1));
    CHECK_DPOR(sleep.entries.items[first].first_op, d->sleep.entries.items[first].first_op + 1);
    CHECK_DPOR(sleep.entries.items[first].op_count, 0);
    /* The step taken is one that sleeps. */
    const hd_item *taken = node < d->trace.steps.count ? hd_dpor_step(d, node) : NULL;
    if (taken && taken->choice == d->sleep.entries.items[first].choice && !n->cut)
        CHECK_DPOR(sleep.entries.items[first].thread, hd_dpor_step(d, node)->thread);
}

static void break_tree(hd_dpor *d, uint32_t node)
{
    uint32_t tree = d->nodes.items[node].wakeup;
    CHECK_DPOR(nodes.items[node].wakeup, 0);
    CHECK_DPOR(trees.nodes.items[tree].child, tree);
    CHECK_DPOR(trees.nodes.items[tree].thread, (uint16_t)(d->trees.nodes.items[tree].thread + 1));
    CHECK_DPOR(trees.nodes.items[tree].led, true);
    CHECK_DPOR(trees.steps.items[tree].op_count, d->trees.steps.items[tree].op_count + 1);
    CHECK_DPOR(trees.steps.items[tree].inputs, 1);
    CHECK_DPOR(trees.unused, tree);
}

/* The second of two branches must not be led to by the first. */
static uint32_t break_branches(hd_dpor *d, uint32_t node)
{
    uint32_t noticed = 0;
    hd_wakeup_trees *t = &d->trees;
    uint32_t first = d->nodes.items[node].wakeup, second = t->nodes.items[first].sibling;
    CHECK_DPOR(trees.nodes.items[first].unknown, true);
    /* Now it conflicts with nothing: it comes first in the second, unless what that does is not known. */
    uint64_t object = t->steps.items[first].op.object;
    t->steps.items[first].op.object = 12345;
    noticed += !hd_dpor_is_valid(d);
    t->steps.items[first].op.object = object;
    hd_wakeup_node was = t->nodes.items[second];
    t->nodes.items[second].thread = t->nodes.items[first].thread;
    t->nodes.items[second].choice = t->nodes.items[first].choice;
    CHECK(!hd_dpor_is_valid(d));
    t->nodes.items[second] = was;
    return noticed;
}

static void break_the_rest(hd_dpor *d)
{
    CHECK_DPOR(nodes.count, d->nodes.count - 1);
    CHECK_DPOR(examined, (uint32_t)d->trace.items.count + 1);
    if (!d->races.count)
        return;
    CHECK_DPOR(races.items[0].earlier, d->races.items[0].later + 1);
    CHECK_DPOR(races.items[0].later, d->examined);
    CHECK_DPOR(races.items[0].sleeper, (uint32_t)d->sleep.entries.count);
}

TEST(validity_notices_what_is_wrong_with_dpor)
{
    static scripted x;
    uint32_t slept = 0, planned = 0, branched = 0, noticed = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        hd_dpor *d = run(&x, seed, 1 + seed % 7);
        if (!d)
            continue;
        for (uint32_t i = 0; i < d->nodes.count; i++) {
            const hd_dpor_node *n = &d->nodes.items[i];
            if (n->asleep.count > n->inherited && slept++ < 60)
                break_sleep(d, i);
            if (n->wakeup && planned++ < 60)
                break_tree(d, i);
            if (n->wakeup && d->trees.nodes.items[n->wakeup].sibling && branched++ < 60)
                noticed += break_branches(d, i);
        }
        break_the_rest(d);
        close_all(&x, d);
    }
    CHECK(slept > 10 && planned > 10 && branched > 5 && noticed > 3);
}

static void break_sequence(hd_sequence *s, uint32_t position)
{
    uint64_t bit = 1ull << position % 64;
    CHECK_NOTICED(hd_sequence_is_valid(s), s->in[position / 64], s->in[position / 64] ^ bit);
    CHECK_NOTICED(hd_sequence_is_valid(s), s->extensions, s->extensions + 1);
    CHECK_NOTICED(hd_sequence_is_valid(s), s->start, s->start + 1);
    CHECK_NOTICED(hd_sequence_is_valid(s), s->needed[s->end / 64], 0);
    if (!hd_sequence_has(s->in, position))
        CHECK_NOTICED(hd_sequence_is_valid(s), s->needed[position / 64], s->needed[position / 64] | bit);
    for (uint32_t p = position + 1; p < s->end; p++)
        if (hd_sequence_has(s->in, position) && hd_sequence_has(s->in, p)
            && hd_trace_before(s->trace, s->trace->steps.items[position], s->trace->steps.items[p]))
            CHECK_NOTICED(hd_sequence_is_valid(s), s->rest[p / 64], s->rest[p / 64] & ~(1ull << p % 64));
}

TEST(validity_notices_what_is_wrong_with_a_sequence)
{
    static scripted x;
    uint32_t broken = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        hd_dpor *d = run(&x, seed, 1);
        hd_sequence s;
        hd_sequence_init(&s, &hd_heap);
        for (uint32_t p = 0; p + 1 < d->trace.steps.count; p++) {
            hd_sleeper last = hd_dpor_step_taken(d, p + 1);
            hd_sequence_begin(&s, &d->trace, d->trace.steps.items[p], NULL, 0);
            hd_sequence_end(&s, (hd_sequence_last) { .thread = last.thread, .ops = last.ops, .op_count = 1 });
            hd_sequence_restart(&s);
            break_sequence(&s, p + 1);
            CHECK_NOTICED(hd_sequence_is_valid(&s), s.last.op_count, 0);
            broken++;
        }
        hd_sequence_fini(&s);
        close_all(&x, d);
    }
    CHECK(broken > 50);
}
