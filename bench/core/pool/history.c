#include "history.h"

#include <string.h>

void history_init(history *h)
{
    memset(h, 0, sizeof *h);
}

void history_add(history *h, history_kind kind, int worker)
{
    h->entries[h->count % HISTORY_ROOM] = (history_entry) { kind, worker };
    h->count++;
}

unsigned history_count(const history *h, history_kind kind)
{
    unsigned kept = h->count < HISTORY_ROOM ? h->count : HISTORY_ROOM, found = 0;
    for (unsigned i = 0; i < kept; i++)
        found += h->entries[i].kind == kind;
    return found;
}
