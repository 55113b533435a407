/* Memory for tables that are large but mostly untouched. */
#ifndef HD_RUNTIME_SYMBOLIC_ROOM_H
#define HD_RUNTIME_SYMBOLIC_ROOM_H

#include <stddef.h>

/* Zeroed; ends the process if there is none. */
void *hd_room(size_t bytes);

#endif
