/* Unfoldings of small programs: exact sizes, and every relation against the
 * definitions, computed from all executions. */
#include "unit/test.h"
#include "unit/unfold/unfolded.h"

#include "base/map.h"

#include <stdlib.h>

/* --- the definitions ------------------------------------------------------------------------
 *
 * An event's name is a hash of its step and of the names of all that must come
 * before it. */

enum { MAX_NAMES = 4096, MOST_EXECUTIONS = 1500, MOST_FOR_RELATIONS = 200 };

typedef struct names {
    hd_map numbers;
    uint32_t count;
    uint32_t executions[MOST_EXECUTIONS + 1][MAX_STEPS / 2]; /* names in each */
    uint32_t lengths[MOST_EXECUTIONS + 1], execution_count;
    bool too_many;
} names;

static uint32_t number_of(names *n, uint64_t name)
{
    uint64_t *number = hd_map_put(&n->numbers, name);
    if (!*number)
        *number = ++n->count;
    return (uint32_t)*number - 1;
}

/* Is step a of the execution a reason why step b is what it is? */
static bool orders(const step *a, const step *b, hd_net net)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            const hd_unfold_access *x = &a->accesses[i], *y = &b->accesses[k];
            if (!x->object || x->object != y->object)
                continue;
            if (net == HD_NET_NAIVE)
                return true;
            bool look = net == HD_NET_CONTEXTUAL && x->group == HD_GROUP_LOOKS;
            if (!look && (x->group != y->group || x->group == HD_GROUP_ALONE))
                return true;
        }
    return false;
}

typedef struct history {
    bool past[MAX_STEPS][MAX_STEPS]; /* past[b][a]: a comes before b */
    bool known[MAX_THREADS][MAX_STEPS]; /* by edges and program order, for the thread's next step */
    uint64_t names[MAX_STEPS];
} history;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void name_step(history *h, const machine *m, uint32_t i, hd_net net)
{
    const step *s = &m->steps[i];
    uint64_t before[MAX_STEPS], count = 0;
    memcpy(h->past[i], h->known[s->thread], sizeof h->past[i]);
    for (uint32_t k = 0; k < i; k++)
        if (orders(&m->steps[k], s, net)) {
            h->past[i][k] = true;
            for (uint32_t j = 0; j < k; j++)
                h->past[i][j] |= h->past[k][j];
        }
    for (uint32_t k = 0; k < i; k++)
        if (h->past[i][k])
            before[count++] = h->names[k];
    qsort(before, count, sizeof *before, by_value);
    h->names[i] = hd_hash_bytes(before, count * sizeof *before, s->thread * 1000u + s->pc * 10u + s->choice + 1);
    memcpy(h->known[s->thread], h->past[i], sizeof h->past[i]);
    h->known[s->thread][i] = true;
}

static void name_execution(names *n, const machine *m, hd_net net)
{
    static history h;
    memset(&h, 0, sizeof h);
    uint32_t steps = 0, x = n->execution_count++;
    for (uint32_t i = 0; i < m->note_count; i++) {
        const note *k = &m->notes[i];
        if (k->kind == NOTE_STEP)
            name_step(&h, m, steps++, net);
        else if (k->kind != NOTE_END)
            for (uint32_t j = 0; j < MAX_STEPS; j++)
                h.known[k->thread][j] |= h.known[k->other][j];
    }
    n->lengths[x] = steps;
    for (uint32_t i = 0; i < steps; i++)
        n->executions[x][i] = number_of(n, h.names[i]);
}

static void enumerate(names *n, const machine *m, hd_net net)
{
    bool stuck = true;
    for (uint32_t t = 0; t < m->p->threads; t++)
        for (uint8_t choice = 0; can_go(m, t) && choice < (next_op(m, t)->parts[0].code == '?' ? 2 : 1); choice++) {
            machine *next = malloc(sizeof *next);
            *next = *m;
            stuck = false;
            go(next, t, choice);
            if (n->execution_count <= MOST_EXECUTIONS && !n->too_many && next->step_count < MAX_STEPS / 2)
                enumerate(n, next, net);
            else
                n->too_many = true;
            free(next);
        }
    if (stuck && n->execution_count <= MOST_EXECUTIONS)
        name_execution(n, m, net);
}

/* --- comparing --------------------------------------------------------------------------------- */

/* The name of an event of the unfolding, from its causes. */
static uint64_t name_of(hd_unfolding *u, uint32_t e, const uint64_t *known)
{
    uint64_t before[MAX_NAMES];
    uint32_t count = 0;
    hd_unfold_set frontier = { .memory = &hd_heap }, causes = { .memory = &hd_heap };
    bool *seen = calloc(hd_unfold_count(u), 1);
    hd_vec_push(&frontier, e);
    while (frontier.count) {
        uint32_t x = hd_vec_pop(&frontier);
        hd_unfold_causes(u, x, &causes);
        for (size_t i = 0; i < causes.count; i++)
            if (!seen[causes.items[i]]) {
                seen[causes.items[i]] = true;
                hd_vec_push(&frontier, causes.items[i]);
                if (!hd_unfold_get(u, causes.items[i]).automatic)
                    before[count++] = known[causes.items[i]];
            }
    }
    qsort(before, count, sizeof *before, by_value);
    hd_unfold_event k = hd_unfold_get(u, e);
    free(seen);
    hd_vec_fini(&frontier);
    hd_vec_fini(&causes);
    return hd_hash_bytes(before, count * sizeof *before, k.thread * 1000u + (k.label % 100) * 10u + k.choice + 1);
}

static bool met_in_an_execution(const names *n, uint32_t a, uint32_t b)
{
    for (uint32_t x = 0; x < n->execution_count; x++) {
        bool first = false, second = false;
        for (uint32_t i = 0; i < n->lengths[x]; i++) {
            first |= n->executions[x][i] == a;
            second |= n->executions[x][i] == b;
        }
        if (first && second)
            return true;
    }
    return false;
}

/* False: too many executions. */
static bool check_against_definition(const char *text, hd_net net, uint64_t seed)
{
    static names n;
    static machine m;
    program p = parse(text);
    memset(&n, 0, sizeof n);
    hd_map_init(&n.numbers, &hd_heap);
    start(&m, &p);
    enumerate(&n, &m, net);
    if (n.too_many || n.execution_count > MOST_EXECUTIONS) {
        hd_map_fini(&n.numbers);
        return false;
    }
    result r = unfold(&p, net, seed);
    CHECK(hd_unfold_is_valid(r.u));
    uint32_t count = hd_unfold_count(r.u), steps = 0, unknown = 0, wrong = 0;
    uint64_t *known = calloc(count, sizeof *known);
    uint32_t *number = calloc(count, sizeof *number);
    uint32_t expected = n.count;
    for (uint32_t e = 1; e < count; e++)
        if (hd_unfold_is_event(r.u, e) && !hd_unfold_get(r.u, e).automatic) {
            known[e] = name_of(r.u, e, known);
            number[e] = number_of(&n, known[e]);
            unknown += number[e] >= expected;
            steps++;
        }
    for (uint32_t a = 1; a < count && n.execution_count < MOST_FOR_RELATIONS; a++)
        for (uint32_t b = 1; b < a; b++)
            if (known[a] && known[b])
                wrong += hd_unfold_compatible(r.u, a, b) != met_in_an_execution(&n, number[a], number[b]);
    if (steps != expected || unknown || wrong || steps != hd_unfold_steps(r.u))
        hd_test_failed(__FILE__, __LINE__, "net %d, '%s', seed %llu: %u events, not %u; %u unknown, %u wrong relations",
            net, text, (unsigned long long)seed, steps, expected, unknown, wrong);
    hd_unfold_close(r.u);
    hd_map_fini(&n.numbers);
    free(known);
    free(number);
    return true;
}

static void check_counts(const char *text, hd_net net, uint32_t events, uint32_t tests)
{
    program p = parse(text);
    result r = unfold(&p, net, 0);
    if (hd_unfold_steps(r.u) != events || r.tests != tests)
        hd_test_failed(__FILE__, __LINE__, "net %d, '%s': %u events and %u tests, not %u and %u", net, text,
            hd_unfold_steps(r.u), r.tests, events, tests);
    hd_unfold_close(r.u);
}

TEST(the_papers_figures)
{
    /* Figure 2 of the first paper: a read and a write. */
    check_counts("r x; w x", HD_NET_REPLICATED, 4, 2);
    /* Figure 1 of the second: two reads. */
    check_counts("r x; r x", HD_NET_NAIVE, 4, 2);
    check_counts("r x; r x", HD_NET_REPLICATED, 2, 1);
    /* Its Figure 2: two readers and a writer. */
    check_counts("r x; r x; w x", HD_NET_REPLICATED, 10, 4);
    check_counts("r x; r x; w x", HD_NET_CONTEXTUAL, 5, 2);
    check_counts("r x; r x; w x", HD_NET_NAIVE, 15, 6);
}

TEST(independent_pairs_take_two_tests)
{
    check_counts("r a; w a; r b; w b; r c; w c", HD_NET_REPLICATED, 12, 2);
}

TEST(locks)
{
    check_counts("l m, u m; l m, u m", HD_NET_REPLICATED, 8, 2);
    check_counts("l m, w x, u m; l m, w x, u m; l m, w x, u m", HD_NET_REPLICATED, 45, 6);
    check_counts("l m, l n, u n, u m; l n, l m, u m, u n", HD_NET_REPLICATED, 16, 3);
}

TEST(joins_alone_need_no_tests_but_what_follows_them_does)
{
    check_counts("s 1, s 2, j 1, j 2, r x, r y; w x; w x", HD_NET_REPLICATED, 8, 2);
}

static const char *const written[] = {
    "r x, w x; r x, w x",
    "r x, w x; r x, w x; w x",
    "c x, r x; c x, w x; r x",
    "c x; c x; c x",
    "p s, p s; t s, t s; p s, r x; w x",
    "R m, r x, S m; R m, r x, S m; W m, w x, V m",
    "r x + w y; r y + w x",
    "r x + w y; r y, w y; w x",
    "r x + r y; w x; w y, w x",
    "?, w x; ?, r x",
    "s 1, s 2, j 1, r x, j 2, r y; w x, w y; r x, w y",
    "s 1, w x, j 1, r x; r x, s 2, w x; w x, r x",
    "l m, r x, u m, w x; l m, w x, u m; r x",
    "p s; p s; t s, w x; t s, r x",
    "R m, S m, W m, V m; W m, V m, R m, S m",
    "c x + w y; c x + w z; r y, r z",
    "r x, r x, w y; r y, w x; w x",
    "w x, r y; w y, r x; r x, r y",
};

/* Objects that are looked at, posted to and taken from. */
static const char *const mixed[] = {
    "r s, t s; p s; p s",
    "p s, r s, p s; r s, t s",
    "p s; p s; r s; r s",
    "p s, r s; r s, p s; p s, w x; r s",
    "p s, p s; r s, t s; p s, r s",
    "l m, p s, r s, u m; l m, r s, p s, u m; l m, p s, r s, u m; ?, p s",
};

static void check_written(const char *const *texts, size_t count, hd_net last)
{
    for (size_t i = 0; i < count; i++)
        for (uint64_t seed = 0; seed < 3; seed++)
            for (int net = HD_NET_REPLICATED; net <= (int)last; net++)
                CHECK(check_against_definition(texts[i], (hd_net)net, seed));
}

TEST(against_the_definition)
{
    check_written(written, sizeof written / sizeof *written, HD_NET_CONTEXTUAL);
}

/* The contextual net tells more of these apart than the definition does. */
TEST(several_groups_against_the_definition)
{
    check_written(mixed, sizeof mixed / sizeof *mixed, HD_NET_NAIVE);
}

/* Of what is at one condition of x there are more than are looked at one by one; who chooses comes to it last, or by
 * chance, and finds all of them, whatever they have in their past. */
static const char *const crowded[] = {
    "l m, r x, r x, u m; l m, r x, r x, u m; l m, r x, r x, u m; ?, w x",
    "l m, w x, w y, u m; l m, w x, w y, u m; l m, w x, w y, u m; ?, r y",
    "l m, r x, c y, u m; l m, r x, c y, u m; l m, c y, r x, u m; ?, w x",
    "l m, p s, r x, u m; l m, p s, r x, u m; l m, p s, r x, u m; ?, t s",
    "l m, u m, l m, u m, l m, u m; l m, u m, l m, u m, l m, u m; ?, j 0, r x",
    "l m, r x, u m; l m, r x, u m; l m, r x, u m; l m, r x, u m; w x",
    "l m, w x, u m; l m, w x, u m; l m, w x, u m; l m, w x, u m; r x",
};

TEST(crowds_against_the_definition)
{
    check_written(crowded, sizeof crowded / sizeof *crowded, HD_NET_CONTEXTUAL);
}

/* Orders of m have 89 beginnings, each with a lock and an unlock. 19 of them end with the third thread, which comes to
 * n before or after the fourth: 2 × 19 + 19 + 1. With 30 of them the third has come by and the first has ended: so many
 * joins, before or after the fourth, with a read after each. */
TEST(joins_meet_all_ends)
{
    program p = parse("l m, u m, l m, u m; l m, u m, l m, u m; l m, u m, l n, u n, j 0, r x; l n, u n");
    for (uint64_t seed = 0; seed < 5; seed++) {
        result r = unfold(&p, HD_NET_REPLICATED, seed);
        CHECK_INT(hd_unfold_steps(r.u), 2 * 89 + 2 * 58 + 2 * 30);
        hd_unfold_close(r.u);
    }
}

/* --- random programs ------------------------------------------------------------------------------ */

static void append(char *text, const char *format, char object)
{
    size_t length = strlen(text);
    const char *end = text + length;
    bool first = !length || end[-1] == ';';
    length += (size_t)sprintf(text + length, "%s", first ? "" : ", ");
    sprintf(text + length, format, object, object);
}

static void random_thread(char *text, hd_rng *rng)
{
    static const char *const forms[] = { "r %c", "r %c", "w %c", "w %c", "c %c", "r %c + w z", "w %c + r z",
        "l m, r %c, u m", "l m, w %c, u m", "p s", "t s", "r s", "R n, r %c, S n", "W n, w %c, V n", "?" };
    uint32_t steps = 1 + (uint32_t)hd_rng_below(rng, 3);
    for (uint32_t i = 0; i < steps; i++)
        append(text, forms[hd_rng_below(rng, sizeof forms / sizeof *forms)], (char)('x' + hd_rng_below(rng, 2)));
}

static void random_program(char *text, hd_rng *rng)
{
    uint32_t threads = 2 + (uint32_t)hd_rng_below(rng, 3);
    for (uint32_t t = 0; t < threads; t++) {
        random_thread(text, rng);
        if (t + 1 < threads)
            strcat(text, ";");
    }
}

/* Three threads whose orders one lock tells apart, and one that does not care. */
static void random_crowd(char *text, hd_rng *rng)
{
    static const char *const forms[] = { "r %c", "r %c", "w %c", "c %c", "p s", "r s", "r %c + w z" };
    for (uint32_t t = 0; t < 3; t++) {
        append(text, "l m", 0);
        for (uint32_t i = 0; i < 2; i++)
            append(text, forms[hd_rng_below(rng, sizeof forms / sizeof *forms)], (char)('x' + hd_rng_below(rng, 2)));
        append(text, "u m", 0);
        strcat(text, ";");
    }
    append(text, "?", 0);
    append(text, hd_rng_below(rng, 2) ? "w %c" : "r %c", 'x');
}

static void check_random(void (*make)(char *, hd_rng *), uint32_t wanted)
{
    uint32_t compared = 0;
    if (getenv("HEDDLE_UNIT_PROGRAMS"))
        wanted = (uint32_t)atoi(getenv("HEDDLE_UNIT_PROGRAMS"));
    for (uint64_t seed = 1; compared < wanted; seed++) {
        hd_rng rng;
        char text[400] = "";
        hd_rng_seed(&rng, seed);
        make(text, &rng);
        int last = strstr(text, "r s") ? HD_NET_NAIVE : HD_NET_CONTEXTUAL; /* see several_groups above */
        for (int net = HD_NET_REPLICATED; net <= last; net++)
            compared += check_against_definition(text, (hd_net)net, seed % 4);
    }
}

TEST(random_programs_against_the_definition)
{
    check_random(random_program, 300);
}

TEST(random_crowds_against_the_definition)
{
    check_random(random_crowd, 30);
}
