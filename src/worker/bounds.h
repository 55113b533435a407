/* The bounds of the program's threads (explore/allowed.h), from the section of its file. */
#ifndef HD_WORKER_BOUNDS_H
#define HD_WORKER_BOUNDS_H

#include "explore/allowed.h"

/* Bounds that allow everything, if the program has none, or has shared libraries that heddle compiled. */
hd_allowed *hd_allowed_find(hd_memory *memory);

#endif
