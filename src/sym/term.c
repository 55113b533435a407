#include "sym/term.h"

#include "base/sentence.h"
#include "abi/valid.h"
#include "base/error.h"

#include <string.h>

enum { FIRST_SLOTS = 1024 };

/* --- the pool ----------------------------------------------------------------------------- */

void hd_terms_init(hd_terms *t, hd_memory *memory)
{
    *t = (hd_terms) { .memory = memory };
    t->nodes.memory = t->inputs.memory = t->memo.memory = t->walked.memory = memory;
    t->stack.memory = t->set_indices.memory = memory;
    hd_map_init(&t->sets, memory);
    hd_map_init(&t->indices, memory);
    hd_vec_push(&t->nodes, ((hd_term_node) { 0 }));
}

void hd_terms_fini(hd_terms *t)
{
    hd_vec_fini(&t->nodes);
    hd_release(t->memory, t->slots, t->slot_room * sizeof *t->slots);
    hd_vec_fini(&t->inputs);
    hd_vec_fini(&t->memo);
    hd_vec_fini(&t->walked);
    hd_vec_fini(&t->stack);
    hd_vec_fini(&t->set_indices);
    hd_release(t->memory, t->set_ranges, t->set_room * sizeof *t->set_ranges);
    hd_map_fini(&t->sets);
    hd_map_fini(&t->indices);
}

void hd_terms_clear(hd_terms *t)
{
    hd_memory *memory = t->memory;
    hd_terms_fini(t);
    hd_terms_init(t, memory);
}

static uint64_t hash_of(const hd_term_node *n)
{
    uint64_t shape = (uint64_t)n->kind << 8 | n->width;
    uint64_t pair = (uint64_t)n->operands[0] << 32 | n->operands[1];
    return hd_hash(n->value ^ hd_hash(pair ^ hd_hash(shape << 32 | n->operands[2])));
}

static bool same(const hd_term_node *a, const hd_term_node *b)
{
    return a->kind == b->kind && a->width == b->width && a->value == b->value
        && !memcmp(a->operands, b->operands, sizeof a->operands);
}

/* Terms are inserted by their nodes; the table holds numbers only. */
static void rehash(hd_terms *t)
{
    size_t room = t->slot_room ? t->slot_room * 2 : FIRST_SLOTS;
    while (room <= t->nodes.count * 2)
        room *= 2;
    hd_release(t->memory, t->slots, t->slot_room * sizeof *t->slots);
    t->slots = hd_alloc(t->memory, room * sizeof *t->slots);
    memset(t->slots, 0, room * sizeof *t->slots);
    t->slot_room = room;
    for (hd_term i = 1; i < t->nodes.count; i++) {
        size_t slot = hash_of(&t->nodes.items[i]) & (room - 1);
        while (t->slots[slot])
            slot = (slot + 1) & (room - 1);
        t->slots[slot] = i;
    }
}

/* Hash consing: an equal node is found, otherwise added at the end, so that it has a greater number
 * than its operands. */
hd_term hd_term_intern(hd_terms *t, const hd_term_node *node)
{
    if (t->nodes.count * 2 >= t->slot_room)
        rehash(t);
    size_t slot = hash_of(node) & (t->slot_room - 1);
    for (; t->slots[slot]; slot = (slot + 1) & (t->slot_room - 1))
        if (same(&t->nodes.items[t->slots[slot]], node))
            return t->slots[slot];
    hd_vec_push(&t->nodes, *node);
    t->slots[slot] = (hd_term)t->nodes.count - 1;
    hd_check_valid(hd_terms_is_valid(t), 4 * t->nodes.count + t->slot_room, t->nodes.count);
    return t->slots[slot];
}

hd_term hd_term_constant(hd_terms *t, uint32_t width, uint64_t value)
{
    return hd_term_intern(
        t, &(hd_term_node) { .kind = HD_EXPR_CONST, .width = (uint8_t)width, .value = value & hd_term_mask(width) });
}

/* --- walking ------------------------------------------------------------------------------ */

uint32_t hd_term_operand_count(uint8_t kind)
{
    static const uint8_t counts[HD_EXPR_KINDS] = {
#define EXPR(name, operands, text) [HD_EXPR_##name] = operands,
#include "abi/expr.def"
#undef EXPR
    };
    return counts[kind];
}

/* A walk marks terms with its number instead of clearing marks. When the number wraps around, the
 * marks are cleared. */
static void begin_walk(hd_terms *t)
{
    while (t->walked.count < t->nodes.count) {
        hd_vec_push(&t->walked, 0u);
        hd_vec_push(&t->memo, 0ull);
    }
    if (++t->walk == 0) {
        memset(t->walked.items, 0, t->walked.count * sizeof *t->walked.items);
        t->walk = 1;
    }
    hd_vec_clear(&t->stack);
}

/* Pushes operands that the walk has not visited; true if there are none. */
static bool operands_are_walked(hd_terms *t, const hd_term_node *n)
{
    bool all = true;
    for (uint32_t i = 0; i < hd_term_operand_count(n->kind); i++)
        if (t->walked.items[n->operands[i]] != t->walk) {
            hd_vec_push(&t->stack, n->operands[i]);
            all = false;
        }
    return all;
}

static uint64_t evaluate_node(hd_terms *t, const hd_term_node *n, const hd_values *values)
{
    uint64_t operands[3] = { 0 };
    uint32_t count = hd_term_operand_count(n->kind);
    if (n->kind == HD_EXPR_INPUT)
        return hd_term_value(t, (uint32_t)n->value, values) & hd_term_mask(n->width);
    for (uint32_t i = 0; i < count; i++)
        operands[i] = t->memo.items[n->operands[i]];
    return hd_term_apply(n, count ? hd_term_at(t, n->operands[0])->width : 0,
        count > 1 ? hd_term_at(t, n->operands[1])->width : 0, operands);
}

/* Iterative and memoised: each shared subterm is evaluated once, and depth is bounded by memory,
 * not by the stack. */
uint64_t hd_term_evaluate(hd_terms *t, hd_term term, const hd_values *values)
{
    begin_walk(t);
    hd_vec_push(&t->stack, term);
    while (t->stack.count) {
        hd_term at = *hd_vec_last(&t->stack);
        const hd_term_node *n = hd_term_at(t, at);
        if (t->walked.items[at] != t->walk) {
            if (!operands_are_walked(t, n))
                continue;
            t->memo.items[at] = evaluate_node(t, n, values);
            t->walked.items[at] = t->walk;
        }
        t->stack.count--;
    }
    return t->memo.items[term];
}

/* --- forgetting ----------------------------------------------------------------------------- */

/* Inputs and their ranges are always kept: indices must stay valid. */
void hd_terms_begin_forgetting(hd_terms *t)
{
    begin_walk(t);
    for (size_t i = 0; i < t->inputs.count; i++) {
        hd_terms_keep(t, t->inputs.items[i].term);
        hd_terms_keep(t, t->inputs.items[i].within);
    }
}

void hd_terms_keep(hd_terms *t, hd_term term)
{
    t->walked.items[term] = t->walk;
}

/* One pass from the top suffices, because operands have smaller numbers. */
static void keep_operands(hd_terms *t)
{
    for (size_t i = t->nodes.count; i-- > 1;) {
        const hd_term_node *n = &t->nodes.items[i];
        for (uint32_t k = 0; t->walked.items[i] == t->walk && k < hd_term_operand_count(n->kind); k++)
            hd_terms_keep(t, n->operands[k]);
    }
}

static void forget_tables(hd_terms *t)
{
    hd_release(t->memory, t->slots, t->slot_room * sizeof *t->slots);
    t->slots = NULL;
    t->slot_room = 0;
    hd_map_clear(&t->sets);
    hd_vec_clear(&t->set_indices);
    t->set_count = 0;
}

/* Compaction keeps the order, so operands keep smaller numbers. `memo` holds the new numbers. */
void hd_terms_forget(hd_terms *t)
{
    hd_term count = 1;
    keep_operands(t);
    t->memo.items[0] = 0;
    for (hd_term i = 1; i < t->nodes.count; i++) {
        hd_term_node n = t->nodes.items[i];
        if (t->walked.items[i] != t->walk)
            continue;
        for (uint32_t k = 0; k < hd_term_operand_count(n.kind); k++)
            n.operands[k] = hd_terms_renumbered(t, n.operands[k]);
        t->nodes.items[count] = n;
        t->memo.items[i] = count++;
    }
    t->nodes.count = count;
    for (size_t i = 0; i < t->inputs.count; i++) {
        t->inputs.items[i].term = hd_terms_renumbered(t, t->inputs.items[i].term);
        t->inputs.items[i].within = hd_terms_renumbered(t, t->inputs.items[i].within);
    }
    forget_tables(t);
    rehash(t);
}

hd_term hd_terms_renumbered(const hd_terms *t, hd_term term)
{
    return (hd_term)t->memo.items[term];
}

/* --- sets of inputs ----------------------------------------------------------------------- */

/* Insertion into a sorted set: sets are small. */
static void add_index(hd_terms *t, size_t first, uint32_t index)
{
    size_t at = t->set_indices.count;
    hd_vec_push(&t->set_indices, index);
    for (; at > first && t->set_indices.items[at - 1] > index; at--)
        t->set_indices.items[at] = t->set_indices.items[at - 1];
    t->set_indices.items[at] = index;
}

/* A walk that visits each subterm once; terms are marked when they are pushed. */
static void collect_indices(hd_terms *t, hd_term term)
{
    size_t first = t->set_indices.count;
    begin_walk(t);
    hd_vec_push(&t->stack, term);
    t->walked.items[term] = t->walk;
    while (t->stack.count) {
        const hd_term_node *n = hd_term_at(t, hd_vec_pop(&t->stack));
        if (n->kind == HD_EXPR_INPUT)
            add_index(t, first, (uint32_t)n->value);
        for (uint32_t i = 0; i < hd_term_operand_count(n->kind); i++) {
            if (t->walked.items[n->operands[i]] != t->walk)
                hd_vec_push(&t->stack, n->operands[i]);
            t->walked.items[n->operands[i]] = t->walk;
        }
    }
}

hd_input_set hd_term_inputs(hd_terms *t, hd_term term)
{
    uint64_t *known = hd_map_put(&t->sets, term);
    if (!*known) {
        size_t first = t->set_indices.count;
        if (t->set_count == t->set_room)
            t->set_ranges = hd_vec_grow(t->memory, t->set_ranges, &t->set_room, sizeof *t->set_ranges, 1, t->set_count);
        *known = t->set_count + 1;
        collect_indices(t, term);
        t->set_ranges[t->set_count].first = (uint32_t)first;
        t->set_ranges[t->set_count].count = (uint32_t)(t->set_indices.count - first);
        t->set_count++;
    }
    size_t i = *known - 1;
    return (hd_input_set) { t->set_indices.items + t->set_ranges[i].first, t->set_ranges[i].count };
}

/* --- printing ----------------------------------------------------------------------------- */

static const char *const words[HD_EXPR_KINDS] = {
#define EXPR(name, operands, text) [HD_EXPR_##name] = text,
#include "abi/expr.def"
#undef EXPR
};

static void print(const hd_terms *t, hd_term term, hd_sentence *s)
{
    const hd_term_node *n = hd_term_at(t, term);
    uint32_t count = hd_term_operand_count(n->kind);
    if (s->length + 1 >= s->size)
        return;
    if (n->kind == HD_EXPR_CONST) {
        hd_sentence_add(s, "%llu", (unsigned long long)n->value);
    } else if (n->kind == HD_EXPR_INPUT) {
        hd_sentence_add(s, "T%u.%u", t->inputs.items[n->value].thread, t->inputs.items[n->value].number);
    } else {
        hd_sentence_add(s, "(%s", words[n->kind]);
        if (n->kind == HD_EXPR_EXTRACT)
            hd_sentence_add(s, " %llu", (unsigned long long)n->value);
        for (uint32_t i = 0; i < count; i++) {
            hd_sentence_add(s, " ");
            print(t, n->operands[i], s);
        }
        hd_sentence_add(s, ")%u", n->width);
    }
}

size_t hd_term_print(const hd_terms *t, hd_term term, char *text, size_t size)
{
    hd_sentence s = { text, size, 0 };
    text[0] = '\0';
    print(t, term, &s);
    return s.length;
}

/* --- validity ----------------------------------------------------------------------------- */

static bool is_found(const hd_terms *t, hd_term term)
{
    size_t slot = hash_of(&t->nodes.items[term]) & (t->slot_room - 1);
    while (t->slots[slot] && !same(&t->nodes.items[t->slots[slot]], &t->nodes.items[term]))
        slot = (slot + 1) & (t->slot_room - 1);
    return t->slots[slot] == term;
}

static bool node_is_valid(const hd_terms *t, hd_term term)
{
    const hd_term_node *n = &t->nodes.items[term];
    if (n->kind >= HD_EXPR_KINDS || !n->width || n->width > 64 || !is_found(t, term))
        return false;
    if (n->kind == HD_EXPR_CONST && (n->value & ~hd_term_mask(n->width)))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (i < hd_term_operand_count(n->kind) ? !n->operands[i] || n->operands[i] >= term : n->operands[i])
            return false;
    return true;
}

/* The input's term names its index, and the list of its thread and number has it, newer ones first. */
static bool input_is_valid(const hd_terms *t, uint32_t index)
{
    const hd_term_input *i = &t->inputs.items[index];
    const uint64_t *first = hd_map_get(&t->indices, (uint64_t)i->thread << 32 | i->number);
    if (!first || *first > t->inputs.count || i->term >= t->nodes.count || i->within >= t->nodes.count)
        return false;
    uint32_t listed = (uint32_t)*first - 1;
    while (listed != HD_NO_INPUT && listed > index)
        listed = t->inputs.items[listed].same;
    const hd_term_node *n = &t->nodes.items[i->term];
    return listed == index && n->kind == HD_EXPR_INPUT && n->value == index && n->width == i->width;
}

bool hd_terms_is_valid(const hd_terms *t)
{
    size_t used = 1;
    for (size_t i = 0; i < t->slot_room; i++)
        used += t->slots[i] != 0;
    bool valid = used == t->nodes.count;
    for (hd_term i = 1; valid && i < t->nodes.count; i++)
        valid = node_is_valid(t, i);
    for (uint32_t i = 0; valid && i < t->inputs.count; i++)
        valid = input_is_valid(t, i);
    for (size_t i = 1; valid && i < t->set_count; i++)
        valid = t->set_ranges[i].first == t->set_ranges[i - 1].first + t->set_ranges[i - 1].count;
    return valid;
}
