#include "base/vec.h"

/* From this size in bytes on, vectors grow by a quarter instead of doubling: large blocks are cheap
 * to extend (both allocators remap or extend in place), and doubling would waste memory. */
enum { LARGE = 1 << 20 };

void *hd_vec_grow(hd_memory *m, void *items, size_t *room, size_t item_size, size_t more, size_t count)
{
    size_t new_room = *room < 8 ? 8 : *room;
    while (new_room < count + more)
        new_room += new_room * item_size < LARGE ? new_room : new_room / 4;
    /* A zeroed vector has no allocator: it uses the C heap. */
    items = hd_resize(m ? m : &hd_heap, items, *room * item_size, new_room * item_size);
    *room = new_room;
    return items;
}
