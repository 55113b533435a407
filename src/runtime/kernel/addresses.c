#include "runtime/kernel/addresses.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/core/system.h"
#include "runtime/reset/overlay.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t hd_port_objects[2][HD_PORTS], hd_unix_objects[HD_UNIX_OBJECTS];
hd_unix_name hd_unix_names[HD_UNIX_NAMES];
static uint32_t used; /* entries below this number may have been used in this run */

enum { PATH = sizeof((struct sockaddr_un *)0)->sun_path };

void hd_addresses_reset(void)
{
    if (used)
        memset(hd_unix_names, 0, used * sizeof *hd_unix_names);
    used = 0;
}

static int is_abstract(const hd_unix_name *name)
{
    return !name->text[0];
}

static int are_equal(const hd_unix_name *a, const hd_unix_name *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length) && a->device == b->device
        && a->folder == b->folder && a->type == b->type;
}

int hd_addresses_are_valid(void)
{
    for (uint32_t i = 0; i < used; i++) {
        const hd_unix_name *name = &hd_unix_names[i];
        if (!name->used)
            continue;
        if (!name->length || name->length > PATH || (is_abstract(name) && !name->socket))
            return 0;
        for (uint32_t j = 0; j < i; j++)
            if (hd_unix_names[j].used && are_equal(name, &hd_unix_names[j]))
                return 0;
    }
    return 1;
}

/* --- ports --------------------------------------------------------------------------------- */

void hd_port_use(int is_udp, uint16_t port, int changes, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { &hd_port_objects[is_udp][port], changes, NULL }, 1, site);
}

/* --- UNIX names ---------------------------------------------------------------------------- */

/* FNV-1a. Folders do not count: their numbers are not the same everywhere. */
static uint64_t *object_of(const hd_unix_name *name)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < name->length; i++)
        hash = (hash ^ (uint8_t)name->text[i]) * 16777619u;
    return &hd_unix_objects[hash % HD_UNIX_OBJECTS];
}

void hd_unix_name_use(const hd_unix_name *name, int changes, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { object_of(name), changes, NULL }, 1, site);
}

static int look_at_folder(const char *path, size_t length, hd_unix_name *name)
{
    char folder[PATH_MAX];
    struct stat at;
    if (length >= sizeof folder)
        return -ENAMETOOLONG;
    memcpy(folder, length ? path : ".", length ? length : 1);
    folder[length ? length : 1] = 0;
    long error = hd_overlay_stat(folder, &at, 0);
    if (error)
        return (int)error;
    if (!S_ISDIR(at.st_mode))
        return -ENOTDIR;
    name->device = at.st_dev;
    name->folder = at.st_ino;
    return 0;
}

static int name_of_path(const char *path, size_t length, hd_unix_name *name)
{
    size_t start = length;
    while (start && path[start - 1] != '/')
        start--;
    if (length - start >= PATH)
        return -ENAMETOOLONG;
    name->length = (uint8_t)(length - start);
    memcpy(name->text, path + start, length - start);
    return look_at_folder(path, start, name);
}

int hd_unix_name_of(const hd_address *address, int type, hd_unix_name *name)
{
    size_t length = address->length - offsetof(struct sockaddr_un, sun_path);
    const char *path = address->un.sun_path;
    *name = (hd_unix_name) { 0 };
    if (path[0])
        return name_of_path(path, strnlen(path, length), name);
    name->type = (uint8_t)type;
    name->length = (uint8_t)length;
    memcpy(name->text, path, length);
    return 0;
}

hd_unix_name *hd_unix_name_find(const hd_unix_name *name)
{
    for (uint32_t i = 0; i < used; i++)
        if (hd_unix_names[i].used && are_equal(&hd_unix_names[i], name))
            return &hd_unix_names[i];
    return NULL;
}

/* The path as a string, and the real file there, if it is a file name: 0 or minus an error number. */
static int look_at_file(const hd_address *address, char path[PATH + 1], struct stat *at, const hd_site *site)
{
    size_t length = address->length - offsetof(struct sockaddr_un, sun_path);
    memcpy(path, address->un.sun_path, length);
    path[length] = 0;
    if (!path[0])
        return -ENOENT;
    hd_fs_look(path, site);
    hd_call_site = site;
    return (int)hd_overlay_stat(path, at, AT_SYMLINK_NOFOLLOW);
}

int hd_unix_name_obstacle(const hd_address *address, const hd_site *site)
{
    char path[PATH + 1];
    struct stat at;
    int error = look_at_file(address, path, &at, site);
    if (!error)
        return EADDRINUSE;
    if (error != -ENOENT || !path[0])
        return path[0] ? -error : 0;
    char *end = strrchr(path, '/');
    strcpy(end ? end + 1 : path, ".");
    error = (int)-hd_system(SYS_faccessat, (long)AT_FDCWD, path, (long)W_OK);
    return error == ENOENT ? 0 : error; /* a folder that the execution has made */
}

int hd_unix_name_absence(const hd_address *address, const hd_site *site)
{
    char path[PATH + 1];
    struct stat at;
    int error = look_at_file(address, path, &at, site);
    if (!error && S_ISSOCK(at.st_mode))
        hd_end(HD_MODEL_LIMIT, site, "connecting to a socket of another program is not modelled yet");
    return error && path[0] ? -error : ECONNREFUSED;
}

static hd_unix_name *free_entry(void)
{
    uint32_t i = 0;
    while (i < used && hd_unix_names[i].used)
        i++;
    if (i == HD_UNIX_NAMES)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d names of sockets are not modelled yet", HD_UNIX_NAMES);
    used = i < used ? used : i + 1;
    return &hd_unix_names[i];
}

static void learn_change(const hd_unix_name *name)
{
    if (is_abstract(name) || !hd_exploring() || !hd_fast_state.several || hd_known->socket_files)
        return;
    hd_known->socket_files = 1;
    hd_learned();
}

void hd_unix_name_bind(const hd_unix_name *name, uint32_t socket)
{
    learn_change(name);
    hd_unix_name *entry = free_entry();
    *entry = *name;
    entry->socket = (uint16_t)(socket + 1);
    entry->used = 1;
    hd_effect();
    hd_check_valid(hd_addresses_are_valid(), used, used);
}

void hd_unix_name_leave(const hd_unix_name *name, uint32_t socket)
{
    hd_unix_name *entry = hd_unix_name_find(name);
    if (!entry || entry->socket != socket + 1)
        return; /* its file was removed */
    entry->socket = 0;
    entry->used = !is_abstract(entry);
    hd_effect();
}

/* --- functions on files ---------------------------------------------------------------------- */

static hd_unix_name *find_path(const char *path, int changes, const hd_site *site)
{
    hd_unix_name name = { 0 };
    if (!hd_exploring() || (!used && !hd_known->socket_files) || name_of_path(path, strlen(path), &name))
        return NULL;
    if (hd_known->socket_files)
        hd_unix_name_use(&name, changes, site);
    hd_call_site = site;
    return hd_unix_name_find(&name);
}

int hd_unix_name_is(const char *path, const hd_site *site)
{
    return find_path(path, 0, site) != NULL;
}

int hd_unix_name_remove(const char *path, const hd_site *site)
{
    hd_unix_name *entry = find_path(path, 1, site);
    if (!entry)
        return 0;
    learn_change(entry);
    entry->used = 0;
    hd_effect();
    return 1;
}

void hd_unix_name_refuse(const char *path, const char *function, const hd_site *site)
{
    if (hd_unix_name_is(path, site))
        hd_end(HD_MODEL_LIMIT, site, "%s of the file name of a socket is not modelled yet", function);
}
