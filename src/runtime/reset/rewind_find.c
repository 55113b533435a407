/* Finds the memory that has to be restored: every writable mapping, except for heddle's own memory. */
#include "runtime/reset/rewind.h"
#include "runtime/reset/rewind_internal.h"

#include "abi/fast.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/image/foreign.h"
#include "runtime/image/snapshot.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, RSEQ = 32, MOST_KEPT = 1024, MAPS_ROOM = 4 << 20, STATIC_TLS = 1 << 20 };

typedef struct piece {
    uint64_t start, end;
} piece;

/* Parts of mappings that are not watched: heddle's own memory, and spans. */
static piece kept[MOST_KEPT];
static uint32_t kept_count;

static piece thread_block; /* thread-locals and the C library's view of the thread */
static const void *stack_limit;

void hd_rewind_stack(const void *limit)
{
    stack_limit = limit;
}

static uint64_t round_down(uint64_t address)
{
    return address & ~(uint64_t)(PAGE - 1);
}

static uint64_t round_up(uint64_t address)
{
    return round_down(address + PAGE - 1);
}

static void keep(uint64_t start, uint64_t end)
{
    if (start >= end)
        return;
    if (kept_count == MOST_KEPT)
        hd_rewind_fail("too many modules");
    kept[kept_count++] = (piece) { start, end };
}

/* --- heddle's own ------------------------------------------------------------------------ */

extern char own_data[] __asm__("__start_hd_own_data"), own_data_end[] __asm__("__stop_hd_own_data");
extern char own_bss[] __asm__("__start_hd_own_bss"), own_bss_end[] __asm__("__stop_hd_own_bss");
extern char _end[];

/* The engine's variables, if the module is the engine. */
static int keep_engine(struct dl_phdr_info *module, size_t size, void *code)
{
    (void)size;
    int is_engine = 0;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        is_engine |= part->p_type == PT_LOAD && (uint64_t)code - module->dlpi_addr - part->p_vaddr < part->p_memsz;
    }
    for (int i = 0; is_engine && i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        uint64_t start = module->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W))
            keep(round_down(start), round_up(start + part->p_memsz));
    }
    return is_engine;
}

/* The table of function addresses is left out: all functions were bound when the program started (LD_BIND_NOW), so it
 * never changes, and it shares a page with the runtime's variables. */
static void keep_bound(void)
{
    enum { BEFORE = 3 };
    uint64_t start = 0, count = 0;
    for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_PLTGOT)
            start = d->d_un.d_ptr;
        else if (d->d_tag == DT_PLTRELSZ)
            count = d->d_un.d_val / sizeof(ElfW(Rela));
    if (count)
        keep(start, start + (BEFORE + count) * sizeof(void *));
}

static void keep_own(void)
{
    keep_bound();
    keep((uint64_t)_end, round_up((uint64_t)_end));
    keep(HD_OWNERS_BASE, HD_OWN_BASE + HD_OWN_SIZE); /* all zones */
    keep((uint64_t)own_data, (uint64_t)own_data_end);
    keep((uint64_t)own_bss, (uint64_t)own_bss_end);
    dl_iterate_phdr(keep_engine, (void *)hd_the_engine->pick);
}

/* --- spans --------------------------------------------------------------------------------- */

static int find_thread_locals(struct dl_phdr_info *module, size_t size, void *pointer)
{
    (void)size;
    uint64_t block = (uint64_t)module->dlpi_tls_data, top = (uint64_t)pointer;
    if (block && top - block < STATIC_TLS && block < thread_block.start)
        thread_block.start = block;
    return 0;
}

/* Since glibc 2.35: the area for restartable sequences, to which the kernel writes by itself. It must not be
 * overwritten. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static uint64_t thread_pointer(void)
{
    uint64_t pointer;
    __asm__("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

/* Thread-locals are always copied back. The C library's data about the thread (struct pthread) is lazy: the C library
 * changes it only together with other variables, which heats a page. Foreign code may set real pthread keys, which
 * changes it alone; so with foreign code it is not lazy. */
static void add_thread_block(void)
{
    int is_lazy = !hd_foreign_is_there();
    uint64_t top = thread_pointer();
    const uint32_t *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    uint64_t rseq = &__rseq_size && __rseq_size ? top + (uint64_t)__rseq_offset : 0, rseq_end = rseq + RSEQ;
    thread_block = (piece) { top, top + (size ? *size : 0) };
    dl_iterate_phdr(find_thread_locals, (void *)top);
    keep(thread_block.start, thread_block.end);
    hd_rewind_add_span((char *)thread_block.start, top - thread_block.start, 0);
    if (rseq_end <= top || thread_block.end <= rseq) {
        hd_rewind_add_span((char *)top, thread_block.end - top, is_lazy);
        return;
    }
    hd_rewind_add_span((char *)top, rseq - top, is_lazy);
    if (rseq_end < thread_block.end)
        hd_rewind_add_span((char *)rseq_end, thread_block.end - rseq_end, is_lazy);
}

static void add_variables(char *start, size_t size)
{
    hd_rewind_add_span(start, size, 0);
    keep((uint64_t)start, (uint64_t)start + size);
}

/* --- mappings -------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Bytes that share a page with memory that is not watched become a span. Next to the thread block they change only
 * when a library is loaded, which heats other pages as well: they are lazy. */
static void add_edge(uint64_t start, uint64_t end)
{
    int beside_thread = start < round_up(thread_block.end) && round_down(thread_block.start) < end;
    if (start < end)
        hd_rewind_add_span((char *)start, end - start, beside_thread);
}

static void add_gap(uint64_t start, uint64_t end, int protection)
{
    uint64_t first = round_up(start), last = round_down(end);
    if (first >= last) {
        add_edge(start, end);
        return;
    }
    add_edge(start, first);
    hd_rewind_add_area((char *)first, last - first, protection);
    add_edge(last, end);
}

static void add_mapping(uint64_t start, uint64_t end, int protection)
{
    for (uint32_t i = 0; i < kept_count && start < end; i++) {
        if (kept[i].end <= start || end <= kept[i].start)
            continue;
        if (start < kept[i].start)
            add_gap(start, kept[i].start, protection);
        start = kept[i].end;
    }
    if (start < end)
        add_gap(start, end, protection);
}

/* A line of /proc/self/maps: START-END rwxp … [NAME] */
static void read_mapping(const char *line)
{
    char *at;
    uint64_t start = strtoull(line, &at, 16), end = strtoull(at + 1, &at, 16);
    int protection = (at[1] == 'r' ? PROT_READ : 0) | (at[2] == 'w' ? PROT_WRITE : 0) | (at[3] == 'x' ? PROT_EXEC : 0);
    uint64_t limit = (uint64_t)stack_limit;
    if (!(protection & PROT_WRITE))
        return;
    if (start < limit && limit < end) /* the real stack: the engine's frames are below the limit */
        start = limit;
    add_mapping(start, end, protection);
}

static char *read_maps(void)
{
    char *text = hd_own_alloc(MAPS_ROOM);
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    ssize_t got = 1;
    for (size_t at = 0; got > 0 && at < MAPS_ROOM - 1; at += (size_t)got)
        got = read(fd, text + at, MAPS_ROOM - 1 - at);
    close(fd);
    if (got)
        hd_rewind_fail("/proc/self/maps cannot be read");
    return text;
}

void hd_rewind_find(void)
{
    keep_own();
    add_thread_block();
    hd_snapshot_each(add_variables);
    qsort(kept, kept_count, sizeof *kept, by_start);
    for (char *line = read_maps(); *line;) {
        char *end = strchr(line, '\n');
        read_mapping(line);
        line = end + 1;
    }
}
