/* What the interpreter of scripts (script.c) uses of script_inputs.c: inputs, and the values computed from
 * them. Each value has, beside the number, the expression it was computed by. */
#ifndef HD_TARGET_SCRIPT_INTERNAL_H
#define HD_TARGET_SCRIPT_INTERNAL_H

#include "target/script.h"

#include <stdbool.h>

/* Resets variables, expressions and inputs before a run. */
void hd_script_forget_inputs(hd_script *s);

/* A byte with its expression, as operations on cells pass it around. */
typedef struct hd_script_value {
    uint64_t value;
    uint32_t expr; /* of 8 bits; 0: none */
    uint8_t from_input;
} hd_script_value;

/* `last` as a byte, and a byte of a cell. */
hd_script_value hd_script_last(hd_script *s, uint32_t id);
hd_script_value hd_script_held(const hd_script *s, uint32_t cell, uint32_t byte);

/* The sum of two bytes. */
hd_script_value hd_script_sum(hd_script *s, hd_script_value a, hd_script_value b);

/* Logs a branch inside the current step: are the two bytes equal? Nothing is logged if neither
 * depends on inputs. */
void hd_script_compare(hd_script *s, uint32_t id, hd_script_value a, hd_script_value b);

/* Sets `last`. */
void hd_script_give(hd_script *s, uint32_t id, hd_script_value v);

/* Executes an instruction on inputs or variables. False: it is not one. */
bool hd_script_compute(hd_script *s, uint32_t id, const hd_script_step *step);

/* Is `last` equal to `value`? Logs a branch if that depends on inputs. */
bool hd_script_last_is(hd_script *s, uint32_t id, int64_t value, uint16_t flags);

#endif
