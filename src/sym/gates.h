/* Circuits: gates, and words of them. Each call returns literals that are functions of its
 * arguments, and adds the clauses that define them. Constants and equal or opposite arguments are
 * simplified, so no gate is made whose value is known. */
#ifndef HD_SYM_GATES_H
#define HD_SYM_GATES_H

#include "sym/sat.h"

enum { HD_WORD_BITS = 128 }; /* twice the widest term */

typedef struct hd_word {
    uint32_t width;
    hd_literal bits[HD_WORD_BITS]; /* the lowest first */
} hd_word;

hd_literal hd_gate_and(hd_sat *s, hd_literal a, hd_literal b);
hd_literal hd_gate_or(hd_sat *s, hd_literal a, hd_literal b);
hd_literal hd_gate_xor(hd_sat *s, hd_literal a, hd_literal b);
hd_literal hd_gate_choose(hd_sat *s, hd_literal which, hd_literal a, hd_literal b);

hd_word hd_word_constant(uint32_t width, uint64_t value);
hd_word hd_word_not(const hd_word *a);
hd_word hd_word_choose(hd_sat *s, hd_literal which, const hd_word *a, const hd_word *b);

/* Truncates, or extends with copies of `fill`. */
hd_word hd_word_resize(const hd_word *a, uint32_t width, hd_literal fill);

/* a + b + carry. If `carries` is not NULL: [0] is the carry into the highest bit, [1] the carry out of it. */
hd_word hd_word_add(hd_sat *s, const hd_word *a, const hd_word *b, hd_literal carry, hd_literal carries[2]);
hd_word hd_word_subtract(hd_sat *s, const hd_word *a, const hd_word *b, hd_literal carries[2]);
hd_word hd_word_negate(hd_sat *s, const hd_word *a);
hd_word hd_word_multiply(hd_sat *s, const hd_word *a, const hd_word *b);

/* Division by zero gives all ones and the remainder a, as in SMT-LIB. */
void hd_word_divide(hd_sat *s, const hd_word *a, const hd_word *b, hd_word *quotient, hd_word *rest);

/* Shifts by the value of `by`; `fill` comes in from the top. */
hd_word hd_word_shift_right(hd_sat *s, const hd_word *a, const hd_word *by, hd_literal fill);
hd_word hd_word_shift_left(hd_sat *s, const hd_word *a, const hd_word *by);

hd_literal hd_word_equal(hd_sat *s, const hd_word *a, const hd_word *b);
hd_literal hd_word_less(hd_sat *s, const hd_word *a, const hd_word *b);
/* Is any bit set? */
hd_literal hd_word_any(hd_sat *s, const hd_word *a);

#endif
