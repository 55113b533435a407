/* A search that was stopped, as a file: a head with what it belongs to, and the latest checkpoint
 * (worker/checkpoint.h).
 *
 * A checkpoint is the memory of an engine, so it means something to exactly that engine (`heddle`, a hash of it), and
 * for exactly the program and options of the search. The head says so and has a layout that does not depend on the
 * engine's. The rest of the file is the checkpoint as a sequence of parts: how many zero bytes, how many others, and
 * those. Sums are compared before anything of it is used, so a damaged file is noticed, and never goes into a search.
 */
#ifndef HD_SUPERVISOR_SEARCH_FILE_H
#define HD_SUPERVISOR_SEARCH_FILE_H

#include "base/error.h"

#include <stdint.h>

struct hd_session;

/* Plain data, as it is in the file. */
typedef struct hd_search_head {
    char magic[8];
    uint64_t format;
    uint64_t heddle, program; /* hashes of the engine and of the program's file */
    uint64_t size; /* of the checkpoint */
    uint64_t sum; /* of the bytes that follow */
    double time, seconds; /* since 1970, when it was written; how long the search had run */
    uint64_t tests, hunted, executions; /* executions: of all kinds, as --max-tests counts them */
    uint64_t findings;
    char given[256]; /* the program, as it was given; a longer name is cut off */
    char explorer[32];
    char options[2048]; /* what the search depends on, as text */
    uint64_t head_sum; /* of all this; the last field */
} hd_search_head;

/* Fills in what the head says of the search, its size and sums, and writes the file whole: under `unfinished` first.
 * False: it cannot be written, or the worker was faster and there is a newer checkpoint (*overtaken). Call it while the
 * session is mapped. */
bool hd_search_file_write(
    const char *path, const char *unfinished, hd_search_head *head, bool *overtaken, hd_error *error);

/* Reads and checks the head, and with `whole` the rest as well. */
bool hd_search_file_read(const char *path, hd_search_head *head, bool whole, hd_error *error);

/* Reads a file that is whole into a session that has just been opened, so that it goes on from there. */
bool hd_search_file_load(const char *path, struct hd_session *s, hd_search_head *head, hd_error *error);

#endif
