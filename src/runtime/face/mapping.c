/* mmap of memory that the process has for itself, anonymous or a private copy of a file, of shared files
 * (reset/mapped.h) and of shared memory objects (kernel/shared.h). It is a block of the heap, at an address that
 * depends on its thread alone, so it is emptied between executions, races on it are found, and so is its use after
 * munmap of all of it. Shared anonymous memory is not copied by fork. Protection is not checked. Everything else is a
 * limit of the model. Run by hand, the calls are the real ones. */
#include "runtime/face/face.h"
#include "runtime/kernel/shared.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/mapped.h"
#include "runtime/reset/overlay.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typeof(free) hd_free;

enum { PAGE = 4096, MOST_ALIGNED = 1 << 26 };

static size_t whole_pages(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static void *fail(int error)
{
    errno = error;
    return MAP_FAILED;
}

static int is_private(int flags, int fd)
{
    return flags & MAP_ANONYMOUS ? 1 : (flags & MAP_TYPE) == MAP_PRIVATE && fd >= 0;
}

/* Linux takes the address of a hint if it is free. Addresses are heddle's own, but they are aligned as the hint is:
 * allocators that need it would unmap the block, and map a larger one. */
static size_t alignment_of(const void *hint)
{
    uintptr_t lowest = (uintptr_t)hint & -(uintptr_t)hint;
    return lowest < PAGE ? PAGE : lowest > MOST_ALIGNED ? MOST_ALIGNED : lowest;
}

static void check_mapping(int flags)
{
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        hd_end(HD_MODEL_LIMIT, hd_call_site, "mmap at a fixed address is not modelled yet");
}

/* May the file be mapped like this? 0 or an error number. */
static int obstacle(int fd, int protection, int flags)
{
    struct stat at;
    int is_shared = (flags & MAP_TYPE) != MAP_PRIVATE, access = fcntl(fd, F_GETFL);
    if (access < 0 || (access & O_PATH))
        return EBADF;
    if ((access & O_ACCMODE) == O_WRONLY || (is_shared && (protection & PROT_WRITE) && !(access & O_RDWR)))
        return EACCES;
    return hd_overlay_fstat(fd, &at) ? EBADF : S_ISREG(at.st_mode) ? 0 : ENODEV;
}

/* A part of the block that all shared mappings of the file have in common (reset/mapped.h). */
static void *map_shared_file(int fd, size_t size, off_t offset)
{
    struct stat at;
    const hd_site *site = hd_call_site;
    size_t end = whole_pages((size_t)offset + size), has;
    hd_fs_use(fd, site);
    char *block = hd_mapped_block(fd, &has);
    if (block && end > has)
        hd_end(HD_MODEL_LIMIT, site, "mapping more of a file than its first shared mapping has is not modelled yet");
    if (!block) {
        hd_overlay_fstat(fd, &at);
        has = whole_pages((size_t)at.st_size) > end ? whole_pages((size_t)at.st_size) : end;
        block = hd_heap_alloc(has, PAGE, 1);
        if (!block)
            return fail(ENOMEM);
        hd_heap_share(block);
        if (!hd_mapped_add(fd, block, has))
            hd_end(HD_MODEL_LIMIT, site, "mapping so many files shared is not modelled yet");
    }
    hd_mapped_count(block + offset, whole_pages(size));
    hd_effect();
    return block + offset;
}

static void *map_file(char *block, size_t size, int fd, off_t offset)
{
    ssize_t got = 1;
    hd_heap_mark_of_file(block);
    hd_fs_use(fd, hd_call_site);
    hd_fs_use_mapped(fd, 0, hd_call_site);
    for (size_t at = 0; at < size && got > 0; at += (size_t)got)
        got = hd_kernel_make(SYS_pread64, fd, (long)(block + at), (long)(size - at), offset + (long)at);
    if (got >= 0)
        return block;
    hd_heap_free(block);
    return MAP_FAILED;
}

HD_FACE void *hd_mmap(void *hint, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (!hd_exploring())
        return mmap(hint, size, protection, flags, fd, offset);
    check_mapping(flags);
    if (!size || offset % PAGE)
        return fail(EINVAL);
    if (!(flags & MAP_ANONYMOUS) && hd_modelled_mode(fd))
        return hd_modelled_map(fd, size, protection, flags, offset);
    int error = flags & MAP_ANONYMOUS ? 0 : obstacle(fd, protection, flags);
    if (error)
        return fail(error);
    if (!is_private(flags, fd))
        return map_shared_file(fd, size, offset);
    hd_effect();
    char *block = hd_heap_alloc(whole_pages(size), alignment_of(hint), 1);
    if (!block)
        return fail(ENOMEM);
    if (flags & MAP_SHARED)
        hd_heap_share(block);
    return flags & MAP_ANONYMOUS ? block : map_file(block, size, fd, offset);
}

HD_FACE void *hd_mmap64(void *hint, size_t size, int protection, int flags, int fd, off_t offset)
{
    return hd_mmap(hint, size, protection, flags, fd, offset);
}

/* A part that is unmapped is written to, and stays: that it is used afterwards is not found. */
HD_FACE int hd_munmap(void *start, size_t size)
{
    size_t mapped;
    if (!hd_exploring() || !hd_heap_holds(start))
        return munmap(start, size);
    if ((uintptr_t)start % PAGE || !size) {
        errno = EINVAL;
        return -1;
    }
    uint32_t shared = hd_shared_at(start);
    char *block = hd_mapped_leave(start, whole_pages(size));
    if (block == MAP_FAILED)
        return 0;
    if (block) {
        hd_free(block);
        return 0;
    }
    if (shared != HD_NO_SHARED)
        hd_shared_unmap(shared, start, size, hd_call_site);
    else if (hd_heap_is_live(start, &mapped) && whole_pages(size) >= mapped)
        hd_free(start);
    else
        hd_access_range(start, size, hd_call_site, 1);
    return 0;
}

/* There is no file behind shared memory. */
HD_FACE int hd_msync(void *start, size_t size, int flags)
{
    int known = MS_ASYNC | MS_SYNC | MS_INVALIDATE;
    if (!hd_exploring() || !hd_heap_holds(start))
        return msync(start, size, flags);
    int is_wrong = (uintptr_t)start % PAGE || (flags & ~known) || (flags & MS_ASYNC && flags & MS_SYNC);
    errno = is_wrong ? EINVAL : errno;
    return is_wrong ? -1 : 0;
}

HD_FACE int hd_mprotect(void *start, size_t size, int protection)
{
    if (!hd_exploring())
        return mprotect(start, size, protection);
    if (!hd_heap_holds(start))
        hd_end(HD_MODEL_LIMIT, hd_call_site, "mprotect of memory that mmap did not return is not modelled yet");
    return 0;
}

HD_FACE int hd_madvise(void *start, size_t size, int advice)
{
    if (!hd_exploring() || !hd_heap_holds(start))
        return madvise(start, size, advice);
    if (advice == MADV_DONTNEED) {
        if (hd_heap_is_of_file(start))
            hd_end(
                HD_MODEL_LIMIT, hd_call_site, "madvise(MADV_DONTNEED) of a private copy of a file is not modelled yet");
        hd_access_range(start, size, hd_call_site, 1);
        hd_heap_clear(start, size);
    }
    return 0;
}
