/* Twins: a second body of every function, which tracks expressions, for programs with
 * inputs (abi/shadow.h). A function begins with a test of a flag and continues in its
 * twin or in its own body.
 *
 * The twins are built in a separate module, a copy of the unit's module in which
 * everything but functions is only declared, and are linked back. So a twin has its own
 * debug information, and a function grows only by the test.
 */
#ifndef HD_COMPILE_PASSES_TWIN_H
#define HD_COMPILE_PASSES_TWIN_H

#include "abi/site.h"
#include "base/map.h"
#include "compile/passes/unit.h"

typedef struct hd_cc_twins {
    hd_cc_unit unit; /* its functions are the twins */
    hd_map originals; /* twin → the declaration, in the copy, of its original */
    hd_vec(const char *) local_twins; /* their names */
    hd_cc_values locals; /* local symbols of the first unit that are visible while it is linked, … */
    hd_vec(LLVMLinkage) linkages; /* … and their original linkages */
} hd_cc_twins;

void hd_cc_twins_open(hd_cc_twins *twins, hd_cc_unit *unit);

/* The function by which the program refers to the twin. */
LLVMValueRef hd_cc_twins_original(const hd_cc_twins *twins, LLVMValueRef twin);

/* Links the finished twins into the unit. */
void hd_cc_twins_close(hd_cc_twins *twins, hd_cc_unit *unit);

/* Inserts the test of the flag into every function of the unit that has a twin. */
void hd_cc_twins_dispatch(hd_cc_unit *unit);

#endif
