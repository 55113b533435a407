/* Resolves the stacks of a finding, once, and derives its place in the source. All reports of the finding
 * read what is stored in it here. */
#ifndef HD_REPORT_SYMBOLISE_H
#define HD_REPORT_SYMBOLISE_H

#include "report/result.h"

/* Fills in symbols, location and previous from finding and run; texts are in `arena`. File names are
 * relative to the current directory where possible. Does nothing for a finding that is not confirmed
 * or whose process died. */
void hd_report_symbolise(hd_report_finding *f, const char *program, hd_arena *arena);

/* Fills in accesses, awaited and blocks from run; hd_report_symbolise does that, too. */
void hd_report_name(hd_report_finding *f, const char *program, hd_arena *arena);

/* How the operation changes the number of times that its thread holds its object: 1, -1 or 0. */
int hd_report_lock_change(uint8_t kind);

/* Does the thread wait in a call that looks at its object again after each change (abi/kinds.h, RETRIES)? */
bool hd_report_retries(const hd_thread_view *v);

/* The operation by which the object is locked at the end that the thread waits for, or the last change of it by another
 * thread; ~0: there is none. */
uint32_t hd_report_obstacle(const hd_recorded_run *run, uint32_t thread);

/* The current directory with a slash at its end; "" if unknown. */
void hd_report_current_folder(char *folder, size_t size);

/* The file's name relative to this folder, if it is in it. */
const char *hd_report_relative(const char *folder, const char *file);

#endif
