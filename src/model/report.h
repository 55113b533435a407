/* What was found, for people and for tools: a message-sequence chart in text,
 * SPIN's trail format, the graph for Graphviz. A path is replayed from the
 * first state, so that charts show the values that were really sent. */
#ifndef HD_MODEL_REPORT_H
#define HD_MODEL_REPORT_H

#include "model/bsra.h"

#include <stdio.h>

/* One line per move: the statement, a lifeline per process, and an arrow from
 * sender to receiver where a message is received. `scheme` is how messages are
 * kept while replaying. The moves from `cycle` on repeat for ever; HD_NO_CYCLE:
 * none do. */
#define HD_NO_CYCLE SIZE_MAX
void hd_report_chart(FILE *out, const hd_pml_program *program, hd_scheme scheme, const hd_moves *path, size_t cycle);

/* Where every process is and what the channels hold after the path. */
void hd_report_end(FILE *out, const hd_pml_program *program, hd_scheme scheme, const hd_moves *path);

/* SPIN's: "step:process:transition" after its header. The moves from `cycle` on repeat for ever, as in a chart. */
void hd_report_trail(FILE *out, const hd_moves *path, size_t cycle);

/* Statements that were never reached, as SPIN lists them. Gives their number. */
int hd_report_unreached(FILE *out, const hd_pml_program *program, bool *const *reached);

#endif
