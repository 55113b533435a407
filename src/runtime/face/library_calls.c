/* System calls that the C library, or code that heddle did not compile, makes on descriptors of the modelled kernel:
 * the streams of pipes and sockets, and standard streams that dup2 has replaced (reset/kernel.h).
 *
 * A thread may wait in such a call, inside of the library. The library's locks cannot keep other threads out: all
 * threads are one to it. So it is a model limit that another thread of the process uses the same stream in the
 * meantime. */
#include "runtime/face/descriptors_internal.h"
#include "runtime/face/face.h"
#include "abi/system.h"
#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/reset/kernel.h"
#include "runtime/sched/access.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* By thread: the descriptor of the call that it is in, + 1. */
static uint16_t inside[HD_MAX_THREADS];
uint64_t hd_stream_uses[HD_MOST_PROCESSES][HD_DESCRIPTORS]; /* what the library keeps of a stream (abi/shown.def) */
static uint64_t users; /* processes that have used such streams, as bits */

void hd_library_calls_reset(void)
{
    if (users)
        memset(inside, 0, *hd_rt.thread_count * sizeof *inside);
    users = 0;
}

static void use_stream(int fd)
{
    hd_access_object(&hd_stream_uses[hd_current->process][fd], hd_call_site);
}

void hd_library_use(int fd)
{
    users |= 1ull << hd_current->process;
    use_stream(fd);
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (inside[i] == fd + 1 && i != hd_current->id && hd_threads[i].process == hd_current->process)
            hd_end(HD_MODEL_LIMIT, hd_call_site,
                "using the stream of descriptor %d while another thread waits in a call on it is not modelled", fd);
}

void hd_library_flush(void)
{
    if (users >> hd_current->process & 1)
        fflush(NULL);
}

static long status(int fd, struct stat *to)
{
    struct stat answer = { .st_mode = hd_modelled_mode(fd), .st_nlink = 1, .st_blksize = 4096 };
    if (!answer.st_mode)
        return -EBADF;
    hd_modelled_status(fd, &answer);
    memcpy(to, &answer, sizeof answer);
    return 0;
}

static long answer(long result)
{
    return result < 0 ? -errno : result;
}

static long transfer(int fd, const struct iovec *parts, int count, int is_write)
{
    const hd_site *site = hd_call_site;
    ssize_t result;
    inside[hd_current->id] = (uint16_t)(fd + 1);
    int is_open = (is_write ? hd_modelled_write : hd_modelled_read)(fd, parts, count, &result);
    int error = errno;
    hd_call_site = site;
    use_stream(fd); /* so that explorers order uses by others with the time in between */
    errno = error;
    inside[hd_current->id] = 0;
    return is_open ? answer(result) : -EBADF;
}

long hd_library_call(long number, const uint64_t a[6])
{
    int fd = (int)a[0];
    users |= 1ull << hd_current->process;
    switch (number) {
    case SYS_read:
    case SYS_write:
        return transfer(fd, &(struct iovec) { (void *)a[1], a[2] }, 1, number == SYS_write);
    case SYS_readv:
    case SYS_writev:
        return transfer(fd, (const struct iovec *)a[1], (int)a[2], number == SYS_writev);
    case SYS_lseek:
        return -ESPIPE;
    case SYS_fstat:
        return status(fd, (struct stat *)a[1]);
    case SYS_newfstatat:
        return status(fd, (struct stat *)a[2]);
    case SYS_ioctl:
        return answer(hd_ioctl(fd, a[1], (void *)a[2]));
    case SYS_fcntl:
        return answer(hd_fcntl(fd, (int)a[1], a[2]));
    default: /* SYS_close */
        return hd_fs_close(fd, hd_call_site) ? 0 : -EBADF;
    }
}

int hd_library_models(long number, const uint64_t a[6])
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_lseek:
    case SYS_fstat:
    case SYS_ioctl:
    case SYS_fcntl:
    case SYS_close:
        return 1;
    case SYS_newfstatat:
        return (a[3] & AT_EMPTY_PATH) && !*(const char *)a[1];
    default:
        return 0;
    }
}
