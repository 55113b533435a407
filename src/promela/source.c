#include "promela/source.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_DEFINES = 64 };

static bool wants_preprocessor(const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && *text == '#')
            return true;
        /* A directive may be indented. */
        line_start = *text == '\n' || (line_start && (*text == ' ' || *text == '\t'));
    }
    return false;
}

static void run_preprocessor(const char *file, const char *defines, int out, hd_arena *arena)
{
    char *arguments[MOST_DEFINES + 8] = { "gcc", "-E", "-x", "c" };
    int count = 4;
    char *list = hd_arena_copy(arena, defines ? defines : "");
    for (char *save, *d = strtok_r(list, ",", &save); d && count < MOST_DEFINES; d = strtok_r(NULL, ",", &save))
        arguments[count++] = hd_arena_print(arena, "-D%s", d);
    arguments[count++] = (char *)file;
    dup2(out, STDOUT_FILENO);
    execvp("gcc", arguments);
    fprintf(stderr, "heddle: gcc, whose preprocessor models need, cannot be run: %s\n", strerror(errno));
    _exit(127);
}

static char *preprocess(const char *file, const char *defines, hd_arena *arena, hd_error *error)
{
    int ends[2];
    if (pipe(ends) != 0) {
        hd_fail(error, "cannot make a pipe to the preprocessor: %s", strerror(errno));
        return NULL;
    }
    pid_t child = fork();
    if (child == 0)
        run_preprocessor(file, defines, ends[1], arena);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    size_t size;
    char *text = hd_file_read(in, arena, &size);
    fclose(in);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        hd_fail(error, "%s: the C preprocessor ('gcc -E -x c') refuses this file; its message is above", file);
        return NULL;
    }
    return text;
}

char *hd_promela_source_read(const char *file, const char *defines, hd_arena *arena, hd_error *error)
{
    FILE *in = fopen(file, "r");
    if (!in) {
        hd_fail(error, "%s: cannot be read: %s", file, strerror(errno));
        return NULL;
    }
    size_t size;
    char *text = hd_file_read(in, arena, &size);
    bool failed = ferror(in);
    fclose(in);
    if (failed) {
        hd_fail(error, "%s: cannot be read", file);
        return NULL;
    }
    return wants_preprocessor(text) || (defines && *defines) ? preprocess(file, defines, arena, error) : text;
}
