/* Links several programs into one image: a system of processes (abi/system.h).
 *
 * Each process gets its own copy of its program's part (compile/part.h), in which all symbols are made local. The
 * sections by which a program registers its variables and constructors are renamed, so each copy registers its own. A
 * table of the processes, with their arguments, is added. So the image is a program that needs no arguments.
 *
 * Programs that processes become by exec are linked in the same way, one copy of each. They are in the table, too. */
#ifndef HD_COMPILE_SYSTEM_H
#define HD_COMPILE_SYSTEM_H

#include "base/error.h"
#include "compile/limits.h"

#include <stddef.h>
#include <stdint.h>

typedef struct hd_cc_process {
    const char *name; /* in reports; NULL: the only process, which needs none */
    const char *program; /* the path of an executable that heddle cc has linked */
    char **arguments; /* argv, NULL at the end */
    bool has_rank; /* its number is in its environment */
    bool is_main; /* an execution ends when it has ended */
    uint32_t crashes; /* hd_process_image.crashes */
} hd_cc_process;

/* Paths of executables that heddle cc has linked. */
typedef struct hd_cc_programs {
    const char **items;
    size_t count;
} hd_cc_programs;

/* If it fails, there is no output. */
bool hd_cc_link_system(const hd_cc_process *processes, size_t count, hd_cc_programs programs, const char *output,
    hd_cc_limits *limits, hd_error *error);

#endif
