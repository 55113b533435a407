#include "worker/image.h"

#include "base/map.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int note_file(struct dl_phdr_info *info, size_t size, void *context)
{
    hd_image *image = context;
    (void)size;
    if (!strncmp(info->dlpi_name, "linux-vdso", strlen("linux-vdso")))
        return 0;
    if (image->count < HD_IMAGE_FILES) {
        hd_image_file *f = &image->files[image->count];
        *f = (hd_image_file) { .base = info->dlpi_addr };
        snprintf(f->path, sizeof f->path, "%s", info->dlpi_name);
    }
    image->count++;
    return 0;
}

void hd_image_find(hd_image *image)
{
    memset(image, 0, sizeof *image);
    dl_iterate_phdr(note_file, image);
}

/* Not by stdio, which allocates from the program's heap. */
static bool read_file(const char *path, uint64_t *hash)
{
    char bytes[1 << 14];
    ssize_t size;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *hash = 1;
    while (fd >= 0 && (size = read(fd, bytes, sizeof bytes)) > 0)
        *hash = hd_hash_bytes(bytes, (size_t)size, *hash);
    if (fd >= 0)
        close(fd);
    return fd >= 0 && !size && *hash;
}

bool hd_image_read(hd_image *image)
{
    bool all = image->count <= HD_IMAGE_FILES;
    for (uint32_t i = 0; i < image->count && all; i++) {
        hd_image_file *f = &image->files[i];
        all = read_file(*f->path ? f->path : "/proc/self/exe", &f->contents);
    }
    return all;
}

static bool has_changed(const hd_image_file *then, const hd_image_file *now, char *why, size_t size)
{
    const char *name = *now->path ? now->path : "the program";
    if (strcmp(then->path, now->path) != 0)
        snprintf(why, size, "the program is linked to other libraries");
    else if (then->contents != now->contents)
        snprintf(why, size, "%s has changed", name);
    else if (then->base != now->base)
        snprintf(why, size, "%s is loaded at another address", name);
    else
        return false;
    return true;
}

bool hd_image_is_same(const hd_image *then, const hd_image *now, char *why, size_t size)
{
    if (then->count != now->count || then->count > HD_IMAGE_FILES) {
        snprintf(why, size, "the program is linked to other libraries");
        return false;
    }
    for (uint32_t i = 0; i < then->count; i++)
        if (has_changed(&then->files[i], &now->files[i], why, size))
            return false;
    return true;
}
