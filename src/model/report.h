/* Findings for people and tools: message sequence charts in text, SPIN's trail format, unreached
 * statements. A path is replayed from the first state, so that charts show the values actually
 * sent. */
#ifndef HD_MODEL_REPORT_H
#define HD_MODEL_REPORT_H

#include "model/bsra.h"

#include <stdio.h>

/* A chart: one line per move with the statement, a lifeline per process, and an arrow from sender
 * to receiver where a message is received. `scheme` is how messages are stored while replaying.
 * Moves from `cycle` on repeat for ever; HD_MODEL_NO_CYCLE: none do. */
#define HD_MODEL_NO_CYCLE SIZE_MAX
void hd_model_report_chart(
    FILE *out, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_moves *path, size_t cycle);

/* The state after the path: where every process is and what the channels hold. */
void hd_model_report_end(
    FILE *out, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_moves *path);

/* SPIN's trail format: "step:process:transition" after its header. Moves from `cycle` on repeat for ever. */
void hd_model_report_trail(FILE *out, const hd_model_moves *path, size_t cycle);

/* Lists unreached statements as SPIN does. Returns their number. */
int hd_model_report_unreached(FILE *out, const hd_promela_program *program, bool *const *reached);

#endif
