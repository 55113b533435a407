#include "runtime/kernel/memory_object.h"

#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/names.h"
#include "runtime/kernel/shared.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

const char *hd_shared_name(const char *name)
{
    while (*name == '/')
        name++;
    size_t length = strlen(name);
    return length && length < NAME_MAX - 1 && !strchr(name, '/') ? name : NULL;
}

/* --- the type of its descriptions ---------------------------------------------------------- */

static _Noreturn void limit(const char *what)
{
    hd_end(HD_MODEL_LIMIT, hd_call_site, "%s of a shared memory object is not modelled yet", what);
}

static ssize_t read_from(hd_description *d, void *to, size_t size, int flags)
{
    (void)d, (void)to, (void)size, (void)flags;
    limit("reading from the descriptor");
}

static ssize_t write_to(hd_description *d, const void *from, size_t size, int flags)
{
    (void)d, (void)from, (void)size, (void)flags;
    limit("writing to the descriptor");
}

static long available(hd_description *d)
{
    (void)d;
    limit("FIONREAD");
}

static void close_description(hd_description *d)
{
    hd_shared_release(d->object, hd_call_site);
}

static struct hd_gate *gate(hd_description *d)
{
    (void)d;
    limit("poll");
}

static short events(hd_description *d)
{
    (void)d;
    limit("poll");
}

static const hd_file_type memory_type = { "shared memory object", S_IFREG | 0600, read_from, write_to, available,
    close_description, gate, gate, events, 0 };

uint32_t hd_memory_object_of(const hd_description *d)
{
    return d && d->type == &memory_type ? d->object : HD_NO_SHARED;
}

/* --- names ------------------------------------------------------------------------------------ */

static int open_number(uint32_t number, int flags, const hd_site *site)
{
    hd_description *d = hd_description_make(&memory_type, number, flags & O_ACCMODE);
    hd_shared_hold(number, site);
    int fd = hd_descriptors_add(d, 0, 1, site);
    if (fd < 0)
        hd_shared_release(number, site);
    return fd;
}

static int make_and_open(const char *name, int flags, const hd_site *site)
{
    uint32_t number = hd_shared_make(HD_SHARED_OBJECT, 0);
    int fd = open_number(number, flags, site);
    if (fd >= 0)
        hd_names_add(HD_NAMES_OF_MEMORY, name, number);
    return fd;
}

static int find_and_open(const char *name, int flags, const hd_site *site)
{
    int number = hd_names_find(HD_NAMES_OF_MEMORY, name, flags & O_CREAT, site), makes = flags & O_CREAT;
    if (number >= 0 && makes && (flags & O_EXCL))
        return -EEXIST;
    if (number < 0)
        return makes ? make_and_open(name, flags, site) : -ENOENT;
    int error = flags & O_TRUNC ? hd_shared_resize((uint32_t)number, 0, site) : 0;
    return error ? -error : open_number((uint32_t)number, flags, site);
}

int hd_memory_object_open(const char *name, int flags, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    int fd = find_and_open(name, flags, site);
    hd_step_end(outer);
    return fd;
}

int hd_memory_object_unlink(const char *name, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    int number = hd_names_remove(HD_NAMES_OF_MEMORY, name, site);
    if (number >= 0)
        hd_shared_remove((uint32_t)number, site);
    hd_step_end(outer);
    return number < 0 ? -ENOENT : 0;
}

int hd_memory_object_resize(hd_description *d, int64_t size, const hd_site *site)
{
    if ((d->flags & O_ACCMODE) == O_RDONLY || size < 0)
        return -EINVAL;
    return -hd_shared_resize(d->object, (size_t)size, site);
}
