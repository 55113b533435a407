/* A suite as text: which program the tests are for, how they were chosen, and the tests, each with the goals that it is
 * the first to reach. One file, made of lines with a word and its value:
 *
 *   heddle suite 2
 *   version 0.1.0
 *   program heddle-out/pi
 *   depth 20000
 *   options races
 *   shared 1f 2a
 *   source pi.c
 *   cflags -DN=4
 *   build 5d7c0f1e3a2b4c69
 *   net unfold
 *   cover events
 *   method exact
 *   goals 24
 *   lower 24
 *   complete yes
 *
 *   test 1
 *   goal 9f3a… T1 unlock pi.c:20
 *   kind test
 *   message ends normally
 *   steps 2
 *   T1 lock pi.c:19
 *   T1 unlock pi.c:20
 *   end
 *
 *   lost 57c1… T2 lock pi.c:19
 *   end
 *
 * The lines from `version` on and those of a test after its goals are the two parts of a replay file
 * (event/record.h), so records are read and written there. A test keeps its number when the suite is updated. Paths are
 * relative to the file's folder. A goal's key stays the same while the program's lines do. `lost` are the goals that
 * no test reaches because `--max` has left some tests out.
 *
 * Earlier versions wrote a folder: a manifest `suite.txt` (format 1: `test` names a replay file, and the lines of a
 * test are there). It is read as well. */
#ifndef HD_SUITE_SUITE_FILE_H
#define HD_SUITE_SUITE_FILE_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "event/record.h"

#include <stdint.h>
#include <stdio.h>

typedef struct hd_suite_file_goal {
    uint64_t key;
    const char *text;
} hd_suite_file_goal;

typedef struct hd_suite_file_test {
    uint32_t number;
    hd_vec(hd_suite_file_goal) goals;
    hd_record record;
} hd_suite_file_test;

typedef struct hd_suite_file {
    hd_record head; /* what the tests have in common */
    const char *cflags, *net, *cover, *method;
    hd_vec(const char *) sources;
    uint64_t build; /* hash of the program's file */
    uint32_t goals, lower;
    bool complete;
    hd_vec(hd_suite_file_test) tests; /* their numbers ascend */
    hd_vec(hd_suite_file_goal) lost;
} hd_suite_file;

void hd_suite_file_fini(hd_suite_file *f);

/* Errors stay in the stream: check ferror afterwards. */
void hd_suite_file_write(const hd_suite_file *f, FILE *out);

/* Reads a file or a folder. Errors name the file and the line. */
bool hd_suite_file_read(hd_suite_file *f, const char *path, hd_arena *arena, hd_error *error);

/* Is it a suite, by its first line, and not a replay file? */
bool hd_suite_file_is_one(const char *path);

/* The folder that paths in the suite are relative to. */
const char *hd_suite_file_folder(const char *path, hd_arena *arena);

/* `path` relative to `folder`; both are absolute. */
const char *hd_suite_file_path(const char *folder, const char *path, hd_arena *arena);

#endif
