#include "base/vec.h"

void *hd_vec_grow(hd_memory *m, void *items, size_t *room, size_t item_size, size_t more, size_t count)
{
    size_t new_room = *room ? *room * 2 : 8;
    while (new_room < count + more)
        new_room *= 2;
    items = hd_resize(m ? m : &hd_heap, items, *room * item_size, new_room * item_size);
    *room = new_room;
    return items;
}
