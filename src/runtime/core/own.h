/* Memory of the runtime's own, in a zone that no execution may change: copies
 * of what is rewound, and tables. Nothing of it is in the C library's heap,
 * which is rewound with the rest of the process. */
#ifndef HD_RUNTIME_CORE_OWN_H
#define HD_RUNTIME_CORE_OWN_H

#include <stddef.h>

void hd_own_init(void);

/* Zeroed, aligned to 64 bytes, never given back. */
void *hd_own_alloc(size_t bytes);

#endif
