/* What is on the disk. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/system.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

long hd_disk_status(const char *path, struct stat *to)
{
    return hd_system(SYS_newfstatat, (long)AT_FDCWD, path, to, (long)AT_SYMLINK_NOFOLLOW);
}

long hd_disk_permits(const char *path, int wanted, int effective)
{
    return hd_system(SYS_faccessat2, (long)AT_FDCWD, path, (long)wanted, effective ? (long)AT_EACCESS : 0l);
}

int hd_disk_is_special(const char *path)
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

/* --- the process ---------------------------------------------------------------------------- */

static struct {
    uint32_t users[2]; /* real, effective */
    int knows_users;
    char directory[PATH_MAX];
    long length; /* of `directory`; 0: not known */
} own;

/* A call that changes them needs a process for each execution, and real files. */
uint32_t hd_disk_user(int effective)
{
    if (!own.knows_users) {
        own.users[0] = (uint32_t)hd_system(SYS_getuid);
        own.users[1] = (uint32_t)hd_system(SYS_geteuid);
        own.knows_users = 1;
    }
    return own.users[effective != 0];
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
}
