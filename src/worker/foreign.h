/* Finds functions, in files that heddle compiled, that come from objects that it did not compile:
 * those without a twin (compile/passes/twin.h), except for functions that every program has from
 * the compiler and the C library. If some code of a file is covered by no symbol, there may be
 * others. */
#ifndef HD_WORKER_FOREIGN_H
#define HD_WORKER_FOREIGN_H

#include "abi/wire.h"
#include "base/vec.h"

#include <stdbool.h>

typedef hd_vec(hd_program_function) hd_program_functions;

/* Lists all functions of all such files that are loaded now, in the memory of `functions`. False:
 * some code has no symbols, so the list may be incomplete. */
bool hd_foreign_find(hd_program_functions *functions);

#endif
