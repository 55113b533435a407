/* Twins: a second body of every function, for a program that asks for inputs
 * (abi/shadow.h). A function begins with one look at a flag and goes on in its
 * twin, or in itself.
 *
 * The twins are made in a module of their own, a copy of the unit's in which
 * everything but functions is only declared, and are linked back: so a twin has
 * its own debug information, and no function grows by more than the look.
 */
#ifndef HD_COMPILE_PASSES_TWIN_H
#define HD_COMPILE_PASSES_TWIN_H

#include "base/map.h"
#include "compile/passes/unit.h"

#define HD_TWIN_SUFFIX ".hd_twin"

typedef struct hd_cc_twins {
    hd_cc_unit unit; /* its functions are the twins */
    hd_map originals; /* twin → the declaration, in the copy, of what it is the twin of */
    hd_vec(const char *) local_twins; /* their names */
    hd_cc_values locals; /* of the first unit: what had to be visible for a while … */
    hd_vec(LLVMLinkage) linkages; /* … and what it was */
} hd_cc_twins;

void hd_cc_twins_open(hd_cc_twins *twins, hd_cc_unit *unit);

/* What the program knows the twin by. */
LLVMValueRef hd_cc_twins_original(const hd_cc_twins *twins, LLVMValueRef twin);

/* Links the twins, which have been worked on, into the unit. */
void hd_cc_twins_close(hd_cc_twins *twins, hd_cc_unit *unit);

/* The look at the flag in every function of the unit that has a twin. */
void hd_cc_twins_dispatch(hd_cc_unit *unit);

#endif
