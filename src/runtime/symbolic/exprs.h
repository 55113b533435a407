/* The expressions of a run: a table that only grows, started anew with every
 * run (hd_rt.exprs). The same expression has one number, and what can be seen
 * to be simpler is made simpler: what this module gives out as a shadow is never
 * a constant, but 0 for one.
 *
 * Beside each expression stands the value that it has in this run.
 */
#ifndef HD_RUNTIME_SYMBOLIC_EXPRS_H
#define HD_RUNTIME_SYMBOLIC_EXPRS_H

#include "abi/shadow.h"

void hd_exprs_init(void);
void hd_exprs_reset(void);

/* A new input; `number` is its place in hd_rt.inputs. 0: the table is full. */
uint32_t hd_expr_input(uint32_t number, uint32_t width, uint64_t value);

uint32_t hd_expr_width(uint32_t a);
uint64_t hd_expr_value(uint32_t a);

/* Shadows of results. An operand without shadow (0) is the number beside it. */
uint32_t hd_expr_binary(uint32_t kind, uint32_t width, uint32_t a, uint64_t x, uint32_t b, uint64_t y);
uint32_t hd_expr_unary(uint32_t kind, uint32_t width, uint32_t low, uint32_t a);
uint32_t hd_expr_concat(uint32_t high, uint64_t x, uint32_t high_width, uint32_t low, uint64_t y, uint32_t low_width);
uint32_t hd_expr_select(uint32_t c, uint32_t a, uint64_t x, uint32_t b, uint64_t y, uint32_t width);

/* If `a` is the negation of another expression, that one. */
uint32_t hd_expr_negated(uint32_t a);

#endif
