/* Race sets of SR-sequences, against all executions of small programs (definition 17); the SR-tree. */
#include "reach/tree.h"
#include "unit/reach/programs.h"

static bool race(const hd_sr *q, uint32_t receive, const char *expected, const uint32_t *sends, uint32_t count)
{
    char found[16] = "";
    for (uint32_t i = 0; i < count; i++)
        if (hd_sr_races(q, receive, sends[i]))
            strncat(found, &"123456"[i], 1);
    return !strcmp(found, expected);
}

static uint32_t take(hd_sr *q, uint16_t thread, uint32_t send)
{
    return hd_sr_receive(q, thread, thread, hd_mail_request(-1, -1, HD_SCHEME_ASYNC), false, false, send);
}

static uint32_t send(hd_sr *q, uint16_t thread, uint64_t mailbox, uint32_t number)
{
    return hd_sr_send(q, thread, mailbox, hd_mail_label(hd_token(thread, number), thread, 0));
}

/* The SR-sequence Q1 of program M (3.4.2): M1 and M3 send to M2, M4 and M6 to M5. */
TEST(program_m)
{
    hd_sr q;
    hd_sr_init(&q, 6, &hd_heap);
    uint32_t s[4] = { send(&q, 0, 1, 1), send(&q, 2, 1, 1), send(&q, 3, 4, 1), send(&q, 5, 4, 1) };
    uint32_t r[4] = { take(&q, 1, s[0]), take(&q, 1, s[1]), take(&q, 4, s[2]), take(&q, 4, s[3]) };
    CHECK(hd_sr_is_valid(&q));
    CHECK(race(&q, r[0], "2", s, 4)); /* Race(r1) is {s1, s2}: with the send that it has taken */
    CHECK(race(&q, r[1], "", s, 4));
    CHECK(race(&q, r[2], "4", s, 4));
    CHECK(race(&q, r[3], "", s, 4));
    CHECK_INT(q.events.items[r[0]].level, 1);
    CHECK_INT(q.events.items[r[1]].level, 2);

    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[s[0]].partner, r[1]);
    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[r[1]].index, 3);
    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[r[0]].partner, HD_SR_NONE);
    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[r[0]].pending, true);
    hd_sr_fini(&q);
}

/* A sequence with the race sets of Figure 3.1; of the third receive's thread a send follows. */
TEST(figure_3_1)
{
    hd_sr q;
    hd_sr_init(&q, 4, &hd_heap);
    uint32_t s[6], r[6];
    s[0] = send(&q, 0, 1, 1);
    s[1] = send(&q, 2, 1, 1);
    s[2] = send(&q, 2, 1, 2);
    for (int i = 0; i < 3; i++)
        r[i] = take(&q, 1, s[i]);
    s[3] = send(&q, 1, 3, 1);
    s[4] = send(&q, 0, 3, 2);
    s[5] = send(&q, 2, 3, 3);
    for (int i = 3; i < 6; i++)
        r[i] = take(&q, 3, s[i]);
    static const char *const races[] = { "23", "3", "", "56", "6", "" };
    for (int i = 0; i < 6; i++)
        CHECK(race(&q, r[i], races[i], s, 6));
    hd_sr_fini(&q);
}

/* --- the tree ----------------------------------------------------------------------------------------- */

#define DECISION(n, what) \
    { \
        .level = n, .identity = what \
    }

static bool tree_has(hd_sr_tree *t, bool adds, int count, const hd_sr_decision *decisions)
{
    hd_sr_decisions d = { .memory = &hd_heap };
    for (int i = 0; i < count; i++)
        hd_vec_push(&d, decisions[i]);
    hd_sr_decisions_sort(&d);
    bool has = adds ? hd_sr_tree_add(t, &d) : hd_sr_tree_has_prefix(t, &d);
    hd_vec_fini(&d);
    return has;
}

/* Figure 3.7: four sequences of two levels; a variant need not be a path. */
TEST(tree)
{
    hd_sr_tree *t = hd_sr_tree_open(&hd_heap);
    CHECK(!tree_has(t, false, 0, NULL));
    for (uint64_t i = 0; i < 4; i++) {
        hd_sr_decision q[] = { DECISION(1, 1 + i % 2), DECISION(1, 3 + i / 2), DECISION(2, 11 + i % 2),
            DECISION(2, 13 + i / 2) };
        CHECK(tree_has(t, true, 4, q));
        CHECK(!tree_has(t, true, 4, q));
    }
    CHECK_INT(hd_sr_tree_sequences(t), 4);
    CHECK_INT(hd_sr_tree_edges(t), 8);
    CHECK(tree_has(t, false, 2, (hd_sr_decision[]) { DECISION(1, 2), DECISION(2, 12) }));
    CHECK(tree_has(t, false, 1, (hd_sr_decision[]) { DECISION(1, 4) }));
    CHECK(!tree_has(t, false, 2, (hd_sr_decision[]) { DECISION(1, 1), DECISION(1, 2) }));
    CHECK(!tree_has(t, false, 2, (hd_sr_decision[]) { DECISION(1, 1), DECISION(2, 12) }));
    CHECK(hd_sr_tree_is_valid(t));
    hd_sr_tree_close(t);
}

/* --- against all executions --------------------------------------------------------------------------- */

static uint32_t find_past(const hd_sr *q, const hd_sr_event *e)
{
    for (uint32_t i = 0; i < q->events.count; i++) {
        const hd_sr_event *other = &q->events.items[i];
        if (other->thread == e->thread && other->index == e->index && other->past == e->past && !other->pending)
            return i;
    }
    return HD_SR_NONE;
}

/* Definition 17: another sequence has the same receive, and there it takes the message of the same send. */
static bool is_in_race(const search *s, const hd_sr *q, uint32_t r, uint32_t sent)
{
    for (int k = 0; k < s->count; k++) {
        uint32_t other = find_past(&s->found[k], &q->events.items[r]);
        if (other != HD_SR_NONE && s->found[k].events.items[other].partner != HD_SR_NONE
            && s->found[k].events.items[s->found[k].events.items[other].partner].identity
                == q->events.items[sent].identity)
            return true;
    }
    return false;
}

/* Tries that find nothing may exclude each other, so that with them the condition is only necessary. */
static void check_races(const search *s, const hd_sr *q)
{
    bool exact = true;
    for (uint32_t r = 0; r < q->events.count; r++)
        for (uint32_t i = 0; i < q->events.count; i++) {
            const hd_sr_event *e = &q->events.items[r];
            if (e->kind != HD_SR_RECEIVE || e->pending || q->events.items[i].kind != HD_SR_SEND || e->partner == i)
                continue;
            bool real = is_in_race(s, q, r, i), told = hd_sr_races(q, r, i);
            for (uint32_t k = 0; k < q->events.count; k++)
                exact &= !q->events.items[k].tries;
            CHECK(exact ? real == told : !real || told);
        }
}

TEST(race_sets_of_random_programs)
{
    hd_rng rng;
    hd_sr *found = hd_alloc(&hd_heap, MOST * sizeof *found);
    int compared[3] = { 0 };
    hd_rng_seed(&rng, 7);
    for (int n = 0; n < 400; n++) {
        program p = draw(&rng, n % 3 == 0);
        search s = find_all(&p, found);
        for (int k = 0; k < s.count; k++) {
            CHECK(hd_sr_is_valid(&found[k]));
            if (k % 97 == 0 && !s.too_many) {
                check_races(&s, &found[k]);
                compared[p.scheme]++;
            }
        }
        forget_all(&s);
    }
    for (int i = 0; i < 3; i++)
        CHECK(compared[i] > 100);
    hd_release(&hd_heap, found, MOST * sizeof *found);
}
