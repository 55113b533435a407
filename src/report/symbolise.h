/* Resolves the stacks of a finding, once, and derives its place in the source. All reports of the finding
 * read what is stored in it here. */
#ifndef HD_REPORT_SYMBOLISE_H
#define HD_REPORT_SYMBOLISE_H

#include "report/result.h"

/* Fills in symbols, location and previous from finding and run; texts are in `arena`. File names are
 * relative to the current directory where possible. Does nothing for a finding that is not confirmed
 * or whose process died. */
void hd_report_symbolise(hd_report_finding *f, const char *program, hd_arena *arena);

/* The operation by which `object` is locked at the end; ~0: it is not locked. */
uint32_t hd_report_holding(const hd_recorded_run *run, uint64_t object);

/* The current directory with a slash at its end; "" if unknown. */
void hd_report_current_folder(char *folder, size_t size);

/* The file's name relative to this folder, if it is in it. */
const char *hd_report_relative(const char *folder, const char *file);

#endif
