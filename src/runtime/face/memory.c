#include "runtime/reset/heap.h"

#include "abi/fast.h"
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/objects.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/unshared.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { ALIGNMENT = 16 };

static void *allocate(size_t size, size_t alignment, int zeroed)
{
    hd_effect();
    return hd_heap_alloc(size, alignment < ALIGNMENT ? ALIGNMENT : alignment, zeroed);
}

/* Destroys the objects in the block, and writes to all of it: so freeing it conflicts with every use by other threads.
 * That is one step. Between two steps, a use of the block would succeed if it came before the second and fail after it,
 * although it conflicts with the first alone: explorers would take both for one and the same. */
static void destroy(void *block, size_t size, int is_live, const hd_site *site)
{
    uint32_t objects = hd_fast_state.several && hd_exploring() ? hd_objects_within(block, size) : 0;
    int one_step = objects && objects + (uint32_t)hd_access_is_operation(block, size) > 1;
    uint32_t outer = one_step ? hd_step_begin(0) : 0;
    if (objects)
        hd_objects_destroy(block, size);
    if (is_live)
        hd_access_range(block, size, site, 1);
    else
        hd_access_freed(block, size, site);
    if (one_step)
        hd_step_end(outer);
    hd_unshared_forget(block);
}

/* Freeing or moving a block claims it. A block that is freed already (`size` is still known) is claimed, too, so that a
 * double free races with the first one; the heap then reports it. `frees` makes a finding on the way a double free
 * instead of a use after free. */
static void claim(void *block)
{
    const hd_site *site = hd_call_site;
    size_t size;
    hd_effect();
    hd_current->frees = block;
    int is_live = hd_heap_is_live(block, &size);
    if (is_live || size)
        destroy(block, size, is_live, site);
    hd_current->frees = NULL;
    hd_call_site = site;
}

HD_FACE void *hd_malloc(size_t size)
{
    return allocate(size, ALIGNMENT, 0);
}

HD_FACE void *hd_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes))
        return allocate(bytes, ALIGNMENT, 1);
    errno = ENOMEM;
    return NULL;
}

/* free keeps errno, as in glibc. */
HD_FACE void hd_free(void *block)
{
    int error = errno;
    claim(block);
    hd_heap_free(block);
    errno = error;
}

HD_FACE void *hd_realloc(void *block, size_t size)
{
    claim(block);
    if (size || !block)
        return hd_heap_resize(block, size); /* always moves: so uses of the old block are found */
    hd_heap_free(block);
    return NULL;
}

HD_FACE void *hd_reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes))
        return hd_realloc(block, bytes);
    errno = ENOMEM;
    return NULL;
}

static int is_power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

HD_FACE void *hd_aligned_alloc(size_t alignment, size_t size)
{
    if (is_power_of_two(alignment))
        return allocate(size, alignment, 0);
    errno = EINVAL;
    return NULL;
}

HD_FACE void *hd_memalign(size_t alignment, size_t size)
{
    return hd_aligned_alloc(alignment, size);
}

HD_FACE int hd_posix_memalign(void **block, size_t alignment, size_t size)
{
    const hd_site *site = hd_call_site;
    if (!is_power_of_two(alignment) || alignment % sizeof(void *))
        return EINVAL;
    int error = errno;
    void *new = allocate(size, alignment, 0);
    errno = error;
    if (!new)
        return ENOMEM;
    hd_access_range(block, sizeof *block, site, 1);
    *block = new;
    return 0;
}

HD_FACE void *hd_valloc(size_t size)
{
    return allocate(size, (size_t)sysconf(_SC_PAGESIZE), 0);
}

HD_FACE size_t hd_malloc_usable_size(void *block)
{
    size_t size;
    return hd_heap_is_live(block, &size) ? size : 0;
}
