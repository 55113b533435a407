/* A system of several processes in one image: a table that the linker puts together (compile/system.h). Each process
 * has its own copy of its program, with all symbols local. After the processes come the programs that processes become
 * by exec. A program that is linked alone has no table. */
#ifndef HD_ABI_SYSTEM_H
#define HD_ABI_SYSTEM_H

#include "abi/init.h"

/* The number of the first process, as the program sees it; the others follow. */
enum { HD_MOST_PROCESSES = 64, HD_FIRST_PID = 4242 };

/* The section of the table, and that of the processes' names (strings that end with 0) for reports. */
#define HD_SYSTEM_SECTION "hd_system"
#define HD_NAMES_SECTION ".heddle.names"

typedef struct hd_process_image {
    int (*main)(int argc, char **argv, char **envp);
    const hd_init *init_start, *init_stop; /* its constructors and destructors */
    char **argv; /* NULL at the end */
    const char *rank; /* "HEDDLE_RANK=N", for its environment; NULL: none */
    uint64_t argc;
    uint64_t is_main; /* the execution ends when it has ended */
    char *data_start, *data_stop, *bss_start, *bss_stop; /* its variables */
    uint64_t crashes; /* 0: it never crashes; otherwise up to so many processes of the system do */
    const char *path; /* of a program for exec: the whole path of its file; NULL: a process */
} hd_process_image;

#endif
