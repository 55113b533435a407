/* Growth by the paper: its examples, its theorems, and IPO on many systems. */
#include "pairs/classes.h"
#include "pairs/generate.h"
#include "pairs/grow.h"
#include "pairs/verify.h"
#include "unit/test.h"

typedef struct system {
    hd_pairs_model model;
    hd_pairs_interactions needed;
    hd_pairs_problem problem;
    hd_pairs_solver *solver;
} system_;

static void open_system(system_ *s, const char *shorthand, int strength)
{
    hd_error error;
    hd_pairs_model_init(&s->model, shorthand, hd_pairs_usual_syntax());
    CHECK(hd_pairs_parse_shorthand(&s->model, shorthand, &error));
    CHECK(hd_pairs_interactions_find(&s->model, strength, &s->needed, &error));
    s->problem = (hd_pairs_problem) { .model = &s->model, .interactions = &s->needed, .seed = 1 };
    s->solver = hd_pairs_solver_open(&s->model);
}

static void close_system(system_ *s)
{
    hd_pairs_solver_close(s->solver);
    hd_pairs_interactions_fini(&s->needed);
    hd_pairs_model_fini(&s->model);
}

static bool covers(system_ *s, hd_pairs_rows *rows)
{
    hd_pairs_coverage c;
    hd_error error;
    hd_pairs_rows_fill(&s->problem, rows);
    CHECK(hd_pairs_verify(&s->model, s->solver, &s->needed, rows, NULL, &c, &error));
    bool complete = c.covered == c.valid && c.bad.count == 0;
    hd_pairs_coverage_fini(&c);
    return complete;
}

TEST(class_counts_of_theorem_4_4_3)
{
    CHECK_INT(hd_pairs_class_count(4, 3), 14);
    CHECK_INT(hd_pairs_class_count(10, 4), 43947);
    CHECK_INT(hd_pairs_class_count(1, 7), 1);
    CHECK_INT(hd_pairs_class_count(9, 1), 1);
    CHECK_INT(hd_pairs_class_count(5, 9), 52); /* all partitions of five rows */
    CHECK(hd_pairs_class_count(200, 100) == UINT64_MAX);
}

TEST(the_14_classes_of_the_example)
{
    static const char *const paper[] = { "1111", "1112", "1121", "1211", "1122", "1123", "1212", "1213", "1221", "1231",
        "1222", "1223", "1232", "1233" };
    int values[4] = { 0 }, count = 0, found = 0;
    do {
        char text[5] = { 0 };
        for (int i = 0; i < 4; i++)
            text[i] = (char)('1' + values[i]);
        for (int i = 0; i < 14; i++)
            found += !strcmp(text, paper[i]);
        count++;
    } while (hd_pairs_next_class(values, 4, 3));
    CHECK_INT(count, 14);
    CHECK_INT(found, 14);
}

TEST(classes_are_as_many_as_counted)
{
    for (int m = 1; m <= 8; m++)
        for (int d = 1; d <= 5; d++) {
            int values[8] = { 0 };
            uint64_t count = 1;
            while (hd_pairs_next_class(values, m, d))
                count++;
            CHECK_INT(count, hd_pairs_class_count(m, d));
        }
}

/* Horizontal growth as given, then vertical growth alone: 4.3.2, Theorem 4.4.1 and 4.4.1's example. */
static size_t rows_after(const char *horizontal)
{
    system_ s;
    open_system(&s, "2^2 3^1", 2);
    hd_pairs_rows rows = { .columns = 3 };
    for (int i = 0; i < 4; i++) {
        hd_pairs_cell *row = hd_pairs_rows_add(&rows);
        row[0] = (hd_pairs_cell)(i / 2);
        row[1] = (hd_pairs_cell)(i % 2);
        row[2] = (hd_pairs_cell)(horizontal[i] - '1');
    }
    int order[] = { 0, 1, 2 };
    CHECK(hd_pairs_grow(&s.problem, &(hd_pairs_growth) { .order = order }, &rows));
    CHECK(covers(&s, &rows));
    size_t count = rows.count;
    hd_pairs_rows_fini(&rows);
    close_system(&s);
    return count;
}

TEST(weights_of_the_examples)
{
    CHECK_INT(rows_after("1122"), 4 + 4);
    CHECK_INT(rows_after("1123"), 4 + 3);
    CHECK_INT(rows_after("2213"), 4 + 3); /* equivalent, so the same weight */
    CHECK_INT(rows_after("1231"), 4 + 2);
}

TEST(optimal_growth_takes_the_lightest_class)
{
    system_ s;
    open_system(&s, "2^2 3^1", 2);
    hd_pairs_rows rows = { 0 };
    int order[] = { 0, 1, 2 };
    CHECK(hd_pairs_grow(&s.problem, &(hd_pairs_growth) { .order = order, .optimal = true }, &rows));
    CHECK_INT(rows.count, 6);
    CHECK(covers(&s, &rows));
    hd_pairs_rows_fini(&rows);
    close_system(&s);
}

TEST(optimal_growth_finds_the_orthogonal_array)
{
    system_ s;
    open_system(&s, "3^4", 2);
    hd_pairs_rows rows = { 0 };
    CHECK(hd_pairs_grow(&s.problem, &(hd_pairs_growth) { .optimal = true }, &rows));
    CHECK_INT(rows.count, 9);
    CHECK(covers(&s, &rows));
    hd_pairs_rows_fini(&rows);
    close_system(&s);
}

/* Theorem 4.3.2: at most d² (n - 1) rows. */
TEST(sizes_stay_below_the_theorem)
{
    static const struct {
        const char *system;
        size_t most;
    } cases[] = { { "2^9", 32 }, { "3^7", 54 }, { "5^6", 125 }, { "7^5 2^3", 343 }, { "70^1 3^2", 4900 * 2 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int tie = 0; tie < 3; tie++) {
            system_ s;
            open_system(&s, cases[i].system, 2);
            hd_pairs_rows rows = { 0 };
            CHECK(hd_pairs_grow(&s.problem, &(hd_pairs_growth) { .tie = (hd_pairs_tie)tie, .seed = 3 }, &rows));
            CHECK(rows.count <= cases[i].most);
            CHECK(covers(&s, &rows));
            hd_pairs_rows_fini(&rows);
            close_system(&s);
        }
}

TEST(every_strength_is_covered)
{
    for (int strength = 1; strength <= 6; strength++) {
        system_ s;
        open_system(&s, "4^1 3^3 2^4", strength);
        hd_pairs_rows rows = { 0 };
        CHECK(hd_pairs_grow(&s.problem, &(hd_pairs_growth) { 0 }, &rows));
        CHECK(covers(&s, &rows));
        if (strength == 1)
            CHECK_INT(rows.count, 4);
        hd_pairs_rows_fini(&rows);
        close_system(&s);
    }
}

TEST(growth_gives_up_when_told)
{
    system_ s;
    open_system(&s, "3^13", 2);
    hd_pairs_rows rows = { 0 };
    CHECK(!hd_pairs_grow(&s.problem, &(hd_pairs_growth) { .most_rows = 12 }, &rows));
    hd_pairs_rows_fini(&rows);
    close_system(&s);
}

TEST(best_and_ipo_cover)
{
    static const char *const systems[] = { "3^13", "4^6 3^4 2^5", "1^3 2^2", "9^1" };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        system_ s;
        open_system(&s, systems[i], 2);
        s.problem.bound = hd_pairs_lower_bound(&s.problem);
        for (int best = 0; best < 2; best++) {
            hd_pairs_rows rows = { .columns = (int)s.model.parameters.count };
            best ? hd_pairs_best(&s.problem, 0.02, &rows) : hd_pairs_ipo(&s.problem, &rows);
            CHECK(covers(&s, &rows));
            CHECK(rows.count >= s.problem.bound);
            hd_pairs_rows_fini(&rows);
        }
        close_system(&s);
    }
}

/* Interrupted from the start: what is generated is valid, and is not called complete. */
static hd_pairs_result interrupted_result(system_ *s, hd_pairs_method method, int strength)
{
    hd_error error;
    hd_pairs_result result;
    volatile sig_atomic_t interrupted = 1;
    hd_pairs_request request = {
        .strength = strength, .method = method, .effort = 2, .seed = 1, .interrupted = &interrupted
    };
    CHECK(hd_pairs_generate(&s->model, s->solver, &request, &result, &error));
    return result;
}

static void check_interrupted(const char *shorthand, hd_pairs_method method, int strength)
{
    system_ s;
    open_system(&s, shorthand, 2);
    hd_pairs_result result = interrupted_result(&s, method, strength);
    CHECK(!result.complete && !result.smallest);
    CHECK(result.rows.count < 16);
    hd_pairs_result_fini(&result);
    close_system(&s);
}

TEST(an_interrupted_set_is_not_called_complete)
{
    check_interrupted("4^20", hd_pairs_method_ipo, 2);
    check_interrupted("4^20", hd_pairs_method_best, 2);
    check_interrupted("4^20", hd_pairs_method_optimal, 2);
    check_interrupted("4^8", hd_pairs_method_ipo, HD_PAIRS_FULL);
}
