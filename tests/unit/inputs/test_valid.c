/* hd_path_is_valid notices a wrong field of each kind. */
#include "inputs/path.h"
#include "unit/scripted.h"
#include "unit/test.h"

#define CHECK_PATH(field, wrong) CHECK_NOTICED(hd_path_is_valid(p), p->field, wrong)

/* How many of them come right behind one that is not inside a step, and must not be inside either. */
static uint32_t break_branches(hd_path *p)
{
    uint32_t behind = 0;
    CHECK_PATH(branches.items[0].first_seen, 1);
    hd_vec_push(&p->seen, hd_vec_last(&p->branches)->value + 1);
    CHECK_PATH(seen.items[p->seen.count - 1], hd_vec_last(&p->branches)->value);
    p->seen.count--;
    for (size_t i = 0; i < p->branches.count; i++) {
        hd_path_branch *b = &p->branches.items[i];
        if (i + 1 < p->branches.count)
            CHECK_PATH(branches.items[i].position, hd_vec_last(&p->branches)->position + 1);
        if (!b->condition)
            CHECK_PATH(branches.items[i].open, true);
        if (b->condition)
            CHECK_PATH(branches.items[i].value, b->value + 1);
        if (i && b[-1].position == b->position && !b[-1].inside) {
            CHECK_PATH(branches.items[i].inside, true);
            behind++;
        }
    }
    return behind;
}

static void break_records(hd_path *p)
{
    hd_path_inputs kept = hd_path_keep(p, 1);
    CHECK(kept != 0);
    CHECK_PATH(records.items[kept].users, 0);
    CHECK_PATH(current, (hd_path_inputs)p->records.count);
    hd_vec_push(&p->unused, kept);
    CHECK(!hd_path_is_valid(p));
    p->unused.count--;
}

TEST(validity_notices_what_is_wrong_with_a_path)
{
    static scripted x;
    uint32_t broken = 0, behind = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        hd_script_program program;
        hd_path path, *p = &path;
        draw_program(&program, seed, DRAW_INPUTS);
        scripted_open(&x, &program, &hd_heap);
        hd_explore_config config = scripted_config(1);
        hd_path_init(p, &config.solver, &hd_heap);
        hd_execution e = hd_target_run(&x.target, &(hd_plan) { .tail = HD_TAIL_RANDOM, .seed = seed });
        CHECK(hd_path_extend(p, &e));
        CHECK(hd_path_is_valid(p));
        if (p->branches.count) {
            behind += break_branches(p);
            break_records(p);
            broken++;
        }
        hd_path_fini(p);
        scripted_close(&x);
    }
    CHECK(broken > 10 && behind > 0);
}
