/* heddle replay --all DIR, and several files at once: runs tests one after the other in
 * one worker, says which pass, and writes JUnit's XML. */
#ifndef HD_CLI_REPLAY_ALL_H
#define HD_CLI_REPLAY_ALL_H

#include "base/error.h"
#include "base/memory.h"

/* All tests of a folder that heddle suite wrote, on the program as it is now. */
int hd_replay_all(const char *folder, const char *junit, hd_arena *arena);

/* The replay files among these; manifests and snippets are passed over. */
int hd_replay_files(char **files, int count, const char *junit, hd_arena *arena);

/* The program that a replay file names: relative to the file's folder. */
const char *hd_replay_program(const char *program, const char *file, hd_arena *arena);

#endif
