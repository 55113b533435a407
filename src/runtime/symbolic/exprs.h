/* The expressions of a run: a table that only grows, and is emptied before every run (hd_rt.exprs). Equal expressions
 * have one number (hash consing), and simple identities are applied. The value that an expression has in this run is
 * stored beside it.
 *
 * A *shadow* is the number of an expression that accompanies a value of the program. Invariant: a shadow that this
 * module returns is never a constant; the shadow of a constant is 0.
 */
#ifndef HD_RUNTIME_SYMBOLIC_EXPRS_H
#define HD_RUNTIME_SYMBOLIC_EXPRS_H

#include "abi/shadow.h"

void hd_exprs_init(void);
void hd_exprs_reset(void);

/* A new input; `number` is its index in hd_rt.inputs. 0: the table is full. */
uint32_t hd_expr_input(uint32_t number, uint32_t width, uint64_t value);

uint32_t hd_expr_width(uint32_t a);
uint64_t hd_expr_value(uint32_t a);

/* Shadows of results. For an operand without a shadow (0), its value is the number beside it. */
uint32_t hd_expr_binary(uint32_t kind, uint32_t width, uint32_t a, uint64_t x, uint32_t b, uint64_t y);
uint32_t hd_expr_unary(uint32_t kind, uint32_t width, uint32_t low, uint32_t a);
uint32_t hd_expr_concat(uint32_t high, uint64_t x, uint32_t high_width, uint32_t low, uint64_t y, uint32_t low_width);
uint32_t hd_expr_select(uint32_t c, uint32_t a, uint64_t x, uint32_t b, uint64_t y, uint32_t width);

/* The expression whose negation `a` is; 0: it is no negation. */
uint32_t hd_expr_negated(uint32_t a);

#endif
