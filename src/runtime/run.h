/* One execution of the tested program, from its start to its end; after it everything
 * is put back to where it was. */
#ifndef HD_RUNTIME_RUN_H
#define HD_RUNTIME_RUN_H

#include "abi/wire.h"

/* Runs the program once from its start to its end. */
void hd_run(void);

/* Ends the execution. */
_Noreturn void hd_end(hd_outcome_kind kind, const hd_site *site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The current thread has assumed what does not hold: it goes no further, and
 * the execution is not a test, however it ends well. Others go on: what they do
 * may make the assumption hold in another order. */
_Noreturn void hd_assumption_failed(void);

/* A constructor of a library that heddle did not compile may call the program, before the
 * first run: on thread T0, which has no other thread beside it. */
void hd_run_before_main(void);
int hd_is_before_main(void);

/* What the program does from here on may not be what it did in earlier
 * executions, though it has one thread only: accesses are checked again. */
void hd_start_differs(void);

/* A thread more, or one less because it was joined: whoever is left alone then
 * comes after all that the others did. */
void hd_count_threads(int change);

#endif
