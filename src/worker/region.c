#include "worker/region.h"

#include "base/descriptor.h"
#include "abi/valid.h"
#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int hd_region_make(hd_error *error)
{
    int fd = memfd_create("heddle", 0);
    if (fd < 0 || ftruncate(fd, (off_t)HD_ENGINE_SIZE) < 0) {
        hd_fail(error, "cannot make the memory that workers share: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return hd_descriptor_set_aside(fd, true);
}

bool hd_region_map(int fd, hd_error *error)
{
    void *where = (void *)HD_ENGINE_BASE;
    size_t size = HD_RUN_BASE - HD_ENGINE_BASE;
    void *got = mmap(where, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (got == where)
        return true;
    return hd_fail(error, "cannot map the memory that workers share: %s", strerror(errno));
}

/* The exponent of a block's size; 32 bytes at least, so a free block can hold the link of the free list. */
static size_t class_of(size_t size)
{
    size_t class = 5;
    while ((size_t)1 << class < size)
        class ++;
    return class;
}

enum { PAGE = 4096, PIECE = 1 << 20, LARGE = 1 << 20 };

/* Populates memory in large pieces: a page fault for every page would cost more than what is written there. */
static void ask_for(char *from, size_t size)
{
    size_t before = (uintptr_t)from % PAGE;
    madvise(from - before, size + before, MADV_POPULATE_WRITE);
}

static void make_ready(hd_region *r)
{
    if (r->next <= r->ready)
        return;
    char *from = r->ready > r->next - PIECE ? r->ready : r->next - PIECE;
    r->ready = r->end - r->next > PIECE ? r->next + PIECE : r->end;
    ask_for(from, (size_t)(r->ready - from));
}

static void *take(hd_region *r, size_t size)
{
    size_t class = class_of(size), room = (size_t)1 << class;
    void *block = r->unused[class];
    if (block) {
        /* The first word of a free block links to the next one. */
        memcpy(&r->unused[class], block, sizeof(void *));
        r->used += room;
        return block;
    }
    if (class >= HD_REGION_CLASSES || (size_t)(r->end - r->next) < room)
        return NULL;
    block = r->next;
    r->next += room;
    r->used += room;
    make_ready(r);
    return block;
}

static void give_back(hd_region *r, void *block, size_t size)
{
    size_t class = class_of(size);
    memcpy(block, &r->unused[class], sizeof(void *));
    r->unused[class] = block;
    r->used -= (size_t)1 << class;
}

/* --- fields ------------------------------------------------------------------------------ */

static char *field_at(const hd_region *r, uint32_t field)
{
    return r->end + field * HD_REGION_FIELD_ROOM;
}

static bool is_in_field(const hd_region *r, const void *block, uint32_t *field)
{
    if ((const char *)block < r->end)
        return false;
    *field = (uint32_t)(((const char *)block - r->end) / HD_REGION_FIELD_ROOM);
    return true;
}

/* Resizes the block of a field; size 0 returns its memory to the system. */
static void *set_field(hd_region *r, uint32_t field, size_t size)
{
    char *block = field_at(r, field);
    size_t old = r->fields[field];
    if (size > old)
        ask_for(block + old, size - old);
    else if (!size)
        madvise(block, (old + PAGE - 1) / PAGE * PAGE, MADV_REMOVE);
    r->used += size - old;
    r->fields[field] = size;
    return block;
}

static void *take_field(hd_region *r, size_t size)
{
    uint32_t field = 0;
    while (field < HD_REGION_FIELDS && r->fields[field])
        field++;
    bool found = r->has_fields && field < HD_REGION_FIELDS && size <= HD_REGION_FIELD_ROOM;
    return found ? set_field(r, field, size) : NULL;
}

/* --- both ---------------------------------------------------------------------------------- */

/* The explorers cannot do without the block, so the process ends; the supervisor knows how to go on. */
static void respect_limit(const hd_region *r, size_t more)
{
    if (r->most && r->used + more > r->most)
        _exit(HD_EXIT_FULL);
}

static void *take_any(hd_region *r, size_t size)
{
    respect_limit(r, size);
    void *block = size >= LARGE ? take_field(r, size) : NULL;
    return block ? block : take(r, size);
}

static void give_any_back(hd_region *r, void *block, size_t size)
{
    uint32_t field;
    if (is_in_field(r, block, &field))
        set_field(r, field, 0);
    else
        give_back(r, block, size);
}

/* Can the block be resized in place? Blocks outside of fields move into one when they become large. */
static bool stays(hd_region *r, void *block, size_t old_size, size_t new_size)
{
    uint32_t field;
    if (!is_in_field(r, block, &field))
        return class_of(old_size) == class_of(new_size) && (new_size < LARGE || !r->has_fields);
    if (new_size > HD_REGION_FIELD_ROOM)
        return false;
    respect_limit(r, new_size > old_size ? new_size - old_size : 0);
    set_field(r, field, new_size);
    return true;
}

static void *resize(hd_memory *self, void *old, size_t old_size, size_t new_size)
{
    hd_region *r = (hd_region *)self;
    if (old && new_size && stays(r, old, old_size, new_size))
        return old;
    /* Copy first: releasing a block overwrites its first word. */
    void *new = new_size ? take_any(r, new_size) : NULL;
    if (old && new)
        memcpy(new, old, old_size < new_size ? old_size : new_size);
    if (old && (new || !new_size))
        give_any_back(r, old, old_size);
    hd_check_valid(hd_region_is_valid(r), (uint64_t)(r->next - r->start) / 32, r->used / 32);
    return new;
}

/* --- validity -------------------------------------------------------------------------------- */

/* Adds the size of the free blocks of a class; false: one is not in the region, or the list does not end. */
static bool add_unused(const hd_region *r, size_t class, size_t *size)
{
    size_t all = (size_t)(r->next - r->start), room = (size_t)1 << class;
    for (char *block = r->unused[class]; block; memcpy(&block, block, sizeof block)) {
        *size += room;
        if (block < r->start || (size_t)(r->next - block) < room || block >= r->next || *size > all)
            return false;
    }
    return true;
}

bool hd_region_is_valid(const hd_region *r)
{
    size_t unused = 0, fields = 0;
    for (size_t class = 0; class < HD_REGION_CLASSES; class ++)
        if (!add_unused(r, class, &unused))
            return false;
    for (uint32_t i = 0; i < HD_REGION_FIELDS; i++) {
        if (r->fields[i] > HD_REGION_FIELD_ROOM || (r->fields[i] && !r->has_fields))
            return false;
        fields += r->fields[i];
    }
    return r->next <= r->end && r->used + unused == (size_t)(r->next - r->start) + fields;
}

size_t hd_region_part(const hd_region *r, char *start, uint32_t part, char **from)
{
    *from = part ? field_at(r, part - 1) : start;
    return part ? r->fields[part - 1] : (size_t)(r->next - start);
}

void hd_region_attach(hd_region *r)
{
    r->memory.resize = resize;
}

void hd_region_init(hd_region *r, void *start, void *end)
{
    size_t fields = HD_REGION_FIELDS * HD_REGION_FIELD_ROOM;
    memset(r, 0, sizeof *r);
    /* Fields take the upper part of the range. */
    r->has_fields = (size_t)((char *)end - (char *)start) > fields;
    r->start = r->next = start;
    r->end = r->has_fields ? (char *)end - fields : end;
    hd_region_attach(r);
}
