/* Race sets and variants of SR-sequences, against all executions of small programs (definitions 17 and 18). */
#include "base/memory.h"
#include "base/rng.h"
#include "reach/tree.h"
#include "reach/variant.h"
#include "unit/test.h"

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

    /* Two variants with one change: r1 takes s2, or r3 takes s4; the rest of the other receiver is kept. */
    hd_sr_variants v;
    hd_sr_variants_init(&v, &q, &hd_heap);
    CHECK(hd_sr_variants_next(&v) && v.decision == r[0] && v.to == s[1] && v.order.count == 7);
    CHECK(hd_sr_variants_next(&v) && v.decision == r[2] && v.to == s[3] && v.order.count == 7);
    CHECK(!hd_sr_variants_next(&v));
    hd_sr_variants_fini(&v);

    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[s[0]].partner, r[1]);
    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[r[1]].index, 3);
    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[r[0]].partner, HD_SR_NONE);
    CHECK_NOTICED(hd_sr_is_valid(&q), q.events.items[r[0]].pending, true);
    hd_sr_fini(&q);
}

/* Events after a receive whose message changes are not kept: a process that receives, and then sends. */
TEST(sends_after_a_changed_receive_go)
{
    hd_sr q;
    hd_sr_init(&q, 4, &hd_heap);
    uint32_t one = send(&q, 0, 1, 1), two = send(&q, 2, 1, 1), r = take(&q, 1, one), s = send(&q, 1, 3, 1);
    hd_sr_variants v;
    hd_sr_variants_init(&v, &q, &hd_heap);
    CHECK(hd_sr_variants_next(&v) && v.decision == r && v.to == two);
    CHECK(!v.kept.items[s]);
    CHECK(!hd_sr_variants_next(&v));
    hd_sr_variants_fini(&v);
    hd_sr_fini(&q);
}

/* --- the tree ----------------------------------------------------------------------------------------- */

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
        hd_sr_decision q[] = { { 1, 1 + i % 2 }, { 1, 3 + i / 2 }, { 2, 11 + i % 2 }, { 2, 13 + i / 2 } };
        CHECK(tree_has(t, true, 4, q));
        CHECK(!tree_has(t, true, 4, q));
    }
    CHECK_INT(hd_sr_tree_sequences(t), 4);
    CHECK_INT(hd_sr_tree_edges(t), 8);
    CHECK(tree_has(t, false, 2, (hd_sr_decision[]) { { 1, 2 }, { 2, 12 } }));
    CHECK(tree_has(t, false, 1, (hd_sr_decision[]) { { 1, 4 } }));
    CHECK(!tree_has(t, false, 2, (hd_sr_decision[]) { { 1, 1 }, { 1, 2 } }));
    CHECK(!tree_has(t, false, 2, (hd_sr_decision[]) { { 1, 1 }, { 2, 12 } }));
    CHECK(hd_sr_tree_is_valid(t));
    hd_sr_tree_close(t);
}

/* --- against all executions ----------------------------------------------------------------------------- */

enum { THREADS = 4, LENGTH = 3, BOXES = 2, MOST = 6000 };

/* A program without branches: of each thread the mailboxes that it sends to, or RECEIVE at its own. */
enum { RECEIVE = 8, TRY };
typedef struct program {
    int threads, boxes, length[THREADS], ops[THREADS][LENGTH];
    int tags[THREADS][LENGTH]; /* of a send; of a receive: asked for, -1: any */
    hd_scheme scheme;
} program;

typedef struct search {
    const program *p;
    int at[THREADS];
    hd_mail mail[THREADS];
    struct {
        int thread;
        uint64_t label;
    } steps[THREADS * LENGTH];
    int step_count;
    hd_sr *found;
    int found_count;
    bool too_many;
} search;

static uint64_t request_of(const program *p, int t, int i)
{
    return hd_mail_request(-1, p->tags[t][i], p->scheme);
}

/* The steps so far as a sequence. */
static void build(const search *s, hd_sr *q)
{
    uint32_t events[THREADS * LENGTH];
    uint64_t labels[THREADS * LENGTH];
    int at[THREADS] = { 0 }, count = 0;
    hd_sr_init(q, THREADS, &hd_heap);
    for (int i = 0; i < s->step_count; i++) {
        int t = s->steps[i].thread, op = s->p->ops[t][at[t]];
        uint64_t label = s->steps[i].label;
        uint32_t partner = HD_SR_NONE;
        for (int k = 0; k < count; k++)
            partner = labels[k] == label && op >= RECEIVE ? events[k] : partner;
        if (op >= RECEIVE)
            hd_sr_receive(q, (uint16_t)t, (uint64_t)t, request_of(s->p, t, at[t]), op == TRY, false, partner);
        else {
            labels[count] = label;
            events[count++] = hd_sr_send(q, (uint16_t)t, (uint64_t)op, label);
        }
        at[t]++;
    }
    for (int t = 0; t < s->p->threads; t++)
        if (at[t] < s->p->length[t])
            hd_sr_receive(q, (uint16_t)t, (uint64_t)t, request_of(s->p, t, at[t]), false, true, HD_SR_NONE);
}

static void walk(search *s);

static void step(search *s, int t, uint64_t label, const hd_mail *after, int box)
{
    hd_mail before = s->mail[box];
    s->mail[box] = *after;
    s->steps[s->step_count].thread = t;
    s->steps[s->step_count++].label = label;
    s->at[t]++;
    walk(s);
    s->at[t]--;
    s->step_count--;
    s->mail[box] = before;
}

static bool receive_in_all_ways(search *s, int t)
{
    const hd_mail *mail = &s->mail[t];
    bool found = false;
    for (uint32_t i = 0; i < mail->count; i++)
        if (hd_mail_can_take(request_of(s->p, t, s->at[t]), mail->labels, mail->count, i)) {
            hd_mail after = *mail;
            hd_mail_remove(&after, mail->labels[i]);
            step(s, t, mail->labels[i], &after, t);
            found = true;
        }
    if (!found && s->p->ops[t][s->at[t]] == TRY)
        step(s, t, 0, mail, t);
    return found || s->p->ops[t][s->at[t]] == TRY;
}

static void walk(search *s)
{
    bool ended = true;
    if (s->found_count == MOST)
        s->too_many = true;
    for (int t = 0; t < s->p->threads && !s->too_many; t++) {
        int i = s->at[t], op = i < s->p->length[t] ? s->p->ops[t][i] : -1;
        if (op >= RECEIVE)
            ended &= !receive_in_all_ways(s, t);
        else if (op >= 0) {
            uint64_t label = hd_mail_label(hd_token((uint32_t)t, (uint32_t)i + 1), 0, (uint32_t)s->p->tags[t][i]);
            hd_mail after = s->mail[op];
            hd_mail_put(&after, label);
            step(s, t, label, &after, op);
            ended = false;
        }
    }
    if (ended && !s->too_many)
        build(s, &s->found[s->found_count++]);
}

static program draw(hd_rng *rng)
{
    program p = { .threads = 2 + (int)hd_rng_below(rng, 3), .boxes = 1 + (int)hd_rng_below(rng, BOXES) };
    bool tags = hd_rng_below(rng, 3) == 0, tries = hd_rng_below(rng, 3) == 0;
    p.scheme = (hd_scheme)hd_rng_below(rng, 3);
    for (int t = 0; t < p.threads; t++) {
        p.length[t] = 1 + (int)hd_rng_below(rng, LENGTH);
        for (int i = 0; i < p.length[t]; i++) {
            bool receives = t < p.boxes && hd_rng_below(rng, 2);
            p.ops[t][i] =
                !receives ? (int)hd_rng_below(rng, (uint32_t)p.boxes) : RECEIVE + (tries && hd_rng_below(rng, 2));
            p.tags[t][i] = receives ? (tags ? (int)hd_rng_below(rng, 3) - 1 : -1) : (int)hd_rng_below(rng, 2);
        }
    }
    return p;
}

static uint32_t find_past(const hd_sr *q, const hd_sr_event *e)
{
    for (uint32_t i = 0; i < q->events.count; i++) {
        const hd_sr_event *other = &q->events.items[i];
        if (other->thread == e->thread && other->index == e->index && other->past == e->past && !other->pending)
            return i;
    }
    return HD_SR_NONE;
}

static bool has_identity(const hd_sr *q, uint64_t identity)
{
    for (uint32_t i = 0; i < q->events.count; i++)
        if (q->events.items[i].identity == identity)
            return true;
    return false;
}

/* Definition 17: another sequence has the same receive, and there it takes the message of the same send. */
static bool is_in_race(const search *s, const hd_sr *q, uint32_t r, uint32_t sent)
{
    for (int k = 0; k < s->found_count; k++) {
        uint32_t other = find_past(&s->found[k], &q->events.items[r]);
        if (other != HD_SR_NONE && s->found[k].events.items[other].partner != HD_SR_NONE
            && s->found[k].events.items[s->found[k].events.items[other].partner].identity
                == q->events.items[sent].identity)
            return true;
    }
    return false;
}

/* Orders beside → may exclude a pair that is possible for each of the two: one queue for each of several mailboxes, and
 * tries that find nothing. */
static void check_races(const search *s, const hd_sr *q)
{
    bool exact = s->p->scheme != HD_SCHEME_CAUSAL || s->p->boxes == 1;
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

/* Every variant is a prefix of a sequence that is there. */
static void check_variants(const search *s, const hd_sr *q)
{
    hd_sr_variants v;
    hd_sr_variants_init(&v, q, &hd_heap);
    while (hd_sr_variants_next(&v)) {
        bool is_prefix = false;
        for (int k = 0; k < s->found_count && !is_prefix; k++) {
            is_prefix = true;
            for (uint32_t i = 0; i < q->events.count && is_prefix; i++)
                is_prefix = !v.kept.items[i]
                    || has_identity(
                        &s->found[k], i == v.decision ? hd_sr_identity(q, i, v.to) : q->events.items[i].identity);
        }
        CHECK(is_prefix);
    }
    hd_sr_variants_fini(&v);
}

TEST(race_sets_and_variants_of_random_programs)
{
    hd_rng rng;
    hd_sr *found = hd_alloc(&hd_heap, MOST * sizeof *found);
    int compared = 0;
    hd_rng_seed(&rng, 7);
    for (int n = 0; n < 400; n++) {
        program p = draw(&rng);
        search s = { .p = &p, .found = found };
        walk(&s);
        for (int k = 0; k < s.found_count; k++) {
            CHECK(hd_sr_is_valid(&found[k]));
            if (k % 97 == 0 && !s.too_many) {
                check_races(&s, &found[k]);
                check_variants(&s, &found[k]);
                compared++;
            }
        }
        for (int k = 0; k < s.found_count; k++)
            hd_sr_fini(&found[k]);
    }
    CHECK(compared > 400);
    hd_release(&hd_heap, found, MOST * sizeof *found);
}
