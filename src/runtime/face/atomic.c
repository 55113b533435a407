/* Atomics of sizes that compilers leave to a library (__atomic_…): the access to all cells of the object is one step.
 */
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/lines.h"

#include <string.h>

typedef unsigned __int128 wide;

/* A compare-and-swap changes the object if it has the expected value and the new value differs. The pending update
 * points to both values. */
static int exchange_is_enabled(hd_thread *t, hd_op *op)
{
    const void *expected = (const void *)t->update.expected, *desired = (const void *)t->update.operand;
    int changes =
        memcmp(t->update.address, expected, t->update.info) == 0 && memcmp(expected, desired, t->update.info) != 0;
    op->kind = changes ? HD_RMW : HD_RMW_SAME;
    return 1;
}

HD_FACE void hd___atomic_load(size_t size, const void *object, void *to, int order)
{
    const hd_site *site = hd_call_site;
    (void)order;
    hd_access_range(to, size, site, 1);
    hd_access_atomic(HD_LOAD, object, size, site, NULL);
    memcpy(to, object, size);
    hd_lines_copy(to, object, size);
}

HD_FACE void hd___atomic_store(size_t size, void *object, const void *from, int order)
{
    const hd_site *site = hd_call_site;
    (void)order;
    hd_access_range(from, size, site, 0);
    hd_access_atomic(HD_STORE, object, size, site, NULL);
    memcpy(object, from, size);
    hd_lines_copy(object, from, size);
}

HD_FACE void hd___atomic_exchange(size_t size, void *object, const void *from, void *to, int order)
{
    const hd_site *site = hd_call_site;
    (void)order;
    hd_access_range(from, size, site, 0);
    hd_access_range(to, size, site, 1);
    hd_access_atomic(HD_RMW, object, size, site, NULL);
    for (size_t i = 0; i < size; i++) { /* `from` and `to` may be the same */
        char *byte = (char *)object + i, *copy = (char *)to + i, old = *byte;
        uint32_t held = hd_lines_load(byte, 1, NULL), new = hd_lines_load((const char *)from + i, 1, NULL);
        *byte = ((const char *)from)[i];
        *copy = old;
        hd_lines_store(byte, 1, new);
        hd_lines_store(copy, 1, held);
    }
}

HD_FACE _Bool hd___atomic_compare_exchange(
    size_t size, void *object, void *expected, const void *desired, int success, int failure)
{
    const hd_site *site = hd_call_site;
    (void)success;
    (void)failure;
    hd_access_range(desired, size, site, 0);
    hd_access_range(expected, size, site, 1);
    hd_current->update.address = object;
    hd_current->update.info = (uint32_t)size;
    hd_current->update.expected = (uint64_t)expected;
    hd_current->update.operand = (uint64_t)desired;
    hd_access_atomic(HD_RMW, object, size, site, exchange_is_enabled);
    hd_follow_read(object, size, site);
    if (memcmp(object, expected, size) == 0) {
        memcpy(object, desired, size);
        return 1;
    }
    memcpy(expected, object, size);
    return 0;
}

HD_FACE _Bool hd___atomic_is_lock_free(size_t size, const void *object)
{
    (void)object;
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

/* --- 16 bytes ------------------------------------------------------------------------ */

HD_FACE wide hd___atomic_load_16(const void *object, int order)
{
    wide value;
    hd___atomic_load(sizeof value, object, &value, order);
    return value;
}

HD_FACE void hd___atomic_store_16(void *object, wide value, int order)
{
    hd___atomic_store(sizeof value, object, &value, order);
}

HD_FACE wide hd___atomic_exchange_16(void *object, wide value, int order)
{
    wide old;
    hd___atomic_exchange(sizeof value, object, &value, &old, order);
    return old;
}

HD_FACE _Bool hd___atomic_compare_exchange_16(void *object, void *expected, wide desired, int success, int failure)
{
    return hd___atomic_compare_exchange(sizeof desired, object, expected, &desired, success, failure);
}

#define FETCH(name, result) \
    HD_FACE wide hd___atomic_fetch_##name##_16(void *object, wide by, int order) \
    { \
        wide old; \
        (void)order; \
        hd_access_atomic(HD_RMW, object, sizeof old, hd_call_site, NULL); \
        memcpy(&old, object, sizeof old); \
        wide new = result; \
        memcpy(object, &new, sizeof new); \
        return old; \
    }
FETCH(add, old + by)
FETCH(sub, old - by)
FETCH(and, old &by)
FETCH(or, old | by)
FETCH(xor, old ^ by)
FETCH(nand, ~(old &by))
#undef FETCH
