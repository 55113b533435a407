/* Private to runtime/reset/rewind*.c: rewind_find.c finds the memory, rewind.c restores it. */
#ifndef HD_RUNTIME_RESET_REWIND_INTERNAL_H
#define HD_RUNTIME_RESET_REWIND_INTERNAL_H

#include <stddef.h>

enum { HD_REWIND_SPANS = 1024, HD_REWIND_AREAS = 4096 };

/* Finds all memory that has to be restored, and calls the functions below for it. */
void hd_rewind_find(void);

/* Bytes that are always copied back; if `is_lazy`, only when a page is hot. */
void hd_rewind_add_span(char *start, size_t size, int is_lazy);

/* Whole pages that are watched. `protection`: while they are not. */
void hd_rewind_add_area(char *start, size_t size, int protection);

#endif
