/* Functions that write a result to memory of the caller: about files, dates, addresses, numbers. The C library writes
 * to a buffer of the runtime; the part that it has written is then announced as a write and copied. */
#include "runtime/face/face.h"
#include "runtime/kernel/addresses.h"
#include "runtime/libc/files.h"
#include "runtime/libc/see.h"
#include "runtime/reset/kernel.h"
#include "runtime/sync/fs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>

static void hand_on(void *to, const void *answer, size_t size, const hd_site *site)
{
    SEE(site, WRITES(to, size));
    memcpy(to, answer, size);
}

static char *hand_on_text(char *to, const char *answer, const hd_site *site)
{
    hand_on(to, answer, strlen(answer) + 1, site);
    return to;
}

/* --- files ------------------------------------------------------------------------- */

#define ABOUT_PATH(name, type) \
    HD_FACE int hd_##name(const char *path, struct type *to) \
    { \
        const hd_site *site = hd_call_site; \
        struct type answer; \
        hd_see_string(path, site); \
        hd_unix_name_refuse(path, #name, site); \
        hd_fs_look(path, site); \
        int error = name(path, &answer); \
        if (!error) \
            hand_on(to, &answer, sizeof answer, site); \
        return error; \
    }
ABOUT_PATH(stat, stat)
ABOUT_PATH(lstat, stat)
ABOUT_PATH(stat64, stat64)
ABOUT_PATH(lstat64, stat64)
#undef ABOUT_PATH

#define ABOUT_FILE(name, type) \
    HD_FACE int hd_##name(int fd, struct type *to) \
    { \
        const hd_site *site = hd_call_site; \
        struct type answer = { .st_mode = hd_modelled_mode(fd), .st_nlink = 1, .st_blksize = 4096 }; \
        if (answer.st_mode) \
            hd_modelled_status(fd, (struct stat *)&answer); \
        int error = answer.st_mode ? 0 : name(hd_use_fd(fd, site), &answer); \
        if (!error) \
            hand_on(to, &answer, sizeof answer, site); \
        return error; \
    }
ABOUT_FILE(fstat, stat)
ABOUT_FILE(fstat64, stat64)
#undef ABOUT_FILE

HD_FACE int hd_fstatat(int folder, const char *path, struct stat *to, int flags)
{
    const hd_site *site = hd_call_site;
    struct stat answer;
    hd_see_string(path, site);
    hd_unix_name_refuse(path, "fstatat", site);
    hd_fs_look(path, site);
    int error = fstatat(folder, path, &answer, flags);
    if (!error)
        hand_on(to, &answer, sizeof answer, site);
    return error;
}

HD_FACE ssize_t hd_readlink(const char *path, char *to, size_t size)
{
    const hd_site *site = hd_call_site;
    char answer[PATH_MAX];
    hd_see_string(path, site);
    hd_fs_look(path, site);
    ssize_t got = readlink(path, answer, size < sizeof answer ? size : sizeof answer);
    if (got > 0)
        hand_on(to, answer, (size_t)got, site);
    return got;
}

HD_FACE char *hd_getcwd(char *to, size_t size)
{
    const hd_site *site = hd_call_site;
    char answer[PATH_MAX];
    hd_fs_names(0, site);
    if (!to)
        return getcwd(to, size);
    if (!getcwd(answer, size < sizeof answer ? size : sizeof answer))
        return NULL;
    return hand_on_text(to, answer, site);
}

HD_FACE char *hd_realpath(const char *path, char *to)
{
    const hd_site *site = hd_call_site;
    char answer[PATH_MAX];
    hd_see_string(path, site);
    hd_fs_look(path, site);
    if (!to)
        return realpath(path, to);
    return realpath(path, answer) ? hand_on_text(to, answer, site) : NULL;
}

HD_FACE ssize_t hd_pread(int fd, void *to, size_t size, off_t from)
{
    const hd_site *site = hd_call_site;
    if (hd_modelled_refuses(fd, ESPIPE))
        return -1;
    int source = hd_use_fd(fd, site);
    hd_fs_use_mapped(fd, 0, site);
    char *answer = malloc(size ? size : 1);
    ssize_t got = answer ? hd_kernel_make(SYS_pread64, source, (long)answer, (long)size, from) : -1;
    if (got > 0)
        hand_on(to, answer, (size_t)got, site);
    free(answer);
    return got;
}

HD_FACE ssize_t hd_pread64(int fd, void *to, size_t size, off_t from)
{
    return hd_pread(fd, to, size, from);
}

/* --- the system ---------------------------------------------------------------------- */

HD_FACE int hd_uname(struct utsname *to)
{
    const hd_site *site = hd_call_site;
    struct utsname answer;
    int error = uname(&answer);
    if (!error)
        hand_on(to, &answer, sizeof answer, site);
    return error;
}

HD_FACE int hd_gethostname(char *to, size_t size)
{
    const hd_site *site = hd_call_site;
    char answer[HOST_NAME_MAX + 1];
    int error = gethostname(answer, size < sizeof answer ? size : sizeof answer);
    if (!error)
        hand_on_text(to, answer, site);
    return error;
}

/* The name of strerror_r in programs that ask for the POSIX version. */
int __xpg_strerror_r(int error, char *to, size_t size);

HD_FACE char *hd_strerror_r(int error, char *to, size_t size)
{
    const hd_site *site = hd_call_site;
    char answer[256];
    char *text = strerror_r(error, answer, size < sizeof answer ? size : sizeof answer);
    return text == answer ? hand_on_text(to, answer, site) : text;
}

HD_FACE int hd___xpg_strerror_r(int error, char *to, size_t size)
{
    const hd_site *site = hd_call_site;
    char answer[256];
    int problem = __xpg_strerror_r(error, answer, size < sizeof answer ? size : sizeof answer);
    if (size)
        hand_on_text(to, answer, site);
    return problem;
}

/* --- dates --------------------------------------------------------------------------- */

#define BROKEN_DOWN(name) \
    HD_FACE struct tm *hd_##name(const time_t *time, struct tm *to) \
    { \
        const hd_site *site = hd_call_site; \
        struct tm answer; \
        SEE(site, READS(time, sizeof *time)); \
        if (!name(time, &answer)) \
            return NULL; \
        hand_on(to, &answer, sizeof answer, site); \
        return to; \
    }
BROKEN_DOWN(localtime_r)
BROKEN_DOWN(gmtime_r)
#undef BROKEN_DOWN

enum { DATE_ROOM = 64 };

HD_FACE char *hd_asctime_r(const struct tm *date, char *to)
{
    const hd_site *site = hd_call_site;
    char answer[DATE_ROOM];
    SEE(site, READS(date, sizeof *date));
    return asctime_r(date, answer) ? hand_on_text(to, answer, site) : NULL;
}

HD_FACE char *hd_ctime_r(const time_t *time, char *to)
{
    const hd_site *site = hd_call_site;
    char answer[DATE_ROOM];
    SEE(site, READS(time, sizeof *time));
    return ctime_r(time, answer) ? hand_on_text(to, answer, site) : NULL;
}

HD_FACE time_t hd_mktime(struct tm *date)
{
    SEE(hd_call_site, WRITES(date, sizeof *date));
    return mktime(date);
}

HD_FACE time_t hd_timegm(struct tm *date)
{
    SEE(hd_call_site, WRITES(date, sizeof *date));
    return timegm(date);
}

HD_FACE size_t hd_strftime(char *to, size_t size, const char *format, const struct tm *date)
{
    const hd_site *site = hd_call_site;
    enum { LONGEST = 1 << 16 };
    size_t room = size < LONGEST ? size : LONGEST;
    char *answer = malloc(room + 1);
    hd_see_string(format, site);
    SEE(site, READS(date, sizeof *date));
    size_t length = answer ? strftime(answer, room, format, date) : 0;
    if (length)
        hand_on(to, answer, length + 1, site);
    free(answer);
    return length;
}

/* --- addresses ------------------------------------------------------------------------ */

static size_t address_size(int family)
{
    return family == AF_INET ? sizeof(struct in_addr) : family == AF_INET6 ? sizeof(struct in6_addr) : 0;
}

HD_FACE const char *hd_inet_ntop(int family, const void *address, char *to, socklen_t size)
{
    const hd_site *site = hd_call_site;
    char answer[INET6_ADDRSTRLEN];
    SEE(site, READS(address, address_size(family)));
    if (!inet_ntop(family, address, answer, size < sizeof answer ? size : sizeof answer))
        return NULL;
    return hand_on_text(to, answer, site);
}

HD_FACE int hd_inet_pton(int family, const char *text, void *to)
{
    const hd_site *site = hd_call_site;
    struct in6_addr answer;
    hd_see_string(text, site);
    int good = inet_pton(family, text, &answer);
    if (good == 1)
        hand_on(to, &answer, address_size(family), site);
    return good;
}

/* --- numbers with two parts -------------------------------------------------------------- */

#define TWO_PARTS(name, type, part) \
    HD_FACE type hd_##name(type value, part *to) \
    { \
        const hd_site *site = hd_call_site; \
        part answer; \
        type result = name(value, &answer); \
        hand_on(to, &answer, sizeof answer, site); \
        return result; \
    }
TWO_PARTS(frexp, double, int)
TWO_PARTS(frexpf, float, int)
TWO_PARTS(modf, double, double)
TWO_PARTS(modff, float, float)
#undef TWO_PARTS
