#include "runtime/reset/mapped.h"

#include "runtime/core/system.h"
#include "runtime/reset/overlay_internal.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { MOST = 64 };

static struct file {
    uint64_t device, number;
    char *block;
    size_t size;
    size_t mapped; /* bytes, in all mappings */
    int memory; /* the file in memory; -1: as on the disk */
} files[MOST];
static uint32_t count;

void hd_mapped_reset(void)
{
    count = 0;
}

static struct file *find(int fd)
{
    struct stat at;
    if (!count || hd_overlay_fstat(fd, &at))
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (files[i].device == at.st_dev && files[i].number == at.st_ino)
            return &files[i];
    return NULL;
}

char *hd_mapped_block(int fd, size_t *size)
{
    const struct file *f = find(fd);
    if (f)
        *size = f->size;
    return f ? f->block : NULL;
}

/* The file in memory that `fd` stands for; -1: it is as on the disk. */
static int memory_of(int fd)
{
    struct stat at;
    if (hd_overlay_is_clean() || hd_system(SYS_fstat, (long)fd, &at))
        return -1;
    const hd_node *n = hd_overlay_find(at.st_dev, at.st_ino);
    return n ? n->memory : -1;
}

/* What is behind the end of the file is zeros. */
static void read_file(const struct file *f, int fd)
{
    size_t done = 0;
    long got = 1;
    while (done < f->size && got > 0) {
        got = hd_system(SYS_pread64, (long)fd, f->block + done, f->size - done, (long)done);
        done += got > 0 ? (size_t)got : 0;
    }
    memset(f->block + done, 0, f->size - done);
}

int hd_mapped_add(int fd, char *block, size_t size)
{
    struct stat at;
    if (count == MOST || hd_overlay_fstat(fd, &at))
        return 0;
    files[count] = (struct file) { at.st_dev, at.st_ino, block, size, 0, memory_of(fd) };
    read_file(&files[count++], fd);
    return 1;
}

static void write_file(const struct file *f)
{
    struct stat at;
    if (f->memory >= 0 && !hd_system(SYS_fstat, (long)f->memory, &at))
        hd_system(
            SYS_pwrite64, (long)f->memory, f->block, (size_t)at.st_size < f->size ? (size_t)at.st_size : f->size, 0l);
}

/* A file moves into memory when it is first opened for writing. */
static struct file *find_now(int fd)
{
    struct file *f = find(fd);
    if (f)
        f->memory = memory_of(fd);
    return f;
}

void hd_mapped_flush(int fd)
{
    const struct file *f = find_now(fd);
    if (f)
        write_file(f);
}

/* The descriptor may be for writing only. */
void hd_mapped_refresh(int fd)
{
    const struct file *f = find_now(fd);
    if (f && f->memory >= 0)
        read_file(f, f->memory);
}

static struct file *find_block(const char *at)
{
    for (uint32_t i = 0; i < count; i++)
        if ((uint64_t)at - (uint64_t)files[i].block < files[i].size)
            return &files[i];
    return NULL;
}

void hd_mapped_count(const char *start, size_t size)
{
    find_block(start)->mapped += size;
}

char *hd_mapped_leave(const char *start, size_t size)
{
    struct file *f = find_block(start);
    if (!f)
        return NULL;
    f->mapped -= size < f->mapped ? size : f->mapped;
    if (f->mapped)
        return MAP_FAILED;
    char *block = f->block;
    write_file(f);
    *f = files[--count];
    return block;
}
