/* Blocked states found in unfoldings: all that running every schedule comes to, and no
 * others, without looking at every combination of what threads do. */
#include "unit/test.h"
#include "unit/unfold/unfolded.h"

#include "base/map.h"

#include <stdlib.h>

enum { PLENTY = 10000000, MOST_STATES = 20000 };

/* The thread that holds the lock that thread t waits for; 0: it waits for no lock, or for readers. The naive net has
 * the first reader as a holder. */
static uint64_t holder_for(const machine *m, uint32_t t, hd_net net)
{
    const op *o = next_op(m, t);
    int x = o->parts[0].object;
    bool writer = m->count[x] == HD_WRITER || o->parts[0].code == 'l';
    return strchr("lRW", o->parts[0].code) && (writer || net == HD_NET_NAIVE) ? (uint64_t)m->value[x] : 0;
}

/* The places at which threads are left, and whom they wait for; 0: somebody can go on, or all are done. */
static uint64_t places_of(const machine *m, hd_net net)
{
    uint64_t places = 0;
    for (uint32_t t = 0; t < m->p->threads; t++) {
        if (can_go(m, t))
            return 0;
        if (m->running[t] && !is_over(m, t))
            places += hd_hash((uint64_t)t << 32 | holder_for(m, t, net) << 16 | (m->pc[t] + 1));
    }
    return places;
}

static uint64_t state_of(const machine *m)
{
    return hd_hash_bytes(m->pc, sizeof m->pc, hd_hash_bytes(m->count, sizeof m->count, 1))
        ^ hd_hash_bytes(m->value, sizeof m->value, hd_hash_bytes(m->running, sizeof m->running, 2));
}

typedef struct space {
    hd_map states, blocked;
    hd_net net;
} space;

/* False: there are too many. */
static bool enumerate(space *all, const machine *m)
{
    uint64_t *known = hd_map_put(&all->states, state_of(m)), places = places_of(m, all->net);
    if (*known)
        return true;
    *known = 1;
    if (places)
        *hd_map_put(&all->blocked, places) = 1;
    bool whole = all->states.count < MOST_STATES;
    for (uint32_t t = 0; t < m->p->threads && whole; t++)
        for (uint8_t choice = 0; whole && can_go(m, t) && choice < (next_op(m, t)->parts[0].code == '?' ? 2 : 1);
             choice++) {
            machine *next = malloc(sizeof *next);
            *next = *m;
            go(next, t, choice);
            whole = enumerate(all, next);
            free(next);
        }
    return whole;
}

static void run(machine *m, const program *p, const hd_unfold_schedule *schedule)
{
    start(m, p);
    for (size_t i = 0; i < schedule->count; i++)
        go(m, schedule->items[i].thread, schedule->items[i].choice);
}

/* Runs each state found; gives how many there are. */
static uint32_t check_found(const char *text, const program *p, hd_unfolding *u, const hd_unfold_set *found, space *all)
{
    static machine m;
    uint32_t count = 0;
    hd_unfold_set way = { .memory = &hd_heap };
    hd_unfold_schedule schedule = { .memory = &hd_heap };
    for (size_t i = 0; i < found->count; i += 1 + found->items[i], count++) {
        CHECK(hd_unfold_configuration(u, &found->items[i + 1], found->items[i], &way));
        hd_unfold_schedule_of(u, way.items, way.count, &schedule);
        run(&m, p, &schedule);
        uint64_t places = places_of(&m, all->net), *known = places ? hd_map_get(&all->blocked, places) : NULL;
        if (!known || *known == 2)
            hd_test_failed(__FILE__, __LINE__, "'%s': a state that is %s", text, known ? "found twice" : "not blocked");
        if (known)
            *known = 2;
    }
    hd_vec_fini(&way);
    hd_vec_fini(&schedule);
    return count;
}

/* Gives how many blocked states there are; -1: too large. */
static int compare(const char *text, hd_net net, uint64_t seed)
{
    static machine m;
    space all = { .net = net };
    program p = parse(text);
    int count = -1;
    hd_map_init(&all.states, &hd_heap);
    hd_map_init(&all.blocked, &hd_heap);
    start(&m, &p);
    if (enumerate(&all, &m)) {
        hd_map known;
        hd_unfold_set found = { .memory = &hd_heap };
        hd_map_init(&known, &hd_heap);
        result r = unfold(&p, net, seed);
        CHECK(hd_unfold_find_deadlocks(r.u, PLENTY, &judge, &known, &found));
        count = (int)check_found(text, &p, r.u, &found, &all);
        if ((size_t)count != all.blocked.count)
            hd_test_failed(__FILE__, __LINE__, "net %d, '%s', seed %llu: %d blocked states, not %zu", net, text,
                (unsigned long long)seed, count, all.blocked.count);
        CHECK(hd_unfold_find_deadlocks(r.u, PLENTY, &judge, &known, &found));
        CHECK_INT(found.count, 0);
        hd_map_fini(&known);
        hd_vec_fini(&found);
        hd_unfold_close(r.u);
    }
    hd_map_fini(&all.states);
    hd_map_fini(&all.blocked);
    return count;
}

TEST(written_programs)
{
    static const struct {
        const char *text;
        int blocked;
    } written[] = {
        { "l m, l n, u n, u m; l n, l m, u m, u n", 1 },
        { "l m, l n, u n, u m; l m, l n, u n, u m", 0 },
        { "l g, l m, l n, u n, u m, u g; l g, l n, l m, u m, u n, u g", 0 },
        { "l a, l b, u b, u a; l b, l c, u c, u b; l c, l a, u a, u c", 1 },
        { "p s, t s; t s", 2 },
        { "s 1, s 2, j 1, j 2; t s, p s; t s, p s", 1 },
        { "R m, l n, u n, S m; l n, W m, V m, u n", 1 },
        { "R m, t s, S m; W m, p s, V m", 1 },
        { "?, l m; l m, u m", 1 },
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        for (int net = HD_NET_REPLICATED; net <= HD_NET_CONTEXTUAL; net++)
            CHECK_INT(compare(written[i].text, (hd_net)net, 1), written[i].blocked);
}

static void random_thread(char *text, hd_rng *rng)
{
    static const char *const forms[] = { "l m, l n, u n, u m", "l n, l m, u m, u n", "l m, t s, u m", "l n, p s, u n",
        "p s", "t s", "t q", "p q", "R k, l m, u m, S k", "W k, l n, u n, V k", "l m, W k, V k, u m",
        "l n, R k, S k, u n", "c x", "r x", "w x", "?", "l m, w x, u m", "R k, t q, S k" };
    uint32_t steps = 1 + (uint32_t)hd_rng_below(rng, 2);
    for (uint32_t i = 0; i < steps; i++) {
        strcat(text, i ? ", " : "");
        strcat(text, forms[hd_rng_below(rng, sizeof forms / sizeof *forms)]);
    }
}

TEST(random_programs)
{
    int compared = 0, blocked = 0, wanted = 300;
    if (getenv("HEDDLE_UNIT_PROGRAMS"))
        wanted = atoi(getenv("HEDDLE_UNIT_PROGRAMS"));
    for (uint64_t seed = 1; compared < wanted; seed++) {
        hd_rng rng;
        char text[400] = "";
        hd_rng_seed(&rng, seed);
        uint32_t threads = 2 + (uint32_t)hd_rng_below(&rng, 3);
        for (uint32_t t = 0; t < threads; t++) {
            random_thread(text, &rng);
            strcat(text, t + 1 < threads ? "; " : "");
        }
        int found = compare(text, (hd_net)(seed % 3), seed % 4);
        compared += found >= 0;
        blocked += found > 0;
    }
    CHECK(blocked > compared / 4 && blocked < compared);
}

/* What threads do that have nothing to do with each other does not multiply. */
TEST(independent_threads_do_not_multiply)
{
    static const struct {
        const char *text;
        uint32_t found;
    } programs[] = {
        { "l m, l n, u n, u m; l n, l m, u m, u n; r a, w a; w a; r b, w b; w b; r c, w c; w c; r d, w d; w d; r e, w "
          "e; "
          "w e",
            1 },
        { "t a, p a; p b, t b; t c, t d; p d, p c; t e, t f; p f, p e; t g, t h; p h, p g; t i, t j; p j, p i", 1 },
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        hd_map known;
        hd_unfold_set found = { .memory = &hd_heap };
        hd_map_init(&known, &hd_heap);
        program p = parse(programs[i].text);
        result r = unfold(&p, HD_NET_REPLICATED, 1);
        CHECK(hd_unfold_find_deadlocks(r.u, 5000, &judge, &known, &found));
        CHECK_INT(known.count, programs[i].found);
        hd_map_fini(&known);
        hd_vec_fini(&found);
        hd_unfold_close(r.u);
    }
}
