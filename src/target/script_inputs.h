/* Inputs of scripts and what is computed from them. */
#ifndef HD_TARGET_SCRIPT_INPUTS_H
#define HD_TARGET_SCRIPT_INPUTS_H

#include "target/script.h"

#include <stdbool.h>

/* Before a run. */
void hd_script_forget_inputs(hd_script *s);

/* What an operation on a cell does with values that depend on inputs: what it puts there, what it gives, and the
 * branches that say whether it changed anything. `old` is what the byte held, `operand` what was given last. */
typedef struct hd_script_value {
    uint64_t value;
    uint32_t expr; /* of 8 bits; 0: none */
    uint8_t from_input;
} hd_script_value;

/* What was given last, as a byte; and the byte of a cell. */
hd_script_value hd_script_last(hd_script *s, uint32_t id);
hd_script_value hd_script_held(const hd_script *s, uint32_t cell, uint32_t byte);

/* The sum of two bytes. */
hd_script_value hd_script_sum(hd_script *s, hd_script_value a, hd_script_value b);

/* A branch inside the step: are the two the same? */
void hd_script_compare(hd_script *s, uint32_t id, hd_script_value a, hd_script_value b);

/* The instruction gives this. */
void hd_script_give(hd_script *s, uint32_t id, hd_script_value v);

/* Does the instruction if it is about inputs or variables; false: it is not. */
bool hd_script_compute(hd_script *s, uint32_t id, const hd_script_step *step);

/* Is what was given last equal to `value`? A branch, if that depends on inputs. */
bool hd_script_last_is(hd_script *s, uint32_t id, int64_t value, uint16_t flags);

#endif
