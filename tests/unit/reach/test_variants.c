/* Race variants against definition 18, the theorems of 3.4.1, program M of 3.4.2; and the searches that use variants:
 * each sequence of random programs is executed exactly once. */
#include "base/map.h"
#include "reach/generate.h"
#include "reach/revisit.h"
#include "reach/single.h"
#include "unit/reach/programs.h"

#include <stdlib.h>

/* --- definition 18, by brute force ------------------------------------------------------------------------ */

enum { MOST_VARIANTS = 20000 };

/* A set of variants: the kept events as bits, and a hash of the kept events with their outcomes. */
typedef struct variant_set {
    struct {
        uint32_t kept;
        uint64_t key;
    } items[MOST_VARIANTS];
    int count;
} variant_set;

static uint64_t key_of(const hd_sr *q, uint32_t kept, const uint32_t *outcomes)
{
    uint64_t key = hd_hash(kept);
    for (uint32_t i = 0; i < q->events.count; i++)
        if (kept >> i & 1)
            key = hd_hash(key ^ hd_hash(outcomes[i] + 1));
    return key;
}

static void add(variant_set *s, uint32_t kept, uint64_t key)
{
    CHECK(s->count < MOST_VARIANTS);
    s->items[s->count].kept = kept;
    s->items[s->count++].key = key;
}

/* Adds the variants of `from` with the given part of the tail; MIXED: any. */
enum { MIXED = -1 };
static void add_with(variant_set *s, const variant_set *from, uint32_t tail, int64_t part)
{
    for (int i = 0; i < from->count; i++)
        if (part == MIXED || (from->items[i].kept & tail) == (uint32_t)part)
            add(s, from->items[i].kept, from->items[i].key);
}

static bool has(const variant_set *s, uint64_t key)
{
    for (int i = 0; i < s->count; i++)
        if (s->items[i].key == key)
            return true;
    return false;
}

static bool is_same_set(const variant_set *a, const variant_set *b)
{
    for (int i = 0; i < a->count; i++)
        if (!has(b, a->items[i].key))
            return false;
    for (int i = 0; i < b->count; i++)
        if (!has(a, b->items[i].key))
            return false;
    return true;
}

typedef struct brute {
    const hd_sr *q;
    uint32_t from; /* the events of the sequence whose variants are wanted: a part of q that is closed */
    uint32_t outcomes[EVENTS];
    variant_set *out;
} brute;

static bool is_changed(const brute *b, uint32_t i)
{
    return b->outcomes[i] != hd_sr_outcome(&b->q->events.items[i]);
}

/* Is everything that happens before the event in the sequence there, as it was? */
static bool has_past(const brute *b, uint32_t kept, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (hd_sr_before(b->q, k, i) && (!(kept >> k & 1) || is_changed(b, k)))
            return false;
    return true;
}

/* Of a receive: is its message sent, and taken by no other? */
static bool has_message(const brute *b, uint32_t kept, uint32_t i)
{
    uint32_t s = b->outcomes[i];
    if (b->q->events.items[i].kind != HD_SR_RECEIVE || s == HD_SR_NONE)
        return true;
    for (uint32_t k = 0; k < b->q->events.count; k++)
        if (k != i && (kept >> k & 1) && b->q->events.items[k].kind == HD_SR_RECEIVE && b->outcomes[k] == s)
            return false;
    return kept >> s & 1;
}

/* All decisions from `i` on are to be decided. */
static void decide(brute *b, uint32_t kept, uint32_t i)
{
    uint32_t next = 0, own = i < b->q->events.count ? hd_sr_outcome(&b->q->events.items[i]) : 0;
    bool changes = false;
    if (i < b->q->events.count) {
        const hd_sr_event *e = &b->q->events.items[i];
        bool there = (b->from >> i & 1) && has_past(b, kept, i);
        if (there)
            decide(b, kept | 1u << i, i + 1);
        if (!there || hd_sr_decides(e))
            decide(b, kept, i + 1); /* sends are there if they can be */
        while (there && hd_sr_decides(e) && hd_sr_next_outcome(b->q, i, &next, &b->outcomes[i]))
            decide(b, kept | 1u << i, i + 1);
        b->outcomes[i] = own;
        return;
    }
    for (uint32_t k = 0; k < b->q->events.count; k++) {
        changes |= (kept >> k & 1) && is_changed(b, k);
        if ((kept >> k & 1) && !has_message(b, kept, k))
            return;
    }
    if (changes)
        add(b->out, kept, key_of(b->q, kept, b->outcomes));
}

/* variant(Q), where Q is a part of `q`. A message that a later receive would take in Q may be sent after the receive
 * in the order of q: so messages are looked at when all is decided. */
static void find_variants(const hd_sr *q, uint32_t from, variant_set *out)
{
    brute b = { .q = q, .from = from, .out = out };
    for (uint32_t i = 0; i < q->events.count; i++)
        b.outcomes[i] = hd_sr_outcome(&q->events.items[i]);
    out->count = 0;
    decide(&b, 0, 0);
}

static uint32_t bits_of(const hd_sr *q, const bool *kept)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < q->events.count; i++)
        bits |= (uint32_t)kept[i] << i;
    return bits;
}

static void generate(const hd_sr *q, variant_set *out)
{
    hd_sr_generator g;
    hd_sr_generator_init(&g, q, UINT32_MAX, &hd_heap);
    out->count = 0;
    while (hd_sr_generator_next(&g)) {
        uint32_t kept = bits_of(q, g.variant.kept.items);
        uint64_t key = key_of(q, kept, g.variant.outcomes.items);
        CHECK(!has(out, key)); /* each once */
        add(out, kept, key);
    }
    hd_sr_generator_fini(&g);
}

/* --- the theorems of 3.4.1 ------------------------------------------------------------------------------------- */

static uint32_t whole(const hd_sr *q)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < q->events.count; i++)
        bits |= (uint32_t)!q->events.items[i].pending << i;
    return bits;
}

static uint32_t tail_of(const hd_sr *q, uint32_t from)
{
    bool kept[EVENTS];
    uint32_t tail = 0;
    for (uint32_t i = 0; i < q->events.count; i++)
        kept[i] = from >> i & 1;
    for (uint32_t i = 0; i < q->events.count; i++)
        tail |= (uint32_t)hd_sr_is_tail(q, kept, i) << i;
    return tail;
}

static uint32_t trim(const hd_sr *q, uint32_t from, uint32_t gone)
{
    bool kept[EVENTS], goes[EVENTS];
    for (uint32_t i = 0; i < q->events.count; i++) {
        kept[i] = from >> i & 1;
        goes[i] = gone >> i & 1;
    }
    hd_sr_trim(q, kept, goes);
    return bits_of(q, kept);
}

static variant_set of_q, of_trimmed, left, right; /* too large for the stack */

/* 3.4.1: variant(Q) is variant(Q \t tail(Q)) and the variants that have some of the tail.
 * 3.4.2: those are the variants with each non-empty part of it. */
static void check_tails(const hd_sr *q, uint32_t from)
{
    uint32_t tail = tail_of(q, from);
    find_variants(q, from, &of_q);
    find_variants(q, trim(q, from, tail), &of_trimmed);
    left.count = right.count = 0;
    add_with(&left, &of_trimmed, 0, MIXED);
    for (uint32_t part = tail; part; part = (part - 1) & tail)
        add_with(&left, &of_q, tail, part);
    add_with(&right, &of_q, 0, MIXED);
    CHECK(is_same_set(&left, &right));
    CHECK_INT(left.count, right.count);
}

/* 3.4.3: variant_intersect(Q, R) is the union over the parts of the rest of the tail of Q \t (tail(Q) \ R). */
static void check_intersections(const hd_sr *q, uint32_t from)
{
    uint32_t tail = tail_of(q, from);
    find_variants(q, from, &of_q);
    for (uint32_t part = tail; part; part = (part - 1) & tail) {
        uint32_t trimmed = trim(q, from, tail & ~part), rest = tail_of(q, trimmed) & ~part;
        find_variants(q, trimmed, &of_trimmed);
        left.count = right.count = 0;
        add_with(&left, &of_q, tail, part);
        for (uint32_t more = rest, last = 0; !last; more = (more - 1) & rest) {
            add_with(&right, &of_trimmed, tail_of(q, trimmed), part | more);
            last = !more;
        }
        CHECK(is_same_set(&left, &right));
        CHECK_INT(left.count, right.count);
    }
}

/* 3.4.4, mended: with the whole tail, the outcomes are those of the race sets, and what follows a change is gone. */
static void combine(const hd_sr *q, uint32_t from, uint32_t left_over, brute *b, variant_set *out)
{
    uint32_t next = 0, i = left_over ? (uint32_t)__builtin_ctz(left_over) : 0, own = b->outcomes[i];
    if (!left_over) {
        uint32_t changed = 0, kept = from;
        for (uint32_t k = 0; k < q->events.count; k++)
            changed |= (uint32_t)is_changed(b, k) << k;
        kept = trim(q, from, changed) | changed;
        for (uint32_t k = 0; k < q->events.count; k++)
            if ((kept >> k & 1) && !has_message(b, kept, k))
                return;
        if (changed)
            add(out, kept, key_of(q, kept, b->outcomes));
        return;
    }
    do
        combine(q, from, left_over & (left_over - 1), b, out);
    while (hd_sr_next_outcome(q, i, &next, &b->outcomes[i]));
    b->outcomes[i] = own;
}

static void check_product(const hd_sr *q, uint32_t from)
{
    uint32_t tail = tail_of(q, from);
    brute b = { .q = q };
    for (uint32_t i = 0; i < q->events.count; i++)
        b.outcomes[i] = hd_sr_outcome(&q->events.items[i]);
    find_variants(q, from, &of_q);
    left.count = right.count = 0;
    add_with(&left, &of_q, tail, tail);
    if (tail)
        combine(q, from, tail, &b, &right);
    else
        left.count = 0;
    CHECK(is_same_set(&left, &right));
}

TEST(theorems_and_generate_variants_on_random_programs)
{
    hd_rng rng;
    hd_sr *found = hd_alloc(&hd_heap, MOST * sizeof *found);
    int compared = 0, several = 0;
    hd_rng_seed(&rng, 11);
    for (int n = 0; n < 300; n++) {
        program p = draw(&rng, n % 4 == 0);
        search s = find_all(&p, found);
        for (int k = 0; k < s.count && !s.too_many; k += 211) {
            const hd_sr *q = &found[k];
            static variant_set generated;
            check_tails(q, whole(q));
            check_intersections(q, whole(q));
            check_product(q, whole(q));
            check_tails(q, trim(q, whole(q), tail_of(q, whole(q))));
            find_variants(q, whole(q), &of_q);
            generate(q, &generated);
            CHECK(is_same_set(&of_q, &generated));
            compared++;
            several += generated.count > 3;
        }
        forget_all(&s);
    }
    CHECK(compared > 300 && several > 50);
    hd_release(&hd_heap, found, MOST * sizeof *found);
}

/* --- program M -----------------------------------------------------------------------------------------------------
 */

static uint32_t take(hd_sr *q, uint16_t thread, uint32_t send)
{
    return hd_sr_receive(q, thread, thread, hd_mail_request(-1, -1, HD_SCHEME_ASYNC), false, false, send);
}

static uint32_t send(hd_sr *q, uint16_t thread, uint64_t mailbox)
{
    return hd_sr_send(q, thread, mailbox, hd_mail_label(hd_token(thread, 1), thread, 0));
}

/* Q1: M1 and M3 send to M2, M4 and M6 to M5. Its events are s1 to s4, r1 to r4. */
enum { S1, S2, S3, S4, R1, R2, R3, R4 };
static void make_q1(hd_sr *q)
{
    hd_sr_init(q, 6, &hd_heap);
    send(q, 0, 1), send(q, 2, 1), send(q, 3, 4), send(q, 5, 4);
    take(q, 1, S1), take(q, 1, S2), take(q, 4, S3), take(q, 4, S4);
    hd_sr_finish(q);
}

static uint32_t set(int count, const int *events)
{
    uint32_t bits = 1 << S1 | 1 << S2 | 1 << S3 | 1 << S4;
    for (int i = 0; i < count; i++)
        bits |= 1u << events[i];
    return bits;
}

/* The outcomes that differ from those of Q1: r1 takes s2, r3 takes s4. */
static uint64_t variant_of_m(const hd_sr *q, uint32_t kept, bool first, bool third)
{
    uint32_t outcomes[] = { 0, 0, 0, 0, first ? S2 : S1, S2, third ? S4 : S3, S4 };
    return key_of(q, kept, outcomes);
}

#define KEPT(...) set((int)(sizeof((int[]) { __VA_ARGS__ }) / sizeof(int)), (int[]) { __VA_ARGS__ })

TEST(variants_of_program_m)
{
    hd_sr q;
    static variant_set v;
    make_q1(&q);
    CHECK_INT(tail_of(&q, whole(&q)), 1 << R2 | 1 << R4);
    CHECK_INT(trim(&q, whole(&q), 1 << R4), KEPT(R1, R2, R3)); /* Q′1 */
    CHECK_INT(tail_of(&q, KEPT(R1, R2, R3)), 1 << R2 | 1 << R3);
    CHECK_INT(trim(&q, KEPT(R1, R2, R3), 1 << R3), KEPT(R1, R2)); /* Q′2 */
    CHECK_INT(trim(&q, whole(&q), 1 << R2 | 1 << R4), KEPT(R1, R3)); /* Q′3 */
    CHECK_INT(tail_of(&q, KEPT(R1, R3)), 1 << R1 | 1 << R3);
    generate(&q, &v);
    CHECK_INT(v.count, 7);
    CHECK(has(&v, variant_of_m(&q, KEPT(R1, R2, R3), false, true))); /* V1, from {r2} */
    CHECK(has(&v, variant_of_m(&q, KEPT(R1, R3, R4), true, false))); /* V2, from {r4} */
    CHECK(has(&v, variant_of_m(&q, KEPT(R1, R3), true, false))); /* V3 to V5, from tail(Q′3) */
    CHECK(has(&v, variant_of_m(&q, KEPT(R1, R3), false, true)));
    CHECK(has(&v, variant_of_m(&q, KEPT(R1, R3), true, true)));
    CHECK(has(&v, variant_of_m(&q, KEPT(R1), true, false))); /* V6, V7 */
    CHECK(has(&v, variant_of_m(&q, KEPT(R3), false, true)));
    hd_sr_fini(&q);
}

/* What happens after a receive whose message changes goes, sends too: a process that receives, and then sends. */
TEST(sends_after_a_changed_receive_go)
{
    hd_sr q;
    hd_sr_generator g;
    hd_sr_init(&q, 4, &hd_heap);
    uint32_t one = send(&q, 0, 1), two = send(&q, 2, 1), r = take(&q, 1, one), s = send(&q, 1, 3);
    hd_sr_finish(&q);
    hd_sr_generator_init(&g, &q, UINT32_MAX, &hd_heap);
    CHECK(hd_sr_generator_next(&g) && g.variant.outcomes.items[r] == two && !g.variant.kept.items[s]);
    CHECK(!hd_sr_generator_next(&g));
    hd_sr_generator_fini(&g);
    hd_sr_fini(&q);
}

/* --- searches -------------------------------------------------------------------------------------------------------
 */

static uint64_t fingerprint(const hd_sr *q)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < q->events.count; i++)
        sum += hd_hash(q->events.items[i].identity);
    return sum;
}

typedef struct sums {
    uint64_t items[MOST];
    int count;
} sums;

static bool note(sums *s, uint64_t sum)
{
    for (int i = 0; i < s->count; i++)
        if (s->items[i] == sum)
            return false;
    CHECK(s->count < MOST);
    s->items[s->count++] = sum;
    return true;
}

/* Runs the schedule, and all variants of what comes out. Each execution must be a new sequence. */
static void explore(const program *p, const hd_sr_schedule *schedule, const hd_sr_plan *plan, sums *seen)
{
    hd_sr q;
    hd_sr_revisits v;
    hd_sr_schedule next = { .memory = &hd_heap };
    hd_sr_plan planned = { .memory = &hd_heap };
    execute(p, schedule, &q);
    CHECK(note(seen, fingerprint(&q)));
    hd_sr_revisits_init(&v, &q, plan, &hd_heap);
    while (hd_sr_revisits_next(&v))
        if (hd_sr_variant_schedule(&v.variant, &next)) {
            hd_sr_revisits_plan(&v, &planned);
            explore(p, &next, &planned, seen);
        }
    hd_sr_revisits_fini(&v);
    hd_vec_fini(&next);
    hd_vec_fini(&planned);
    hd_sr_fini(&q);
}

TEST(each_sequence_once_without_stored_sequences)
{
    hd_rng rng;
    hd_sr *found = hd_alloc(&hd_heap, MOST * sizeof *found);
    static sums all, seen;
    int several = 0;
    hd_rng_seed(&rng, 3);
    for (int n = 0; n < 1500; n++) {
        program p = draw(&rng, n % 2 == 0);
        search s = find_all(&p, found);
        all.count = seen.count = 0;
        for (int k = 0; k < s.count && !s.too_many; k++)
            note(&all, fingerprint(&found[k]));
        if (!s.too_many)
            explore(&p, &(hd_sr_schedule) { .memory = &hd_heap }, &(hd_sr_plan) { .memory = &hd_heap }, &seen);
        CHECK_INT(seen.count, all.count);
        for (int k = 0; k < seen.count; k++)
            CHECK(!note(&all, seen.items[k]));
        several += seen.count > 4;
        forget_all(&s);
    }
    CHECK(several > 200);
    hd_release(&hd_heap, found, MOST * sizeof *found);
}

/* One race at a time: variants with one change, which keep all that does not happen after it. */
TEST(one_race_at_a_time)
{
    hd_sr q;
    hd_sr_singles v;
    make_q1(&q);
    hd_sr_singles_init(&v, &q, &hd_heap);
    CHECK(hd_sr_singles_next(&v) && bits_of(&q, v.variant.kept.items) == KEPT(R1, R3, R4)
        && v.variant.outcomes.items[R1] == S2);
    CHECK(hd_sr_singles_next(&v) && bits_of(&q, v.variant.kept.items) == KEPT(R1, R2, R3)
        && v.variant.outcomes.items[R3] == S4);
    CHECK(!hd_sr_singles_next(&v));
    hd_sr_singles_fini(&v);
    hd_sr_fini(&q);
}
