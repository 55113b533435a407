#include "base/memory.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *heap_resize(hd_memory *self, void *old, size_t old_size, size_t new_size)
{
    (void)self;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

/* Not const, because hd_heap_forbid replaces its function. */
hd_memory hd_heap = { heap_resize };

static void *refuse(hd_memory *self, void *old, size_t old_size, size_t new_size)
{
    (void)self;
    if (old || new_size)
        hd_panic("%zu bytes of the C heap are asked for (%zu before)", new_size, old_size);
    return NULL;
}

void hd_heap_forbid(void)
{
    hd_heap.resize = refuse;
}

void *hd_resize(hd_memory *m, void *old, size_t old_size, size_t new_size)
{
    void *block = m->resize(m, old, old_size, new_size);
    if (!block && new_size) {
        fprintf(stderr, "heddle: out of memory (%zu more bytes were asked for)\n", new_size);
        exit(HD_EXIT_INTERNAL);
    }
    return block;
}

void *hd_alloc(hd_memory *m, size_t size)
{
    /* At least one byte, so that the result is never NULL. */
    return memset(hd_resize(m, NULL, 0, size ? size : 1), 0, size ? size : 1);
}

void hd_release(hd_memory *m, void *block, size_t size)
{
    if (block)
        m->resize(m, block, size, 0);
}

struct hd_arena_chunk {
    struct hd_arena_chunk *next;
    size_t size;
};

enum { CHUNK_SIZE = 64 * 1024, ALIGNMENT = 16 };

void hd_arena_init(hd_arena *a, hd_memory *m)
{
    *a = (hd_arena) { .memory = m };
}

static void arena_grow(hd_arena *a, size_t size)
{
    size_t want = size + ALIGNMENT + sizeof(struct hd_arena_chunk);
    size_t chunk_size = want > CHUNK_SIZE ? want : CHUNK_SIZE;
    struct hd_arena_chunk *chunk = hd_alloc(a->memory, chunk_size);
    chunk->next = a->chunks;
    chunk->size = chunk_size;
    a->chunks = chunk;
    /* The header of a chunk fits into the first ALIGNMENT bytes, so blocks stay aligned. */
    a->next = (char *)chunk + ALIGNMENT;
    a->end = (char *)chunk + chunk_size;
}

void *hd_arena_alloc(hd_arena *a, size_t size)
{
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if ((size_t)(a->end - a->next) < size)
        arena_grow(a, size);
    void *block = a->next;
    a->next += size;
    return block;
}

char *hd_arena_copy(hd_arena *a, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_arena_alloc(a, size), text, size);
}

char *hd_arena_print(hd_arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    /* Formatted twice: once for the length, once into the block. */
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = hd_arena_alloc(a, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void hd_arena_fini(hd_arena *a)
{
    while (a->chunks) {
        struct hd_arena_chunk *chunk = a->chunks;
        a->chunks = chunk->next;
        hd_release(a->memory, chunk, chunk->size);
    }
    a->next = a->end = NULL;
}
