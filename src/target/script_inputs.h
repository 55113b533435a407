/* Inputs of scripts and what is computed from them. */
#ifndef HD_TARGET_SCRIPT_INPUTS_H
#define HD_TARGET_SCRIPT_INPUTS_H

#include "target/script.h"

#include <stdbool.h>

/* Before a run. */
void hd_script_forget_inputs(hd_script *s);

/* Does the instruction if it is about inputs or variables; false: it is not. */
bool hd_script_compute(hd_script *s, uint32_t id, const hd_script_step *step);

/* Is what was given last equal to `value`? A branch, if that depends on inputs. */
bool hd_script_last_is(hd_script *s, uint32_t id, int64_t value, uint16_t flags);

#endif
