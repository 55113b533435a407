/* The solver against enumeration, cores, and the model language. */
#include "base/rng.h"
#include "pairs/generate.h"
#include "pairs/solver.h"
#include "unit/test.h"

static hd_pairs_model read_model(const char *text)
{
    hd_pairs_model m;
    hd_error error = { "" };
    hd_pairs_model_init(&m, "test", hd_pairs_usual_syntax());
    CHECK(hd_pairs_parse(&m, text, &error));
    CHECK_TEXT(error.text, "");
    return m;
}

static bool satisfied(const hd_pairs_model *m, const hd_pairs_cell *row)
{
    for (size_t c = 0; c < m->constraints.count; c++)
        if (!hd_pairs_holds(m, m->constraints.items[c].expression, row))
            return false;
    return true;
}

/* Whether some valid row agrees with the partial one, by trying all. */
static bool extendable_by_force(const hd_pairs_model *m, hd_pairs_cell *row, size_t column)
{
    if (column == m->parameters.count)
        return satisfied(m, row);
    if (row[column] != HD_PAIRS_ANY)
        return extendable_by_force(m, row, column + 1);
    bool found = false;
    for (int v = 0; !found && v < m->parameters.items[column].value_count; v++) {
        row[column] = (hd_pairs_cell)v;
        found = extendable_by_force(m, row, column + 1);
    }
    row[column] = HD_PAIRS_ANY;
    return found;
}

static const char *const models[] = {
    "A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2,3\n[A]<[B];[B]<>[C];IF [C]=[D] THEN [A]=1 ELSE [A]<>[D];",
    "A: 1,2,3,4\nB: 1,2,3,4\nC: 1,2,3,4\nD: 1,2\n[A]<>[B];[B]<>[C];[A]<>[C];IF [D]=1 THEN [A]+2;",
    "A: a,b,c\nB: a,b,c\nC: x,y\nD: x,y\n([A]=\"a\" OR [C]=\"x\") AND NOT ([B]=\"b\" AND [D]=\"y\");[A]<=[B];",
    "A: 0,1\nB: 0,1\nC: 0,1\nD: 0,1\nE: 0,1\n[A]=1 OR [B]=1;[A]=0 OR [C]=1;[B]=0 OR [C]=0 OR [D]=1;[E]>=[D];",
};

TEST(extendable_is_exact)
{
    hd_rng rng;
    hd_rng_seed(&rng, 5);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (i == 1)
            continue; /* not a model: see the next test */
        hd_pairs_model m = read_model(models[i]);
        hd_pairs_solver *s = hd_pairs_solver_open(&m);
        for (int trial = 0; trial < 2000; trial++) {
            hd_pairs_cell row[8];
            for (size_t p = 0; p < m.parameters.count; p++) {
                int pick = (int)hd_rng_below(&rng, (uint64_t)m.parameters.items[p].value_count * 2);
                row[p] = (hd_pairs_cell)(pick < m.parameters.items[p].value_count ? pick : HD_PAIRS_ANY);
            }
            bool expected = extendable_by_force(&m, row, 0);
            CHECK_INT(hd_pairs_extendable(s, row), expected);
            bool completed = hd_pairs_complete(s, row, NULL);
            CHECK_INT(completed, expected);
            for (size_t p = 0; completed && p < m.parameters.count; p++)
                if (row[p] == HD_PAIRS_ANY)
                    row[p] = 0;
            if (completed)
                CHECK(satisfied(&m, row));
        }
        hd_pairs_solver_close(s);
        hd_pairs_model_fini(&m);
    }
}

TEST(an_error_names_the_place)
{
    hd_pairs_model m;
    hd_error error;
    hd_pairs_model_init(&m, "test", hd_pairs_usual_syntax());
    CHECK(!hd_pairs_parse(&m, models[1], &error));
    CHECK_TEXT(error.text, "test:5:45: expected a relation: = <> < <= > >= LIKE or IN, found '+2;'");
    hd_pairs_model_fini(&m);
}

TEST(values_of_many_words)
{
    char text[4000] = "A: 0";
    for (int i = 1; i < 300; i++)
        snprintf(text + strlen(text), 10, ",%d", i);
    strcat(text, "\nB: <A>\n[A] > [B]; [B] >= 250;\n");
    hd_pairs_model m = read_model(text);
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    hd_pairs_cell row[2] = { 251, HD_PAIRS_ANY };
    CHECK(hd_pairs_extendable(s, row));
    row[0] = 250;
    CHECK(!hd_pairs_extendable(s, row));
    row[0] = HD_PAIRS_ANY;
    row[1] = 299;
    CHECK(!hd_pairs_extendable(s, row));
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}

TEST(the_smallest_core)
{
    hd_pairs_model m =
        read_model("A: 1,2\nB: 1,2\nC: 1,2\n[A]=1;[C]=1 OR [B]=2;[A]=[B];[B]=2 or [C]=2;[B]=2;[A]<>[C];");
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    int core[6];
    bool smallest;
    CHECK_INT(hd_pairs_smallest_core(s, 6, core, &smallest), 3);
    CHECK(smallest);
    CHECK_INT(core[0], 0);
    CHECK_INT(core[1], 2);
    CHECK_INT(core[2], 4);
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}

TEST(no_core_of_a_satisfiable_model)
{
    hd_pairs_model m = read_model("A: 1,2\nB: 1,2\n[A]=1;[A]<>[B];");
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    int core[2];
    bool smallest;
    CHECK_INT(hd_pairs_smallest_core(s, 2, core, &smallest), -1);
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}

/* 5 parameters, all different, of 4 values, in many disjoint copies: a clash of 10 among 80 constraints. */
TEST(a_core_among_many)
{
    char text[8000] = "";
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), 40, "P%d: 0,1,2,3\n", i);
    for (int copy = 0; copy < 8; copy++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < i; j++)
                snprintf(text + strlen(text), 40, "[P%d] <> [P%d];\n", copy * 5 + i, copy * 5 + j);
    hd_pairs_model m = read_model(text);
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    int core[80];
    bool smallest;
    CHECK_INT(hd_pairs_smallest_core(s, 80, core, &smallest), 10);
    for (int i = 1; i < 10; i++)
        CHECK_INT(core[i] / 10, core[0] / 10);
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}

TEST(negative_values_alone)
{
    hd_pairs_model m = read_model("A: 1,~2\nB: ~3,4\nC: 5\nISNEGATIVE(A) OR ISNEGATIVE(B);");
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    hd_pairs_cell row[3] = { 1, 0, HD_PAIRS_ANY };
    CHECK(!hd_pairs_extendable(s, row)); /* two negative values */
    row[1] = HD_PAIRS_ANY;
    CHECK(hd_pairs_extendable(s, row));
    row[0] = 0;
    CHECK(!hd_pairs_extendable(s, row)); /* none: that is for another run */
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}

/* P1 <= P2 <= … <= P40: no search should be needed, and no answer be wrong. */
TEST(a_long_chain)
{
    char text[8000] = "";
    for (int i = 1; i <= 40; i++)
        snprintf(text + strlen(text), 40, "P%d: 0,1,2,3,4,5,6,7\n", i);
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), 40, "[P%d] <= [P%d];\n", i, i + 1);
    hd_pairs_model m = read_model(text);
    hd_pairs_solver *s = hd_pairs_solver_open(&m);
    hd_pairs_cell row[40];
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            for (int i = 0; i < 40; i++)
                row[i] = HD_PAIRS_ANY;
            row[3] = (hd_pairs_cell)a;
            row[36] = (hd_pairs_cell)b;
            CHECK_INT(hd_pairs_extendable(s, row), a <= b);
        }
    hd_pairs_solver_close(s);
    hd_pairs_model_fini(&m);
}
