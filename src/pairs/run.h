/* Running a command once per row, and what the failing rows have in common. */
#ifndef HD_PAIRS_RUN_H
#define HD_PAIRS_RUN_H

#include "pairs/needs.h"

#include <stdio.h>

typedef struct hd_pairs_outcome {
    int status; /* 0: passed; an exit status, or 128 + signal */
    bool ran; /* to its end */
} hd_pairs_outcome;

static inline bool hd_pairs_failed(const hd_pairs_outcome *o)
{
    return o->ran && o->status != 0;
}

/* Fails if `command` names, in braces, something that is no parameter. */
bool hd_pairs_command_check(const hd_pairs_model *m, const char *command, hd_error *error);

/* `command` with every {Parameter} replaced by the row's value, quoted for the
 * shell; aliases of a value take turns by `turn`. Lives in the arena. */
const char *hd_pairs_command(
    const hd_pairs_model *m, const char *command, const hd_pairs_cell *row, int turn, hd_arena *arena);

/* Runs the command for each row, `jobs` at a time, with a progress line on
 * `progress` (NULL: none). `outcomes` has one entry per row. Each command has a process group of its own. If
 * `interrupted` becomes other than 0, the commands under way are ended with their groups, and no other one is started.
 */
bool hd_pairs_run(const hd_pairs_model *m, const char *command, const hd_pairs_rows *rows, int jobs, FILE *progress,
    const volatile sig_atomic_t *interrupted, hd_pairs_outcome *outcomes, hd_error *error);

/* A combination of values that occurs in failing rows and in no passing one. */
typedef struct hd_pairs_suspect {
    int size, columns[HD_PAIRS_MOST_STRENGTH];
    hd_pairs_cell values[HD_PAIRS_MOST_STRENGTH];
    size_t rows; /* failing rows that have it */
} hd_pairs_suspect;

typedef struct hd_pairs_suspects {
    hd_vec(hd_pairs_suspect) items;
    bool shared; /* all failing rows have each of them; otherwise they explain the failing rows together */
    bool cut; /* interrupted: there may be others */
} hd_pairs_suspects;

/* The smallest combinations, of at most `most` values, that all failing rows
 * share; if there is none, a few that together explain as many failing rows as possible. */
void hd_pairs_find_suspects(const hd_pairs_rows *rows, const hd_pairs_outcome *outcomes, int most,
    const volatile sig_atomic_t *interrupted, hd_pairs_suspects *into);
void hd_pairs_suspects_fini(hd_pairs_suspects *s);

#endif
