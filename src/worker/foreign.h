/* Which functions in the files that heddle compiled come from objects that it did
 * not compile: those without a twin (compile/passes/twin.h), but for what every
 * program has from the compiler and the C library. A file whose code has parts that
 * no symbol covers may have others. */
#ifndef HD_WORKER_FOREIGN_H
#define HD_WORKER_FOREIGN_H

#include "abi/wire.h"
#include "base/vec.h"

#include <stdbool.h>

typedef hd_vec(hd_program_function) hd_program_functions;

/* All functions of all such files that are loaded now, in the memory of `functions`. False: some of the code of one has
 * no symbols, so it cannot be known. */
bool hd_foreign_find(hd_program_functions *functions);

#endif
