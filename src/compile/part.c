#include "compile/part.h"

#include "base/elf.h"
#include "base/file.h"
#include "compile/wrap.h"

#include <stdio.h>
#include <string.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* --- the linker's list --------------------------------------------------------- */

const char *hd_cc_part_users_list(hd_arena *arena, const hd_cc_line *line)
{
    static const char option[] = "--dependency-file=";
    for (size_t i = line->items.count; i-- > 0;) {
        const char *at = strstr(line->items.items[i].text, option);
        if (at && begins_with(line->items.items[i].text, "-Wl,"))
            return hd_arena_print(arena, "%.*s", (int)strcspn(at + strlen(option), ","), at + strlen(option));
    }
    return NULL;
}

/* The list has the form of a rule of make: "output: file \ file …", then an empty rule for each file. */
void hd_cc_part_files(hd_arena *arena, const char *list, hd_cc_texts *files)
{
    size_t size;
    FILE *in = fopen(list, "r");
    char *text = in ? hd_file_read(in, arena, &size) : "", *end = strstr(text, "\n\n"), *rest = strchr(text, ':');
    if (in)
        fclose(in);
    if (end)
        *end = '\0';
    if (rest)
        rest++;
    for (char *word; (word = strsep(&rest, " \t\n"));)
        if (*word && strcmp(word, "\\") != 0)
            hd_vec_push(files, word);
}

/* --- kinds of files ------------------------------------------------------------- */

typedef enum file_kind { FILE_OTHER, FILE_OBJECT, FILE_ARCHIVE, FILE_LIBRARY } file_kind;

static file_kind kind_of(const char *path)
{
    hd_elf elf;
    char start[8] = "";
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    if (got == sizeof start && !memcmp(start, "!<arch>\n", sizeof start))
        return FILE_ARCHIVE;
    if (!hd_elf_open(&elf, path, NULL))
        return FILE_OTHER;
    file_kind kind = hd_elf_is_object(&elf) ? FILE_OBJECT : FILE_LIBRARY;
    hd_elf_close(&elf);
    return kind;
}

/* Libraries that the compiler adds to every program. */
static bool is_standard(const char *path)
{
    static const char *const names[] = { "libc.", "libm.", "libmvec.", "libpthread.", "libdl.", "librt.", "libgcc",
        "ld-linux" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins_with(name_of(path), names[i]))
            return true;
    return false;
}

bool hd_cc_part_write_libraries(const hd_cc_texts *files, const char *path, hd_error *error)
{
    FILE *out = hd_file_create(path, error);
    for (size_t i = 0; out && i < files->count; i++)
        if (!is_standard(files->items[i]) && kind_of(files->items[i]) == FILE_LIBRARY)
            fwrite(files->items[i], strlen(files->items[i]) + 1, 1, out);
    return out && hd_file_close(out, path, error);
}

/* --- the partial link ------------------------------------------------------------ */

typedef struct linking {
    hd_arena *arena;
    hd_cc_texts *into;
    const hd_cc_texts *files;
} linking;

static void add_file(linking *l, const char *path)
{
    file_kind kind = kind_of(path);
    if (kind == FILE_OBJECT || (kind == FILE_ARCHIVE && !is_standard(path)))
        hd_vec_push(l->into, path);
}

/* The file that -lNAME (or -l:FILE) has turned out to be. */
static void add_library(linking *l, const char *name)
{
    const char *start = *name == ':' ? name + 1 : hd_arena_print(l->arena, "lib%s.", name);
    for (size_t i = 0; i < l->files->count; i++)
        if (begins_with(name_of(l->files->items[i]), start)) {
            add_file(l, l->files->items[i]);
            return;
        }
}

/* Options that decide which members of archives are linked, and how symbols are named. */
static void add_option(linking *l, const char *option)
{
    static const char *const kept[] = { "--whole-archive", "--no-whole-archive", "--start-group", "--end-group", "-(",
        "-)", "--wrap=", "--defsym=", "--undefined=" };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (begins_with(option, kept[i])) {
            hd_vec_push(l->into, option);
            return;
        }
    if (begins_with(option, "-l"))
        add_library(l, option + 2);
    else if (*option != '-')
        add_file(l, option);
}

static void add_options(linking *l, const char *list)
{
    char *rest = hd_arena_copy(l->arena, list);
    for (char *option; (option = strsep(&rest, ","));)
        add_option(l, option);
}

static void add_item(linking *l, const hd_cc_item *item)
{
    if (begins_with(item->text, "-Wl,"))
        add_options(l, item->text + strlen("-Wl,"));
    else if (!strcmp(item->text, "-Xlinker"))
        add_option(l, item->value);
    else if (begins_with(item->text, "-l"))
        add_library(l, item->value ? item->value : item->text + 2);
}

static void add_wraps(linking *l, const hd_cc_line *line)
{
    hd_cc_texts wraps = { 0 };
    hd_cc_wrap(l->arena, &wraps, line);
    for (size_t i = 0; i < wraps.count; i++)
        add_options(l, wraps.items[i] + strlen("-Wl,"));
    hd_vec_fini(&wraps);
}

void hd_cc_part_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_texts *objects,
    const hd_cc_texts *files, const char *output)
{
    linking l = { arena, into, files };
    size_t next = 0;
    /* Groups are dissolved: the same group of two processes is not one. */
    static const char *const fixed[] = { "ld", "-r", "--force-group-allocation", "-o" };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        hd_vec_push(into, fixed[i]);
    hd_vec_push(into, output);
    for (size_t i = 0; i < line->items.count; i++) {
        const hd_cc_item *item = &line->items.items[i];
        if (item->role == hd_cc_role_input)
            add_file(&l, item->kind == hd_cc_kind_linker ? item->text : objects->items[next++]);
        else if (item->role == hd_cc_role_link_input)
            add_item(&l, item);
    }
    add_wraps(&l, line);
    hd_vec_push(into, NULL);
}

void hd_cc_part_keep_step(
    hd_arena *arena, hd_cc_texts *into, const char *executable, const char *part, const char *libraries)
{
    hd_vec_push(into, "objcopy");
    hd_vec_push(into, "--add-section");
    hd_vec_push(into, hd_arena_print(arena, HD_PART_SECTION "=%s", part));
    hd_vec_push(into, "--add-section");
    hd_vec_push(into, hd_arena_print(arena, HD_LIBRARIES_SECTION "=%s", libraries));
    hd_vec_push(into, executable);
    hd_vec_push(into, NULL);
}
