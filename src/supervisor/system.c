#include "supervisor/system.h"

#include "abi/system.h"
#include "base/file.h"
#include "base/library.h"
#include "base/map.h"
#include "base/vec.h"
#include "compile/line.h"
#include "compile/system.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct finding {
    hd_arena *arena;
    const hd_program_build *how;
    hd_vec(hd_cc_process) processes;
} finding;

bool hd_system_is_given(const hd_system_options *o)
{
    return o->processes.count || o->file || o->copies;
}

/* --- one process ------------------------------------------------------------------- */

/* The length of a name in front of a program ("alice=./client"), or 0. */
static size_t length_of_name(const char *word)
{
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return length && word[length] == '=' ? length : 0;
}

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 2 && !strcmp(word + length - 2, ".c");
}

static bool is_taken(const finding *f, const char *name)
{
    for (size_t i = 0; i < f->processes.count; i++)
        if (!strcmp(f->processes.items[i].name, name))
            return true;
    return false;
}

/* The program's name, with a number if several processes run it. */
static const char *free_name(const finding *f, const char *name)
{
    const char *free = name;
    for (unsigned i = 2; is_taken(f, free); i++)
        free = hd_arena_print(f->arena, "%s-%u", name, i);
    return free;
}

/* words: a program, or C files, and its arguments. */
static bool add_process(
    finding *f, const char *name, bool has_rank, char **words, int count, int dashes, hd_error *error)
{
    hd_program program;
    if (f->processes.count == HD_MOST_PROCESSES)
        return hd_fail(error, "more than %d processes", HD_MOST_PROCESSES);
    if (name && is_taken(f, name))
        return hd_fail(error, "two processes have the name %s", name);
    hd_program_build how = *f->how;
    if (!is_source(words[0]))
        how.cflags = "";
    if (!hd_program_find(&program, words, count, dashes, &how, f->arena, error))
        return false;
    program.arguments[0] = (char *)program.given;
    hd_cc_process process = { .name = name ? name : free_name(f, program.name),
        .program = program.path,
        .arguments = program.arguments,
        .has_rank = has_rank };
    hd_vec_push(&f->processes, process);
    return true;
}

/* One value of --proc. C files come first; what follows a program or the last C file are arguments. */
static bool add_described(finding *f, const char *text, hd_error *error)
{
    hd_cc_texts words = { 0 };
    const char *name = NULL;
    int files = 0;
    hd_cc_split(f->arena, &words, text);
    size_t length = words.count ? length_of_name(words.items[0]) : 0;
    if (length) {
        name = hd_arena_print(f->arena, "%.*s", (int)length, words.items[0]);
        words.items[0] += length + 1;
    }
    while (files < (int)words.count && is_source(words.items[files]))
        files++;
    bool added = words.count && *words.items[0]
        ? add_process(f, name, false, (char **)words.items, (int)words.count, files ? files : 1, error)
        : hd_fail(error, "--proc=%s names no program", text);
    hd_vec_fini(&words);
    return added;
}

/* --- all ----------------------------------------------------------------------------- */

static bool add_from_file(finding *f, const char *path, hd_error *error)
{
    size_t size;
    FILE *in = fopen(path, "r");
    if (!in)
        return hd_fail(error, "%s: %s", path, strerror(errno));
    char *rest = hd_file_read(in, f->arena, &size);
    fclose(in);
    unsigned number = 1;
    for (char *line; (line = strsep(&rest, "\n")); number++) {
        hd_error why;
        while (isspace((unsigned char)*line))
            line++;
        if (*line && *line != '#' && !add_described(f, line, &why))
            return hd_fail(error, "%s:%u: %s", path, number, why.text);
    }
    return f->processes.count || hd_fail(error, "%s: names no process", path);
}

static bool add_copies(finding *f, uint32_t copies, char **words, int count, int dashes, hd_error *error)
{
    for (uint32_t i = 0; i < copies; i++)
        if (!add_process(f, NULL, true, words, count, dashes, error))
            return false;
    return true;
}

static bool add_all(finding *f, const hd_system_options *o, char **words, int count, int dashes, hd_error *error)
{
    if (!o->copies && count)
        return hd_fail(error, "%s: a system consists of what --proc and --system name (or --np copies)", words[0]);
    for (uint32_t i = 0; i < o->processes.count; i++)
        if (!add_described(f, o->processes.items[i], error))
            return false;
    return (!o->file || add_from_file(f, o->file, error)) && add_copies(f, o->copies, words, count, dashes, error);
}

static bool mark_main(finding *f, const char *name, hd_error *error)
{
    bool found = !name;
    for (size_t i = 0; i < f->processes.count && name; i++) {
        f->processes.items[i].is_main = !strcmp(f->processes.items[i].name, name);
        found |= f->processes.items[i].is_main;
    }
    return found || hd_fail(error, "--main=%s: no process has this name", name);
}

static bool mark_crashing(finding *f, const char *name, size_t length, uint32_t crashes)
{
    bool found = false;
    for (size_t i = 0; i < f->processes.count; i++) {
        hd_cc_process *p = &f->processes.items[i];
        bool is_meant = !name || (strlen(p->name) == length && !strncmp(p->name, name, length));
        p->crashes = is_meant ? crashes : p->crashes;
        found |= is_meant;
    }
    return found;
}

/* --crash=N[:NAME,NAME…] */
static bool mark_crashes(finding *f, const char *text, hd_error *error)
{
    char *rest = NULL;
    unsigned long crashes = text ? strtoul(text, &rest, 10) : 0;
    if (!text)
        return true;
    if (rest == text || (*rest && *rest != ':') || !isdigit((unsigned char)*text) || !crashes
        || crashes > f->processes.count)
        return hd_fail(error, "--crash=%s: expected a number from 1 to %zu, and after a colon names of processes", text,
            f->processes.count);
    if (!*rest)
        return mark_crashing(f, NULL, 0, (uint32_t)crashes);
    for (const char *name = rest + 1;; name += strcspn(name, ",") + 1) {
        size_t length = strcspn(name, ",");
        if (!mark_crashing(f, name, length, (uint32_t)crashes))
            return hd_fail(error, "--crash=%s: no process has the name '%.*s'", text, (int)length, name);
        if (!name[length])
            return true;
    }
}

/* --- the image -----------------------------------------------------------------------

 * It is in heddle-out, and its name depends on everything that it is made of: programs and the runtime by their
 contents,
 * and the table. So what was linked once is not linked again, by the next check or by a replay. */

static void hash_text(uint64_t *hash, const char *text)
{
    *hash = hd_hash_bytes(text ? text : "", text ? strlen(text) + 1 : 0, *hash);
}

static bool hash_file(uint64_t *hash, const char *path, hd_error *error)
{
    uint64_t contents;
    if (!hd_file_hash(path, &contents))
        return hd_fail(error, "%s: %s", path, strerror(errno));
    *hash = hd_hash_bytes(&contents, sizeof contents, *hash);
    return true;
}

static bool hash_process(uint64_t *hash, const hd_cc_process *p, hd_error *error)
{
    uint32_t count = 0;
    hash_text(hash, p->name);
    while (p->arguments[count])
        hash_text(hash, p->arguments[count++]);
    uint32_t numbers[] = { count, !p->name, p->has_rank, p->is_main, p->crashes };
    *hash = hd_hash_bytes(numbers, sizeof numbers, *hash);
    return hash_file(hash, p->program, error);
}

static bool hash_image(uint64_t *hash, const hd_program *p, hd_arena *arena, hd_error *error)
{
    const char *library;
    bool read = hd_library_find(arena, &library, error)
        && hash_file(hash, hd_arena_print(arena, "%s/libheddle_rt.a", library), error);
    for (size_t i = 0; i < p->process_count && read; i++)
        read = hash_process(hash, &p->processes[i], error);
    for (size_t i = 0; i < p->programs.count && read; i++) {
        hash_text(hash, p->programs.items[i]);
        read = hash_file(hash, p->programs.items[i], error);
    }
    return read;
}

/* Links what `p` consists of. */
static bool link_image(hd_program *p, hd_cc_limits *limits, hd_arena *arena, hd_error *error)
{
    uint64_t hash = 0;
    if (!hash_image(&hash, p, arena, error))
        return false;
    const char *image = hd_arena_print(arena, "%s/%s-%016" PRIx64, HD_OUTPUT_FOLDER, p->name, hash);
    const char *linked = hd_arena_print(arena, "%s.%d", image, (int)getpid());
    if (access(image, X_OK) < 0) {
        if (!hd_cc_link_system(p->processes, p->process_count, p->programs, linked, limits, error))
            return false;
        if (rename(linked, image) < 0)
            return hd_fail(error, "%s: cannot be written: %s", image, strerror(errno));
    }
    return hd_program_take(p, image, arena, error);
}

/* --- the system ---------------------------------------------------------------------- */

/* "server.c, client.c": what its processes were made of. Reports name the system so; the image's path differs between
 * folders. */
static const char *programs_of(const hd_program *p, hd_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < p->process_count; i++) {
        const char *name = p->processes[i].arguments[0];
        size_t other = 0;
        while (strcmp(p->processes[other].arguments[0], name) != 0)
            other++;
        if (other == i)
            text = hd_arena_print(arena, "%s%s%s", text, i ? ", " : "", name);
    }
    return text;
}

bool hd_system_find(hd_program *p, const hd_system_options *o, char **words, int count, int dashes,
    const hd_program_build *how, hd_arena *arena, hd_error *error)
{
    finding f = { .arena = arena, .how = how };
    *p = (hd_program) { .name = "system", .symbolic = how->symbolic };
    bool found = hd_output_folder(error) && add_all(&f, o, words, count, dashes, error) && mark_main(&f, o->main, error)
        && mark_crashes(&f, o->crash, error);
    size_t size = f.processes.count * sizeof *f.processes.items;
    if (size)
        p->processes = memcpy(hd_arena_alloc(arena, size), f.processes.items, size);
    p->process_count = f.processes.count;
    hd_vec_fini(&f.processes);
    p->given = programs_of(p, arena);
    return found && link_image(p, how->limits, arena, error);
}

/* --- programs for exec --------------------------------------------------------------- */

static void describe_alone(hd_program *p, hd_arena *arena)
{
    hd_cc_process *process = hd_arena_alloc(arena, sizeof *process);
    *process = (hd_cc_process) { .program = p->path, .arguments = p->arguments };
    p->processes = process;
    p->process_count = 1;
}

bool hd_system_add_program(hd_program *p, const char *path, hd_cc_limits *limits, hd_arena *arena, hd_error *error)
{
    hd_program image = *p;
    if (p->symbolic)
        return hd_fail(error, "exec in a program with inputs is not modelled yet");
    if (!hd_program_check(path, error) || !hd_output_folder(error))
        return false;
    if (!p->process_count)
        describe_alone(&image, arena);
    if (image.process_count + p->programs.count == HD_MOST_PROCESSES)
        return hd_fail(error, "more than %d programs and processes", HD_MOST_PROCESSES);
    image.programs.items = hd_arena_alloc(arena, (p->programs.count + 1) * sizeof *image.programs.items);
    for (size_t i = 0; i < p->programs.count; i++)
        image.programs.items[i] = p->programs.items[i];
    image.programs.items[image.programs.count++] = path;
    if (!link_image(&image, limits, arena, error))
        return false;
    *p = image;
    return true;
}
