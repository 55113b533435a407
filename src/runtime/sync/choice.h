/* Nondeterministic choice: all outcomes are explored. */
#ifndef HD_RUNTIME_SYNC_CHOICE_H
#define HD_RUNTIME_SYNC_CHOICE_H

#include <stdint.h>

/* A number below `n`; 0 if the program is run by hand. An operation at hd_call_site. */
unsigned hd_choose(unsigned n);

/* The same of up to 255, with the fates that the outcomes stand for (abi/fates.h). */
unsigned hd_choose_fate(unsigned n, uint64_t fates);

/* Chooses whether this time has passed before a clock is read. */
int hd_choice_of_time(uint64_t nanoseconds);

#endif
