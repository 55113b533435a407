/* Shadows across calls, as the runtime sees them: hd_call_shadows. */
#ifndef HD_RUNTIME_SYMBOLIC_CALLS_H
#define HD_RUNTIME_SYMBOLIC_CALLS_H

#include "abi/shadow.h"

/* For a function of the runtime that was called with shadows: that of its
 * argument; to be asked before anything else happens, for each argument. */
uint32_t hd_passed_to(const void *function, uint32_t argument);

/* The function of the runtime returns a value with this shadow. */
void hd_returns_from(const void *function, uint32_t a);

/* The runtime calls a function of the program with one argument, and asks
 * afterwards for its result. */
void hd_pass_to(const void *function, uint32_t a);
uint32_t hd_returned_by(const void *function);

void hd_calls_reset(void);

#endif
