/* The global variables of the program and of its shared libraries, from their symbol tables. */
#ifndef HD_RUNTIME_SYMBOLIC_GLOBALS_H
#define HD_RUNTIME_SYMBOLIC_GLOBALS_H

#include "runtime/symbolic/bounds.h"

#include <stddef.h>

/* Sorted by address; the tables are read at the first call. */
const hd_bounds *hd_globals(size_t *count);

#endif
