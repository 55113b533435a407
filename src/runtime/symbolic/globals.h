/* The global variables of the program and of its shared libraries, as far as
 * their symbol tables tell. */
#ifndef HD_RUNTIME_SYMBOLIC_GLOBALS_H
#define HD_RUNTIME_SYMBOLIC_GLOBALS_H

#include "runtime/symbolic/bounds.h"

#include <stddef.h>

/* Sorted by address; read when first asked for. */
const hd_bounds *hd_globals(size_t *count);

#endif
