/* The samplers: what they draw, how often, and that the seed alone decides it. */
#include "unit/scripted.h"
#include "unit/test.h"

enum { BEFORE = 8, RUNS = 4000 };

/* Runs a sampler; `visit` sees every execution. */
static void sample(const hd_script_program *p, const char *name, uint32_t runs,
    void (*visit)(void *context, const hd_execution *e), void *context)
{
    static scripted s;
    hd_explore_config config = scripted_config(1);
    config.races = false; /* every access is a decision */
    const hd_explorer *x = hd_explorer_find(name);
    scripted_open(&s, p, &hd_heap);
    void *self = x->open(&config, &hd_heap);
    for (uint32_t i = 0; i < runs; i++) {
        hd_plan plan;
        CHECK(x->next(self, &plan));
        hd_execution e = hd_target_run(&s.target, &plan);
        CHECK(x->learn(self, &e));
        if (i) /* surw knows nothing before its first run */
            visit(context, &e);
    }
    x->close(self);
    scripted_close(&s);
}

/* --- a thread that must be late ---------------------------------------------------- */

/* One thread writes eight times to a cell of its own and then to a shared one, the other only to the shared one. */
static hd_script_program late(void)
{
    hd_script_program p = { .threads = { MAIN_OF_2, { { 0 } }, { WRITE(0, 1, 2) } } };
    for (uint8_t i = 0; i < BEFORE; i++)
        p.threads[1][i] = (hd_script_step)WRITE(1, 1, i);
    p.threads[1][BEFORE] = (hd_script_step)WRITE(0, 1, 1);
    return p;
}

static void count_late(void *context, const hd_execution *e)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < e->log_count; i++)
        if (hd_op_is_done(&e->log[i]))
            last = e->log[i].thread;
    *(uint32_t *)context += last == 2;
}

static uint32_t times_late(const char *name)
{
    uint32_t count = 0;
    hd_script_program p = late();
    sample(&p, name, RUNS + 1, count_late, &count);
    return count;
}

/* Its priority must be below the nine others: one execution in ten. A random walk delays it nine times: one in 512. */
TEST(pos_delays_an_operation_as_often_as_it_has_the_lowest_priority)
{
    uint32_t pos = times_late("pos"), random = times_late("random");
    CHECK(pos > RUNS / 10 - 80 && pos < RUNS / 10 + 80); /* four standard deviations */
    CHECK(random < RUNS / 100);
}

/* With one object chosen, two orders of the two operations on it are equally likely; with all of them, ten places. */
TEST(surw_takes_both_orders_of_two_conflicting_operations_equally_often)
{
    uint32_t surw = times_late("surw");
    CHECK(surw > RUNS * 3 / 8 && surw < RUNS / 2);
}

/* --- all orders ----------------------------------------------------------------------- */

enum { ORDERS = 28 };

/* Two writes of one thread and six of another to the same cell can be ordered in 28 ways. A third thread does other
 * things. */
static const hd_script_program orders = { .threads = {
                                              MAIN_OF_3,
                                              { WRITE(0, 1, 1), WRITE(0, 1, 2) },
                                              { WRITE(0, 1, 1), WRITE(0, 1, 2), WRITE(0, 1, 3), WRITE(0, 1, 4),
                                                  WRITE(0, 1, 5), WRITE(0, 1, 6) },
                                              { WRITE(1, 1, 1), WRITE(1, 1, 2), WRITE(1, 1, 3) },
                                          } };

typedef struct histogram {
    uint32_t orders[256];
} histogram;

static void count_order(void *context, const hd_execution *e)
{
    uint32_t order = 0;
    for (uint32_t i = 0; i < e->log_count; i++)
        if (hd_op_is_done(&e->log[i]) && e->log[i].thread && e->log[i].thread < 3)
            order = order << 1 | (e->log[i].thread == 1);
    ((histogram *)context)->orders[order & 255]++;
}

/* The sum of squared deviations from equal frequencies, over their expectation. */
static double chi_square(const histogram *h, uint32_t runs, uint32_t *seen)
{
    double sum = 0, expected = (double)runs / ORDERS;
    *seen = 0;
    for (uint32_t i = 0; i < 256; i++) {
        *seen += h->orders[i] > 0;
        if (h->orders[i])
            sum += (h->orders[i] - expected) * (h->orders[i] - expected) / expected;
    }
    return sum;
}

/* 27 degrees of freedom: 55.5 is exceeded by chance once in a thousand times. */
TEST(surw_draws_all_orders_of_an_objects_operations_equally_often)
{
    histogram surw = { 0 }, random = { 0 };
    uint32_t seen;
    sample(&orders, "surw", RUNS + 1, count_order, &surw);
    CHECK(chi_square(&surw, RUNS, &seen) < 55.5);
    CHECK_INT(seen, ORDERS);
    sample(&orders, "random", RUNS + 1, count_order, &random);
    CHECK(chi_square(&random, RUNS, &seen) > 1000);
}

/* --- bugs of a known depth ----------------------------------------------------------------- */

/* Is the second thread's write between the first thread's fourth and fifth? That is two ordering constraints. */
static void count_between(void *context, const hd_execution *e)
{
    uint32_t of_first = 0;
    for (uint32_t i = 0; i < e->log_count; i++) {
        if (!hd_op_is_done(&e->log[i]))
            continue;
        of_first += e->log[i].thread == 1;
        if (e->log[i].thread == 2)
            *(uint32_t *)context += of_first == 4;
    }
}

/* With depth 3 and 10 steps of two threads, each execution has it with probability 1 / (2 * 10 * 10) at least. */
TEST(pct_finds_a_bug_of_its_depth_as_often_as_guaranteed)
{
    uint32_t count = 0;
    hd_script_program p = late();
    sample(&p, "pct", RUNS + 1, count_between, &count);
    CHECK(count > RUNS / 200);
}
