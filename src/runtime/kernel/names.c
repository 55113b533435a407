#include "runtime/kernel/names_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <string.h>

hd_named hd_names[HD_NAMES];
uint32_t hd_name_count;
uint64_t hd_name_objects[HD_NAME_SPACES][HD_NAME_OBJECTS]; /* objects (abi/shown.def) */

void hd_names_reset(void)
{
    hd_name_count = 0;
}

int hd_names_are_valid(void)
{
    if (hd_name_count > HD_NAMES)
        return 0;
    for (uint32_t i = 0; i < hd_name_count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (hd_names[i].space == hd_names[j].space && !strcmp(hd_names[i].name, hd_names[j].name))
                return 0;
    return 1;
}

static void check_validity(void)
{
    hd_check_valid(hd_names_are_valid(), hd_name_count * hd_name_count, 0);
}

static hd_named *at(hd_name_space space, const char *name)
{
    for (uint32_t i = 0; i < hd_name_count; i++)
        if (hd_names[i].space == space && !strcmp(hd_names[i].name, name))
            return &hd_names[i];
    return NULL;
}

static const void *object_of(hd_name_space space, const char *name)
{
    uint32_t hash = 0;
    while (*name)
        hash = hash * 31 + (uint8_t)*name++;
    return &hd_name_objects[space][hash % HD_NAME_OBJECTS];
}

/* An operation that makes the name unless it is there, or removes it if it is: the operand says for which of the two it
 * changes something. */
enum { MAKES = 0, REMOVES = 1 };

static int changes_or_looks(hd_thread *t, hd_op *op)
{
    uint64_t space = t->update.operand / 2, if_there = t->update.operand % 2;
    int there = at((hd_name_space)space, t->update.address) != NULL;
    op->kind = there == (int)if_there ? HD_RMW : HD_RMW_SAME;
    return 1;
}

static void change(hd_name_space space, const char *name, int how, const hd_site *site)
{
    hd_current->update.address = (void *)name;
    hd_current->update.operand = (uint64_t)space * 2 + (uint64_t)how;
    hd_access_uses(&(hd_object_use) { object_of(space, name), 1, changes_or_looks }, 1, site);
}

int hd_names_find(hd_name_space space, const char *name, int makes, const hd_site *site)
{
    if (makes)
        change(space, name, MAKES, site);
    else
        hd_access_uses(&(hd_object_use) { object_of(space, name), 0, NULL }, 1, site);
    hd_call_site = site;
    const hd_named *known = at(space, name);
    return known ? (int)known->number : -1;
}

void hd_names_add(hd_name_space space, const char *name, uint32_t number)
{
    hd_assert(strlen(name) < HD_NAME_ROOM);
    if (hd_name_count == HD_NAMES)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d names of shared objects are not modelled yet", HD_NAMES);
    hd_named *new = &hd_names[hd_name_count++];
    new->space = (uint8_t)space;
    new->number = number;
    strcpy(new->name, name);
    hd_effect();
    check_validity();
}

static int drop(hd_named *known)
{
    int number = (int)known->number;
    *known = hd_names[--hd_name_count];
    hd_effect();
    check_validity();
    return number;
}

int hd_names_remove(hd_name_space space, const char *name, const hd_site *site)
{
    change(space, name, REMOVES, site);
    hd_call_site = site;
    hd_named *known = at(space, name);
    return known ? drop(known) : -1;
}

void hd_names_remove_number(hd_name_space space, uint32_t number, const hd_site *site)
{
    for (uint32_t i = 0; i < hd_name_count; i++)
        if (hd_names[i].space == space && hd_names[i].number == number) {
            hd_access_object(object_of(space, hd_names[i].name), site);
            drop(&hd_names[i]);
            return;
        }
}
