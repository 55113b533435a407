/* Wakeup trees against the definitions, by looking at every equivalent sequence.
 *
 * A random program of a few threads that read and write a few cells, so that
 * any interleaving can happen. Two sequences are equivalent if swapping
 * neighbours that do not conflict leads from one to the other. A step can come first
 * in a sequence (it is a weak initial) if one equivalent to the sequence, with
 * the step added at its end if it is not in it, begins with it. */
#include "unit/test.h"

#include "base/map.h"
#include "base/rng.h"
#include "dpor/wakeup.h"

enum { THREADS = 4, LENGTH = 3, CELLS = 3, MOST = THREADS * LENGTH };

typedef struct program {
    hd_op ops[THREADS][LENGTH];
} program;

/* Steps as thread numbers: the n-th of a thread is its n-th operation. */
typedef struct word {
    uint8_t threads[MOST + 1];
    uint32_t count;
} word;

static void draw_ops(program *p, hd_rng *rng)
{
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t i = 0; i < LENGTH; i++)
            p->ops[t][i] = (hd_op) { .kind = hd_rng_below(rng, 2) ? HD_WRITE : HD_READ,
                .object = 8 * hd_rng_below(rng, CELLS),
                .mask = 1,
                .thread = (uint16_t)t };
}

static word draw_word(hd_rng *rng)
{
    word w = { .count = 1 + (uint32_t)hd_rng_below(rng, 5) };
    uint32_t done[THREADS] = { 0 };
    for (uint32_t i = 0; i < w.count; i++) {
        uint32_t t;
        do
            t = (uint32_t)hd_rng_below(rng, THREADS);
        while (done[t] == LENGTH);
        done[t]++;
        w.threads[i] = (uint8_t)t;
    }
    return w;
}

static uint32_t number_at(const word *w, uint32_t index)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i <= index; i++)
        number += w->threads[i] == w->threads[index];
    return number;
}

static const hd_op *op_at(const program *p, const word *w, uint32_t index)
{
    return &p->ops[w->threads[index]][number_at(w, index) - 1];
}

static bool dependent(const program *p, const word *w, uint32_t a, uint32_t b)
{
    return w->threads[a] == w->threads[b] || hd_ops_conflict(op_at(p, w, a), op_at(p, w, b));
}

/* --- equivalent sequences ---------------------------------------------------------------- */

typedef hd_vec(word) class;

static bool has(const class *c, const word *w)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].count == w->count && !memcmp(c->items[i].threads, w->threads, w->count))
            return true;
    return false;
}

static class class_of(const program *p, const word *w)
{
    class c = { .memory = &hd_heap };
    hd_vec_push(&c, *w);
    for (size_t i = 0; i < c.count; i++)
        for (uint32_t k = 0; k + 1 < w->count; k++) {
            word swapped = c.items[i];
            if (dependent(p, &swapped, k, k + 1))
                continue;
            uint8_t t = swapped.threads[k];
            swapped.threads[k] = swapped.threads[k + 1];
            swapped.threads[k + 1] = t;
            if (!has(&c, &swapped))
                hd_vec_push(&c, swapped);
        }
    return c;
}

static bool contains(const word *w, uint32_t thread)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->threads[i] == thread)
            return true;
    return false;
}

/* An equivalent sequence that begins with the thread's first step, if there is one. */
static bool begins_with(const program *p, const word *w, uint32_t thread, word *out)
{
    word longer = *w;
    if (!contains(w, thread))
        longer.threads[longer.count++] = (uint8_t)thread;
    class c = class_of(p, &longer);
    bool found = false;
    for (size_t i = 0; i < c.count && !found; i++)
        if (c.items[i].threads[0] == thread) {
            *out = c.items[i];
            found = true;
        }
    hd_vec_fini(&c);
    return found;
}

/* --- the same for the real thing ----------------------------------------------------------- */

typedef struct built {
    hd_trace trace;
    hd_op log[MOST + 1];
    hd_sequence sequence;
} built;

/* A trace that begins with something that nothing depends on, and the sequence of
 * all that follows, whose last step is in a new place. */
static void build_from(built *b, const hd_op *ops, uint32_t count)
{
    hd_outcome outcome = { 0 };
    hd_execution e = { .log = b->log, .log_count = count, .outcome = &outcome };
    b->log[0] = (hd_op) { .kind = HD_WRITE, .object = 1 << 20, .mask = 1, .thread = HD_MAX_THREADS - 1 };
    memcpy(b->log + 1, ops, count * sizeof *ops);
    hd_trace_init(&b->trace, &hd_heap, false);
    hd_sequence_init(&b->sequence, &hd_heap);
    CHECK(hd_trace_extend(&b->trace, &e));
    hd_sequence_begin(&b->sequence, &b->trace, 0, NULL, 0);
    const hd_op *last = &b->log[count];
    hd_sequence_end(&b->sequence,
        (hd_sequence_last) {
            .thread = last->thread, .before = b->trace.last[last->thread], .ops = last, .op_count = 1 });
    hd_sequence_restart(&b->sequence);
}

static void build(const program *p, const word *w, built *b)
{
    hd_op ops[MOST];
    for (uint32_t i = 0; i < w->count; i++)
        ops[i] = *op_at(p, w, i);
    build_from(b, ops, w->count);
}

static void demolish(built *b)
{
    hd_sequence_fini(&b->sequence);
    hd_trace_fini(&b->trace);
}

static hd_sleeper first_step(const program *p, uint32_t thread)
{
    return (hd_sleeper) { (uint16_t)thread, 0, &p->ops[thread][0], 1 };
}

TEST(a_step_can_come_first_if_an_equivalent_sequence_begins_with_it)
{
    static built b;
    hd_rng rng;
    uint32_t first = 0, not_first = 0;
    hd_rng_seed(&rng, 1);
    for (uint32_t n = 0; n < 2000; n++) {
        program p;
        word rest;
        draw_ops(&p, &rng);
        word w = draw_word(&rng);
        build(&p, &w, &b);
        for (uint32_t t = 0; t < THREADS; t++) {
            hd_sleeper z = first_step(&p, t);
            uint32_t position;
            hd_initial at = hd_sequence_initial(&b.sequence, &z, &position);
            bool expected = begins_with(&p, &w, t, &rest);
            CHECK_INT(at != HD_NOT_INITIAL, expected);
            if (expected)
                CHECK_INT(at == HD_INITIAL, contains(&w, t));
            *(expected ? &first : &not_first) += 1;
        }
        demolish(&b);
    }
    CHECK(first > 1000 && not_first > 1000);
}

/* --- trees ----------------------------------------------------------------------------------- */

/* The leaves of a tree as sequences, in order. */
static void list_leaves(const hd_wakeup_trees *t, uint32_t root, word *path, class *leaves)
{
    for (uint32_t b = root; b; b = t->nodes.items[b].sibling) {
        path->threads[path->count++] = (uint8_t)t->nodes.items[b].thread;
        if (t->nodes.items[b].child)
            list_leaves(t, t->nodes.items[b].child, path, leaves);
        else
            hd_vec_push(leaves, *path);
        path->count--;
    }
}

static class leaves_of(const hd_wakeup_trees *t, uint32_t root)
{
    class leaves = { .memory = &hd_heap };
    word path = { .count = 0 };
    list_leaves(t, root, &path, &leaves);
    return leaves;
}

/* The program after the first step of a thread. */
static program after(const program *p, uint32_t thread)
{
    program q = *p;
    memmove(&q.ops[thread][0], &q.ops[thread][1], (LENGTH - 1) * sizeof q.ops[0][0]);
    return q;
}

/* Does an execution that begins with the leaf also begin with the sequence's
 * beginning, one step after the other? Gives how many of its steps fit. */
static uint32_t fits(program p, word v, const word *leaf)
{
    for (uint32_t i = 0; i < leaf->count; i++) {
        word front;
        if (!begins_with(&p, &v, leaf->threads[i], &front))
            return i;
        bool taken = contains(&v, leaf->threads[i]);
        p = after(&p, leaf->threads[i]);
        memmove(front.threads, front.threads + 1, front.count - 1);
        if (taken) {
            v = front;
            v.count--;
        }
    }
    return leaf->count;
}

/* Does the tree lead to the sequence: does it follow, from the top, the first
 * branches that can come first in it, down to a leaf or to its end? */
static bool leads_to(const hd_wakeup_trees *t, uint32_t root, program p, word v)
{
    for (uint32_t b = root; b; b = t->nodes.items[b].sibling) {
        uint32_t thread = t->nodes.items[b].thread;
        word front;
        if (!begins_with(&p, &v, thread, &front))
            continue;
        if (contains(&v, thread)) {
            memmove(front.threads, front.threads + 1, --front.count);
            v = front;
        }
        return !v.count || !t->nodes.items[b].child || leads_to(t, t->nodes.items[b].child, after(&p, thread), v);
    }
    return false;
}

/* No step that sleeps, and no branch before it, can come first in a leaf. */
static void check_leaves(
    const program *p, const hd_wakeup_trees *t, uint32_t root, const uint8_t *asleep, uint32_t count)
{
    class leaves = leaves_of(t, root);
    for (size_t i = 0; i < leaves.count; i++) {
        word front;
        for (uint32_t k = 0; k < count; k++)
            CHECK(!begins_with(p, &leaves.items[i], asleep[k], &front));
        for (size_t k = 0; k < i; k++)
            CHECK(fits(*p, leaves.items[i], &leaves.items[k]) < leaves.items[k].count);
    }
    hd_vec_fini(&leaves);
}

/* Marks what is needed as dpor does; false: a sleeper can come first. */
static bool mark(built *b, const program *p, const uint8_t *asleep, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        hd_sleeper z = first_step(p, asleep[k]);
        uint32_t position;
        if (hd_sequence_initial(&b->sequence, &z, &position) != HD_NOT_INITIAL)
            return false;
        hd_sequence_add(b->sequence.needed, position);
    }
    return true;
}

static void insert_and_check(
    const program *p, hd_wakeup_trees *t, uint32_t *root, const word *w, const uint8_t *asleep, uint32_t count)
{
    static built b;
    hd_wakeup_reasons reasons = { 0 };
    build(p, w, &b);
    if (!mark(&b, p, asleep, count)) {
        demolish(&b);
        return;
    }
    bool covered = leads_to(t, *root, *p, *w);
    class before = leaves_of(t, *root);
    hd_wakeup_insert(t, root, 0, &b.sequence, &reasons);
    class leaves = leaves_of(t, *root);
    CHECK_INT(leaves.count, before.count + !covered);
    CHECK(leads_to(t, *root, *p, *w));
    CHECK(hd_wakeup_is_valid(t, *root));
    for (size_t i = 0; i < leaves.count; i++)
        if (!has(&before, &leaves.items[i]))
            CHECK_INT(fits(*p, *w, &leaves.items[i]), leaves.items[i].count);
    hd_vec_fini(&before);
    hd_vec_fini(&leaves);
    demolish(&b);
}

TEST(trees_hold_what_leads_to_every_sequence_and_nothing_twice)
{
    hd_rng rng;
    hd_rng_seed(&rng, 2);
    for (uint32_t n = 0; n < 300; n++) {
        program p;
        hd_wakeup_trees trees;
        uint32_t root = 0, count = (uint32_t)hd_rng_below(&rng, 3);
        uint8_t asleep[2] = { (uint8_t)hd_rng_below(&rng, THREADS), (uint8_t)hd_rng_below(&rng, THREADS) };
        draw_ops(&p, &rng);
        hd_wakeup_init(&trees, &hd_heap);
        for (uint32_t i = 0; i < 8; i++) {
            word w = draw_word(&rng);
            insert_and_check(&p, &trees, &root, &w, asleep, count);
        }
        check_leaves(&p, &trees, root, asleep, count);
        hd_wakeup_drop(&trees, &root);
        hd_wakeup_fini(&trees);
    }
}

static size_t count_branches(const hd_wakeup_trees *t, uint32_t root)
{
    size_t count = 0;
    for (uint32_t b = root; b; b = t->nodes.items[b].sibling)
        count += t->nodes.items[b].child ? count_branches(t, t->nodes.items[b].child) : 1;
    return count;
}

/* Writes of different threads to one cell each. */
static void build_writes(built *b, const char *threads, const char *cells)
{
    hd_op ops[MOST];
    uint32_t count = 0;
    for (; threads[count]; count++)
        ops[count] = (hd_op) {
            .kind = HD_WRITE, .object = (uint64_t)cells[count], .mask = 1, .thread = (uint16_t)(threads[count] - '0')
        };
    build_from(b, ops, count);
}

TEST(wakeup_trees_take_only_what_no_branch_covers)
{
    static built b;
    hd_wakeup_trees trees;
    hd_wakeup_reasons reasons = { 0 };
    uint32_t root = 0;
    hd_wakeup_init(&trees, &hd_heap);
    static const struct {
        const char *threads, *cells;
        size_t branches; /* in all, after it */
    } cases[] = {
        { "1", "x", 1 }, /* the first */
        { "1", "x", 1 }, /* the same */
        { "2", "y", 1 }, /* commutes with it */
        { "3", "x", 2 }, /* conflicts with it */
        { "23", "yx", 2 }, /* follows the branch of 3, behind what commutes */
        { "21", "yx", 2 }, /* begins with 1 as well */
        { "45", "xy", 3 }, { "46", "xz", 3 }, /* 5 commutes with both, so it leads on past it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build_writes(&b, cases[i].threads, cases[i].cells);
        for (uint32_t p = b.sequence.start; p < b.sequence.end; p++)
            hd_sequence_add(b.sequence.needed, p);
        hd_wakeup_insert(&trees, &root, 0, &b.sequence, &reasons);
        CHECK(hd_wakeup_is_valid(&trees, root));
        if (count_branches(&trees, root) != cases[i].branches)
            hd_test_failed(__FILE__, __LINE__, "%s on %s: %zu branches", cases[i].threads, cases[i].cells,
                count_branches(&trees, root));
        demolish(&b);
    }
    hd_wakeup_fini(&trees);
}
