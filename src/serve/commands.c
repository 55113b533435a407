#include "serve/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WORDS = 32 };

/* Options that neither name files nor let anything be written. */
static const char *const allowed[] = { "explore", "max-tests", "time", "depth", "timeouts", "processors", "seed",
    "stop", "races", "discipline", "compose", "visible", "persistent", "dependency", "volatile", "exit", "leaks",
    "spurious", "states", "pct-depth", "preemptions", "delays", "reach", "np", "scheme", "udp", "mpi-buffer", "partial",
    "sym-arg", "sym-stdin", "toss", "table" };

static bool is_allowed(const char *word)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (length == strlen(allowed[i]) + 2 && !strncmp(word, "--", 2) && !strncmp(word + 2, allowed[i], length - 2))
            return true;
    return false;
}

/* A regular file below the current folder: what the path leads to counts, also through links. */
static bool is_below(const char *path, hd_error *error)
{
    struct stat about;
    char *here = realpath(".", NULL), *there = realpath(path, NULL);
    size_t length = here ? strlen(here) : 0;
    bool below = here && there && !strncmp(there, here, length) && there[length] == '/' && !stat(there, &about)
        && S_ISREG(about.st_mode);
    free(here);
    free(there);
    return below || hd_fail(error, "%s: there is no such file in this folder", path);
}

static bool add_word(hd_serve_command *c, size_t *count, char *word, hd_error *error)
{
    if (*count >= MOST_WORDS)
        return hd_fail(error, "there are too many words");
    if (*word == '-' && !is_allowed(word))
        return hd_fail(error, "%s: this option cannot be used from a page", word);
    if (*word != '-' && !is_below(word, error))
        return false;
    c->words[(*count)++] = word;
    return true;
}

static void begin(hd_serve_command *c, size_t *count, const char *verb, hd_arena *arena)
{
    c->words = hd_arena_alloc(arena, (MOST_WORDS + 8) * sizeof *c->words);
    c->words[(*count)++] = "heddle";
    c->words[(*count)++] = (char *)verb;
}

bool hd_serve_command_check(hd_serve_command *c, const hd_serve_runs *runs, const char *text, const char *name,
    hd_arena *arena, hd_error *error)
{
    size_t count = 0;
    bool has_file = false;
    const char *folder = hd_serve_runs_folder(runs);
    begin(c, &count, "check", arena);
    c->words[count++] = hd_arena_print(arena, "--result=%s/%s.json", folder, name);
    c->words[count++] = hd_arena_print(arena, "--progress=%s/%s.progress", folder, name);
    char *rest = hd_arena_copy(arena, text);
    for (char *word; (word = strsep(&rest, " \t\r\n"));) {
        if (*word && !add_word(c, &count, word, error))
            return false;
        has_file |= *word && *word != '-';
    }
    return has_file || hd_fail(error, "name a C file, or a program that heddle cc has built");
}

bool hd_serve_command_replay(
    hd_serve_command *c, const hd_serve_runs *runs, const char *file, hd_arena *arena, hd_error *error)
{
    size_t count = 0;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (!hd_serve_runs_has(runs, name, ".replay"))
        return hd_fail(error, "%s: there is no such replay file in the folder", name);
    begin(c, &count, "replay", arena);
    c->words[count++] = hd_arena_print(arena, "%s/%s", hd_serve_runs_folder(runs), name);
    return true;
}

int hd_serve_command_run(const void *context)
{
    const hd_serve_command *c = context;
    execv("/proc/self/exe", c->words);
    printf("heddle cannot be started: %s\n", strerror(errno));
    return HD_EXIT_USAGE;
}
