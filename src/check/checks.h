/* The checks: each looks for one kind of finding in an execution. */
#ifndef HD_CHECK_CHECKS_H
#define HD_CHECK_CHECKS_H

#include "check/finding.h"
#include "check/lockset.h"
#include "event/trace.h"

/* Calls `found` for every finding of the execution. `trace` is the same execution with its
 * happens-before order; its new_races are the races to report. `lockset` NULL: the lock discipline is not checked. */
void hd_check_execution(const hd_execution *e, const hd_trace *trace, hd_lockset *lockset,
    void (*found)(void *context, const hd_finding *f), void *context);

/* One property per file. */
bool hd_check_outcome(const hd_execution *e, hd_finding *out);
bool hd_check_deadlock(const hd_execution *e, hd_finding *out);

/* Annotations about memory (include/heddle.h): what a method accesses is accessed by methods alone, what is unshared by
 * one thread. */
void hd_check_claims(
    const hd_execution *e, hd_memory *memory, void (*found)(void *context, const hd_finding *f), void *context);

/* Describes two accesses of different threads to common bytes, given as entries of the log. */
void hd_finding_of_accesses(hd_finding *f, const hd_execution *e, const hd_op *a, const hd_op *b, const char *what);

bool hd_check_race(const hd_execution *e, const hd_trace *trace, const hd_race *race, hd_finding *out);

/* A source position as part of a key: the same in every process, because it hashes the file's name
 * and not its address. */
uint64_t hd_finding_location(const hd_site *site);

#endif
