#include "unit/sym/random_terms.h"
#include "unit/test.h"

typedef struct pool {
    hd_terms terms;
    hd_import import;
} pool;

static void open_pool(pool *p)
{
    hd_terms_init(&p->terms, &hd_heap);
    hd_import_init(&p->import, &p->terms, &hd_heap);
}

static void close_pool(pool *p)
{
    hd_import_fini(&p->import);
    hd_terms_fini(&p->terms);
}

/* The values of the run's inputs at their indices in the pool. */
static void place_values(const pool *p, const random_run *r, const uint64_t *inputs, hd_values *values)
{
    hd_vec_clear(values);
    for (size_t i = 0; i < p->terms.inputs.count; i++)
        for (uint32_t k = 0; k < INPUTS; k++)
            if (p->terms.inputs.items[i].thread == r->inputs[k].thread
                && p->terms.inputs.items[i].number == r->inputs[k].number)
                hd_vec_push(values, inputs[k]);
}

TEST(simplified_terms_mean_the_same)
{
    hd_rng rng;
    hd_values values = { 0 };
    hd_rng_seed(&rng, 7);
    uint32_t nodes = 0, asked = 0;
    for (int round = 0; round < 3000; round++) {
        random_run r;
        pool p;
        make_random(&r, &rng);
        open_pool(&p);
        hd_import_begin(&p.import, r.exprs, r.count, r.inputs, INPUTS);
        for (uint32_t e = 1; e < r.count; e++) {
            hd_term term = hd_import_term(&p.import, e);
            CHECK(term != 0);
            CHECK_INT(hd_term_at(&p.terms, term)->width, r.exprs[e].width);
            for (int sample = 0; sample < 4; sample++) {
                uint64_t inputs[INPUTS] = { hd_rng_below(&rng, 16), hd_rng_below(&rng, 16), hd_rng_below(&rng, 16) };
                place_values(&p, &r, inputs, &values);
                uint64_t is = hd_term_evaluate(&p.terms, term, &values), must = plain_value(&r, e, inputs);
                if (is != must)
                    hd_test_failed(__FILE__, __LINE__, "round %d: expression %u of kind %u is %llu, not %llu", round, e,
                        r.exprs[e].kind, (unsigned long long)is, (unsigned long long)must);
            }
            asked++;
        }
        nodes += (uint32_t)p.terms.nodes.count - 1;
        close_pool(&p);
    }
    CHECK(nodes < asked); /* something was simplified */
    hd_vec_fini(&values);
}

TEST(equal_terms_are_one)
{
    pool p;
    open_pool(&p);
    hd_term x = hd_term_input_of(&p.terms, 1, 0, 32), y = hd_term_input_of(&p.terms, 2, 0, 32);
    CHECK(x != y);
    CHECK_INT(hd_term_input_of(&p.terms, 1, 0, 32), x);
    hd_term sum = hd_term_make(&p.terms, HD_EXPR_ADD, 32, x, y, 0, 0);
    CHECK_INT(hd_term_make(&p.terms, HD_EXPR_ADD, 32, y, x, 0, 0), sum);
    CHECK_INT(hd_term_inputs(&p.terms, sum).count, 2);
    CHECK_INT(hd_term_inputs(&p.terms, x).count, 1);
    CHECK_INT(hd_term_inputs(&p.terms, hd_term_constant(&p.terms, 8, 3)).count, 0);
    close_pool(&p);
}

/* What compilers make of simple conditions comes out simple. */
/* Every third expression is kept; it means what it meant, and being asked for again it is the same term. */
TEST(kept_terms_survive_forgetting)
{
    hd_rng rng;
    hd_values values = { 0 };
    hd_rng_seed(&rng, 11);
    size_t before = 0, after = 0;
    for (int round = 0; round < 300; round++) {
        random_run r;
        pool p;
        make_random(&r, &rng);
        open_pool(&p);
        hd_term kept[sizeof r.exprs / sizeof *r.exprs];
        hd_import_begin(&p.import, r.exprs, r.count, r.inputs, INPUTS);
        for (uint32_t e = 1; e < r.count; e++)
            kept[e] = hd_import_term(&p.import, e);
        before += p.terms.nodes.count;
        hd_terms_begin_forgetting(&p.terms);
        for (uint32_t e = 1; e < r.count; e += 3)
            hd_terms_keep(&p.terms, kept[e]);
        hd_terms_forget(&p.terms);
        for (uint32_t e = 1; e < r.count; e += 3)
            kept[e] = hd_terms_renumbered(&p.terms, kept[e]);
        after += p.terms.nodes.count;
        uint64_t inputs[INPUTS] = { hd_rng_below(&rng, 16), hd_rng_below(&rng, 16), hd_rng_below(&rng, 16) };
        place_values(&p, &r, inputs, &values);
        for (uint32_t e = 1; e < r.count; e += 3)
            CHECK_INT(hd_term_evaluate(&p.terms, kept[e], &values), plain_value(&r, e, inputs));
        hd_import_begin(&p.import, r.exprs, r.count, r.inputs, INPUTS);
        for (uint32_t e = 1; e < r.count; e += 3)
            CHECK_INT(hd_import_term(&p.import, e), kept[e]);
        close_pool(&p);
    }
    CHECK(after < before);
    hd_vec_fini(&values);
}

TEST(roundabout_conditions_come_out_plain)
{
    pool p;
    open_pool(&p);
    hd_terms *t = &p.terms;
    hd_term c = hd_term_input_of(t, 0, 0, 8);
    hd_term wide = hd_term_make(t, HD_EXPR_SEXT, 32, c, 0, 0, 0);
    hd_term plain = hd_term_equals(t, c, 'x');
    CHECK_INT(hd_term_equals(t, wide, 'x'), plain);
    CHECK_INT(hd_term_equals(t, hd_term_make(t, HD_EXPR_SUB, 32, wide, hd_term_constant(t, 32, 'x'), 0, 0), 0), plain);
    CHECK_INT(hd_term_not(t, hd_term_not(t, plain)), plain);
    CHECK(hd_term_is_constant(t, hd_term_equals(t, wide, 1000)));
    hd_term flag = hd_term_make(t, HD_EXPR_ZEXT, 32, plain, 0, 0, 0);
    CHECK_INT(hd_term_not(t, hd_term_equals(t, flag, 0)), plain);
    CHECK_INT(hd_term_equals(t, flag, 1), plain);
    /* four bytes of one value, stored and loaded again */
    hd_term x = hd_term_input_of(t, 0, 1, 32), back = 0;
    for (uint32_t i = 0; i < 4; i++) {
        hd_term byte = hd_term_make(t, HD_EXPR_EXTRACT, 8, x, 0, 0, i * 8);
        back = back ? hd_term_make(t, HD_EXPR_CONCAT, (i + 1) * 8, byte, back, 0, 0) : byte;
    }
    CHECK_INT(back, x);
    close_pool(&p);
}

/* What is no expression is refused, whatever the tested program wrote there. */
TEST(damaged_expressions_are_refused)
{
    pool p;
    open_pool(&p);
    hd_input inputs[1] = { { .width = 8 } };
    hd_expr exprs[] = { { 0 }, { .kind = HD_EXPR_INPUT, .width = 8 },
        { .kind = HD_EXPR_ADD, .width = 8, .operands = { 1, 3 } },
        { .kind = HD_EXPR_ADD, .width = 8, .operands = { 1, 0 } }, { .kind = 200, .width = 8 },
        { .kind = HD_EXPR_INPUT, .width = 8, .value = 5 }, { .kind = HD_EXPR_ADD, .width = 65, .operands = { 1, 1 } },
        { .kind = HD_EXPR_ADD, .width = 16, .operands = { 1, 1 } },
        { .kind = HD_EXPR_EXTRACT, .width = 4, .operands = { 1 }, .value = 6 },
        { .kind = HD_EXPR_ITE, .width = 8, .operands = { 1, 1, 1 } } };
    uint32_t count = sizeof exprs / sizeof *exprs;
    hd_import_begin(&p.import, exprs, count, inputs, 1);
    CHECK(hd_import_term(&p.import, 1) != 0);
    for (uint32_t i = 2; i < count; i++)
        CHECK_INT(hd_import_term(&p.import, i), 0);
    CHECK_INT(hd_import_term(&p.import, 0), 0);
    CHECK_INT(hd_import_term(&p.import, 1000), 0);
    close_pool(&p);
}
