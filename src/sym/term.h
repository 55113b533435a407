/* Terms: expressions over inputs, each stored once.
 *
 * A term is a number; equal terms have equal numbers, and the operands of a
 * term have smaller numbers than the term. The kinds are those of abi/expr.def.
 * Making a term simplifies it, so what is a term's number need not be a node of
 * the kind that was asked for: constants are folded, and many conditions that
 * compilers write in a roundabout way come out plain.
 *
 * An input is known by its thread and its number among that thread's inputs; in
 * the order in which a pool meets them, inputs are counted from 0. *Values* give
 * every input of the pool a value, by that count; what lies behind their end
 * is 0.
 *
 * All is in one hd_memory, without pointers to code. Clearing a pool makes all
 * its terms invalid. Forgetting keeps some, with other numbers; inputs keep their
 * places.
 */
#ifndef HD_SYM_TERM_H
#define HD_SYM_TERM_H

#include "abi/wire.h"
#include "base/map.h"
#include "base/vec.h"

typedef uint32_t hd_term; /* 0: none */

typedef struct hd_term_node {
    uint8_t kind, width;
    hd_term operands[3];
    uint64_t value; /* of a constant; the lowest bit of an extract; the place of an input in `inputs` */
} hd_term_node;

typedef struct hd_term_input {
    uint32_t number;
    uint16_t thread;
    uint8_t width;
    hd_term term;
    uint32_t same; /* the place of another domain of it, or HD_NO_PLACE */
    uint64_t low, count; /* its range, as in hd_input */
    hd_term within; /* that it is in its range; 0: it has none */
} hd_term_input;

enum { HD_NO_PLACE = 0xffffffffu };

typedef hd_vec(uint64_t) hd_values;

/* A set of inputs, by their places, in order. */
typedef struct hd_input_set {
    const uint32_t *places;
    uint32_t count;
} hd_input_set;

typedef struct hd_terms {
    hd_memory *memory;
    hd_vec(hd_term_node) nodes; /* from 1 */
    hd_term *slots; /* by hash */
    size_t slot_room;
    hd_vec(hd_term_input) inputs;
    hd_map places; /* by thread and number: the first place, + 1 */
    /* What was worked out in the walk number `walk`. */
    hd_vec(uint64_t) memo;
    hd_vec(uint32_t) walked;
    uint32_t walk;
    hd_vec(hd_term) stack;
    /* Input sets of terms that somebody asked about. */
    hd_map sets; /* term → place in set_ranges + 1 */
    struct {
        uint32_t first, count;
    } * set_ranges;
    size_t set_count, set_room;
    hd_vec(uint32_t) set_places;
} hd_terms;

void hd_terms_init(hd_terms *t, hd_memory *memory);
void hd_terms_fini(hd_terms *t);
void hd_terms_clear(hd_terms *t);

/* Forgets all terms but some, and what those are made of: begin, keep each of them (0 may be
 * kept), forget, and then ask for the new number of each before anything else is done. */
void hd_terms_begin_forgetting(hd_terms *t);
void hd_terms_keep(hd_terms *t, hd_term term);
void hd_terms_forget(hd_terms *t);
hd_term hd_terms_renumbered(const hd_terms *t, hd_term term);

static inline const hd_term_node *hd_term_at(const hd_terms *t, hd_term term)
{
    return &t->nodes.items[term];
}

static inline bool hd_term_is_constant(const hd_terms *t, hd_term term)
{
    return t->nodes.items[term].kind == HD_EXPR_CONST;
}

/* How many operands a kind has. */
uint32_t hd_term_operand_count(uint8_t kind);

/* Ones in the lowest `width` bits. */
static inline uint64_t hd_term_mask(uint32_t width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

/* What an operation gives: `width` is that of the result, `operand_width` that
 * of its first operand (of the second of ITE and CONCAT: `second_width`). */
uint64_t hd_term_apply(const hd_term_node *node, uint32_t operand_width, uint32_t second_width, const uint64_t *values);

hd_term hd_term_constant(hd_terms *t, uint32_t width, uint64_t value);

/* On another path, an input may have another domain: it is another then, at
 * another place. */
hd_term hd_term_input_of(hd_terms *t, uint16_t thread, uint32_t number, uint32_t width);
hd_term hd_term_input_within(
    hd_terms *t, uint16_t thread, uint32_t number, uint32_t width, uint64_t low, uint64_t count);

/* The value at a place of `values`: the first of its domain if there is none. */
static inline uint64_t hd_term_value(const hd_terms *t, uint32_t place, const hd_values *values)
{
    return place < values->count ? values->items[place] : t->inputs.items[place].low;
}

/* Gives the first `count` places that have none the first of their domain, */
void hd_term_fill_values(const hd_terms *t, hd_values *values, size_t count);

/* and one the value that an execution has if it is given this. */
void hd_term_set_value(const hd_terms *t, uint32_t place, hd_values *values, uint64_t given);

/* The value as one to give. */
hd_given hd_term_given(const hd_terms *t, uint32_t place, const hd_values *values);

/* The place of an input that was given a value, or HD_NO_PLACE. */
uint32_t hd_term_place(const hd_terms *t, const hd_given *given);

/* An operation on terms; `value` is for EXTRACT alone. Missing operands are 0. */
hd_term hd_term_make(hd_terms *t, hd_expr_kind kind, uint32_t width, hd_term a, hd_term b, hd_term c, uint64_t value);

/* Of one-bit terms, and one-bit terms from others. */
hd_term hd_term_not(hd_terms *t, hd_term a);
hd_term hd_term_equals(hd_terms *t, hd_term a, uint64_t value);
hd_term hd_term_both(hd_terms *t, hd_term a, hd_term b); /* either may be 0: nothing is asked */

uint64_t hd_term_evaluate(hd_terms *t, hd_term term, const hd_values *values);

/* The inputs that a term is made of; valid until the next call. */
hd_input_set hd_term_inputs(hd_terms *t, hd_term term);

/* The node as it is, without simplifying; for those who have simplified. */
hd_term hd_term_intern(hd_terms *t, const hd_term_node *node);

/* How it is written, cut to `size`; gives its length. */
size_t hd_term_print(const hd_terms *t, hd_term term, char *text, size_t size);

#endif
