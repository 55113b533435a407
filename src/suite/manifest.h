/* The manifest of a suite's folder: which program the tests are for, how they were chosen, and what
 * each of them reaches. A text file with a keyword and its value per line:
 *
 *   heddle suite 1
 *   version 0.1.0
 *   program ../heddle-out/pi
 *   source ../pi.c
 *   cflags -DN=4
 *   symbolic arg 1 8
 *   build 5d7c0f1e3a2b4c69
 *   net unfold
 *   cover events
 *   method exact
 *   goals 24
 *   lower 24
 *   complete yes
 *   test test-0001.replay
 *   goal 9f3a… T1 unlock pi.c:20
 *   lost 57c1… T2 lock pi.c:19
 *   end
 *
 * `symbolic` says what is unknown in the program's environment (HD_ENV_SYMBOLIC), if anything is.
 * Paths are relative to the folder. A goal's key stays the same while the program's lines do. A
 * test lists the goals that it reaches and no test before it does. `lost` are the goals that no test reaches because
 * `--max` has left some tests out. */
#ifndef HD_SUITE_MANIFEST_H
#define HD_SUITE_MANIFEST_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

#define HD_MANIFEST_FILE "suite.txt"

typedef struct hd_suite_manifest_goal {
    uint64_t key;
    const char *text;
} hd_suite_manifest_goal;

typedef struct hd_suite_manifest_test {
    const char *file;
    hd_vec(hd_suite_manifest_goal) goals;
} hd_suite_manifest_test;

typedef struct hd_suite_manifest {
    const char *version, *program, *cflags, *symbolic, *net, *cover, *method; /* symbolic: NULL: nothing is unknown */
    hd_vec(const char *) arguments, sources;
    uint64_t build; /* hash of the program's file */
    uint32_t goals, lower;
    bool complete;
    hd_vec(hd_suite_manifest_test) tests;
    hd_vec(hd_suite_manifest_goal) lost;
} hd_suite_manifest;

void hd_suite_manifest_fini(hd_suite_manifest *m);

/* Errors stay in the stream: check ferror afterwards. */
void hd_suite_manifest_write(const hd_suite_manifest *m, FILE *out);

/* Reads the manifest of a folder. Errors name the file and the line. */
bool hd_suite_manifest_read(hd_suite_manifest *m, const char *folder, hd_arena *arena, hd_error *error);

/* `path` relative to `folder`; both are absolute. */
const char *hd_suite_manifest_path(const char *folder, const char *path, hd_arena *arena);

#endif
