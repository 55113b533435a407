/* The validity functions of the solver and of interactions notice a wrong field of each kind. */
#include "pairs/needs.h"
#include "pairs/solver_internal.h"
#include "unit/test.h"

#define CHECK_SOLVER(field, wrong) CHECK_NOTICED(hd_pairs_solver_is_valid(s), s->field, wrong)

static hd_pairs_model read_model(const char *text)
{
    hd_pairs_model m;
    hd_error error = { "" };
    hd_pairs_model_init(&m, "test", hd_pairs_usual_syntax());
    CHECK(hd_pairs_parse(&m, text, &error));
    return m;
}

/* Questions about two cells at a time. */
static void ask(hd_pairs_solver *s, const hd_pairs_model *m)
{
    hd_pairs_cell row[6];
    for (size_t p = 0; p < m->parameters.count; p++)
        for (size_t q = 0; q < p; q++)
            for (int v = 0; v < 2; v++) {
                for (size_t i = 0; i < m->parameters.count; i++)
                    row[i] = HD_PAIRS_ANY;
                row[p] = 1;
                row[q] = (hd_pairs_cell)v;
                hd_pairs_extendable(s, row);
            }
}

static void break_answers(hd_pairs_solver *s, size_t component)
{
    hd_map *answers = &s->components.items[component].answers;
    size_t positive = 0, negative = 0;
    for (size_t i = 0; i < answers->room; i++) {
        struct hd_map_slot *slot = &answers->slots[i];
        if (!slot->used)
            continue;
        *(slot->value ? &positive : &negative) += 1;
        CHECK_NOTICED(hd_pairs_solver_is_valid(s), slot->value, !slot->value);
        CHECK_NOTICED(hd_pairs_solver_is_valid(s), slot->key, 1ull << 60);
    }
    CHECK(positive && negative);
}

TEST(validity_notices_what_is_wrong_with_a_solver)
{
    hd_pairs_model m = read_model(
        "A: 1,2,3\nB: 1,2,3\nC: 1,~2,3\nD: 1,2\nE: 1,2\nF: 1,2\n[A] < [B]; IF [B] = 3 THEN [C] = 1; [D] <> [E];");
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    ask(s, &m);
    CHECK_INT(s->components.count, 2);
    CHECK_SOLVER(queue.count, 1);
    CHECK_SOLVER(queued[1], true);
    CHECK_SOLVER(active[0], false);
    CHECK_SOLVER(start[s->first_word[2]], 7);
    CHECK_SOLVER(start[s->first_word[0]], 3);
    CHECK_SOLVER(watchers[0].items[0], 1);
    CHECK_SOLVER(watchers[1].count, 1);
    CHECK_SOLVER(component_of[0], 1);
    CHECK_SOLVER(component_of[0], 2);
    CHECK_SOLVER(component_of[0], -1);
    CHECK_SOLVER(component_of[5], 0);
    CHECK_SOLVER(components.items[0].members.items[0], 3);
    CHECK_SOLVER(components.items[0].constraints.count, 1);
    CHECK_SOLVER(components.items[1].constraints.items[0], 0);
    CHECK_SOLVER(components.items[0].has_base_row, false);
    break_answers(s, 0);
    break_answers(s, 1);
    /* Constraints that were compiled into something else: D <> E holds for all pairs of values. */
    const hd_pairs_node *unequal = &s->nodes.items[s->roots[2]];
    CHECK_SOLVER(words.items[unequal->words], 3);
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}

#define CHECK_NEEDS(field, wrong) CHECK_NOTICED(hd_pairs_interactions_is_valid(&m, &all), all.field, wrong)

TEST(validity_notices_what_is_wrong_with_interactions)
{
    hd_pairs_model m = read_model("A: 1,2\nB: 1,2\nC: 1,2\nD: 1,2\n");
    hd_pairs_interactions all;
    hd_error error;
    CHECK(hd_pairs_parse_relations(&m, "A,B,C@3", &error));
    CHECK(hd_pairs_interactions_find(&m, 2, &all, &error));
    CHECK_INT(all.count, 7);
    CHECK_NEEDS(columns.items[0], 2);
    CHECK_NEEDS(columns.items[1], 9);
    CHECK_NEEDS(count, 6);
    CHECK_NEEDS(widest, 2);
    CHECK_NEEDS(first.items[0], 1);
    CHECK_NEEDS(first.items[1], 0);
    CHECK_NEEDS(first.items[2], 1);
    CHECK_NEEDS(first.items[2], 99);
    CHECK_NEEDS(first.items[7], all.first.items[7] - 1);
    /* A, D is there; A, C becomes a second one. */
    CHECK_NEEDS(columns.items[all.first.items[2] + 1], 3);
    hd_pairs_interactions_fini(&all);
    hd_pairs_model_fini(&m);
}
