/* Contents of changed files, and lists of directories: files in memory.
 *
 * They are kept from one execution to the next, emptied, because making one takes longer than writing to it. Their
 * descriptors have numbers that the program cannot have: above its limit, which is raised in the kernel for that and
 * enforced here. A process that was forked makes its own ones. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/assert.h"
#include "runtime/core/system.h"
#include "runtime/reset/rewind.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 16384 + 64, NUMBERS = 4096, OUT_OF_THE_WAY = 900, BUFFER = 32768, CLOSE_ON_EXEC = 1 };

static struct {
    int fds[MOST];
    uint32_t made, used; /* used in this execution: the first ones */
    uint32_t listings; /* of them: lists of directories */
    long process;
    int first; /* the lowest number that they may have; 0: there is none yet */
    uint64_t limit; /* of the program */
} pool;

/* --- files in memory ------------------------------------------------------------------------ */

static void find_numbers(void)
{
    struct rlimit limit;
    hd_system(SYS_getrlimit, (long)RLIMIT_NOFILE, &limit);
    pool.limit = limit.rlim_cur;
    pool.first = limit.rlim_cur < NUMBERS ? (int)limit.rlim_cur : NUMBERS;
    if (limit.rlim_cur < NUMBERS + MOST && limit.rlim_max > limit.rlim_cur) {
        limit.rlim_cur = limit.rlim_max < NUMBERS + MOST ? limit.rlim_max : NUMBERS + MOST;
        hd_system(SYS_setrlimit, (long)RLIMIT_NOFILE, &limit);
    } else if (pool.first < NUMBERS) {
        pool.first = pool.first > OUT_OF_THE_WAY ? OUT_OF_THE_WAY : pool.first / 2;
    }
}

uint64_t hd_overlay_limit(void)
{
    return pool.first ? pool.limit : UINT64_MAX;
}

void hd_overlay_set_limit(uint64_t limit)
{
    pool.limit = limit;
}

int hd_overlay_hides(int fd)
{
    return pool.first && fd >= pool.first && !hd_files_is_opened(fd);
}

static int make_file(void)
{
    if (!pool.first)
        find_numbers();
    if (pool.made == MOST)
        return -1;
    long fd = hd_system(SYS_memfd_create, "heddle", (long)CLOSE_ON_EXEC);
    if (fd < 0)
        return -1;
    long high = hd_system(SYS_fcntl, fd, (long)F_DUPFD_CLOEXEC, (long)pool.first);
    hd_system(SYS_close, fd);
    if (high >= 0)
        pool.fds[pool.made++] = (int)high;
    return high < 0 ? -1 : 0;
}

/* Returns an empty file in memory for the node, or -1. */
static int take_file(hd_node *n)
{
    struct stat at;
    long process = hd_system(SYS_getpid);
    if (process != pool.process)
        pool.made = 0;
    pool.process = process;
    if (pool.used == pool.made && make_file())
        return -1;
    int fd = pool.fds[pool.used++];
    hd_system(SYS_fstat, (long)fd, &at);
    hd_overlay_know(at.st_dev, at.st_ino, n);
    return fd;
}

void hd_overlay_forget_data(void)
{
    while (pool.used)
        hd_system(SYS_ftruncate, (long)pool.fds[--pool.used], 0l);
    pool.listings = 0;
}

int hd_overlay_memory_is_valid(const hd_node *nodes)
{
    uint32_t with_contents = 0;
    for (const hd_node *n = nodes; n; n = n->next) {
        uint32_t i = 0;
        if (n->memory < 0)
            continue;
        while (i < pool.used && pool.fds[i] != n->memory)
            i++;
        for (const hd_node *other = n->next; other; other = other->next)
            if (other->memory == n->memory)
                return 0;
        if (i == pool.used || !S_ISREG(n->mode))
            return 0;
        with_contents++;
    }
    return with_contents + pool.listings <= pool.used && pool.used <= pool.made;
}

static int is_out_of_files(hd_call *call)
{
    hd_kernel_end(call, HD_MODEL_LIMIT, "changing so many files at once is not modelled: the limit of open files");
    return HD_OVERLAY_ENDED;
}

int hd_overlay_take_file(hd_call *call, hd_node *n)
{
    int file = take_file(n);
    return file < 0 ? is_out_of_files(call) : file;
}

/* --- contents ---------------------------------------------------------------------------------- */

/* Does a descriptor that the process had before stand for it? That one cannot be replaced. */
static int is_inherited(const hd_node *n)
{
    enum { MOST_INHERITED = 16 };
    struct stat at;
    for (long fd = 0; fd < MOST_INHERITED; fd++)
        if (!hd_files_is_opened((int)fd) && !hd_system(SYS_fstat, fd, &at) && at.st_dev == n->device
            && at.st_ino == n->number)
            return 1;
    return 0;
}

/* Copies what is on the disk. Returns as hd_overlay_fill. */
static int copy_contents(hd_call *call, const hd_node *n, int to)
{
    struct stat at;
    long from = hd_system(SYS_open, n->text, O_RDONLY | O_CLOEXEC), copied = 0;
    if (from < 0)
        return hd_kernel_end(call, HD_NEEDS_FORK, "a file that cannot be read is opened for writing"), HD_OVERLAY_ENDED;
    hd_system(SYS_fstat, from, &at);
    int flooded = hd_kernel_is_flooded(call, (uint64_t)at.st_size);
    while (!flooded && copied < at.st_size) {
        long n_more = hd_system(SYS_sendfile, (long)to, from, 0l, (long)(at.st_size - copied));
        if (n_more <= 0)
            break;
        copied += n_more;
    }
    hd_system(SYS_close, from);
    return flooded ? HD_OVERLAY_ENDED : 0;
}

int hd_overlay_fill(hd_call *call, hd_node *n, int keeps)
{
    if (n->memory >= 0)
        return 0;
    if (n->text && (hd_disk_is_special(n->text) || is_inherited(n)))
        return hd_kernel_end(
                   call, HD_NEEDS_FORK, "a file of the kernel is changed, or one that the process had open before"),
               HD_OVERLAY_ENDED;
    int file = hd_overlay_take_file(call, n);
    if (file == HD_OVERLAY_ENDED || (n->text && keeps && copy_contents(call, n, file)))
        return HD_OVERLAY_ENDED;
    n->memory = file;
    if (n->text)
        hd_files_redirect(n->device, n->number, file);
    return 0;
}

/* --- lists of directories ------------------------------------------------------------------------ */

/* As the kernel has it. */
typedef struct record {
    uint64_t number;
    int64_t next; /* the offset of the next one */
    uint16_t size;
    uint8_t type;
    char name[];
} record;

enum { HEAD = offsetof(record, name) };

/* Calls `visit` for each name on the disk that the overlay does not change, until it returns non-zero. */
static int visit_disk(const char *path, const hd_node *n, int (*visit)(void *, const record *), void *context)
{
    static _Alignas(16) uint8_t buffer[BUFFER];
    int stopped = 0;
    long fd = hd_system(SYS_open, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), got;
    while (!stopped && (got = hd_system(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < got && !stopped; at += ((const record *)(buffer + at))->size) {
            const record *r = (const record *)(buffer + at);
            if (!n || !hd_overlay_entry(n, r->name))
                stopped = visit(context, r);
        }
    if (fd >= 0)
        hd_system(SYS_close, fd);
    return stopped;
}

static int is_name(void *unused, const record *r)
{
    (void)unused;
    return strcmp(r->name, ".") != 0 && strcmp(r->name, "..") != 0;
}

int hd_overlay_is_empty(const hd_spot *directory)
{
    for (const hd_entry *e = directory->node ? directory->node->first : NULL; e; e = e->next)
        if (e->node)
            return 0;
    return !*directory->path || !visit_disk(directory->path, directory->node, is_name, NULL);
}

typedef struct list {
    int file;
    int64_t size;
} list;

static int append(void *context, const record *from)
{
    list *l = context;
    _Alignas(8) uint8_t bytes[HEAD + NAME_MAX + 9] = { 0 };
    record *r = (record *)bytes;
    size_t length = strlen(from->name);
    *r = (record) { .number = from->number, .type = from->type, .size = (uint16_t)((HEAD + length + 8) & ~7ul) };
    memcpy(r->name, from->name, length);
    r->next = l->size + r->size;
    hd_system(SYS_pwrite64, (long)l->file, r, (long)r->size, l->size);
    l->size = r->next;
    return 0;
}

static void append_entry(list *l, const char *name, uint64_t number, uint32_t mode)
{
    _Alignas(8) uint8_t bytes[HEAD + NAME_MAX + 9];
    record *r = (record *)bytes;
    *r = (record) { .number = number, .type = (uint8_t)IFTODT(mode) };
    strcpy(r->name, name);
    append(l, r);
}

static void write_list(const hd_node *n, int file)
{
    list l = { file, 0 };
    hd_system(SYS_ftruncate, (long)file, 0l);
    if (n->text && n->links) {
        visit_disk(n->text, n, append, &l);
    } else if (n->links) {
        append_entry(&l, ".", n->number, n->mode);
        append_entry(&l, "..", n->parent ? n->parent->number : n->number, n->mode);
    }
    for (const hd_entry *e = n->first; e; e = e->next)
        if (e->node)
            append_entry(&l, e->name, e->node->number, e->node->mode);
}

long hd_overlay_open_directory(hd_call *call, hd_node *n, uint64_t flags)
{
    int file = hd_overlay_take_file(call, n);
    if (file == HD_OVERLAY_ENDED)
        return HD_OVERLAY_ENDED;
    pool.listings++;
    return hd_files_opened(call, hd_files_reopen(file, flags));
}

int hd_overlay_is_listing(int fd)
{
    struct stat at;
    if (!pool.listings || hd_system(SYS_fstat, (long)fd, &at) || !S_ISREG(at.st_mode))
        return 0;
    const hd_node *n = hd_overlay_find(at.st_dev, at.st_ino);
    return n && S_ISDIR(n->mode);
}

/* Which of the files in memory the descriptor stands for. */
static int file_behind(int fd)
{
    struct stat at, of;
    hd_system(SYS_fstat, (long)fd, &at);
    for (uint32_t i = 0; i < pool.used; i++)
        if (!hd_system(SYS_fstat, (long)pool.fds[i], &of) && at.st_dev == of.st_dev && at.st_ino == of.st_ino)
            return pool.fds[i];
    return -1;
}

/* A descriptor of a directory on the disk becomes one of a list, if the directory has changed and is read from its
 * start. Returns whether it was or has become one, or HD_OVERLAY_ENDED. */
static int becomes_listing(hd_call *call, int fd)
{
    struct stat at;
    if (hd_overlay_is_listing(fd))
        return 1;
    hd_node *n = hd_system(SYS_fstat, (long)fd, &at) ? NULL : hd_overlay_find(at.st_dev, at.st_ino);
    if (!n || !S_ISDIR(n->mode) || (!n->first && n->links) || hd_system(SYS_lseek, (long)fd, 0l, SEEK_CUR) != 0)
        return 0;
    if (!hd_files_is_opened(fd))
        return hd_kernel_end(call, HD_NEEDS_FORK, "a directory that was open before is listed"), HD_OVERLAY_ENDED;
    int file = hd_overlay_take_file(call, n);
    if (file == HD_OVERLAY_ENDED)
        return HD_OVERLAY_ENDED;
    pool.listings++;
    hd_files_redirect_description(fd, file);
    return 1;
}

/* Only whole records are read. */
static long whole_records(const uint8_t *bytes, long got)
{
    long end = 0;
    while (end + HEAD < got && end + ((const record *)(bytes + end))->size <= got)
        end += ((const record *)(bytes + end))->size;
    return end;
}

long hd_overlay_list(hd_call *call)
{
    int fd = (int)call->arguments[0], is_list = becomes_listing(call, fd);
    uint8_t *to = (uint8_t *)call->arguments[1];
    struct stat at;
    if (is_list <= 0)
        return is_list ? 0 : hd_kernel_perform(call);
    long offset = hd_system(SYS_lseek, (long)fd, 0l, SEEK_CUR);
    hd_system(SYS_fstat, (long)fd, &at);
    const hd_node *n = hd_overlay_find(at.st_dev, at.st_ino);
    if (!n->links)
        return -ENOENT;
    if (!offset)
        write_list(n, file_behind(fd));
    hd_rewind_open((uint64_t)to, call->arguments[2]);
    long got = hd_system(SYS_pread64, (long)fd, to, call->arguments[2], offset);
    long whole = got > 0 ? whole_records(to, got) : got;
    if (got > 0 && !whole)
        return -EINVAL;
    hd_system(SYS_lseek, (long)fd, offset + (whole > 0 ? whole : 0), SEEK_SET);
    return whole;
}
