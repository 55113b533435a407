#include "runtime/reset/heap_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/core/end.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/image/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* The bytes of a new block, so that it does not look initialised. Only the start of a large block is filled: large
 * blocks rarely consist of locks, and parts of them may never be touched. */
enum { UNSET = 0xbe, MOST_UNSET = 1 << 16 };

hd_heap_arena hd_heap_arenas[HD_MAX_THREADS];
char *hd_heap_opened[HD_MAX_THREADS];

static uint64_t taken; /* bytes of all arenas that blocks have taken in this run, in use or freed */
static uint64_t file_blocks; /* blocks of this run that are copies of files */

/* After each change of the heap. */
static inline void check_validity(void)
{
    static uint64_t changes;
    hd_check_valid(hd_heap_is_valid(), hd_heap_cost_of_check(), changes++);
}

/* Memory of heddle's own. Its shadow is not mapped, so a check of an access to it faults (hd_heap_shadow_fault). */
static const struct zone {
    uint64_t start, size;
} own_zones[] = { { HD_ENGINE_BASE, HD_ENGINE_SIZE }, { HD_OWNERS_BASE, HD_SHADOW_END - HD_OWNERS_BASE },
    { HD_OWN_BASE, HD_OWN_SIZE } };

enum { OWN_ZONES = sizeof own_zones / sizeof *own_zones };

static void close_shadow(const void *address, size_t bytes)
{
    memset(hd_shadow_of(address), -1, bytes / 8);
}

static void reserve(uint64_t where, size_t size)
{
    void *got = mmap((void *)where, size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void *)where)
        return;
    perror("heddle: cannot reserve memory for the heap");
    exit(2);
}

static void hide_shadow(uint64_t start, size_t bytes)
{
    mprotect(hd_shadow_of((void *)start), bytes / 8, PROT_NONE);
}

void hd_heap_init(void)
{
    reserve(HD_HEAP_BASE, HD_HEAP_SPAN);
    reserve(HD_SHADOW_BASE, HD_SHADOW_END - HD_SHADOW_BASE);
    madvise((void *)HD_SHADOW_BASE, HD_SHADOW_END - HD_SHADOW_BASE, MADV_NOHUGEPAGE);
    madvise((void *)HD_SHADOW_BASE, HD_SHADOW_END - HD_SHADOW_BASE, MADV_DONTDUMP);
    hide_shadow(HD_HEAP_BASE, HD_HEAP_SPAN);
    for (uint32_t i = 0; i < OWN_ZONES; i++)
        hide_shadow(own_zones[i].start, own_zones[i].size);
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        hd_heap_arenas[i].next = hd_heap_opened[i] = hd_heap_base_of(i);
}

static void close_between(const char *from, const char *end)
{
    if (from < end)
        close_shadow(from, (size_t)(end - from));
}

/* Maps the shadow of arena `i` up to the end of its last block. The body of a large block is opened by itself. */
static void open_arena(uint32_t i, const hd_heap_block *last)
{
    enum { AT_ONCE = 256 << 10 };
    char *from = hd_heap_opened[i];
    if (hd_heap_arenas[i].next <= from)
        return;
    size_t bytes = ((size_t)(hd_heap_arenas[i].next - from) + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    hd_system(SYS_mprotect, hd_shadow_of(from), bytes / 8, PROT_READ | PROT_WRITE);
    hd_heap_opened[i] += bytes;
    close_between(from, last->is_large ? hd_heap_body(last) : hd_heap_opened[i]);
    if (last->is_large)
        close_between(hd_heap_body_end(last), hd_heap_opened[i]);
}

static int is_hidden(uint64_t address)
{
    for (uint32_t i = 0; i < OWN_ZONES; i++)
        if (address - own_zones[i].start < own_zones[i].size)
            return 1;
    return address - HD_HEAP_BASE < HD_HEAP_SPAN;
}

int hd_heap_shadow_fault(uint64_t address)
{
    enum { PAGE = 4096 };
    if (address - HD_SHADOW_BASE >= HD_SHADOW_END - HD_SHADOW_BASE || !is_hidden((address - HD_SHADOW_BASE) << 3))
        return 0;
    void *page = (void *)(address & ~(uint64_t)(PAGE - 1));
    if (hd_system(SYS_mprotect, page, (long)PAGE, PROT_READ | PROT_WRITE))
        return 0;
    memset(page, -1, PAGE);
    return 1;
}

/* What thread 0 had allocated before main. */
static struct {
    hd_heap_arena state;
    size_t size;
    char *bytes;
    int8_t *shadow;
} before_main;

void hd_heap_save(void)
{
    size_t size = (size_t)(hd_heap_arenas[0].next - hd_heap_base_of(0));
    before_main.state = hd_heap_arenas[0];
    before_main.size = size;
    if (!size)
        return;
    before_main.bytes = memcpy(hd_own_alloc(size), hd_heap_base_of(0), size);
    before_main.shadow = memcpy(hd_own_alloc(size / 8), hd_shadow_of(hd_heap_base_of(0)), size / 8);
}

/* Forbids all bytes of the arena, of which `used` have been taken. */
static void close_arena(uint32_t i, size_t used, char *first_body)
{
    char *base = hd_heap_base_of(i);
    if (first_body) {
        hd_heap_hide_shadow(first_body, hd_heap_opened[i]);
        hd_heap_opened[i] = first_body;
        used = (size_t)(first_body - base);
    }
    close_shadow(base, used);
}

/* Used parts of the arenas become zeros again: the contents of a new block (calloc) rely on it. The lists are emptied
 * even if the arena is not used: a thread may have freed blocks of others alone. */
void hd_heap_reset(void)
{
    for (uint32_t i = 0; i < hd_heap_arena_count(); i++) {
        hd_heap_arena *a = &hd_heap_arenas[i];
        size_t used = (size_t)(a->next - hd_heap_base_of(i));
        char *first_body = a->first_body;
        if (used || a->oldest)
            memset(a, 0, sizeof *a);
        a->next = hd_heap_base_of(i);
        if (!used)
            continue;
        hd_heap_clear(hd_heap_base_of(i), used);
        close_arena(i, used, first_body);
    }
    taken = before_main.size;
    file_blocks = 0;
    if (before_main.size) {
        hd_heap_arenas[0] = before_main.state;
        memcpy(hd_heap_base_of(0), before_main.bytes, before_main.size);
        memcpy(hd_shadow_of(hd_heap_base_of(0)), before_main.shadow, before_main.size / 8);
    }
    check_validity();
}

/* A shadow byte of 0 allows the whole cell, 1 to 7 its first bytes, -1 none. */
static void open_shadow(const hd_heap_block *b)
{
    int8_t *shadow = hd_shadow_of(b + 1), *end = shadow + b->size / 8;
    if (b->is_large) {
        hd_heap_open_body(b);
        memset(shadow, 0, (size_t)(hd_shadow_of(hd_heap_body(b)) - shadow));
        shadow = hd_shadow_of(hd_heap_body_end(b));
    }
    memset(shadow, 0, (size_t)(end - shadow));
    if (b->size % 8)
        *end = (int8_t)(b->size % 8);
}

static void close_block(const hd_heap_block *b)
{
    const char *start = (const char *)(b + 1), *end = start + b->size + 7;
    if (b->is_large) {
        close_between(start, hd_heap_body(b));
        hd_heap_hide_shadow(hd_heap_body(b), hd_heap_body_end(b));
        start = hd_heap_body_end(b);
    }
    close_between(start, end);
}

static hd_heap_block *take_reusable(hd_heap_arena *a, size_t span)
{
    for (hd_heap_block **link = &a->reusable[hd_heap_class(span)]; *link; link = &(*link)->next_freed)
        if ((*link)->span >= span) {
            hd_heap_block *b = *link;
            *link = b->next_freed;
            return b;
        }
    return NULL;
}

static uint32_t current_id(void)
{
    return hd_current ? hd_current->id : 0;
}

/* A program that allocates without end would take all memory of the machine. Run by hand, it may. A large block of
 * zeros is often a reservation, of which little is used: it counts as what its shadow takes. */
static void take_room(size_t bytes, int zeroed)
{
    const size_t large = 64 << 20;
    taken += zeroed && bytes >= large ? bytes / 8 : bytes;
    if (taken > HD_HEAP_MOST && hd_exploring() && hd_current && !hd_before_main)
        hd_end(HD_HEAP_FULL, hd_call_site, "the heap exceeds %llu MB", HD_HEAP_MOST >> 20);
}

static uint32_t current_identity(void)
{
    return hd_current ? hd_identity_of(hd_current) : 0;
}

static void fill_in(hd_heap_block *b, size_t size, size_t span, int is_large)
{
    *b = (hd_heap_block) { .magic = HD_BLOCK_LIVE,
        .size = size,
        .span = span,
        .allocated = hd_call_site,
        .allocator = current_identity(),
        .is_large = (uint8_t)is_large };
}

void *hd_heap_alloc(size_t size, size_t alignment, int zeroed)
{
    hd_heap_arena *a = &hd_heap_arenas[current_id()];
    size_t span = sizeof(hd_heap_block) + ((size + 15) & ~(size_t)15) + 16;
    if (!a->next || size > HD_HEAP_ARENA / 2
        || (size_t)(a->next - hd_heap_base_of(current_id())) + span + alignment > HD_HEAP_ARENA) {
        errno = ENOMEM;
        return NULL;
    }
    hd_heap_block *b = alignment <= 16 ? take_reusable(a, span) : NULL;
    if (b) {
        span = b->span;
        if (zeroed)
            hd_heap_clear((char *)(b + 1), size);
        fill_in(b, size, span, b->is_large);
        b->reused = 1;
    } else {
        size_t skip = -(uintptr_t)(a->next + sizeof(hd_heap_block)) & (alignment - 1);
        b = (hd_heap_block *)(a->next + skip);
        take_room(skip + span, zeroed);
        a->next += skip + span;
        fill_in(b, size, span, zeroed && size >= HD_HEAP_LARGE && !hd_before_main);
        if (b->is_large && !a->first_body)
            a->first_body = hd_heap_body(b);
        open_arena(current_id(), b);
    }
    if (!zeroed)
        memset(b + 1, UNSET, size < MOST_UNSET ? size : MOST_UNSET);
    open_shadow(b);
    check_validity();
    return b + 1;
}

char *hd_heap_base(uint32_t id)
{
    return hd_heap_base_of(id);
}

const char *hd_heap_next(uint32_t id)
{
    return hd_heap_arenas[id].next;
}

static int is_block(const hd_heap_block *b)
{
    return b->magic == HD_BLOCK_LIVE || b->magic == HD_BLOCK_FREED;
}

void hd_heap_private_parts(uint32_t id, char *from, hd_heap_visit *visit)
{
    char *end = hd_heap_arenas[id].next, *at = from, *start = from;
    while (at < end) {
        const hd_heap_block *b = (const hd_heap_block *)at;
        if (is_block(b) && b->is_shared) {
            visit(start, (size_t)((char *)(b + 1) - start));
            start = at + b->span;
        }
        at += is_block(b) ? b->span : 16;
    }
    visit(start, (size_t)(end - start));
    visit((char *)hd_shadow_of(from), (size_t)(end - from) / 8);
}

/* The block whose bytes begin at `p`, or NULL. */
static hd_heap_block *block_of(const void *p)
{
    if (!hd_heap_holds(p) || ((uintptr_t)p & 15))
        return NULL;
    hd_heap_block *b = (hd_heap_block *)p - 1;
    return is_block(b) ? b : NULL;
}

void hd_heap_share(void *block)
{
    block_of(block)->is_shared = 1;
}

/* Looks through the arena from its start: for blocks too large to be looked for backwards. */
static hd_heap_block *find_large_block(const char *address)
{
    uint32_t thread = (uint32_t)(((uintptr_t)address - HD_HEAP_BASE) / HD_HEAP_ARENA);
    for (char *at = hd_heap_base_of(thread); at <= address && at < hd_heap_arenas[thread].next;) {
        hd_heap_block *b = (hd_heap_block *)at;
        at += is_block(b) ? b->span : 16;
        if (is_block(b) && at + 16 > address)
            return b;
    }
    return NULL;
}

/* The block whose span contains `address`; for reports, so it may take time. */
static hd_heap_block *find_block(const void *address)
{
    enum { FAR = 64 << 20 };
    for (uintptr_t at = (uintptr_t)address & ~15ull; hd_heap_holds((void *)at); at -= 16) {
        hd_heap_block *b = (hd_heap_block *)at;
        if (is_block(b) && hd_identity_slot(b->allocator) < HD_MAX_THREADS
            && (char *)b + b->span + 16 > (const char *)address)
            return b;
        if ((uintptr_t)address - at > FAR)
            return find_large_block(address);
    }
    return NULL;
}

void hd_heap_mark_of_file(void *block)
{
    block_of(block)->is_of_file = 1;
    file_blocks++;
}

int hd_heap_is_of_file(const void *address)
{
    const hd_heap_block *b = file_blocks ? find_block(address) : NULL;
    return b && b->is_of_file;
}

/* Puts a freed block into quarantine, and takes the oldest ones out if there is too much in it. */
static void retire(hd_heap_block *b)
{
    hd_heap_arena *a = &hd_heap_arenas[current_id()];
    *(a->newest ? &a->newest->next_freed : &a->oldest) = b;
    a->newest = b;
    b->next_freed = NULL;
    a->quarantined += b->span;
    while (a->quarantined > HD_HEAP_QUARANTINE && a->oldest != a->newest) {
        hd_heap_block *old = a->oldest;
        a->oldest = old->next_freed;
        a->quarantined -= old->span;
        hd_heap_block **reusable = &a->reusable[hd_heap_class(old->span)];
        old->next_freed = *reusable;
        *reusable = old;
    }
}

static void describe_site(char *text, size_t size, const hd_site *site)
{
    if (site)
        snprintf(text, size, "%s:%u", site->file, site->line);
    else
        snprintf(text, size, "an unknown location");
}

/* Is `p` memory of the program or of heddle, rather than of a library? */
static int is_the_programs(const void *p)
{
    return is_hidden((uint64_t)p) || (uintptr_t)p - HD_STACK_BASE < HD_STACK_SPAN * HD_MAX_THREADS
        || hd_snapshot_holds((uint64_t)p);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static _Noreturn void report_double_free(const hd_heap_block *b, const hd_site *site)
{
    char where[200];
    describe_site(where, sizeof where, b->freed);
    hd_rt.outcome->address = (uint64_t)(b + 1);
    hd_end(HD_DOUBLE_FREE, site, "double free: a block of %zu byte%s, freed before by T%u at %s", b->size,
        plural(b->size), hd_number_of_identity(b->freer), where);
}

static _Noreturn void report_invalid_free(const void *p)
{
    char allocated[200];
    const hd_heap_block *b = hd_heap_holds(p) ? find_block(p) : NULL;
    if (!b || (const char *)p < (const char *)(b + 1))
        hd_end(HD_INVALID_FREE, hd_call_site, "invalid free: %p is not the start of a heap block", p);
    describe_site(allocated, sizeof allocated, b->allocated);
    size_t offset = (size_t)((const char *)p - (const char *)(b + 1));
    hd_rt.outcome->address = (uint64_t)p;
    hd_end(HD_INVALID_FREE, hd_call_site,
        "invalid free: the address is %zu byte%s into a block of %zu allocated by T%u at %s", offset, plural(offset),
        b->size, hd_number_of_identity(b->allocator), allocated);
}

void hd_heap_free(void *p)
{
    if (!p)
        return;
    hd_heap_block *b = block_of(p);
    if (!b && !is_the_programs(p)) {
        free(p); /* from a library that heddle did not compile */
        return;
    }
    if (!b)
        report_invalid_free(p);
    if (b->magic == HD_BLOCK_FREED)
        report_double_free(b, hd_call_site);
    b->magic = HD_BLOCK_FREED;
    b->freed = hd_call_site;
    b->freer = current_identity();
    close_block(b);
    retire(b);
    check_validity();
}

int hd_heap_is_live(const void *p, size_t *size)
{
    const hd_heap_block *b = block_of(p);
    *size = b ? b->size : 0;
    return b && b->magic == HD_BLOCK_LIVE;
}

void *hd_heap_resize(void *p, size_t size)
{
    if (!p)
        return hd_heap_alloc(size, 16, 0);
    if (!is_the_programs(p))
        return realloc(p, size);
    hd_heap_block *b = block_of(p);
    if (!b || b->magic == HD_BLOCK_FREED)
        hd_heap_free(p); /* reports the error */
    void *new = hd_heap_alloc(size, 16, 0);
    if (new) {
        memcpy(new, p, b->size < size ? b->size : size);
        hd_heap_free(p);
    }
    return new;
}

int hd_heap_describe(uint64_t address, hd_block_view *out)
{
    const hd_heap_block *b = hd_heap_holds((void *)address) ? find_block((void *)address) : NULL;
    if (!b)
        return 0;
    *out = (hd_block_view) { (uint64_t)(b + 1), b->size, b->allocated, b->magic == HD_BLOCK_FREED ? b->freed : NULL,
        b->allocator, b->freer, b->reused != 0 };
    return 1;
}

int hd_heap_is_freed(const void *address)
{
    const hd_heap_block *b = hd_heap_holds(address) && !hd_heap_allows(address, 1) ? find_block(address) : NULL;
    return b && b->magic == HD_BLOCK_FREED;
}

static _Noreturn void report(const void *address, size_t bytes, const hd_site *site, int is_write)
{
    const char *what = is_write ? "write" : "read";
    char allocated[200], freed[200];
    hd_rt.outcome->address = (uint64_t)address;
    if (!hd_heap_holds(address))
        hd_end(HD_CRASH, site, "%s of %zu bytes at %p, in memory that is not the program's", what, bytes, address);
    hd_heap_block *b = find_block(address);
    if (!b)
        hd_end(HD_HEAP_OVERFLOW, site, "heap overflow: %s of %zu bytes at %p, in no heap block", what, bytes, address);
    describe_site(allocated, sizeof allocated, b->allocated);
    describe_site(freed, sizeof freed, b->freed);
    long offset = (const char *)address - (char *)(b + 1);
    if (b->magic == HD_BLOCK_FREED && hd_current && hd_current->frees == b + 1)
        report_double_free(b, site);
    if (b->magic == HD_BLOCK_FREED)
        hd_end(HD_USE_AFTER_FREE, site,
            "use after free: %s of %zu byte%s, %ld byte%s into a block of %zu, freed by T%u at %s", what, bytes,
            plural(bytes), offset, plural((size_t)offset), b->size, hd_number_of_identity(b->freer), freed);
    hd_end(HD_HEAP_OVERFLOW, site,
        "heap overflow: %s of %zu byte%s, %ld byte%s into a block of %zu allocated by T%u at %s", what, bytes,
        plural(bytes), offset, plural((size_t)offset), b->size, hd_number_of_identity(b->allocator), allocated);
}

/* Skips cells that may be accessed as a whole, eight words of shadow at a time and then one at a time. */
static uintptr_t skip_allowed(uintptr_t at, uintptr_t end)
{
    enum { WORDS = 8, CELLS = 8, BYTES = 8 * CELLS };
    uint64_t shadows[WORDS], any = 0;
    for (at &= ~7ull; end - at >= WORDS * BYTES; at += WORDS * BYTES) {
        memcpy(shadows, hd_shadow_of((void *)at), WORDS * CELLS);
        for (uint32_t i = 0; i < WORDS; i++)
            any |= shadows[i];
        if (any)
            break;
    }
    for (; end - at >= BYTES; at += BYTES) {
        memcpy(shadows, hd_shadow_of((void *)at), CELLS);
        if (shadows[0])
            break;
    }
    return at;
}

static int is_allowed_in_heap(uintptr_t at, uintptr_t end)
{
    uintptr_t skipped = skip_allowed(at, end);
    at = skipped > at ? skipped : at;
    while (at < end) {
        uintptr_t next = (at | 7) + 1;
        if (hd_is_forbidden((void *)at, (uint32_t)((next < end ? next : end) - at)))
            return 0;
        at = next;
    }
    return 1;
}

/* Unrolled: each operation on an object asks. */
static int is_in_own_zone(uintptr_t at, uintptr_t end)
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < OWN_ZONES; i++)
        if (at < own_zones[i].start + own_zones[i].size && end > own_zones[i].start)
            return 1;
    return 0;
}

int hd_heap_allows(const void *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address, end = at + bytes < at ? UINTPTR_MAX : at + bytes;
    if (hd_heap_holds(address))
        return hd_is_plain_range(address, bytes) || is_allowed_in_heap(at, end);
    return !bytes || !is_in_own_zone(at, end);
}

void hd_heap_look(const void *address, size_t bytes, const hd_site *site, int is_write)
{
    if (!hd_heap_allows(address, bytes))
        report(address, bytes, site, is_write);
}

const void *hd_heap_first_leak(size_t *size, const hd_site **site)
{
    for (uint32_t i = 0; i < hd_heap_arena_count(); i++)
        for (char *at = hd_heap_base_of(i); at < hd_heap_arenas[i].next;) {
            hd_heap_block *b = (hd_heap_block *)at;
            if (b->magic != HD_BLOCK_LIVE && b->magic != HD_BLOCK_FREED) {
                at += 16; /* skipped for alignment */
                continue;
            }
            if (b->magic == HD_BLOCK_LIVE) {
                *size = b->size;
                *site = b->allocated;
                return b + 1;
            }
            at += b->span;
        }
    return NULL;
}
