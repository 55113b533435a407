/* Growing arrays of any type: `hd_vec(int) numbers = { .memory = &hd_heap };`
 * A zeroed vector uses the C heap. `items[0 .. count-1]` are valid; a push may
 * move them, so keep indices, not pointers.
 */
#ifndef HD_BASE_VEC_H
#define HD_BASE_VEC_H

#include "base/memory.h"

#define hd_vec(type) \
    struct { \
        type *items; \
        size_t count, room; \
        hd_memory *memory; \
    }

#define hd_vec_push(v, item) (*hd_vec_add(v) = (item))

/* Appends one uninitialised item and returns its address. */
#define hd_vec_add(v) \
    ((void)((v)->count == (v)->room \
         && ((v)->items = hd_vec_grow((v)->memory, (v)->items, &(v)->room, sizeof *(v)->items, 1, (v)->count))), \
        &(v)->items[(v)->count++])

/* Room for `n` more items. */
#define hd_vec_reserve(v, n) \
    ((void)((v)->count + (n) > (v)->room \
        && ((v)->items = hd_vec_grow((v)->memory, (v)->items, &(v)->room, sizeof *(v)->items, (n), (v)->count))))

#define hd_vec_pop(v) ((v)->items[--(v)->count])
#define hd_vec_last(v) (&(v)->items[(v)->count - 1])
#define hd_vec_clear(v) ((void)((v)->count = 0))
#define hd_vec_fini(v) \
    (hd_release((v)->memory ? (v)->memory : &hd_heap, (v)->items, (v)->room * sizeof *(v)->items), \
        (void)((v)->items = NULL, (v)->count = (v)->room = 0))

void *hd_vec_grow(hd_memory *m, void *items, size_t *room, size_t item_size, size_t more, size_t count);

#endif
