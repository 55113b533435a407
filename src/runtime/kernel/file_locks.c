#include "runtime/kernel/file_locks_internal.h"

#include "abi/fast.h"
#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/spin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

hd_file_lock hd_file_locks[HD_FILE_LOCKS];
uint32_t hd_file_lock_count;
hd_lock_wait hd_lock_waits[HD_MAX_THREADS];
uint64_t hd_file_lock_objects[HD_NUMBERS], hd_lock_waits_object;

static uint32_t wait_count; /* in this run, for their order */

void hd_file_locks_reset(void)
{
    hd_file_lock_count = 0;
    if (wait_count)
        memset(hd_lock_waits, 0, sizeof hd_lock_waits);
    wait_count = 0;
}

/* --- relations of locks -------------------------------------------------------------------------- */

static int is_same_file(const hd_open_file *a, const hd_open_file *b)
{
    return a->device == b->device && a->node == b->node;
}

static int has_same_owner(const hd_file_lock *a, const hd_file_lock *b)
{
    if (a->sort != b->sort)
        return 0;
    return a->sort == HD_LOCK_OF_PROCESS ? a->process == b->process : a->at.opening == b->at.opening;
}

static int is_own(const hd_file_lock *a, const hd_file_lock *b)
{
    return has_same_owner(a, b) && is_same_file(&a->at, &b->at);
}

static int overlaps(const hd_file_lock *a, const hd_file_lock *b)
{
    return a->start <= b->end && b->start <= a->end;
}

static int conflicts(const hd_file_lock *a, const hd_file_lock *b)
{
    if (!is_same_file(&a->at, &b->at) || has_same_owner(a, b))
        return 0;
    if ((a->sort == HD_LOCK_WHOLE) != (b->sort == HD_LOCK_WHOLE))
        return 0;
    return overlaps(a, b) && (a->type == F_WRLCK || b->type == F_WRLCK);
}

/* The first lock that keeps the call from getting what it asks for; NULL: there is none. */
static const hd_file_lock *obstacle_of(const hd_file_lock *want)
{
    for (uint32_t i = 0; want->type != F_UNLCK && i < hd_file_lock_count; i++)
        if (conflicts(&hd_file_locks[i], want))
            return &hd_file_locks[i];
    return NULL;
}

/* --- validity ------------------------------------------------------------------------------------ */

static int is_in_order(const hd_file_lock *a, const hd_file_lock *b)
{
    return a->end < b->start && (a->type != b->type || a->end + 1 < b->start);
}

int hd_file_locks_are_valid(void)
{
    if (hd_file_lock_count > HD_FILE_LOCKS)
        return 0;
    for (uint32_t i = 0; i < hd_file_lock_count; i++) {
        const hd_file_lock *a = &hd_file_locks[i];
        if (a->start < 0 || a->start > a->end || a->type == F_UNLCK)
            return 0;
        for (uint32_t k = i + 1; k < hd_file_lock_count; k++)
            if (conflicts(a, &hd_file_locks[k]) || (is_own(a, &hd_file_locks[k]) && !is_in_order(a, &hd_file_locks[k])))
                return 0;
    }
    for (uint32_t i = 0; wait_count && i < *hd_rt.thread_count; i++)
        if (hd_lock_waits[i].order && !conflicts(&hd_lock_waits[i].want, &hd_lock_waits[i].blocker))
            return 0;
    return 1;
}

static void check_validity(void)
{
    hd_check_valid(hd_file_locks_are_valid(), (uint64_t)hd_file_lock_count * hd_file_lock_count, 0);
}

/* --- the locks of one owner ------------------------------------------------------------------------ */

/* Of an owner and a file, while they are changed: each call adds at most two to those that there were. */
typedef struct own_locks {
    hd_file_lock list[HD_FILE_LOCKS + 2];
    uint32_t count;
} own_locks;

static void add(own_locks *own, const hd_file_lock *with, int64_t start, int64_t end)
{
    if (start > end)
        return;
    hd_file_lock *last = own->count ? &own->list[own->count - 1] : NULL;
    if (last && last->type == with->type && last->end + 1 >= start) {
        last->end = end > last->end ? end : last->end;
        return;
    }
    own->list[own->count] = *with;
    own->list[own->count].start = start;
    own->list[own->count++].end = end;
}

/* Removes the owner's locks of the file from the list, and returns where they have been. */
static uint32_t take_out(const hd_file_lock *want, own_locks *own)
{
    uint32_t kept = 0, place = hd_file_lock_count;
    own->count = 0;
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (!is_own(&hd_file_locks[i], want))
            hd_file_locks[kept++] = hd_file_locks[i];
        else if (place = own->count ? place : kept, 1)
            own->list[own->count++] = hd_file_locks[i];
    hd_file_lock_count = kept;
    return place < kept ? place : kept;
}

static void put_in(const own_locks *own, uint32_t place)
{
    if (hd_file_lock_count + own->count > HD_FILE_LOCKS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d file locks are not modelled yet", HD_FILE_LOCKS);
    memmove(&hd_file_locks[place + own->count], &hd_file_locks[place],
        (hd_file_lock_count - place) * sizeof *hd_file_locks);
    memcpy(&hd_file_locks[place], own->list, own->count * sizeof *hd_file_locks);
    hd_file_lock_count += own->count;
}

/* In the range of `want` its owner has what it asks for, and elsewhere what it has had: parts before the range, the
 * range, parts behind it, each sorted by their start. */
static void replace(const hd_file_lock *want)
{
    static own_locks old, new;
    uint32_t place = take_out(want, &old), i = 0;
    new.count = 0;
    for (; i < old.count && old.list[i].start < want->start; i++)
        add(&new, &old.list[i], old.list[i].start, old.list[i].end < want->start ? old.list[i].end : want->start - 1);
    if (want->type != F_UNLCK)
        add(&new, want, want->start, want->end);
    for (i = 0; i < old.count && want->end != hd_lock_to_the_end; i++)
        if (old.list[i].end > want->end)
            add(&new, &old.list[i], old.list[i].start > want->end ? old.list[i].start : want->end + 1, old.list[i].end);
    put_in(&new, place);
}

static int has_overlap(const hd_file_lock *want)
{
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (is_own(&hd_file_locks[i], want) && overlaps(&hd_file_locks[i], want))
            return 1;
    return 0;
}

/* Does the owner have what it asks for? */
static int is_had(const hd_file_lock *want)
{
    for (uint32_t i = 0; i < hd_file_lock_count; i++) {
        const hd_file_lock *l = &hd_file_locks[i];
        if (is_own(l, want) && l->type == want->type && l->start <= want->start && l->end >= want->end)
            return 1;
    }
    return 0;
}

/* --- waits that count for EDEADLK --------------------------------------------------------------------- */

/* The wait of the owner that began last. Linux knows only of waits for locks of processes. */
static const hd_lock_wait *wait_of(const hd_file_lock *owner)
{
    const hd_lock_wait *last = NULL;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const hd_lock_wait *w = &hd_lock_waits[i];
        if (w->order && w->blocker.sort == HD_LOCK_OF_PROCESS && has_same_owner(&w->want, owner)
            && (!last || w->order > last->order))
            last = w;
    }
    return last;
}

/* As in Linux, which gives up after ten. */
static int is_deadlock(const hd_file_lock *want, const hd_file_lock *blocker)
{
    enum { MOST = 10 };
    if (want->sort != HD_LOCK_OF_PROCESS)
        return 0;
    for (int i = 0; i <= MOST; i++) {
        const hd_lock_wait *w = wait_of(blocker);
        if (!w)
            return 0;
        blocker = &w->blocker;
        if (has_same_owner(want, blocker))
            return 1;
    }
    return 0;
}

/* Has the current thread's process another one? It has created it, or was created by it: so that is a function of the
 * thread's past. */
static int has_other_threads(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const hd_thread *t = &hd_threads[i];
        if (t != hd_current && t->process == hd_current->process && t->view->status != HD_THREAD_UNUSED && !t->joined)
            return 1;
    }
    return 0;
}

static int can_be_awaited(const hd_file_lock *want)
{
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (has_same_owner(&hd_file_locks[i], want))
            return 1;
    return has_other_threads();
}

static int counts(const hd_file_lock *want)
{
    return want->sort != HD_LOCK_WHOLE && can_be_awaited(want);
}

static void learn(uint32_t *fact)
{
    if (!hd_exploring() || !hd_fast_state.several || *fact)
        return;
    *fact = 1;
    hd_learned();
}

/* Part of the step in which the call has found that it has to wait: EDEADLK, or 0 if it waits. */
static int begin_to_wait(const hd_file_lock *want, const hd_file_lock *blocker, const hd_site *site)
{
    learn(&hd_known->lock_waits);
    hd_access_object(&hd_lock_waits_object, site);
    if (is_deadlock(want, blocker))
        return EDEADLK;
    hd_lock_waits[hd_current->id] = (hd_lock_wait) { ++wait_count, *want, *blocker };
    return 0;
}

static int is_obsolete(const hd_lock_wait *w)
{
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (is_own(&hd_file_locks[i], &w->blocker) && conflicts(&hd_file_locks[i], &w->want))
            return 0;
    return 1;
}

/* Part of the step that has changed locks: calls that wait for a lock that is gone try again. */
static void end_waits(const hd_site *site)
{
    int announced = 0;
    for (uint32_t i = 0; wait_count && i < *hd_rt.thread_count; i++) {
        if (!hd_lock_waits[i].order || !is_obsolete(&hd_lock_waits[i]))
            continue;
        if (!announced++)
            hd_access_object(&hd_lock_waits_object, site);
        hd_lock_waits[i].order = 0;
    }
}

void hd_file_locks_end_waits(uint32_t process, const hd_site *site)
{
    int announced = 0;
    for (uint32_t i = 0; wait_count && i < *hd_rt.thread_count; i++) {
        if (!hd_lock_waits[i].order || hd_threads[i].process != process)
            continue;
        if (!announced++)
            hd_access_object(&hd_lock_waits_object, site);
        hd_lock_waits[i].order = 0;
    }
}

/* --- calls --------------------------------------------------------------------------------------------- */

/* Would the call change something now? A change of the type by flock begins with giving up the lock. */
static int would_change(const hd_file_lock *want)
{
    if (want->type == F_UNLCK || (want->sort == HD_LOCK_WHOLE && !is_had(want) && has_overlap(want)))
        return has_overlap(want);
    return !is_had(want) && !obstacle_of(want);
}

static int changes_or_looks(hd_thread *t, hd_op *op)
{
    op->kind = would_change(t->update.address) ? HD_FILE_LOCK : HD_FILE_LOCK_SAME;
    return 1;
}

/* The operation of a call. Returns whether it is a change. */
static int announce(const hd_file_lock *want, const hd_site *site)
{
    hd_current->update.address = (void *)want;
    hd_call_site = site;
    hd_perform(HD_FILE_LOCK, &hd_file_lock_objects[want->at.file], changes_or_looks);
    hd_call_site = site;
    return would_change(want);
}

/* The change that has been announced: 0 or EAGAIN. */
static int apply(const hd_file_lock *want, const hd_site *site)
{
    int is_blocked = obstacle_of(want) != NULL;
    hd_file_lock change = *want;
    if (is_blocked)
        change.type = F_UNLCK;
    replace(&change);
    hd_effect();
    end_waits(site);
    check_validity();
    return is_blocked ? EAGAIN : 0;
}

/* The call has tried once, and is to try again at once. */
enum { AGAIN = -1 };

/* One step. */
static int try(const hd_file_lock *want, int waits, const hd_site *site)
{
    if (announce(want, site)) {
        int error = apply(want, site);
        return error && waits ? AGAIN : error;
    }
    const hd_file_lock *blocker = obstacle_of(want);
    if (!blocker)
        return 0;
    if (!waits || hd_lock_waits[hd_current->id].order || !counts(want))
        return EAGAIN;
    int error = begin_to_wait(want, blocker, site);
    check_validity();
    return error ? error : AGAIN;
}

int hd_file_lock_set(const hd_file_lock *want, int waits, const hd_site *site)
{
    learn(&hd_known->locks);
    for (;;) {
        int steps = (int)hd_known->lock_waits;
        uint32_t from = *hd_rt.log_count, outer = steps ? hd_step_begin(0) : 0;
        int result = try(want, waits, site);
        if (steps)
            hd_step_end(outer);
        if (result == AGAIN)
            continue;
        if (result != EAGAIN || !waits)
            return result;
        if (!hd_spin_await(from))
            hd_end(HD_MODEL_LIMIT, site, "waiting for a file lock here is not modelled yet");
    }
}

int hd_file_lock_find(const hd_file_lock *want, hd_file_lock *found, const hd_site *site)
{
    learn(&hd_known->locks);
    hd_call_site = site;
    hd_perform(HD_FILE_LOCK_LOOK, &hd_file_lock_objects[want->at.file], NULL);
    hd_call_site = site;
    const hd_file_lock *obstacle = obstacle_of(want);
    if (obstacle)
        *found = *obstacle;
    return obstacle != NULL;
}

/* --- ends -------------------------------------------------------------------------------------------------- */

/* The locks that end with a descriptor, as a call that gives them up; by sort. */
static hd_file_lock all_of(hd_lock_sort sort, uint32_t process, const hd_open_file *at)
{
    return (hd_file_lock) {
        .at = *at, .process = process, .sort = (uint8_t)sort, .type = F_UNLCK, .end = hd_lock_to_the_end
    };
}

static int ends_with(const hd_file_lock *l, uint32_t process, const hd_open_file *at, int last)
{
    if (!is_same_file(&l->at, at))
        return 0;
    return l->sort == HD_LOCK_OF_PROCESS ? l->process == process : last && l->at.opening == at->opening;
}

/* A descriptor that is being closed. Plain data. */
typedef struct closing {
    const hd_open_file *at;
    int last;
} closing;

static int closes_change(const closing *c)
{
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (ends_with(&hd_file_locks[i], hd_current->process, c->at, c->last))
            return 1;
    return 0;
}

static int closes_or_looks(hd_thread *t, hd_op *op)
{
    const closing *c = t->update.address;
    op->kind = HD_FILE_LOCK_SAME;
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (ends_with(&hd_file_locks[i], t->process, c->at, c->last))
            op->kind = HD_FILE_LOCK;
    return 1;
}

int hd_file_locks_are_used(void)
{
    return hd_exploring() && (hd_known->locks || hd_file_lock_count);
}

void hd_file_locks_close(const hd_open_file *at, int last, const hd_site *site)
{
    closing c = { at, last };
    hd_current->update.address = &c;
    hd_call_site = site;
    hd_perform(HD_FILE_LOCK, &hd_file_lock_objects[at->file], closes_or_looks);
    hd_call_site = site;
    if (!closes_change(&c))
        return;
    for (int sort = HD_LOCK_WHOLE; sort <= HD_LOCK_OF_OPEN_FILE; sort++) {
        hd_file_lock all = all_of((hd_lock_sort)sort, hd_current->process, at);
        if (sort == HD_LOCK_OF_PROCESS || last)
            replace(&all);
    }
    hd_effect();
    end_waits(site);
    check_validity();
}

int hd_file_locks_has(uint32_t process, const hd_open_file *at)
{
    for (uint32_t i = 0; i < hd_file_lock_count; i++)
        if (ends_with(&hd_file_locks[i], process, at, 1))
            return 1;
    return 0;
}
