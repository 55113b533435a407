/* Terms: expressions over inputs, hash-consed.
 *
 * A term is a number. Equal terms have equal numbers, and the operands of a term have smaller
 * numbers than the term. Kinds are those of abi/expr.def. Making a term simplifies it (simplify.c),
 * so the node of the result may be of another kind than the one requested.
 *
 * An input is identified by its thread and its number among the thread's inputs. A pool gives each
 * input an *index*, in the order in which it meets them. *Values* are a vector by index; inputs
 * beyond its end have the first value of their domain.
 *
 * The pool is open for speed: simplifier, evaluation and solver read nodes directly.
 *
 * Everything is in one hd_memory, without pointers to code. Clearing a pool invalidates all its
 * terms. Forgetting keeps some, with new numbers; inputs keep their indices. */
#ifndef HD_SYM_TERM_H
#define HD_SYM_TERM_H

#include "abi/wire.h"
#include "base/map.h"
#include "base/vec.h"

typedef uint32_t hd_term; /* 0: none */

typedef struct hd_term_node {
    uint8_t kind, width;
    hd_term operands[3];
    uint64_t value; /* of a constant; the lowest bit of an extract; the index of an input in `inputs` */
} hd_term_node;

typedef struct hd_term_input {
    uint32_t number;
    uint16_t thread;
    uint8_t width;
    hd_term term;
    uint32_t same; /* index of the same input with another domain, or HD_NO_INPUT */
    uint64_t low, count; /* its range, as in hd_input */
    hd_term within; /* the condition that it is in its range; 0: no range */
} hd_term_input;

enum { HD_NO_INPUT = 0xffffffffu };

typedef hd_vec(uint64_t) hd_values;

/* A set of inputs: indices in ascending order. */
typedef struct hd_input_set {
    const uint32_t *indices;
    uint32_t count;
} hd_input_set;

typedef struct hd_terms {
    hd_memory *memory;
    hd_vec(hd_term_node) nodes; /* from 1 */
    hd_term *slots; /* hash table of nodes */
    size_t slot_room;
    hd_vec(hd_term_input) inputs;
    hd_map indices; /* by thread and number: the newest index, + 1 */
    /* Results of the walk number `walk`; `walked` says which terms it has visited. */
    hd_vec(uint64_t) memo;
    hd_vec(uint32_t) walked;
    uint32_t walk;
    hd_vec(hd_term) stack;
    /* Cached input sets. */
    hd_map sets; /* term → index in set_ranges + 1 */
    struct {
        uint32_t first, count;
    } * set_ranges;
    size_t set_count, set_room;
    hd_vec(uint32_t) set_indices;
} hd_terms;

void hd_terms_init(hd_terms *t, hd_memory *memory);
void hd_terms_fini(hd_terms *t);
void hd_terms_clear(hd_terms *t);

/* Garbage collection. Begin; keep each term that is needed (0 is allowed); forget: all others are
 * dropped, except what the kept ones are made of; then ask for the new number of each kept term
 * before any other call. */
void hd_terms_begin_forgetting(hd_terms *t);
void hd_terms_keep(hd_terms *t, hd_term term);
void hd_terms_forget(hd_terms *t);
hd_term hd_terms_renumbered(const hd_terms *t, hd_term term);

/* Checks:
 * - operands have smaller numbers than their term, and as many are there as its kind has;
 * - hash consing: each term is found by its node, so equal terms have equal numbers;
 * - inputs and their terms name each other, and each input is found by its thread and number;
 * - the cached input sets follow each other. */
bool hd_terms_is_valid(const hd_terms *t);

static inline const hd_term_node *hd_term_at(const hd_terms *t, hd_term term)
{
    return &t->nodes.items[term];
}

static inline bool hd_term_is_constant(const hd_terms *t, hd_term term)
{
    return t->nodes.items[term].kind == HD_EXPR_CONST;
}

/* The number of operands of a kind. */
uint32_t hd_term_operand_count(uint8_t kind);

/* Ones in the lowest `width` bits. */
static inline uint64_t hd_term_mask(uint32_t width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

/* The result of an operation on values. `operand_width` is the width of the first operand,
 * `second_width` that of the second. */
uint64_t hd_term_apply(const hd_term_node *node, uint32_t operand_width, uint32_t second_width, const uint64_t *values);

hd_term hd_term_constant(hd_terms *t, uint32_t width, uint64_t value);

/* An input with a width or a range; the same input with another domain (on another path) is another
 * term at another index. */
hd_term hd_term_input_of(hd_terms *t, uint16_t thread, uint32_t number, uint32_t width);
hd_term hd_term_input_within(
    hd_terms *t, uint16_t thread, uint32_t number, uint32_t width, uint64_t low, uint64_t count);

/* The value at an index; beyond the end of `values`, the first of its domain. */
static inline uint64_t hd_term_value(const hd_terms *t, uint32_t index, const hd_values *values)
{
    return index < values->count ? values->items[index] : t->inputs.items[index].low;
}

/* Extends `values` to `count` indices with the first value of each domain. */
void hd_term_fill_values(const hd_terms *t, hd_values *values, size_t count);

/* Sets the value at an index to the one that an execution uses when it is given `given`: mapped into
 * the domain. */
void hd_term_set_value(const hd_terms *t, uint32_t index, hd_values *values, uint64_t given);

/* The value at an index in the form in which plans give it. */
hd_given hd_term_given(const hd_terms *t, uint32_t index, const hd_values *values);

/* The index of the input that a given value is for, or HD_NO_INPUT. */
uint32_t hd_term_input_index(const hd_terms *t, const hd_given *given);

/* Makes a term. `value` is the lowest bit of EXTRACT; unused operands are 0. */
hd_term hd_term_make(hd_terms *t, hd_expr_kind kind, uint32_t width, hd_term a, hd_term b, hd_term c, uint64_t value);

/* Conditions: negation, comparison with a constant, conjunction. */
hd_term hd_term_not(hd_terms *t, hd_term a);
hd_term hd_term_equals(hd_terms *t, hd_term a, uint64_t value);
hd_term hd_term_both(hd_terms *t, hd_term a, hd_term b); /* 0 stands for true */

uint64_t hd_term_evaluate(hd_terms *t, hd_term term, const hd_values *values);

/* The inputs that occur in a term; valid until the next call. */
hd_input_set hd_term_inputs(hd_terms *t, hd_term term);

/* Interns a node without simplification. */
hd_term hd_term_intern(hd_terms *t, const hd_term_node *node);

/* Prints the term, truncated to `size`; returns the length. */
size_t hd_term_print(const hd_terms *t, hd_term term, char *text, size_t size);

#endif
