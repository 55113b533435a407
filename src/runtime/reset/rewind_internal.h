/* Private to runtime/rewind*.c: what is found, and what is done with it. */
#ifndef HD_RUNTIME_RESET_REWIND_INTERNAL_H
#define HD_RUNTIME_RESET_REWIND_INTERNAL_H

#include <stddef.h>

enum { HD_REWIND_SPANS = 1024, HD_REWIND_AREAS = 4096 };

/* Finds all memory that is to be rewound, and hands it over. */
void hd_rewind_find(void);

/* Bytes that are always copied back; lazy: only if a page is hot. */
void hd_rewind_add_span(char *start, size_t size, int is_lazy);

/* Whole pages that are watched; their protection while they are not. */
void hd_rewind_add_area(char *start, size_t size, int protection);

#endif
