/* Nondeterministic choice: all outcomes are explored. */
#ifndef HD_RUNTIME_SYNC_CHOICE_H
#define HD_RUNTIME_SYNC_CHOICE_H

#include <stdint.h>

/* A number below `n`; 0 if the program is run by hand. An operation at hd_call_site. */
unsigned hd_choose(unsigned n);

/* Chooses whether this time has passed before a clock is read. */
int hd_choice_of_time(uint64_t nanoseconds);

#endif
