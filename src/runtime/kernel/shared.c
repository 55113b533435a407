#include "runtime/kernel/shared_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/lives.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/objects.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/unshared.h"

#include <errno.h>
#include <string.h>

enum { PAGE = 4096 };

hd_shared_state hd_shared_states[HD_INSTANCES];
static hd_instances instances;

/* Objects of operations (abi/shown.def). */
uint64_t hd_shared_sizes[HD_INSTANCES], hd_shared_uses[HD_INSTANCES], hd_shared_ends[HD_INSTANCES];

void hd_shared_reset(void)
{
    for (uint32_t i = 0; i < instances.count; i++)
        memset(&hd_shared_states[instances.made[i]], 0, sizeof *hd_shared_states);
    hd_instances_reset(&instances);
}

static size_t whole_pages(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static uint32_t count_mappings(const hd_shared_state *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < HD_MAPPINGS; i++)
        count += s->mappings[i].count;
    return count;
}

int hd_shared_is_valid(uint32_t number)
{
    const hd_shared_state *s = &hd_shared_states[number];
    size_t room = 0;
    if (s->block && (!hd_heap_is_live(s->block, &room) || room != s->room))
        return 0;
    return s->size <= s->room && (s->block || !s->room) && count_mappings(s) <= s->uses
        && (s->block || !count_mappings(s));
}

static void check_validity(uint32_t number)
{
    hd_check_valid(hd_shared_is_valid(number), 1, 0);
}

static int set_block(hd_shared_state *s, size_t size)
{
    char *block = size ? hd_heap_alloc(whole_pages(size), PAGE, 1) : NULL;
    if (size && !block)
        return ENOMEM;
    if (block)
        hd_heap_share(block);
    s->block = block;
    s->room = whole_pages(size);
    return 0;
}

uint32_t hd_shared_make(hd_shared_kind kind, size_t size)
{
    hd_shared_state new = { .kind = (uint8_t)kind, .size = size, .uses = 1 };
    if (set_block(&new, size))
        return HD_NO_SHARED;
    uint32_t number = hd_instances_add(&instances, "objects of shared memory");
    hd_shared_states[number] = new;
    hd_effect();
    check_validity(number);
    return number;
}

int hd_shared_is(hd_shared_kind kind, uint32_t number)
{
    return hd_instances_has(&instances, number) && hd_shared_states[number].kind == kind;
}

void *hd_shared_block(uint32_t number)
{
    return hd_shared_states[number].block;
}

hd_shared_kind hd_shared_kind_of(uint32_t number)
{
    return hd_shared_states[number].kind;
}

int hd_shared_is_removed(uint32_t number)
{
    return hd_shared_states[number].removed;
}

int hd_shared_is_gone(uint32_t number)
{
    return hd_shared_states[number].removed && !hd_shared_states[number].uses;
}

/* --- uses ---------------------------------------------------------------------------------- */

static void perform(hd_op_kind kind, uint32_t number, const hd_site *site)
{
    hd_call_site = site;
    if (hd_lives_end())
        hd_perform(kind, &hd_shared_uses[number], NULL);
    hd_call_site = site;
}

void hd_shared_hold(uint32_t number, const hd_site *site)
{
    perform(HD_SHARED_USE, number, site);
    hd_shared_states[number].uses++;
    hd_effect();
}

/* The objects in the block are destroyed with it. */
static void destroy(hd_shared_state *s, const hd_site *site)
{
    char *block = s->block;
    if (!block)
        return;
    hd_unshared_forget(block);
    if (hd_fast_state.several && hd_exploring() && hd_objects_within(block, s->room))
        hd_objects_destroy(block, s->room);
    hd_access_range(block, s->room, site, 1);
    s->block = NULL;
    s->size = s->room = 0;
    hd_call_site = site;
    hd_heap_free(block);
}

static void drop_use(uint32_t number, const hd_site *site)
{
    hd_shared_state *s = &hd_shared_states[number];
    hd_assert(s->uses);
    s->uses--;
    if (s->removed && !s->uses)
        destroy(s, site);
    hd_effect();
    check_validity(number);
}

/* The operation that ends the use has been performed in this step. */
static void end_use(uint32_t number, const hd_site *site)
{
    if (hd_shared_states[number].removed)
        hd_access_object(&hd_shared_ends[number], site);
    drop_use(number, site);
}

void hd_shared_release(uint32_t number, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    perform(HD_SHARED_USE, number, site);
    end_use(number, site);
    hd_step_end(outer);
}

void hd_shared_remove(uint32_t number, const hd_site *site)
{
    hd_lives_learn();
    perform(HD_SHARED_REMOVE, number, site);
    if (hd_shared_states[number].removed)
        return;
    hd_shared_states[number].removed = 1;
    drop_use(number, site);
}

uint32_t hd_shared_mappings(uint32_t number, const hd_site *site)
{
    hd_lives_learn();
    perform(HD_SHARED_REMOVE, number, site);
    return count_mappings(&hd_shared_states[number]);
}

/* --- size ------------------------------------------------------------------------------------- */

static int resizes_or_looks(hd_thread *t, hd_op *op)
{
    const hd_shared_state *s = &hd_shared_states[(op->object - (uint64_t)hd_shared_sizes) / sizeof *hd_shared_sizes];
    op->kind = s->size == t->update.operand ? HD_RMW_SAME : HD_RMW;
    return 1;
}

/* The object has never been mapped: nothing leads to its block, and nothing is in it. */
static int replace_block(hd_shared_state *s, size_t size)
{
    char *old = s->block;
    if (set_block(s, size))
        return ENOMEM;
    if (old)
        hd_heap_free(old);
    return 0;
}

int hd_shared_resize(uint32_t number, size_t size, const hd_site *site)
{
    hd_shared_state *s = &hd_shared_states[number];
    int error = 0;
    hd_current->update.operand = size;
    hd_access_uses(&(hd_object_use) { &hd_shared_sizes[number], 1, resizes_or_looks }, 1, site);
    hd_call_site = site;
    if (s->size == size)
        return 0;
    hd_effect();
    if (whole_pages(size) != s->room && s->was_mapped)
        hd_end(HD_MODEL_LIMIT, site, "changing the size of shared memory that has been mapped is not modelled yet");
    if (whole_pages(size) != s->room)
        error = replace_block(s, size);
    if (!error)
        s->size = size;
    check_validity(number);
    return error;
}

static void look_at_size(uint32_t number, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { &hd_shared_sizes[number], 0, NULL }, 1, site);
    hd_call_site = site;
}

size_t hd_shared_size(uint32_t number, const hd_site *site)
{
    look_at_size(number, site);
    return hd_shared_states[number].size;
}

/* --- mappings ------------------------------------------------------------------------------------ */

/* Notes a mapping. Where it is in the list has no meaning. If the list is full, the mapping is a use that never ends.
 */
static void note_mapping(hd_shared_state *s, size_t offset, size_t size)
{
    uint32_t at = 0;
    while (
        at < HD_MAPPINGS && s->mappings[at].count && (s->mappings[at].offset != offset || s->mappings[at].size != size))
        at++;
    if (at == HD_MAPPINGS)
        return;
    s->mappings[at].offset = offset;
    s->mappings[at].size = size;
    s->mappings[at].count++;
}

static void begin_mapping(hd_shared_state *s, size_t offset, size_t size, const hd_site *site)
{
    if (offset > s->room || whole_pages(size) > s->room - offset)
        hd_end(HD_MODEL_LIMIT, site, "mapping more shared memory than there is is not modelled yet");
    s->uses++;
    s->was_mapped = 1;
    note_mapping(s, offset, whole_pages(size));
    hd_effect();
}

void *hd_shared_map(uint32_t number, size_t offset, size_t size, const hd_site *site)
{
    hd_shared_state *s = &hd_shared_states[number];
    uint32_t outer = hd_step_begin(0);
    look_at_size(number, site);
    perform(HD_SHARED_USE, number, site);
    if (!hd_shared_is_gone(number))
        begin_mapping(s, offset, size, site);
    hd_step_end(outer);
    check_validity(number);
    return hd_shared_is_gone(number) ? NULL : s->block + offset;
}

uint32_t hd_shared_at(const void *address)
{
    for (uint32_t i = 0; i < instances.count; i++) {
        const hd_shared_state *s = &hd_shared_states[instances.made[i]];
        if (s->block && (uintptr_t)address - (uintptr_t)s->block < s->room)
            return instances.made[i];
    }
    return HD_NO_SHARED;
}

/* A mapping that begins there, and is not larger than `size`; NULL: there is none. */
static uint32_t *find_mapping(hd_shared_state *s, size_t offset, size_t size)
{
    uint32_t *found = NULL;
    size_t largest = 0;
    for (uint32_t i = 0; i < HD_MAPPINGS; i++)
        if (s->mappings[i].count && s->mappings[i].offset == offset && (!size || s->mappings[i].size <= size)
            && s->mappings[i].size > largest) {
            found = &s->mappings[i].count;
            largest = s->mappings[i].size;
        }
    return found;
}

/* Whether there is a mapping is part of the step: the operation comes first. */
int hd_shared_unmap(uint32_t number, const void *address, size_t size, const hd_site *site)
{
    hd_shared_state *s = &hd_shared_states[number];
    uint32_t outer = hd_step_begin(0);
    perform(HD_SHARED_USE, number, site);
    uint32_t *count = find_mapping(s, (size_t)((const char *)address - s->block), whole_pages(size));
    if (count) {
        --*count;
        end_use(number, site);
    }
    hd_step_end(outer);
    return count != NULL;
}
