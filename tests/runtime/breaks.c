#include "runtime/breaks.h"

#include "runtime/core/state.h"
#include "runtime/reset/heap_internal.h"
#include "unit/test.h"

#include <stdarg.h>

static int missed;

void hd_test_failed(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    missed++;
}

/* --- the heap -------------------------------------------------------------------- */

#define CHECK_HEAP(field, wrong) CHECK_NOTICED(hd_heap_is_valid(), field, wrong)

static hd_heap_block *block_of(void *p)
{
    return (hd_heap_block *)p - 1;
}

static void break_block(hd_heap_block *b)
{
    CHECK_HEAP(b->magic, 0);
    CHECK_HEAP(b->span, b->span + 8);
    CHECK_HEAP(b->span, 16);
    CHECK_HEAP(b->span, HD_HEAP_ARENA);
    CHECK_HEAP(b->size, b->span);
    CHECK_HEAP(b->allocator, HD_MAX_THREADS);
    CHECK_HEAP(*hd_shadow_of(b), 0);
    CHECK_HEAP(*hd_shadow_of((char *)b + b->span - 8), 0);
}

int break_heap(void *live, void *freed, void *later)
{
    hd_heap_arena *a = &hd_heap_arenas[hd_current->id];
    hd_heap_block *b = block_of(live), *f = block_of(freed), *l = block_of(later);
    missed = 0;
    break_block(b);
    break_block(f);
    CHECK_HEAP(b->magic, HD_BLOCK_FREED);
    CHECK_HEAP(*hd_shadow_of(live), -1);
    CHECK_HEAP(*hd_shadow_of((char *)live + 8), 0); /* 5 bytes are allowed there */
    CHECK_HEAP(f->magic, HD_BLOCK_LIVE);
    CHECK_HEAP(*hd_shadow_of(freed), 0);
    CHECK_HEAP(a->next, hd_heap_base_of(hd_current->id) - 16);
    CHECK_HEAP(a->next, a->next + HD_HEAP_ARENA);
    CHECK_HEAP(a->next, a->next - 16);
    CHECK_HEAP(hd_heap_opened[hd_current->id], a->next - 16);
    CHECK_HEAP(a->quarantined, a->quarantined - 16);
    CHECK_HEAP(a->oldest, l);
    CHECK_HEAP(a->oldest, NULL);
    CHECK_HEAP(a->newest, f);
    CHECK_HEAP(f->next_freed, b);
    CHECK_HEAP(l->next_freed, f);
    CHECK_HEAP(a->reusable[f->span / HD_HEAP_CLASS_STEP], l);
    a->newest = f; /* `later` is in no list, and the sizes still add up */
    a->quarantined -= l->span;
    f->next_freed = NULL;
    CHECK(!hd_heap_is_valid());
    f->next_freed = a->newest = l;
    a->quarantined += l->span;
    CHECK(hd_heap_is_valid());
    return missed;
}

int break_reusable(void *freed, void *later)
{
    hd_heap_arena *a = &hd_heap_arenas[hd_current->id];
    hd_heap_block *f = block_of(freed), *l = block_of(later);
    size_t class = f->span / HD_HEAP_CLASS_STEP;
    missed = 0;
    CHECK(a->reusable[class] == l && l->next_freed == f);
    CHECK_HEAP(a->reusable[class], f);
    CHECK_HEAP(f->next_freed, l);
    a->reusable[class + 1] = l; /* of another size */
    a->reusable[class] = NULL;
    CHECK(!hd_heap_is_valid());
    a->reusable[class + 1] = NULL;
    a->reusable[class] = l;
    CHECK(hd_heap_is_valid());
    return missed;
}
