/* heddle runs: the runs that 'heddle check' has kept. */
#include "base/error.h"
#include "base/memory.h"
#include "store/store.h"
#include "supervisor/keeper.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HD_VERB runs
#define RUNS_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "runs [--store=FILE] [show N|diff N M|export N|prune KEPT]",
    "Lists the runs that 'heddle check' has kept; shows one; compares the findings of two\n"
    "(status 1: the second has new ones); prints one as JSON; removes all but the latest.",
    rows, sizeof rows / sizeof *rows };

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

static bool is_number(const char *word, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(word, &end, 10);
    return *word && !*end && !errno && *number >= 0;
}

/* What to do: a word and the numbers after it. */
typedef struct command {
    const char *word;
    int count;
    int64_t numbers[2];
} command;

static bool parse(command *c, char **words, int count, hd_error *error)
{
    static const command known[] = { { "list", 0, { 0 } }, { "show", 1, { 0 } }, { "diff", 2, { 0 } },
        { "export", 1, { 0 } }, { "prune", 1, { 0 } } };
    const char *word = count ? words[0] : "list";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(word, known[i].word)) {
            *c = known[i];
            bool fits = count == 0 || count == c->count + 1;
            for (int k = 0; fits && k < c->count; k++)
                fits = is_number(words[k + 1], &c->numbers[k]);
            return fits
                || hd_fail(error, "'heddle runs %s' needs %d number%s (see 'heddle runs --help')", word, c->count,
                    c->count == 1 ? "" : "s");
        }
    return hd_fail(error, "there is no 'heddle runs %s'; there are: list, show, diff, export, prune", word);
}

static bool do_command(
    hd_store *s, const char *searches, const command *c, bool *more, hd_arena *arena, hd_error *error)
{
    int64_t removed;
    if (!strcmp(c->word, "list")) {
        bool listed = hd_store_list(s, stdout, error);
        hd_keeper_list(searches, stdout, arena);
        return listed;
    }
    if (!strcmp(c->word, "show"))
        return hd_store_show(s, c->numbers[0], stdout, error);
    if (!strcmp(c->word, "diff"))
        return hd_store_diff(s, c->numbers[0], c->numbers[1], stdout, more, error);
    if (!strcmp(c->word, "export"))
        return hd_store_export(s, c->numbers[0], stdout, error);
    if (!hd_store_prune(s, c->numbers[0], &removed, error))
        return false;
    printf("heddle: %" PRId64 " run%s removed\n", removed, removed == 1 ? "" : "s");
    uint32_t stopped = hd_keeper_prune(searches, (uint32_t)c->numbers[0], arena);
    if (stopped)
        printf("heddle: %u stopped search%s removed\n", stopped, stopped == 1 ? "" : "es");
    return true;
}

int hd_cli_verb_runs(int argc, char **argv);

int hd_cli_verb_runs(int argc, char **argv)
{
    runs_options o = defaults;
    hd_error error = { "" };
    command c = { 0 };
    int count, dashes;
    bool more = false;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error) || !parse(&c, argv, count, &error))
        return fail(error.text);
    if (!strcmp(o.store, "off"))
        return fail("--store=off keeps no runs; --store=FILE names a database that has some");
    hd_store *s = hd_store_open(o.store, false, &error);
    if (!s)
        return fail(error.text);
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    bool done = do_command(s, hd_keeper_folder(o.store, &arena), &c, &more, &arena, &error);
    hd_arena_fini(&arena);
    hd_store_close(s);
    if (done && (fflush(stdout) || ferror(stdout)))
        done = hd_fail(&error, "standard output cannot be written");
    return !done ? fail(error.text) : more ? HD_EXIT_FOUND : HD_EXIT_CLEAN;
}
