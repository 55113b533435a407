#include "runtime/kernel/semaphore_set_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/lives.h"
#include "runtime/kernel/names.h"
#include "runtime/sched/spin.h"
#include "runtime/sync/made.h"
#include "runtime/sync/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sem.h>

hd_semaphore_set hd_semaphore_sets[HD_INSTANCES];
static hd_instances instances;

hd_semaphore hd_set_semaphores[HD_INSTANCES][HD_SET_MOST];
uint64_t hd_set_lives[HD_INSTANCES]; /* objects, too */

void hd_semaphore_sets_reset(void)
{
    for (uint32_t i = 0; i < instances.count; i++)
        memset(&hd_semaphore_sets[instances.made[i]], 0, sizeof *hd_semaphore_sets);
    hd_instances_reset(&instances);
}

int hd_semaphore_set_is_valid(uint32_t number)
{
    const hd_semaphore_set *s = &hd_semaphore_sets[number];
    if (!s->count || s->count > HD_SET_MOST)
        return 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (hd_set_semaphores[number][i].made != HD_MADE || !hd_semaphore_is_valid(&hd_set_semaphores[number][i]))
            return 0;
    return 1;
}

static void check_validity(uint32_t number)
{
    hd_check_valid(hd_semaphore_set_is_valid(number), HD_SET_MOST, 0);
}

static hd_semaphore *semaphore(int id, uint32_t index)
{
    return &hd_set_semaphores[id][index];
}

/* --- life ------------------------------------------------------------------------------------- */

static int make(int key, int count, int flags)
{
    if (count == 0)
        return -EINVAL;
    if (count > HD_SET_MOST)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a set of more than %d semaphores is not modelled yet", HD_SET_MOST);
    uint32_t number = hd_instances_add(&instances, "sets of semaphores");
    hd_semaphore_sets[number] = (hd_semaphore_set) { .key = key, .mode = flags & 0777, .count = (uint32_t)count };
    for (int i = 0; i < count; i++)
        hd_semaphore_make(&hd_set_semaphores[number][i], 0);
    hd_effect();
    check_validity(number);
    return (int)number;
}

static int find_or_make(int key, int count, int flags, const hd_site *site)
{
    char name[16];
    snprintf(name, sizeof name, "%x", (unsigned)key);
    int found = hd_names_find(HD_KEYS_OF_SEMAPHORES, name, flags & IPC_CREAT, site);
    if (found < 0 && !(flags & IPC_CREAT))
        return -ENOENT;
    if (found >= 0 && (flags & IPC_CREAT) && (flags & IPC_EXCL))
        return -EEXIST;
    if (found >= 0)
        return (uint32_t)count > hd_semaphore_sets[found].count ? -EINVAL : found;
    int made = make(key, count, flags);
    if (made >= 0)
        hd_names_add(HD_KEYS_OF_SEMAPHORES, name, (uint32_t)made);
    return made;
}

int hd_semaphore_set_get(int key, int count, int flags, const hd_site *site)
{
    if (count < 0 || count > 32000)
        return -EINVAL;
    if (key == IPC_PRIVATE)
        return make(key, count, flags);
    uint32_t outer = hd_step_begin(0);
    int id = find_or_make(key, count, flags, site);
    hd_step_end(outer);
    return id;
}

/* The set of a call; NULL: there is none. A call that may block does so in a later step, all others in this one. */
static hd_semaphore_set *enter(int id, const hd_site *site)
{
    if (id < 0 || !hd_instances_has(&instances, (uint32_t)id))
        return NULL;
    hd_life_look(&hd_set_lives[id], site);
    return hd_semaphore_sets[id].removed ? NULL : &hd_semaphore_sets[id];
}

int hd_semaphore_set_remove(int id, const hd_site *site)
{
    if (id < 0 || !hd_instances_has(&instances, (uint32_t)id))
        return EINVAL;
    hd_semaphore_set *set = &hd_semaphore_sets[id];
    uint32_t outer = hd_step_begin(0);
    hd_life_end(&hd_set_lives[id], site);
    int was_removed = set->removed;
    if (!was_removed)
        hd_names_remove_number(HD_KEYS_OF_SEMAPHORES, (uint32_t)id, site);
    for (uint32_t i = 0; i < set->count && !was_removed; i++) {
        hd_call_site = site;
        hd_semaphore_post(semaphore(id, i));
    }
    set->removed = 1;
    hd_step_end(outer);
    return was_removed ? EINVAL : 0;
}

/* --- values -------------------------------------------------------------------------------------- */

static int look(hd_semaphore *s, const hd_site *site)
{
    int value;
    hd_call_site = site;
    hd_semaphore_value(s, &value);
    hd_call_site = site;
    return value;
}

/* The semaphore has `value`, which changes by so much: in the step that has looked at it. */
static void add(hd_semaphore *s, int change, const hd_site *site)
{
    if (abs(change) > HD_CHANGE_MOST)
        hd_end(HD_MODEL_LIMIT, site, "changing a semaphore by more than %d is not modelled yet", HD_CHANGE_MOST);
    for (; change > 0; change--) {
        hd_call_site = site;
        hd_semaphore_post(s);
    }
    for (; change < 0; change++) {
        hd_call_site = site;
        hd_assert(!hd_semaphore_try(s, NULL));
    }
    hd_call_site = site;
}

/* Operations that commute leave the same time in either order. */
static void note_change(hd_semaphore_set *set)
{
    int64_t now = HD_EPOCH + (int64_t)(hd_current->now / 1000000000);
    set->changed = now > set->changed ? now : set->changed;
    hd_effect();
    check_validity((uint32_t)(set - hd_semaphore_sets));
}

/* --- operations ------------------------------------------------------------------------------------- */

/* A wait that can block is a step of its own; the set may have been removed meanwhile. */
static int wait_for_one(int id, hd_semaphore *s, const struct timespec *until, const hd_site *site)
{
    hd_semaphore_set *set = &hd_semaphore_sets[id];
    int ends = hd_lives_end(), error;
    uint32_t outer = ends ? hd_step_begin(0) : 0;
    error = until ? hd_semaphore_try(s, until) : hd_semaphore_wait(s);
    if (ends && !error)
        hd_life_look(&hd_set_lives[id], site);
    if (!error && set->removed) {
        hd_call_site = site;
        hd_semaphore_post(s);
        error = EIDRM;
    }
    if (ends)
        hd_step_end(outer);
    return error == ETIMEDOUT ? EAGAIN : error;
}

typedef struct change {
    int before[HD_SET_MOST], after[HD_SET_MOST]; /* by semaphore */
    uint8_t used[HD_SET_MOST], zero[HD_SET_MOST]; /* looked at; found to be 0 */
} change;

enum { GOES_ON = 0, WAITS = -1 };

/* What the operations do to the values that have been looked at: GOES_ON, WAITS, or an error number. */
static int try_all(change *c, const struct sembuf *ops, uint32_t count)
{
    memcpy(c->after, c->before, sizeof c->after);
    for (uint32_t i = 0; i < count; i++) {
        int *value = &c->after[ops[i].sem_num], blocks = ops[i].sem_op ? *value + ops[i].sem_op < 0 : *value != 0;
        if (blocks)
            return ops[i].sem_flg & IPC_NOWAIT ? EAGAIN : WAITS;
        c->zero[ops[i].sem_num] |= !ops[i].sem_op;
        *value += ops[i].sem_op;
        if (*value > HD_VALUE_MOST)
            return ERANGE;
    }
    return GOES_ON;
}

static void apply(int id, const change *c, const hd_site *site)
{
    int changes = 0;
    for (uint32_t i = 0; i < HD_SET_MOST; i++) {
        hd_call_site = site;
        if (c->zero[i])
            hd_semaphore_pass_zero(semaphore(id, i));
        changes |= c->used[i] && c->after[i] != c->before[i];
        if (c->used[i])
            add(semaphore(id, i), c->after[i] - c->before[i], site);
    }
    if (changes)
        note_change(&hd_semaphore_sets[id]);
}

/* One look at all semaphores that the operations name, and what follows from it: one step. */
static int look_and_try(int id, const struct sembuf *ops, uint32_t count, const hd_site *site)
{
    change c = { 0 };
    for (uint32_t i = 0; i < count; i++)
        c.used[ops[i].sem_num] = 1;
    for (uint32_t i = 0; i < HD_SET_MOST; i++)
        if (c.used[i])
            c.before[i] = look(semaphore(id, i), site);
    if (hd_semaphore_sets[id].removed)
        return EIDRM;
    int result = try_all(&c, ops, count);
    if (result == GOES_ON)
        apply(id, &c, site);
    return result;
}

static int operate_on_several(int id, const struct sembuf *ops, uint32_t count, const hd_site *site)
{
    for (int has_waited = 0;; has_waited = 1) {
        uint32_t from = *hd_rt.log_count, outer = hd_step_begin(0);
        hd_life_look(&hd_set_lives[id], site);
        int result = look_and_try(id, ops, count, site);
        hd_step_end(outer);
        if (result != WAITS)
            return result == EIDRM && !has_waited ? EINVAL : result;
        if (!hd_spin_await(from))
            hd_end(HD_MODEL_LIMIT, site, "waiting for so many semaphores is not modelled yet");
    }
}

/* Without a wait: one step, in which the set is there. */
static int operate_at_once(int id, const struct sembuf *op, const hd_site *site)
{
    hd_semaphore *s = semaphore(id, op->sem_num);
    int error = 0, steps = op->sem_op > 1 || hd_lives_end();
    uint32_t outer = steps ? hd_step_begin(0) : 0;
    hd_semaphore_set *set = enter(id, site);
    if (!set)
        error = EINVAL;
    else if (op->sem_op > 0)
        add(s, op->sem_op, site);
    else
        error = hd_semaphore_try(s, NULL);
    if (set && s->value > HD_VALUE_MOST)
        hd_end(HD_MODEL_LIMIT, site, "a semaphore of more than %d is not modelled yet", HD_VALUE_MOST);
    if (set && !error)
        note_change(set);
    if (steps)
        hd_step_end(outer);
    return error;
}

static int operate_on_one(int id, const struct sembuf *op, const struct timespec *until, const hd_site *site)
{
    if (op->sem_op > 0 || (op->sem_flg & IPC_NOWAIT))
        return operate_at_once(id, op, site);
    if (!enter(id, site))
        return EINVAL;
    int error = wait_for_one(id, semaphore(id, op->sem_num), until, site);
    if (!error)
        note_change(&hd_semaphore_sets[id]);
    return error;
}

static int is_too_large(const hd_semaphore_set *set, const struct sembuf *ops, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (ops[i].sem_num >= set->count)
            return 1;
    return 0;
}

static void check_undo(const struct sembuf *ops, uint32_t count, const hd_site *site)
{
    for (uint32_t i = 0; i < count; i++)
        if ((ops[i].sem_flg & SEM_UNDO) && hd_process_count() > 1)
            hd_end(HD_MODEL_LIMIT, site, "SEM_UNDO in a system of several processes is not modelled yet");
}

int hd_semaphore_set_operate(
    int id, const struct sembuf *ops, uint32_t count, const struct timespec *until, const hd_site *site)
{
    if (id < 0 || !hd_instances_has(&instances, (uint32_t)id))
        return EINVAL;
    if (is_too_large(&hd_semaphore_sets[id], ops, count))
        return enter(id, site) ? EFBIG : EINVAL;
    check_undo(ops, count, site);
    if (count == 1 && (ops->sem_op > 0 || ops->sem_op == -1))
        return operate_on_one(id, ops, until, site);
    if (until)
        hd_end(HD_MODEL_LIMIT, site,
            "a time limit for several operations, for a number other than 1 or for zero is not modelled yet");
    return operate_on_several(id, ops, count, site);
}

/* --- semctl ------------------------------------------------------------------------------------------ */

int hd_semaphore_set_count(int id, uint32_t *count, const hd_site *site)
{
    const hd_semaphore_set *set = enter(id, site);
    *count = set ? set->count : 0;
    return set ? 0 : EINVAL;
}

/* The number of semaphores is that of the set, so it does not depend on other threads. */
static uint32_t count_of(int id)
{
    return id >= 0 && hd_instances_has(&instances, (uint32_t)id) ? hd_semaphore_sets[id].count : 0;
}

int hd_semaphore_set_value(int id, int index, int *value, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    int error = !enter(id, site) || (uint32_t)index >= count_of(id) ? EINVAL : 0;
    if (!error)
        *value = look(semaphore(id, (uint32_t)index), site);
    hd_step_end(outer);
    return error;
}

int hd_semaphore_set_values(int id, uint16_t *to, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_semaphore_set *set = enter(id, site);
    for (uint32_t i = 0; set && i < set->count; i++)
        to[i] = (uint16_t)look(semaphore(id, i), site);
    hd_step_end(outer);
    return set ? 0 : EINVAL;
}

static void assign(int id, uint32_t index, int value, const hd_site *site)
{
    hd_semaphore *s = semaphore(id, index);
    add(s, value - look(s, site), site);
}

int hd_semaphore_set_assign(int id, int index, int value, const hd_site *site)
{
    if (value < 0 || value > HD_VALUE_MOST)
        return ERANGE;
    uint32_t outer = hd_step_begin(0);
    int error = !enter(id, site) || (uint32_t)index >= count_of(id) ? EINVAL : 0;
    if (!error)
        assign(id, (uint32_t)index, value, site);
    hd_effect();
    hd_step_end(outer);
    return error;
}

int hd_semaphore_set_assign_all(int id, const uint16_t *values, const hd_site *site)
{
    for (uint32_t i = 0; i < count_of(id); i++)
        if (values[i] > HD_VALUE_MOST)
            return ERANGE;
    uint32_t outer = hd_step_begin(0);
    hd_semaphore_set *set = enter(id, site);
    for (uint32_t i = 0; set && i < set->count; i++)
        assign(id, i, values[i], site);
    hd_effect();
    hd_step_end(outer);
    return set ? 0 : EINVAL;
}

int hd_semaphore_set_status(int id, struct semid_ds *to, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_semaphore_set *set = enter(id, site);
    *to = (struct semid_ds) { 0 };
    for (uint32_t i = 0; set && i < set->count; i++)
        look(semaphore(id, i), site);
    if (set) {
        to->sem_perm.__key = set->key;
        to->sem_perm.mode = (unsigned short)set->mode;
        to->sem_nsems = set->count;
        to->sem_otime = set->changed;
    }
    hd_step_end(outer);
    return set ? 0 : EINVAL;
}
