#include "runtime/reset/rewind.h"

#include "abi/fast.h"
#include "abi/system.h"
#include "runtime/core/own.h"
#include "runtime/core/system.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/rewind_internal.h"
#include "runtime/reset/trap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { PAGE = 4096, MANY_HOT = 64, COOL_EVERY = 1024 };

/* Bytes that are copied back after every execution; `lazy` spans only if a page is hot. */
typedef struct span {
    char *start, *saved;
    size_t size;
} span;

typedef struct spans {
    span of[HD_REWIND_SPANS];
    uint32_t count;
} spans;

/* The contents of a page of a library, for each process that has been left in this run. */
typedef struct copies {
    uint64_t run[HD_MOST_PROCESSES];
    char *of[HD_MOST_PROCESSES];
} copies;

typedef struct area {
    char *start;
    size_t pages;
    int protection;
    char **saved; /* of each page; NULL: it was never written to */
    copies **apart; /* of each page; NULL: no process has been left since it was written to */
    uint8_t *is_hot;
} area;

typedef struct hot_page {
    char *page;
    const char *saved;
    copies **apart;
} hot_page;

static spans always, lazy;
static area areas[HD_REWIND_AREAS];
static uint32_t area_count;
static size_t page_count;
static hot_page *hot;
static size_t hot_count;
static uint64_t rewinds;
static enum { NOT_YET, WATCHING, NEVER } state;

/* --- what is watched ------------------------------------------------------------------- */

static void add_span(spans *to, char *start, size_t size)
{
    if (!size)
        return;
    if (to->count == HD_REWIND_SPANS)
        hd_rewind_fail("too many modules");
    to->of[to->count++] = (span) { start, memcpy(hd_own_alloc(size), start, size), size };
}

void hd_rewind_add_span(char *start, size_t size, int is_lazy)
{
    add_span(is_lazy ? &lazy : &always, start, size);
}

void hd_rewind_add_area(char *start, size_t size, int protection)
{
    if (area_count == HD_REWIND_AREAS)
        hd_rewind_fail("too many mappings");
    size_t pages = size / PAGE;
    areas[area_count++] = (area) { start, pages, protection, hd_own_alloc(pages * sizeof(char *)),
        hd_own_alloc(pages * sizeof(copies *)), hd_own_alloc(pages) };
    page_count += pages;
}

_Noreturn void hd_rewind_fail(const char *why)
{
    hd_trap_set(0);
    fprintf(stderr, "heddle: cannot watch the memory of the process: %s\n", why);
    _exit(2);
}

static void protect(char *start, size_t size, int protection)
{
    if (hd_system(SYS_mprotect, start, size, (long)protection))
        hd_rewind_fail("mprotect fails; is vm.max_map_count too small?");
}

static void watch(area *a)
{
    protect(a->start, a->pages * PAGE, a->protection & ~PROT_WRITE);
}

static void watch_all(void)
{
    hd_rewind_find();
    hot = hd_own_alloc(page_count * sizeof *hot);
    for (uint32_t k = 0; k < area_count; k++)
        watch(&areas[k]);
}

/* --- hot pages --------------------------------------------------------------------------- */

static void heat(area *a, size_t i)
{
    char *page = a->start + i * PAGE;
    if (a->is_hot[i])
        return;
    if (!a->saved[i])
        a->saved[i] = memcpy(hd_own_alloc(PAGE), page, PAGE);
    protect(page, PAGE, a->protection);
    a->is_hot[i] = 1;
    hot[hot_count++] = (hot_page) { page, a->saved[i], &a->apart[i] };
}

/* A fault at a page that is hot already has another cause. */
int hd_rewind_fault(uint64_t address)
{
    for (uint32_t k = 0; k < area_count; k++) {
        size_t i = (address - (uint64_t)areas[k].start) / PAGE;
        if (i < areas[k].pages) {
            int was_hot = areas[k].is_hot[i];
            heat(&areas[k], i);
            return !was_hot;
        }
    }
    return hd_fiber_fault(address);
}

void hd_rewind_open(uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes < address ? UINT64_MAX : address + bytes;
    hd_fiber_fault(address);
    for (uint32_t k = 0; k < area_count; k++) {
        area *a = &areas[k];
        uint64_t start = (uint64_t)a->start, stop = start + a->pages * PAGE;
        uint64_t from = address > start ? address : start, to = end < stop ? end : stop;
        for (uint64_t i = (from - start) / PAGE; from < to && i <= (to - 1 - start) / PAGE; i++)
            heat(a, i);
    }
}

/* Watches all pages again, right after they were copied back: those that are still written to become hot again. */
static void cool(void)
{
    hot_count = 0;
    for (uint32_t k = 0; k < area_count; k++) {
        memset(areas[k].is_hot, 0, areas[k].pages);
        watch(&areas[k]);
    }
}

/* --- processes ----------------------------------------------------------------------------- */

extern const char __executable_start[], _end[];

int hd_rewind_is_apart(uint64_t address)
{
    int is_programs = address >= (uint64_t)__executable_start && address < (uint64_t)_end;
    return !is_programs && address - HD_OWNERS_BASE >= HD_OWN_BASE + HD_OWN_SIZE - HD_OWNERS_BASE;
}

/* The page as it is becomes the copy of `process`. */
static copies *keep_copy(hot_page *h, uint32_t process)
{
    copies *c = *h->apart ? *h->apart : (*h->apart = hd_own_alloc(sizeof *c));
    if (!c->of[process])
        c->of[process] = hd_own_alloc(PAGE);
    memcpy(c->of[process], h->page, PAGE);
    c->run[process] = rewinds + 1;
    return c;
}

/* A process that has not been left in this run sees the page as it was at the start. */
static void exchange(hot_page *h, uint32_t from, uint32_t to)
{
    const copies *c = keep_copy(h, from);
    uint64_t run = rewinds + 1;
    memcpy(h->page, c->run[to] == run ? c->of[to] : h->saved, PAGE);
}

void hd_rewind_switch(uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < hot_count; i++)
        if (hd_rewind_is_apart((uint64_t)hot[i].page))
            exchange(&hot[i], from, to);
}

/* Pages that have not been written to so far are the same in both. */
void hd_rewind_copy(uint32_t to)
{
    if (!hot) {
        hd_trap_set(0);
        watch_all();
        hd_trap_set(1);
    }
    for (size_t i = 0; i < hot_count; i++)
        if (hd_rewind_is_apart((uint64_t)hot[i].page))
            keep_copy(&hot[i], to);
}

void hd_rewind_afresh(void)
{
    for (size_t i = 0; i < hot_count; i++)
        if (hd_rewind_is_apart((uint64_t)hot[i].page))
            memcpy(hot[i].page, hot[i].saved, PAGE);
}

/* --- from start to end -------------------------------------------------------------------------- */

int hd_rewind_start(void)
{
    if (state != NOT_YET)
        return 1;
    if (!hd_trap_start())
        return 0;
    hd_kernel_save();
    errno = 0;
    watch_all();
    state = WATCHING;
    return 1;
}

static void copy_back(const spans *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        memcpy(from->of[i].start, from->of[i].saved, from->of[i].size);
}

static void copy_pages_back(void)
{
    for (size_t i = 0; i < hot_count; i++)
        memcpy(hot[i].page, hot[i].saved, PAGE);
    copy_back(&lazy);
    if (hot_count > MANY_HOT && rewinds % COOL_EVERY == 0)
        cool();
}

void hd_rewind_back(void)
{
    if (state != WATCHING)
        return;
    rewinds++;
    hd_kernel_restore();
    if (hot_count)
        copy_pages_back();
    copy_back(&always);
}

int hd_rewind_is_watching(void)
{
    return state == WATCHING;
}

void hd_rewind_never(int several)
{
    hd_trap_start(); /* calls that end the execution, or that heddle answers, must behave as with reset */
    if (several)
        watch_all();
    state = NEVER;
}
