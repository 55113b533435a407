/* Keeps the search of a check so that `heddle check --resume` can go on with it.
 *
 * While the search runs, its latest checkpoint is written to a file every few seconds, and once more when it stops at
 * --time, at --max-tests or by a signal. A process of its own writes, so that the search and its limits are not
 * delayed; all writing together takes about a thirtieth of the time. When a search has ended otherwise there is nothing
 * to go on with, and the file is removed.
 *
 * A file belongs to a program as it was given, its arguments, and the options that the search depends on; these make
 * its name. --time, --max-tests, --memory and what is done with the result may change. A search is deterministic, so
 * of two files that belong to the same search the one with more executions is further: a check that begins anew does
 * not overwrite it before it is as far itself. */
#ifndef HD_SUPERVISOR_KEEPER_H
#define HD_SUPERVISOR_KEEPER_H

#include "supervisor/program.h"
#include "supervisor/search_file.h"
#include "worker/session.h"

#include <stdio.h>

typedef struct hd_keeper hd_keeper;

/* `folder` is created when the first file is written; of all files there, the latest `most` stay, up to
 * a gigabyte (0: all). */
hd_keeper *hd_keeper_open(
    const char *folder, uint32_t most, const hd_program *program, const hd_session_config *config);

/* In a session that has just been opened: goes on with the search that was kept. False: `why` says why there is none,
 * or that it cannot go on. */
bool hd_keeper_resume(hd_keeper *k, hd_session *s, hd_error *why);

/* To be called several times a second while the search runs, `seconds` after it began. */
void hd_keeper_tick(hd_keeper *k, double seconds);

/* The search has stopped: begins to write its last checkpoint if it can go on, otherwise removes the file. */
void hd_keeper_end(hd_keeper *k, const hd_session *s, double seconds);

/* Waits for what is still being written. False: the search could not be kept. */
bool hd_keeper_close(hd_keeper *k, hd_error *error);

/* --- for heddle runs -------------------------------------------------------------------------- */

/* The folder that belongs to a database. */
const char *hd_keeper_folder(const char *store, hd_arena *arena);

/* Lists the searches that can be resumed, the latest first; nothing if there are none. */
void hd_keeper_list(const char *folder, FILE *out, hd_arena *arena);

/* Removes all but the latest `kept`; returns how many. */
uint32_t hd_keeper_prune(const char *folder, uint32_t kept, hd_arena *arena);

#endif
