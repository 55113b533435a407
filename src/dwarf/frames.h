/* Code addresses as the source has them: the function at an address, the functions inlined there, and their lines, from
 * the debug information of one file; where that says nothing, the function from the file's symbols.
 *
 * Lines are read for the compilation units that are asked about, so opening a file is cheap.
 */
#ifndef HD_DWARF_FRAMES_H
#define HD_DWARF_FRAMES_H

#include <stdint.h>

typedef struct hd_frames hd_frames;

/* A function that the address is in. Texts are valid until the file is closed. */
typedef struct hd_dwarf_frame {
    const char *function, *file; /* NULL: unknown */
    const char *folder; /* where the file was compiled, if its name is relative; NULL: unknown */
    uint32_t line, column; /* 0: unknown */
} hd_dwarf_frame;

/* NULL: the file cannot be read, or is no ELF file. */
hd_frames *hd_frames_open(const char *path);
void hd_frames_close(hd_frames *f); /* NULL is fine */

/* Writes the frames at an address of the file (without load bias), the innermost inlined one first, and returns their
 * number, up to `most`. */
uint32_t hd_frames_at(hd_frames *f, uint64_t pc, hd_dwarf_frame *frames, uint32_t most);

#endif
