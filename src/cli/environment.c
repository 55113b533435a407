#include "cli/environment.h"

#include "cli/options.h"
#include "compile/line.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLE "HEDDLE_OPTIONS"

/* Every option, and the verb that has it. */
static const struct row {
    const char *verb, *field;
} rows[] = {
#define CHECK_OPTIONS
#define OPTION(field, type, value, argument, help) { "check", #field },
#include "cli/options.def"
#undef OPTION
#undef CHECK_OPTIONS
#define REPLAY_OPTIONS
#define OPTION(field, type, value, argument, help) { "replay", #field },
#include "cli/options.def"
#undef OPTION
#undef REPLAY_OPTIONS
#define REPORT_OPTIONS
#define OPTION(field, type, value, argument, help) { "report", #field },
#include "cli/options.def"
#undef OPTION
#undef REPORT_OPTIONS
#define SERVE_OPTIONS
#define OPTION(field, type, value, argument, help) { "serve", #field },
#include "cli/options.def"
#undef OPTION
#undef SERVE_OPTIONS
#define RUNS_OPTIONS
#define OPTION(field, type, value, argument, help) { "runs", #field },
#include "cli/options.def"
#undef OPTION
#undef RUNS_OPTIONS
#define TEST_OPTIONS
#define OPTION(field, type, value, argument, help) { "test", #field },
#include "cli/options.def"
#undef OPTION
#undef TEST_OPTIONS
#define SUITE_OPTIONS
#define OPTION(field, type, value, argument, help) { "suite", #field },
#include "cli/options.def"
#undef OPTION
#undef SUITE_OPTIONS
#define PAIRS_OPTIONS
#define OPTION(field, type, value, argument, help) { "pairs", #field },
#include "cli/options.def"
#undef OPTION
#undef PAIRS_OPTIONS
#define MODEL_OPTIONS
#define OPTION(field, type, value, argument, help) { "model", #field },
#include "cli/options.def"
#undef OPTION
#undef MODEL_OPTIONS
};

/* Has the verb this option? NULL: any verb. */
static bool has_option(const char *verb, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((!verb || !strcmp(rows[i].verb, verb)) && hd_cli_is_named(rows[i].field, name, length))
            return true;
    return false;
}

/* The word without its dashes; the sanitizers' name for a file of suppressions is understood. */
static const char *plain_word(const char *word, hd_arena *arena)
{
    word += strspn(word, "-");
    return strncmp(word, "suppressions=", 13) ? word : hd_arena_print(arena, "suppress=%s", word + 13);
}

bool hd_cli_environment(const char *verb, int *argc, char ***argv, hd_arena *arena, hd_error *error)
{
    const char *value = getenv(VARIABLE);
    hd_cc_texts given = { 0 };
    bool fine = true;
    size_t count = 1;
    hd_cc_split(arena, &given, value ? value : "");
    char **words = hd_arena_alloc(arena, (given.count + (size_t)*argc + 1) * sizeof *words);
    words[0] = (*argv)[0];
    for (size_t i = 0; i < given.count && fine; i++) {
        const char *word = plain_word(given.items[i], arena);
        size_t length = strcspn(word, "=");
        if (has_option(verb, word, length))
            words[count++] = hd_arena_print(arena, length == 1 ? "-%s" : "--%s", word);
        else if (!has_option(NULL, word, length))
            fine = hd_fail(error, VARIABLE ": there is no option '%.*s'", (int)length, word);
    }
    for (int i = 1; i < *argc; i++)
        words[count++] = (*argv)[i];
    hd_vec_fini(&given);
    *argc = (int)count;
    *argv = words;
    return fine;
}
