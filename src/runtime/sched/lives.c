#include "runtime/sched/lives.h"

#include "runtime/reset/tls.h"
#include "runtime/sched/access.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/lines.h"

#include <string.h>

/* The usual case, that births are numbered in order of creation, is tried first. When all slots are taken by other
 * births, one is used that this run does not need, and the engine is told (`renumbered`). */
static uint32_t fresh_slot(void)
{
    uint32_t birth = hd_current->id << 16 | ++hd_current->slot.children, *births = hd_known->births;
    uint32_t id = *hd_rt.thread_count;
    if (id < HD_MAX_THREADS && births[id] == birth)
        return id;
    for (id = 1; id < HD_MAX_THREADS && births[id]; id++)
        if (births[id] == birth)
            return id;
    if (id < HD_MAX_THREADS) {
        births[id] = birth;
        return id;
    }
    hd_known->renumbered = 1;
    for (id = 1; id < *hd_rt.thread_count && hd_rt.threads[id].status != HD_THREAD_UNUSED; id++) { }
    return id;
}

uint32_t hd_lives_next_slot(void)
{
    uint32_t id = hd_current->slot.joined;
    if (!id || hd_current->slot.children < HD_FRESH_CHILDREN)
        return fresh_slot();
    hd_current->slot.joined = hd_threads[id].slot.next_joined;
    return id;
}

static int holds_read_lock(const hd_thread *t)
{
    for (uint32_t i = 0; t->read_locked && i < HD_READ_LOCKS; i++)
        if (t->read_locks[i].count)
            return 1;
    return 0;
}

void hd_lives_joined(hd_thread *joiner, hd_thread *t)
{
    if (!t->id || t->view->life + 1 == HD_MOST_LIVES || holds_read_lock(t))
        return;
    t->slot.next_joined = joiner->slot.joined;
    joiner->slot.joined = t->id;
}

/* The view is in memory that the engine reads; the looks are allocated there per slot. */
static void clear(uint32_t id)
{
    hd_thread *t = &hd_threads[id];
    memset(t, 0, offsetof(hd_thread, spin.counts));
    t->spin.looks = hd_rt.looks[id];
    t->id = id;
    t->view = &hd_rt.threads[id];
    memset(t->view, 0, sizeof *t->view);
}

/* Keeps what belongs to the slot. What the last thread has left in memory of the slot must not reach the next one. */
static void begin_next_life(uint32_t id)
{
    hd_thread *t = &hd_threads[id];
    __typeof__(t->slot) slot = t->slot;
    uint16_t life = t->view->life;
    uint32_t steps = t->view->steps;
    hd_lines_clear(&t->argument, sizeof t->argument);
    hd_lines_clear(&t->result, sizeof t->result);
    hd_lines_clear_region(HD_STACK_BASE + id * HD_STACK_SPAN, HD_STACK_SPAN);
    hd_bounds_new_thread(id);
    hd_tls_new_thread(id);
    clear(id);
    t->slot = slot;
    t->view->life = (uint16_t)(life + 1);
    t->view->steps = steps;
}

void hd_lives_begin(uint32_t id)
{
    if (id < *hd_rt.thread_count && hd_rt.threads[id].status == HD_THREAD_DONE) {
        begin_next_life(id);
        return;
    }
    while (*hd_rt.thread_count < id)
        clear((*hd_rt.thread_count)++); /* not created, or not yet */
    if (*hd_rt.thread_count == id)
        ++*hd_rt.thread_count;
    clear(id);
}
