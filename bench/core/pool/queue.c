#include "queue.h"

#include <assert.h>
#include <string.h>

void queue_init(queue *q)
{
    memset(q, 0, sizeof *q);
}

bool queue_is_empty(const queue *q)
{
    return q->count == 0;
}

bool queue_is_full(const queue *q, priority p)
{
    return q->rings[p].count == QUEUE_ROOM;
}

void queue_put(queue *q, job *j, priority p)
{
    ring *r = &q->rings[p];
    assert(r->count < QUEUE_ROOM);
    r->items[(r->first + r->count) % QUEUE_ROOM] = j;
    r->count++;
    q->count++;
    if (q->count > q->most)
        q->most = q->count;
}

static job *take_from(ring *r)
{
    job *j = r->items[r->first];
    r->items[r->first] = NULL;
    r->first = (r->first + 1) % QUEUE_ROOM;
    r->count--;
    return j;
}

job *queue_take(queue *q)
{
    assert(q->count > 0);
    q->count--;
    for (int p = 0; p < PRIORITIES; p++)
        if (q->rings[p].count)
            return take_from(&q->rings[p]);
    assert(!"a job is counted but in no ring");
    return NULL;
}

static bool remove_from(ring *r, const job *j)
{
    for (unsigned i = 0; i < r->count; i++) {
        unsigned at = (r->first + i) % QUEUE_ROOM;
        if (r->items[at] != j)
            continue;
        for (; i + 1 < r->count; i++) {
            unsigned next = (at + 1) % QUEUE_ROOM;
            r->items[at] = r->items[next];
            at = next;
        }
        r->items[at] = NULL;
        r->count--;
        return true;
    }
    return false;
}

bool queue_remove(queue *q, const job *j)
{
    for (int p = 0; p < PRIORITIES; p++)
        if (remove_from(&q->rings[p], j)) {
            q->count--;
            return true;
        }
    return false;
}
