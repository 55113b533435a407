/* Which functions in the files that heddle compiled come from objects that it did
 * not compile: those without a twin (compile/passes/twin.h), but for what every
 * program has from the compiler and the C library. */
#ifndef HD_WORKER_FOREIGN_H
#define HD_WORKER_FOREIGN_H

#include "abi/wire.h"
#include "base/vec.h"

#include <stdbool.h>

typedef hd_vec(hd_foreign_function) hd_foreign_functions;

/* All of it in the memory of `functions`. Of all files that are loaded now. False: one is stripped, so it cannot be
 * known. */
bool hd_foreign_find(hd_foreign_functions *functions);

#endif
