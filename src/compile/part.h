/* The part of an executable that is the program's own: all that was linked except the runtime, shared libraries, and
 * what the compiler adds by itself. It is kept, as one object, in a section of the executable, so that programs can be
 * linked into a system of processes (compile/system.h), whatever has built them.
 *
 * The linker writes the list of the files that it has used: only it knows whether -lNAME is an archive or a shared
 * library. */
#ifndef HD_COMPILE_PART_H
#define HD_COMPILE_PART_H

#include "compile/line.h"

/* The sections with the object, and with the paths of shared libraries (strings that end with 0). */
#define HD_PART_SECTION ".heddle.part"
#define HD_LIBRARIES_SECTION ".heddle.libraries"

/* The file in which the user lets the linker write its list; NULL: none. */
const char *hd_cc_part_users_list(hd_arena *arena, const hd_cc_line *line);

/* Reads the linker's list. */
void hd_cc_part_files(hd_arena *arena, const char *list, hd_cc_texts *files);

/* The linker: from the files to one object. `objects` are those of the line's C and assembly sources. */
void hd_cc_part_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_texts *objects,
    const hd_cc_texts *files, const char *output);

/* Writes the paths of the shared libraries among the files. */
bool hd_cc_part_write_libraries(const hd_cc_texts *files, const char *path, hd_error *error);

/* objcopy: adds the sections to an executable. */
void hd_cc_part_keep_step(
    hd_arena *arena, hd_cc_texts *into, const char *executable, const char *part, const char *libraries);

#endif
