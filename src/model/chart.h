/* Paths for people and tools: message sequence charts in text, and SPIN's trail format. A path is
 * replayed from the first state, so that charts show the values actually sent. */
#ifndef HD_MODEL_CHART_H
#define HD_MODEL_CHART_H

#include "model/steps.h"

#include <stdio.h>

/* A chart: one line per move with the statement, a lifeline per process, and an arrow from sender
 * to receiver where a message is received. `scheme` is how messages are stored while replaying.
 * Moves from `cycle` on repeat forever; HD_MODEL_NO_CYCLE: none do. */
#define HD_MODEL_NO_CYCLE SIZE_MAX
void hd_model_chart_path(
    FILE *out, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_moves *path, size_t cycle);

/* The state after the path: where every process is and what the channels hold. */
void hd_model_chart_end(
    FILE *out, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_moves *path);

/* SPIN's trail format: "step:process:transition" after its header. Moves from `cycle` on repeat forever. */
void hd_model_chart_trail(FILE *out, const hd_model_moves *path, size_t cycle);

#endif
