/* What is on the disk. While changes stay in memory, executions do not change it: answers are kept from execution to
 * execution, except those about /proc and its kin. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/own.h"
#include "runtime/core/system.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

enum { ANSWERS = 512, LONGEST = 200 };

/* What was asked about a path: its status (with flags of fstatat), whether it permits something, or whether it is
 * special. Paths that are not absolute start at the working directory. */
enum { STATUS, PERMITS, IS_SPECIAL };
typedef struct answer {
    char path[LONGEST];
    uint32_t question, flags;
    int is_known;
    long result;
    struct stat status;
} answer;

static answer *answers;

static int stays(const char *path, size_t length)
{
    return hd_overlay_is_on() && length < LONGEST && strncmp(path, "/proc", 5) != 0 && strncmp(path, "/sys", 4) != 0
        && strncmp(path, "/dev", 4) != 0;
}

/* The entry for the question, which may be known; NULL: the answer is not kept. */
static answer *find(const char *path, uint32_t question, uint32_t flags)
{
    size_t length = strlen(path);
    uint32_t hash = question * 31 + flags;
    if (!stays(path, length))
        return NULL;
    if (!answers)
        answers = hd_own_alloc(ANSWERS * sizeof *answers);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)path[i]) * 16777619u;
    answer *a = &answers[(hash ^ hash >> 16) % ANSWERS];
    if (a->is_known && a->question == question && a->flags == flags && !strcmp(a->path, path))
        return a;
    a->is_known = 0;
    a->question = question;
    a->flags = flags;
    memcpy(a->path, path, length + 1);
    return a;
}

static long keep(answer *a, long result)
{
    if (a) {
        a->is_known = 1;
        a->result = result;
    }
    return result;
}

long hd_disk_status_as(const char *path, struct stat *to, int flags)
{
    answer *a = find(path, STATUS, (uint32_t)flags);
    if (a && a->is_known) {
        if (!a->result)
            *to = a->status;
        return a->result;
    }
    long result = hd_system(SYS_newfstatat, (long)AT_FDCWD, path, to, (long)flags);
    if (a && !result)
        a->status = *to;
    return keep(a, result);
}

long hd_disk_status(const char *path, struct stat *to)
{
    return hd_disk_status_as(path, to, AT_SYMLINK_NOFOLLOW);
}

long hd_disk_permits(const char *path, int wanted, int effective)
{
    uint32_t flags = effective ? AT_EACCESS : 0;
    answer *a = find(path, PERMITS, (uint32_t)wanted << 16 | flags);
    if (a && a->is_known)
        return a->result;
    return keep(a, hd_system(SYS_faccessat2, (long)AT_FDCWD, path, (long)wanted, (long)flags));
}

static int is_special(const char *path)
{
    struct statfs fs;
    if (hd_system(SYS_statfs, path, &fs))
        return 1;
    switch (fs.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
        return 1;
    default:
        return 0;
    }
}

int hd_disk_is_special(const char *path)
{
    answer *a = find(path, IS_SPECIAL, 0);
    return (int)(a && a->is_known ? a->result : keep(a, is_special(path)));
}

/* --- the process ---------------------------------------------------------------------------- */

static struct {
    uint32_t users[2], group; /* real, effective; the effective group */
    uint32_t umask;
    int knows_users, knows_umask;
    char directory[PATH_MAX];
    long length; /* of `directory`; 0: not known */
} own;

/* A call that changes them needs a process for each execution, and real files. */
uint32_t hd_disk_user(int effective)
{
    if (!own.knows_users) {
        own.users[0] = (uint32_t)hd_system(SYS_getuid);
        own.users[1] = (uint32_t)hd_system(SYS_geteuid);
        own.group = (uint32_t)hd_system(SYS_getegid);
        own.knows_users = 1;
    }
    return own.users[effective != 0];
}

uint32_t hd_disk_group(void)
{
    hd_disk_user(1);
    return own.group;
}

uint32_t hd_disk_umask(void)
{
    if (!own.knows_umask) {
        own.umask = (uint32_t)hd_system(SYS_umask, 0l);
        hd_system(SYS_umask, (long)own.umask);
        own.knows_umask = 1;
    }
    return own.umask;
}

void hd_disk_umask_changed(void)
{
    own.knows_umask = 0;
}

long hd_disk_directory(char *to)
{
    if (own.length <= 0)
        own.length = hd_system(SYS_getcwd, own.directory, sizeof own.directory);
    if (own.length > 0)
        memcpy(to, own.directory, (size_t)own.length);
    return own.length;
}

void hd_disk_moved(void)
{
    own.length = 0;
    for (uint32_t i = 0; answers && i < ANSWERS; i++)
        answers[i].is_known &= answers[i].path[0] == '/';
}
