#include "runtime/sync/thread.h"

#include "runtime/sync/mutex.h"

#include <errno.h>

unsigned long hd_thread_self(void)
{
    return hd_current->id + 1;
}

hd_thread *hd_thread_find(unsigned long id)
{
    return id >= 1 && id <= *hd_rt.thread_count ? &hd_threads[id - 1] : NULL;
}

int hd_thread_create(unsigned long *id, void *(*start)(void *), void *argument, int detached)
{
    hd_thread *t = hd_spawn(start, argument, hd_call_site);
    if (!t)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d threads", HD_MAX_THREADS);
    t->detached = (uint8_t)detached;
    *id = t->id + 1;
    return 0;
}

int hd_thread_join(unsigned long id, void **result)
{
    hd_thread *t = hd_thread_find(id);
    if (!t)
        return ESRCH;
    if (t == hd_current)
        return EDEADLK;
    if (t->detached || t->joined || t->join_waiter_set)
        return EINVAL;
    if (t->view->status != HD_THREAD_DONE) {
        t->join_waiter_set = 1;
        t->join_waiter = hd_current->id;
        hd_wait(HD_WAIT_JOIN, (void *)(uintptr_t)t->id);
    }
    t->joined = 1;
    hd_edge(hd_current, t);
    hd_count_threads();
    if (result)
        *result = t->result;
    return 0;
}

int hd_thread_detach(unsigned long id)
{
    hd_thread *t = hd_thread_find(id);
    if (!t)
        return ESRCH;
    if (t->detached || t->joined)
        return EINVAL;
    t->detached = 1;
    return 0;
}

void hd_thread_exit(void *result)
{
    hd_current->result = result;
    hd_finish_thread();
}
