/* Prints the inputs of a test as a person would write them: `n = 42 (int), key = "ab\0"`. Bytes
 * that belong together (key[0], key[1], …) are one text. */
#ifndef HD_REPORT_INPUTS_H
#define HD_REPORT_INPUTS_H

#include "base/json.h"
#include "worker/recorded_run.h"

#include <stdio.h>

/* All inputs on one line, without a line break. */
void hd_report_inputs_print(const hd_input *inputs, uint32_t count, FILE *out);

/* Those of the run as a JSON array `name` of {"name", "thread", "number", "bits", "signed", "value"}; NULL: none. */
void hd_report_inputs_json(hd_json *j, const char *name, const hd_recorded_run *run);

#endif
