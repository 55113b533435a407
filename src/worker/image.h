/* The files of code in a process: the program, its libraries, the engine. A search holds addresses in them, so it can
 * go on in another process only if that has the same files at the same addresses. The kernel's own file (the vdso) is
 * not one of them: nothing points there. */
#ifndef HD_WORKER_IMAGE_H
#define HD_WORKER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_IMAGE_FILES = 64, HD_IMAGE_PATH = 192 };

typedef struct hd_image_file {
    char path[HD_IMAGE_PATH]; /* "": the program; a longer path is cut off */
    uint64_t base;
    uint64_t contents; /* a hash; 0: not known yet, or the file cannot be read */
} hd_image_file;

typedef struct hd_image {
    hd_image_file files[HD_IMAGE_FILES];
    uint32_t count; /* more than HD_IMAGE_FILES: not all of them are here */
} hd_image;

/* The files that are loaded now, without their contents. */
void hd_image_find(hd_image *image);

/* Reads the contents; a file that is gone or unreadable, or too many of them: false. */
bool hd_image_read(hd_image *image);

/* Is `now`, with contents, what it was? If not, `why` names what has changed. */
bool hd_image_is_same(const hd_image *then, const hd_image *now, char *why, size_t size);

#endif
