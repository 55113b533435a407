#include "supervisor/program.h"

#include "abi/wire.h"
#include "base/elf.h"
#include "base/file.h"
#include "compile/cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && !strcmp(text + length - tail, end);
}

static bool is_readable_file(const char *path, hd_error *error)
{
    struct stat about;
    if (stat(path, &about) < 0)
        return hd_fail(error, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return hd_fail(error, "%s: this is a directory; expected a program or C files", path);
    return !access(path, R_OK) || hd_fail(error, "%s: %s", path, strerror(errno));
}

bool hd_program_check(const char *path, hd_error *error)
{
    hd_elf elf;
    if (!is_readable_file(path, error))
        return false;
    if (access(path, X_OK) < 0)
        return hd_fail(error, "%s: not executable; expected a program built by heddle cc, or C files", path);
    if (!hd_elf_open(&elf, path, NULL))
        return hd_fail(error, "%s: not a program that heddle cc has built", path);
    /* The runtime's section is in every program that heddle cc links. */
    bool ours = hd_elf_has_section(&elf, "hd_text");
    hd_elf_close(&elf);
    return ours || hd_fail(error, "%s: not built with heddle cc (build it with CC=\"heddle cc\")", path);
}

bool hd_output_folder(hd_error *error)
{
    struct stat about;
    if (mkdir(HD_OUTPUT_FOLDER, 0777) < 0 && errno != EEXIST)
        return hd_fail(error, "%s: the folder cannot be created here: %s", HD_OUTPUT_FOLDER, strerror(errno));
    if (stat(HD_OUTPUT_FOLDER, &about) < 0 || !S_ISDIR(about.st_mode))
        return hd_fail(error, "%s: exists and is not a folder; heddle needs a folder of this name", HD_OUTPUT_FOLDER);
    return true;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Gives a program that was just linked its name, which depends on its contents. */
static bool name_by_contents(hd_program *p, const char *linked, hd_arena *arena, hd_error *error)
{
    uint64_t hash;
    if (!hd_file_hash(linked, &hash))
        return hd_fail(error, "%s: %s", linked, strerror(errno));
    p->path = hd_arena_print(arena, "%s/%s-%08x", HD_OUTPUT_FOLDER, p->name, (unsigned)(hash >> 32 ^ hash));
    return !rename(linked, p->path) || hd_fail(error, "%s: cannot be written: %s", p->path, strerror(errno));
}

/* Builds C files into heddle-out, where replays find the program later. */
static bool build(hd_program *p, char **files, int count, const hd_program_build *how, hd_arena *arena, hd_error *error)
{
    for (int i = 0; i < count; i++)
        if (!is_readable_file(files[i], error))
            return false;
    const char *name = last_part(files[0]);
    p->name = hd_arena_print(arena, "%.*s", (int)(strlen(name) - (ends_with(name, ".c") ? 2 : 0)), name);
    const char *cflags = how->cflags;
    if (hd_symbolic_has_inputs(p->symbolic))
        cflags = hd_arena_print(arena, "-fheddle-inputs %s", cflags);
    const char *linked = hd_arena_print(arena, "%s/%s.%d", HD_OUTPUT_FOLDER, p->name, (int)getpid());
    return hd_output_folder(error)
        && hd_cc_build((const char *const *)files, (size_t)count, cflags, linked, how->limits, error)
        && name_by_contents(p, linked, arena, error);
}

/* Replay files name the program; they must work from any directory. */
static bool make_absolute(hd_program *p, hd_arena *arena, hd_error *error)
{
    char *whole = realpath(p->path, NULL);
    if (!whole)
        return hd_fail(error, "%s: %s", p->path, strerror(errno));
    p->path = hd_arena_copy(arena, whole);
    free(whole);
    return true;
}

bool hd_program_take(hd_program *p, const char *image, hd_arena *arena, hd_error *error)
{
    p->path = image;
    if (!make_absolute(p, arena, error))
        return false;
    p->arguments = hd_arena_alloc(arena, 2 * sizeof *p->arguments);
    p->arguments[0] = (char *)p->path;
    p->arguments[1] = NULL;
    return true;
}

void hd_program_add_arguments(hd_program *p, uint32_t last_unknown, hd_arena *arena)
{
    uint32_t count = 0;
    while (p->arguments[count])
        count++;
    char **arguments = hd_arena_alloc(arena, (count + last_unknown + 2) * sizeof *arguments);
    memcpy(arguments, p->arguments, count * sizeof *arguments);
    /* An unknown argument must exist; its text is replaced by the runtime. */
    for (; count <= last_unknown; count++)
        arguments[count] = "";
    arguments[count] = NULL;
    p->arguments = arguments;
}

bool hd_program_find(
    hd_program *p, char **words, int count, int dashes, const hd_program_build *how, hd_arena *arena, hd_error *error)
{
    bool sources = false;
    *p = (hd_program) { .given = words[0], .path = words[0], .symbolic = how->symbolic };
    if (dashes == 0)
        return hd_fail(error, "nothing to run: give C files, or a program that heddle cc has built");
    for (int i = 0; i < dashes; i++)
        sources |= ends_with(words[i], ".c");
    /* Several words without a C file: probably arguments without `--`. */
    if (!sources && dashes > 1)
        return hd_fail(error, "one program at a time: arguments for %s come after '--'", words[0]);
    if (!sources && *how->cflags)
        return hd_fail(error, "--cflags and --annotate are for C files, and %s is not one", words[0]);
    p->name = last_part(words[0]);
    if (sources && !build(p, words, dashes, how, arena, error))
        return false;
    if (!make_absolute(p, arena, error) || !hd_program_check(p->path, error))
        return false;
    p->arguments = hd_arena_alloc(arena, (size_t)(count - dashes + 2) * sizeof(char *));
    p->arguments[0] = (char *)p->path;
    for (int i = dashes; i < count; i++)
        p->arguments[i - dashes + 1] = words[i];
    return true;
}

void hd_program_trust(hd_word_list libraries, hd_arena *arena)
{
    /* The list is passed on through the environment, which workers inherit. */
    const char *all = getenv(HD_ENV_TRUST);
    for (uint32_t i = 0; i < libraries.count; i++)
        all = hd_arena_print(arena, "%s:%s", all ? all : "", libraries.items[i]);
    if (all)
        setenv(HD_ENV_TRUST, all, 1);
}
