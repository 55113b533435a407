/* Memory of the runtime's own, in a zone that no execution may change: saved copies of memory, and tables. The
 * runtime does not use the C library's heap, which is restored with the rest of the process. */
#ifndef HD_RUNTIME_CORE_OWN_H
#define HD_RUNTIME_CORE_OWN_H

#include <stddef.h>

void hd_own_init(void);

/* Zeroed, aligned to 64 bytes, never freed. */
void *hd_own_alloc(size_t bytes);

#endif
