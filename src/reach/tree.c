#include "reach/tree.h"

#include "abi/valid.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

/* A node, with the edge that leads to it. */
typedef struct node {
    uint32_t first, next; /* its first child, and its next sibling; 0: none */
    uint32_t set, count; /* the decisions of its edge */
    bool ends; /* a sequence ends here */
} node;

struct hd_sr_tree {
    hd_memory *memory;
    hd_vec(node) nodes; /* 0 is the root */
    hd_vec(hd_sr_decision) decisions; /* of all edges */
    uint64_t sequences;
};

static bool comes_after(const hd_sr_decision *x, const hd_sr_decision *y)
{
    return x->level != y->level ? x->level > y->level : x->identity > y->identity;
}

/* Few, and nearly sorted; the C library's sort may allocate. */
void hd_sr_decisions_sort(hd_sr_decisions *d)
{
    for (size_t i = 1; i < d->count; i++)
        for (size_t k = i; k && comes_after(&d->items[k - 1], &d->items[k]); k--) {
            hd_sr_decision swap = d->items[k];
            d->items[k] = d->items[k - 1];
            d->items[k - 1] = swap;
        }
}

hd_sr_tree *hd_sr_tree_open(hd_memory *memory)
{
    hd_sr_tree *t = hd_alloc(memory, sizeof *t);
    t->memory = t->nodes.memory = t->decisions.memory = memory;
    hd_vec_push(&t->nodes, (node) { 0 });
    return t;
}

void hd_sr_tree_close(hd_sr_tree *t)
{
    hd_vec_fini(&t->nodes);
    hd_vec_fini(&t->decisions);
    hd_release(t->memory, t, sizeof *t);
}

/* The number of decisions from `at` on that are of one level. */
static uint32_t level_size(const hd_sr_decisions *d, size_t at)
{
    uint32_t count = 0;
    while (at + count < d->count && d->items[at + count].level == d->items[at].level)
        count++;
    return count;
}

/* Has the edge all of these decisions? Both are sorted. */
static bool has_all(const hd_sr_tree *t, const node *n, const hd_sr_decision *some, uint32_t count)
{
    const hd_sr_decision *all = &t->decisions.items[n->set];
    uint32_t found = 0;
    for (uint32_t i = 0; i < n->count && found < count && all[i].identity <= some[found].identity; i++)
        found += all[i].identity == some[found].identity;
    return found == count;
}

static uint32_t find_child(const hd_sr_tree *t, uint32_t parent, const hd_sr_decision *set, uint32_t count)
{
    uint32_t child = t->nodes.items[parent].first;
    while (child && (t->nodes.items[child].count != count || !has_all(t, &t->nodes.items[child], set, count)))
        child = t->nodes.items[child].next;
    return child;
}

static uint32_t add_child(hd_sr_tree *t, uint32_t parent, const hd_sr_decision *set, uint32_t count)
{
    uint32_t child = (uint32_t)t->nodes.count;
    node new = { .next = t->nodes.items[parent].first, .set = (uint32_t)t->decisions.count, .count = count };
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&t->decisions, set[i]);
    hd_vec_push(&t->nodes, new);
    t->nodes.items[parent].first = child;
    return child;
}

bool hd_sr_tree_add(hd_sr_tree *t, const hd_sr_decisions *sequence)
{
    uint32_t at = 0;
    for (size_t i = 0; i < sequence->count;) {
        uint32_t count = level_size(sequence, i);
        uint32_t child = find_child(t, at, &sequence->items[i], count);
        at = child ? child : add_child(t, at, &sequence->items[i], count);
        i += count;
    }
    bool new = !t->nodes.items[at].ends;
    t->nodes.items[at].ends = true;
    t->sequences += new;
    hd_check_valid(hd_sr_tree_is_valid(t), t->nodes.count, t->sequences);
    return new;
}

bool hd_sr_tree_has(const hd_sr_tree *t, const hd_sr_decisions *sequence)
{
    uint32_t at = 0;
    for (size_t i = 0; i < sequence->count && (at || !i);) {
        uint32_t count = level_size(sequence, i);
        at = find_child(t, at, &sequence->items[i], count);
        i += count;
    }
    return (at || !sequence->count) && t->nodes.items[at].ends;
}

static bool has_below(const hd_sr_tree *t, uint32_t at, const hd_sr_decisions *variant, size_t i)
{
    if (i == variant->count)
        return true;
    uint32_t count = level_size(variant, i);
    for (uint32_t child = t->nodes.items[at].first; child; child = t->nodes.items[child].next)
        if (has_all(t, &t->nodes.items[child], &variant->items[i], count) && has_below(t, child, variant, i + count))
            return true;
    return false;
}

/* Levels have no gaps: a decision of level n has one of level n - 1 in its past. */
bool hd_sr_tree_has_prefix(const hd_sr_tree *t, const hd_sr_decisions *variant)
{
    return t->sequences && has_below(t, 0, variant, 0);
}

uint64_t hd_sr_tree_sequences(const hd_sr_tree *t)
{
    return t->sequences;
}

uint64_t hd_sr_tree_edges(const hd_sr_tree *t)
{
    return t->nodes.count - 1;
}

/* --- drawing -------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void put(hd_sr_text *out, const char *format, ...)
{
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    hd_assert(length >= 0 && (size_t)length < sizeof line);
    for (int i = 0; i < length; i++)
        hd_vec_push(out, line[i]);
}

static void put_decision(hd_sr_text *out, const hd_sr_decision *d)
{
    if (d->kind == HD_SR_CHOICE)
        put(out, "(%u,%u) = %u", d->u, d->v, d->j);
    else if (d->misses)
        put(out, "nothing→(%u,%u)", d->u, d->v);
    else
        put(out, "(%u,%u)→(%u,%u)", d->i, d->j, d->u, d->v);
}

void hd_sr_tree_draw(const hd_sr_tree *t, hd_sr_text *out)
{
    put(out, "digraph \"SR-tree\" {\n");
    for (uint32_t i = 0; i < t->nodes.count; i++) {
        put(out, "  n%u [label=\"\" shape=%s];\n", i, t->nodes.items[i].ends ? "doublecircle" : "circle");
        for (uint32_t child = t->nodes.items[i].first; child; child = t->nodes.items[child].next) {
            const node *n = &t->nodes.items[child];
            put(out, "  n%u -> n%u [label=\"", i, child);
            for (uint32_t k = 0; k < n->count; k++) {
                put_decision(out, &t->decisions.items[n->set + k]);
                put(out, k + 1 < n->count ? "\\n" : "\"];\n");
            }
        }
    }
    put(out, "}\n");
}

static bool is_sorted(const hd_sr_tree *t, const node *n)
{
    for (uint32_t i = 1; i < n->count; i++)
        if (t->decisions.items[n->set + i - 1].identity >= t->decisions.items[n->set + i].identity)
            return false;
    return true;
}

static bool is_same_set(const hd_sr_tree *t, const node *a, const node *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = t->decisions.items[a->set + i].identity == t->decisions.items[b->set + i].identity;
    return same;
}

bool hd_sr_tree_is_valid(const hd_sr_tree *t)
{
    uint64_t ends = 0;
    for (size_t i = 0; i < t->nodes.count; i++) {
        const node *n = &t->nodes.items[i];
        ends += n->ends;
        if (!is_sorted(t, n) || (i && !n->count))
            return false;
        for (uint32_t a = n->first; a; a = t->nodes.items[a].next)
            for (uint32_t b = t->nodes.items[a].next; b; b = t->nodes.items[b].next)
                if (is_same_set(t, &t->nodes.items[a], &t->nodes.items[b]))
                    return false;
    }
    return ends == t->sequences;
}
