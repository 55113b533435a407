/* Mappings: new ones are removed after the execution, and the break is restored. Earlier mappings may be written to
 * (runtime/reset/rewind.h), but not removed, moved or protected: that needs fork isolation. */
#include "runtime/reset/kernel_internal.h"

#include "runtime/core/system.h"
#include "runtime/reset/rewind.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum { MOST_MAPPINGS = 1024 };
static const uint64_t page = 4096;

typedef struct mapping {
    uint64_t start, end;
} mapping;

static mapping added[MOST_MAPPINGS];
static uint32_t added_count;
static uint64_t break_before;
static int break_moved;

static uint64_t round_up(uint64_t n)
{
    return (n + page - 1) & ~(page - 1);
}

static int is_error(long result)
{
    return result < 0 && result > -4096;
}

/* Was all of it mapped by the execution? */
static int is_added(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < added_count && start < end;) {
        if (start - added[i].start < added[i].end - added[i].start) {
            start = added[i].end;
            i = 0;
        } else {
            i++;
        }
    }
    return start >= end;
}

/* Removes a range from the list of mappings. Each cut adds at most one entry; is_full leaves room for that. */
static void cut(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < added_count; i++) {
        mapping m = added[i];
        if (m.end <= start || end <= m.start)
            continue;
        added[i--] = added[--added_count];
        if (m.start < start)
            added[added_count++] = (mapping) { m.start, start };
        if (end < m.end)
            added[added_count++] = (mapping) { end, m.end };
    }
}

static int is_full(void)
{
    return added_count + 2 >= MOST_MAPPINGS;
}

static void add(uint64_t start, uint64_t end)
{
    cut(start, end);
    added[added_count++] = (mapping) { start, end };
}

static int writes_file(const hd_call *call)
{
    const uint64_t *a = call->arguments;
    return (a[3] & MAP_TYPE) != MAP_PRIVATE && !(a[3] & MAP_ANONYMOUS) && (a[2] & PROT_WRITE)
        && !hd_files_is_opened((int)a[4]);
}

long hd_maps_map(hd_call *call)
{
    const uint64_t *a = call->arguments;
    if (writes_file(call))
        return hd_kernel_refuse(call, "a file is mapped for writing");
    if (is_full() || ((a[3] & MAP_FIXED) && !is_added(a[0], a[0] + round_up(a[1]))))
        return hd_kernel_refuse(call, "mmap replaces a mapping that the process had before");
    long result = hd_kernel_perform(call);
    if (!is_error(result))
        add((uint64_t)result, (uint64_t)result + round_up(a[1]));
    return result;
}

long hd_maps_unmap(hd_call *call)
{
    uint64_t start = call->arguments[0], end = start + round_up(call->arguments[1]);
    if (is_full() || !is_added(start, end))
        return hd_kernel_refuse(call, "munmap removes a mapping that the process had before");
    cut(start, end);
    return hd_kernel_perform(call);
}

long hd_maps_move(hd_call *call)
{
    const uint64_t *a = call->arguments;
    uint64_t end = a[0] + round_up(a[1]);
    if (is_full() || !is_added(a[0], end) || (a[3] & MREMAP_FIXED))
        return hd_kernel_refuse(call, "mremap moves a mapping that the process had before");
    long result = hd_kernel_perform(call);
    if (is_error(result))
        return result;
    cut(a[0], end);
    add((uint64_t)result, (uint64_t)result + round_up(a[2]));
    return result;
}

long hd_maps_protect(hd_call *call)
{
    uint64_t start = call->arguments[0];
    if (!is_added(start, start + round_up(call->arguments[1])))
        return hd_kernel_refuse(call, "mprotect changes a mapping that the process had before");
    return hd_kernel_perform(call);
}

/* Pages that a lower break drops are saved before. */
long hd_maps_break(hd_call *call)
{
    uint64_t to = call->arguments[0];
    if (to && to < break_before)
        hd_rewind_open(to, break_before - to);
    break_moved |= to != 0;
    return hd_kernel_perform(call);
}

/* madvise may drop the contents of pages (MADV_DONTNEED), so they are saved before. */
long hd_maps_advise(hd_call *call)
{
    hd_rewind_open(call->arguments[0], call->arguments[1]);
    return hd_kernel_perform(call);
}

void hd_maps_save(void)
{
    break_before = (uint64_t)hd_system(SYS_brk, 0);
}

void hd_maps_undo(void)
{
    while (added_count) {
        added_count--;
        hd_system(SYS_munmap, added[added_count].start, added[added_count].end - added[added_count].start);
    }
    if (break_moved)
        hd_system(SYS_brk, break_before);
    break_moved = 0;
}
