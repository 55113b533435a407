/* heddle replay --all DIR, or with several files: runs the tests in one worker, reports which pass,
 * and writes JUnit XML. */
#ifndef HD_CLI_REPLAY_ALL_H
#define HD_CLI_REPLAY_ALL_H

#include "base/error.h"
#include "base/memory.h"

/* Runs all tests of a folder written by heddle suite, on the program as it is now. */
int hd_replay_all(const char *folder, const char *junit, hd_arena *arena);

/* Runs the replay files among these; manifests and makefile snippets are skipped. */
int hd_replay_files(char **files, int count, const char *junit, hd_arena *arena);

/* The program of a replay file; a relative path is relative to the file's folder. */
const char *hd_replay_program(const char *program, const char *file, hd_arena *arena);

#endif
