#include "runtime/face/face.h"
#include "runtime/heap.h"

#include <stdlib.h>

HD_FACE void *hd_malloc(size_t size)
{
    return hd_heap_alloc(size, 16, 0);
}

HD_FACE void *hd_calloc(size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : hd_heap_alloc(bytes, 16, 1);
}

HD_FACE void *hd_realloc(void *block, size_t size)
{
    return hd_heap_resize(block, size);
}

HD_FACE void hd_free(void *block)
{
    hd_heap_free(block);
}
