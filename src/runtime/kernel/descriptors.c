#include "runtime/kernel/descriptors_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/epoll.h"
#include "runtime/reset/kernel.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

hd_descriptors hd_the_descriptors;
static hd_description descriptions[HD_DESCRIPTIONS];
uint64_t hd_number_uses[HD_DESCRIPTORS], hd_description_uses[HD_DESCRIPTIONS]; /* objects (abi/shown.def) */
static uint32_t count; /* of descriptions that have been made in this run */

void hd_descriptors_reset(void)
{
    if (hd_the_descriptors.used)
        memset(hd_the_descriptors.entries, 0, (size_t)hd_the_descriptors.used * sizeof *hd_the_descriptors.entries);
    hd_the_descriptors.used = 0;
    if (count)
        memset(descriptions, 0, count * sizeof *descriptions);
    count = 0;
}

int hd_descriptors_are_valid(void)
{
    uint32_t entries[HD_DESCRIPTIONS] = { 0 };
    for (int fd = 0; fd < hd_the_descriptors.used; fd++) {
        uint32_t known = hd_the_descriptors.entries[fd].description;
        if (known > count)
            return 0;
        if (known)
            entries[known - 1]++;
    }
    for (uint32_t i = 0; i < count; i++)
        if (descriptions[i].references < entries[i] || (descriptions[i].references && !descriptions[i].type))
            return 0;
    return 1;
}

static void check_validity(void)
{
    hd_check_valid(hd_descriptors_are_valid(), (uint64_t)hd_the_descriptors.used + count, count);
}

/* --- descriptions ------------------------------------------------------------------------ */

hd_description *hd_description_make(const hd_file_type *type, uint32_t object, int flags)
{
    if (count == HD_DESCRIPTIONS)
        hd_end(
            HD_MODEL_LIMIT, hd_call_site, "making more than %d pipes or sockets is not modelled yet", HD_DESCRIPTIONS);
    hd_description *d = &descriptions[count++];
    *d = (hd_description) { .type = type, .object = object, .flags = flags };
    return d;
}

hd_description *hd_description_of(const hd_file_type *type, uint32_t object)
{
    for (uint32_t i = 0; i < count; i++)
        if (descriptions[i].type == type && descriptions[i].object == object)
            return &descriptions[i];
    return NULL;
}

uint32_t hd_description_number(const hd_description *d)
{
    return (uint32_t)(d - descriptions);
}

/* The last use closes it. */
static void drop_use(hd_description *d, const hd_site *site)
{
    hd_call_site = site;
    if (--d->references)
        return;
    hd_epoll_forget(d);
    d->type->close(d);
    d->type = NULL;
}

static void change_uses(hd_description *d, const hd_site *site)
{
    hd_access_object(&hd_description_uses[d - descriptions], site);
}

/* A call that uses a number changes what a close of it does: the calls commute with each other, but not with it. */
static void use_number(hd_op_kind kind, int fd, const hd_site *site)
{
    hd_call_site = site;
    if (hd_fs_varies(fd) && fd < HD_DESCRIPTORS)
        hd_perform(kind, &hd_number_uses[fd], NULL);
}

void hd_descriptors_release(int fd, hd_description *d, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    use_number(HD_NUMBER_USE, fd, site);
    if (hd_descriptors_at(fd) != d)
        change_uses(d, site);
    drop_use(d, site);
    hd_step_end(outer);
}

hd_description *hd_descriptors_at(int fd)
{
    uint32_t known = fd >= 0 && fd < hd_the_descriptors.used ? hd_the_descriptors.entries[fd].description : 0;
    return known ? &descriptions[known - 1] : NULL;
}

hd_description *hd_descriptors_hold(int fd, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_look_up(fd, site);
    hd_description *d = hd_descriptors_at(fd);
    if (d) {
        use_number(HD_NUMBER_USE, fd, site);
        d->references++;
    }
    hd_step_end(outer);
    hd_call_site = site;
    return d;
}

/* --- numbers ------------------------------------------------------------------------------- */

/* `fd` has just been reserved for the description. */
static int enter(hd_description *d, int fd, int closes_on_exec)
{
    if (fd >= HD_DESCRIPTORS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a descriptor above %d is not modelled yet", HD_DESCRIPTORS - 1);
    hd_the_descriptors.entries[fd].description = (uint16_t)(d - descriptions + 1);
    hd_the_descriptors.entries[fd].closes_on_exec = closes_on_exec != 0;
    hd_the_descriptors.used = fd >= hd_the_descriptors.used ? fd + 1 : hd_the_descriptors.used;
    d->references++;
    hd_effect();
    check_validity();
    return fd;
}

int hd_descriptors_add(hd_description *d, int from, int closes_on_exec, const hd_site *site)
{
    hd_fs_number(from, site);
    long fd = hd_kernel_reserve(from);
    hd_call_site = site;
    return fd < 0 ? (int)fd : enter(d, (int)fd, closes_on_exec);
}

void hd_descriptors_drop(int fd, const hd_site *site)
{
    hd_description *d = hd_descriptors_at(fd);
    use_number(HD_NUMBER_CLOSE, fd, site);
    hd_the_descriptors.entries[fd].description = 0;
    hd_kernel_unreserve(fd);
    change_uses(d, site);
    drop_use(d, site);
    hd_effect();
    check_validity();
}

/* A limit of the kernel is not part of the model: no entry can have such a number. */
static int is_possible(int fd)
{
    return fd >= 0 && fd < sysconf(_SC_OPEN_MAX);
}

int hd_descriptors_replace(int fd, int to, int closes_on_exec, const hd_site *site)
{
    if (!is_possible(to))
        return -EBADF;
    uint32_t outer = hd_step_begin(0);
    hd_fs_look_up(fd, site);
    hd_description *d = hd_descriptors_at(fd);
    if (to <= STDERR_FILENO)
        hd_end(HD_MODEL_LIMIT, site, "replacing a standard stream by a %s is not modelled yet", d->type->name);
    if (fd == to) {
        hd_step_end(outer);
        return fd;
    }
    d->references++;
    if (!hd_fs_close(to, site))
        close(to);
    hd_step_end(outer);
    hd_kernel_reserve(to);
    enter(d, to, closes_on_exec);
    drop_use(d, site);
    return to;
}

/* --- flags ------------------------------------------------------------------------------------ */

int hd_descriptors_closes_on_exec(int fd)
{
    return hd_the_descriptors.entries[fd].closes_on_exec;
}

void hd_descriptors_set_close_on_exec(int fd, int closes, const hd_site *site)
{
    hd_fs_change_number(fd, site);
    hd_the_descriptors.entries[fd].closes_on_exec = closes != 0;
    hd_effect();
}

void hd_description_set_flags(hd_description *d, int flags, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    for (int fd = 0; fd < hd_the_descriptors.used; fd++)
        if (hd_descriptors_at(fd) == d)
            hd_fs_change_number(fd, site);
    hd_step_end(outer);
    d->flags = flags;
    hd_effect();
}
