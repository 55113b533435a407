/* Shadows (expressions) of arguments and results, passed beside calls in hd_call_shadows: the runtime's side. A record
 * is valid only for the function that it names, so a call through code without shadows cannot be mistaken for one
 * with them. */
#ifndef HD_RUNTIME_SYMBOLIC_CALLS_H
#define HD_RUNTIME_SYMBOLIC_CALLS_H

#include "abi/shadow.h"

/* For a function of the runtime: the shadow of its argument; 0: none. Must be called for each argument before anything
 * else happens, because any other call overwrites the record. */
uint32_t hd_passed_to(const void *function, uint32_t argument);

/* The function of the runtime returns a value with this shadow. */
void hd_returns_from(const void *function, uint32_t a);

/* The runtime is about to call a function of the program with one argument; afterwards it asks for the shadow of the
 * result. */
void hd_pass_to(const void *function, uint32_t a);
uint32_t hd_returned_by(const void *function);

void hd_calls_reset(void);

#endif
