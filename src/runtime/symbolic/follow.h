/* What twins and the runtime do with shadows beyond computing: pin, follow. */
#ifndef HD_RUNTIME_SYMBOLIC_FOLLOW_H
#define HD_RUNTIME_SYMBOLIC_FOLLOW_H

#include "abi/shadow.h"

/* What `kind`, of HD_EXPR_… or HD_MADE_…, makes of two operands. */
uint32_t hd_follow_make(uint32_t kind, uint32_t width, uint32_t a, uint64_t x, uint32_t b, uint64_t y);

/* Memory that code without shadows reads or is about to write. */
void hd_follow_read(const void *address, uint64_t bytes, const hd_site *site);
void hd_follow_written(void *address, uint64_t bytes);

#endif
