#include "worker/region.h"

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
    return fd;
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

static size_t class_of(size_t size)
{
    size_t class = 5;
    while ((size_t)1 << class < size)
        class ++;
    return class;
}

enum { PAGE = 4096, PIECE = 1 << 20, LARGE = 1 << 16 };

/* Memory from the system in large pieces: a fault for every page costs more than
 * what is written there. */
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
        memcpy(&r->unused[class], block, sizeof(void *));
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
}

static void *resize(hd_memory *self, void *old, size_t old_size, size_t new_size)
{
    hd_region *r = (hd_region *)self;
    if (old && new_size && class_of(old_size) == class_of(new_size))
        return old;
    void *new = new_size ? take(r, new_size) : NULL;
    if (old && new &&old_size >= LARGE)
        ask_for(new, old_size);
    if (old && new)
        memcpy(new, old, old_size < new_size ? old_size : new_size);
    if (old && (new || !new_size))
        give_back(r, old, old_size);
    return new;
}

void hd_region_attach(hd_region *r)
{
    r->memory.resize = resize;
}

void hd_region_init(hd_region *r, void *start, void *end)
{
    memset(r, 0, sizeof *r);
    r->next = start;
    r->end = end;
    hd_region_attach(r);
}
