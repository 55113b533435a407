/* Memory by lifetime. Every structure allocates from an hd_memory, an allocator
 * handle: the C heap for ordinary tools, or a region at a fixed address whose
 * contents outlive the process (the engine's). An hd_arena takes chunks from
 * such an allocator and frees everything at once.
 *
 * Allocation never returns NULL: running out is reported and ends the process.
 */
#ifndef HD_BASE_MEMORY_H
#define HD_BASE_MEMORY_H

#include <stddef.h>

typedef struct hd_memory {
    void *(*resize)(struct hd_memory *self, void *old, size_t old_size, size_t new_size);
} hd_memory;

/* The C heap. */
extern hd_memory hd_heap;

/* Inside the tested program the C heap belongs to the program. After this call any allocation from
 * `hd_heap` is an internal error. */
void hd_heap_forbid(void);

void *hd_alloc(hd_memory *m, size_t size); /* zeroed */
void *hd_resize(hd_memory *m, void *old, size_t old_size, size_t new_size); /* the new part is not zeroed */
void hd_release(hd_memory *m, void *block, size_t size);

/* Bump allocation; blocks are zeroed and aligned to 16 bytes. */
typedef struct hd_arena {
    hd_memory *memory;
    struct hd_arena_chunk *chunks;
    char *next, *end;
} hd_arena;

void hd_arena_init(hd_arena *a, hd_memory *m);
void *hd_arena_alloc(hd_arena *a, size_t size);
char *hd_arena_copy(hd_arena *a, const char *text);
char *hd_arena_print(hd_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hd_arena_fini(hd_arena *a);

#endif
