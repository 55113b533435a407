/* What of the changed files is durable, and what a crash may lose (--crash-files).
 *
 * The contents of a file are durable as they were at the last fsync, fdatasync or write with O_SYNC or O_DSYNC; before
 * the first of them, as they are on the disk, or empty. The names in a directory are durable as they were at the last
 * fsync of a descriptor of the directory, or on the disk. sync and syncfs make everything durable. A crash of a process
 * may undo what the process was the last to change and what is not durable: its names all at once, so that a rename is
 * undone as a whole or not at all; its contents, file by file. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/reset/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUFFER = 32768 };

static void copy_file(int from, int to)
{
    static uint8_t buffer[BUFFER];
    long at = 0, got;
    hd_system(SYS_ftruncate, (long)to, 0l);
    while ((got = hd_system(SYS_pread64, (long)from, buffer, sizeof buffer, at)) > 0) {
        hd_system(SYS_pwrite64, (long)to, buffer, got, at);
        at += got;
    }
}

/* --- making it durable --------------------------------------------------------------------- */

/* Returns 0 or HD_OVERLAY_ENDED. */
static int sync_contents(hd_call *call, hd_node *n)
{
    if (n->memory >= 0 && n->durable < 0)
        n->durable = hd_overlay_take_file(call, n);
    if (n->durable == HD_OVERLAY_ENDED)
        return HD_OVERLAY_ENDED;
    if (n->memory >= 0)
        copy_file(n->memory, n->durable);
    n->changed_by = 0;
    return 0;
}

static void sync_names(hd_node *directory)
{
    for (hd_entry *e = directory->first; e; e = e->next) {
        e->durable = e->node;
        e->changed_by = 0;
    }
    directory->changed_by = 0;
}

static int sync_node(hd_call *call, hd_node *n)
{
    if (!S_ISDIR(n->mode))
        return sync_contents(call, n);
    sync_names(n);
    return 0;
}

static int matters(void)
{
    return hd_overlay_is_on() && hd_rt.options->settings.crash_files && !hd_overlay_is_clean();
}

static void sync_descriptor(hd_call *call, int fd)
{
    struct stat at;
    hd_node *n = matters() && !hd_system(SYS_fstat, (long)fd, &at) ? hd_overlay_find(at.st_dev, at.st_ino) : NULL;
    if (!n)
        return;
    hd_mapped_flush(fd);
    sync_node(call, n);
}

long hd_overlay_sync(hd_call *call)
{
    int is_all = call->number == SYS_sync || call->number == SYS_syncfs;
    long result = hd_kernel_perform(call);
    if (!result && !is_all)
        sync_descriptor(call, (int)call->arguments[0]);
    if (result || !is_all)
        return result;
    for (hd_node *n = matters() ? hd_overlay_first_node() : NULL; n; n = n->next)
        if (sync_node(call, n))
            break;
    return 0;
}

void hd_overlay_written(hd_call *call, int fd)
{
    if (matters() && (hd_system(SYS_fcntl, (long)fd, (long)F_GETFL) & O_DSYNC)) /* O_SYNC has this bit, too */
        sync_descriptor(call, fd);
}

/* --- losing it ------------------------------------------------------------------------------- */

static int is_lost(uint16_t changed_by, uint32_t process)
{
    return changed_by == process + 1;
}

/* A directory that is in no other directory has no links. */
static void change_links(hd_node *n, int more)
{
    n->links = S_ISDIR(n->mode) ? (more > 0 ? 2 : 0) : n->links + (uint32_t)more;
}

int hd_overlay_may_lose_names(uint32_t process)
{
    for (hd_node *n = hd_overlay_first_node(); n; n = n->next)
        for (const hd_entry *e = n->first; e; e = e->next)
            if (is_lost(e->changed_by, process) && e->node != e->durable)
                return 1;
    return 0;
}

void hd_overlay_lose_names(uint32_t process)
{
    for (hd_node *n = hd_overlay_first_node(); n; n = n->next)
        for (hd_entry *e = n->first; e; e = e->next) {
            if (!is_lost(e->changed_by, process) || e->node == e->durable)
                continue;
            if (e->node)
                change_links(e->node, -1);
            if (e->durable)
                change_links(e->durable, 1);
            e->node = e->durable;
            e->changed_by = 0;
        }
}

hd_node *hd_overlay_may_lose_contents(uint32_t process, hd_node *after, struct stat *at)
{
    hd_node *n = after ? after->next : hd_overlay_first_node();
    while (n && !(n->memory >= 0 && is_lost(n->changed_by, process)))
        n = n->next;
    if (n)
        hd_overlay_status(n, at);
    return n;
}

void hd_overlay_lose_contents(hd_node *n)
{
    long disk = n->durable < 0 && n->text ? hd_system(SYS_open, n->text, O_RDONLY | O_CLOEXEC) : -1;
    if (n->durable >= 0)
        copy_file(n->durable, n->memory);
    else if (disk >= 0)
        copy_file((int)disk, n->memory);
    else
        hd_system(SYS_ftruncate, (long)n->memory, 0l);
    if (disk >= 0)
        hd_system(SYS_close, disk);
    n->changed_by = 0;
    hd_mapped_refresh(n->memory);
}
