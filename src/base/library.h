/* The folder of heddle's own files: build/lib/heddle beside build/heddle, or PREFIX/lib/heddle for
 * PREFIX/bin/heddle. */
#ifndef HD_BASE_LIBRARY_H
#define HD_BASE_LIBRARY_H

#include "base/error.h"
#include "base/memory.h"

/* The folder's path, in `arena`. */
bool hd_library_find(hd_arena *arena, const char **folder, hd_error *error);

#endif
