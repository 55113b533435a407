/* Upper bounds of what the unit's functions may do, as items of abi/allowed.h.
 *
 * The bounds are those of the program's own code, before hooks. They are written after the optimiser has run: only then
 * is it known which functions and variables the object still has. Those that it no longer refers to are written as
 * unknown: a reference to them could name what no library has. */
#ifndef HD_COMPILE_PASSES_ALLOWED_H
#define HD_COMPILE_PASSES_ALLOWED_H

#include "abi/allowed.h"
#include "compile/passes/unit.h"

typedef struct hd_cc_bound {
    hd_allowed_kind kind;
    const char *symbol; /* NULL: none */
    uint64_t offset, number;
} hd_cc_bound;

typedef struct hd_cc_bounds {
    hd_vec(hd_cc_bound) items;
} hd_cc_bounds;

/* Before passes that insert hooks or redirect functions. */
void hd_cc_bounds_open(hd_cc_bounds *bounds, hd_cc_unit *unit);
void hd_cc_bounds_close(hd_cc_bounds *bounds);

/* Adds the section to the module, after it is optimised. */
void hd_cc_bounds_write(const hd_cc_bounds *bounds, hd_cc_unit *unit);

#endif
