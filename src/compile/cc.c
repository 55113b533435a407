#include "compile/cc.h"

#include "base/library.h"
#include "compile/kept.h"
#include "compile/main_form.h"
#include "compile/part.h"
#include "compile/process.h"
#include "compile/steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct driver {
    hd_cc_session session;
    hd_cc_line line;
    const char *library;
    hd_cc_texts objects;
    const char *list; /* of the files that the linker has used; NULL: the part is not kept */
    int status; /* of the first step that failed */
} driver;

/* Plain clang must find <heddle.h>, too: without the macro HEDDLE its calls do nothing. */
static void offer_header(hd_arena *arena, const char *library)
{
    const char *others = getenv("C_INCLUDE_PATH");
    bool some = others && *others;
    setenv("C_INCLUDE_PATH", hd_arena_print(arena, "%s%s%s/include", some ? others : "", some ? ":" : "", library), 1);
}

/* Replaces this process by plain clang. */
static int become_clang(hd_cc_texts *arguments, hd_error *error)
{
    hd_cc_texts command = { 0 };
    hd_vec_push(&command, "clang-" HD_LLVM);
    for (size_t i = 0; i < arguments->count; i++)
        hd_vec_push(&command, arguments->items[i]);
    hd_vec_push(&command, NULL);
    execvp(command.items[0], (char *const *)command.items);
    hd_fail(error, "%s cannot be started: %s", command.items[0], strerror(errno));
    hd_vec_fini(&command);
    return HD_EXIT_USAGE;
}

/* Runs one step; false: it failed. */
static bool run(driver *d, hd_cc_texts *command, hd_error *error)
{
    if (d->line.verbose)
        for (size_t i = 0; i + 1 < command->count; i++)
            fprintf(stderr, "%s%s", command->items[i], i + 2 < command->count ? " " : "\n");
    bool started = hd_cc_session_run(&d->session, command, &d->status, error);
    if (!started)
        d->status = HD_EXIT_USAGE;
    hd_vec_fini(command);
    return started && !d->status && !d->session.signal;
}

static const char *stem_of(driver *d, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return hd_arena_print(&d->session.arena, "%.*s", length, name);
}

static const char *default_ending(const hd_cc_line *line)
{
    if (line->emit_llvm)
        return line->mode == 'S' ? ".ll" : ".bc";
    return line->mode == 'S' ? ".s" : ".o";
}

/* An output that the instrumenter has left unfinished is removed. Its exit status is the user's if it is one of
 * clang's; a crash is an internal error. */
static bool run_instrumenter(driver *d, hd_cc_texts *command, const char *output, const char *source, hd_error *error)
{
    if (run(d, command, error))
        return true;
    if (strcmp(output, "-"))
        unlink(output);
    if (d->session.signal || d->status == HD_EXIT_CLEAN || d->status == 1 || d->status == HD_EXIT_USAGE)
        return false;
    d->status = HD_EXIT_INTERNAL;
    return hd_fail(error, "%s: the instrumenter failed; this is an error in heddle, please report it", source);
}

/* clang to bitcode in a temporary file, then the instrumenter. */
static bool compile_c(driver *d, const hd_cc_step *step, hd_error *error)
{
    hd_arena *arena = &d->session.arena;
    hd_cc_step bitcode = *step;
    if (!hd_cc_session_file(&d->session, stem_of(d, step->input->text), ".bc", &bitcode.output, error))
        return false;
    bitcode.unusual_main = hd_cc_has_unusual_main(step->input->text);
    if (bitcode.unusual_main && !d->line.quiet)
        fprintf(stderr, "heddle cc: warning: %s: main should be main(void) or main(int, char **)\n", step->input->text);
    hd_cc_texts command = { 0 };
    hd_cc_bitcode_step(arena, &command, &d->line, &bitcode, d->library);
    if (!run(d, &command, error))
        return false;
    command = (hd_cc_texts) { 0 };
    hd_cc_instrument_step(arena, &command, &d->line, step, bitcode.output, d->library);
    return run_instrumenter(d, &command, step->output, step->input->text, error);
}

/* Compiles one C or assembly source. When linking, the object is a temporary file. */
static bool compile(driver *d, const hd_cc_item *input, hd_error *error)
{
    const hd_cc_line *line = &d->line;
    const char *stem = stem_of(d, input->text);
    hd_cc_step step = { .input = input };
    step.target = line->output ? line->output : hd_arena_print(&d->session.arena, "%s%s", stem, default_ending(line));
    step.output = step.target;
    if (line->mode == 'l' && !hd_cc_session_file(&d->session, stem, ".o", &step.output, error))
        return false;
    hd_vec_push(&d->objects, step.output);
    if (input->kind == hd_cc_kind_c)
        return compile_c(d, &step, error);
    hd_cc_texts command = { 0 };
    hd_cc_assemble_step(&command, line, &step);
    return run(d, &command, error);
}

/* Like other compilers, continues with the next source after an error. */
static bool compile_all(driver *d, hd_error *error)
{
    int first = 0;
    for (size_t i = 0; i < d->line.items.count; i++) {
        const hd_cc_item *item = &d->line.items.items[i];
        if (item->role != hd_cc_role_input || (item->kind != hd_cc_kind_c && item->kind != hd_cc_kind_assembly))
            continue;
        if (!compile(d, item, error)) {
            if (!d->status || d->session.signal || *error->text)
                return false;
            first = first ? first : d->status;
        }
    }
    d->status = first;
    return !first;
}

static bool link_once(driver *d, hd_error *error)
{
    hd_cc_texts command = { 0 };
    const char *list = d->list && !hd_cc_part_users_list(&d->session.arena, &d->line) ? d->list : NULL;
    hd_cc_link_step(&d->session.arena, &command, &d->line, &d->objects, list, d->library);
    return run(d, &command, error);
}

/* --- the program's own part ---------------------------------------------------- */

static const char *output_of(const hd_cc_line *line)
{
    return line->output ? line->output : "a.out";
}

/* A part that cannot be made is left out: the executable is as good without it, except in systems of processes. */
static void keep_part(driver *d, hd_error *error)
{
    const char *part, *libraries;
    hd_arena *arena = &d->session.arena;
    hd_cc_texts files = { 0 }, link = { 0 }, keep = { 0 };
    struct stat about;
    if (!d->list || stat(output_of(&d->line), &about) < 0 || !S_ISREG(about.st_mode))
        return;
    hd_cc_part_files(arena, d->list, &files);
    if (hd_cc_session_file(&d->session, "part", ".o", &part, error)
        && hd_cc_session_file(&d->session, "libraries", "", &libraries, error)
        && hd_cc_part_write_libraries(&files, libraries, error)) {
        hd_cc_part_step(arena, &link, &d->line, &d->objects, &files, part);
        hd_cc_part_keep_step(arena, &keep, output_of(&d->line), part, libraries);
        if (run(d, &link, error))
            run(d, &keep, error);
        d->status = 0;
    }
    hd_vec_fini(&files);
}

/* --- twins ------------------------------------------------------------------- */

static bool write_bitcode(const hd_cc_kept_unit *unit, const char *path, hd_error *error)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(unit->bytes + unit->options, unit->size - unit->options, 1, file) == 1;
    written = file && !fclose(file) && written;
    return written || hd_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}

/* Makes the object of a unit again, with twins. */
static bool make_with_twins(driver *d, const hd_cc_kept_unit *unit, const char **object, hd_error *error)
{
    const char *source = hd_cc_kept_source(unit), *stem = stem_of(d, source);
    hd_cc_step step = { 0 };
    hd_cc_texts command = { 0 };
    if (!hd_cc_session_file(&d->session, stem, ".bc", &step.target, error)
        || !hd_cc_session_file(&d->session, stem, ".o", &step.output, error)
        || !write_bitcode(unit, step.target, error))
        return false;
    hd_cc_twins_step(&d->session.arena, &command, unit, &step, d->library);
    *object = step.output;
    return run_instrumenter(d, &command, step.output, source, error);
}

static bool open_object(hd_elf *elf, const char *path)
{
    if (!hd_elf_open(elf, path, NULL))
        return false;
    if (hd_elf_is_object(elf))
        return true;
    hd_elf_close(elf);
    return false;
}

/* If the object is that of one of the units, it is replaced. An object that another linker has made from several is
 * left as it is. */
static bool replace_object(driver *d, const char **object, hd_cc_kept_units *units, hd_error *error)
{
    hd_elf elf;
    hd_cc_kept_units own = { 0 };
    bool made = true;
    if (!open_object(&elf, *object))
        return true;
    hd_cc_kept_read(&elf, &own);
    for (size_t i = 0; i < own.count; i++)
        hd_cc_kept_remove(units, &own.items[i]);
    if (own.count == 1 && hd_elf_sources(&elf) == 1)
        made = make_with_twins(d, &own.items[0], object, error);
    hd_vec_fini(&own);
    hd_elf_close(&elf);
    return made;
}

static bool replace_objects(driver *d, hd_cc_kept_units *units, hd_error *error)
{
    for (size_t i = 0; i < d->objects.count; i++)
        if (!replace_object(d, &d->objects.items[i], units, error))
            return false;
    for (size_t i = 0; i < d->line.items.count; i++) {
        hd_cc_item *item = &d->line.items.items[i];
        if (item->role == hd_cc_role_input && item->kind == hd_cc_kind_linker
            && !replace_object(d, &item->text, units, error))
            return false;
    }
    return true;
}

static bool may_be_archive(const hd_cc_item *item)
{
    hd_elf elf;
    if (item->role != hd_cc_role_input || item->kind != hd_cc_kind_linker)
        return item->role == hd_cc_role_link_input;
    bool is_object = open_object(&elf, item->text);
    hd_elf_close(&elf);
    return !is_object;
}

static bool takes_whole_archives(const hd_cc_line *line)
{
    for (size_t i = 0; i < line->items.count; i++) {
        const hd_cc_item *item = &line->items.items[i];
        if (strstr(item->text, "-whole-archive") || (item->value && strstr(item->value, "-whole-archive")))
            return true;
    }
    return false;
}

/* Objects from archives come before all archives, so that the linker does not look for their symbols there. */
static bool add_from_archives(driver *d, const hd_cc_kept_units *units, hd_error *error)
{
    size_t at = 0;
    while (at < d->line.items.count && !may_be_archive(&d->line.items.items[at]))
        at++;
    for (size_t i = 0; i < units->count; i++) {
        hd_cc_item item = { .role = hd_cc_role_input, .kind = hd_cc_kind_linker };
        if (!make_with_twins(d, &units->items[i], &item.text, error))
            return false;
        hd_vec_add(&d->line.items);
        memmove(&d->line.items.items[at + 1], &d->line.items.items[at], (d->line.items.count - at - 1) * sizeof item);
        d->line.items.items[at++] = item;
    }
    return true;
}

/* The units in the linked file; none if it needs no twins. Valid while `elf` is open. */
static hd_cc_kept_units find_units(driver *d, hd_elf *elf)
{
    hd_cc_kept_units units = { 0 };
    const hd_cc_line *line = &d->line;
    if (!hd_elf_open(elf, output_of(line), NULL))
        return units;
    if (line->inputs || line->shared || line->relocatable || hd_elf_defines(elf, "hd_asks_for_inputs"))
        hd_cc_kept_read(elf, &units);
    return units;
}

static bool refuse(driver *d, const hd_cc_kept_unit *unit, hd_error *error)
{
    unlink(output_of(&d->line));
    return hd_fail(error,
        "%s was compiled without code that follows inputs, and the object that it is in cannot be replaced; compile it "
        "with -fheddle-inputs",
        hd_cc_kept_source(unit));
}

static bool link_with_twins(driver *d, hd_cc_kept_units *units, hd_error *error)
{
    hd_elf elf;
    if (!replace_objects(d, units, error))
        return false;
    if (units->count && takes_whole_archives(&d->line))
        return refuse(d, &units->items[0], error);
    if (!add_from_archives(d, units, error) || !link_once(d, error))
        return false;
    hd_cc_kept_units left = find_units(d, &elf);
    bool complete = !left.count || refuse(d, &left.items[0], error);
    hd_vec_fini(&left);
    hd_elf_close(&elf);
    return complete;
}

/* Where the linker lists its files: for itself, or for the user. */
static bool find_list(driver *d, hd_error *error)
{
    d->list = hd_cc_part_users_list(&d->session.arena, &d->line);
    return d->list || hd_cc_session_file(&d->session, "files", ".d", &d->list, error);
}

static bool link_all(driver *d, hd_error *error)
{
    hd_elf elf;
    if (!d->line.shared && !d->line.relocatable && !find_list(d, error))
        return false;
    if (!link_once(d, error))
        return false;
    hd_cc_kept_units units = find_units(d, &elf);
    bool linked = !units.count || link_with_twins(d, &units, error);
    hd_vec_fini(&units);
    hd_elf_close(&elf);
    if (linked)
        keep_part(d, error);
    return linked;
}

static void warn_of_ignored(const hd_cc_line *line)
{
    for (size_t i = 0; i < line->items.count && !line->quiet; i++)
        if (line->items.items[i].role == hd_cc_role_ignored)
            fprintf(stderr, "heddle cc: warning: %s is ignored: heddle's runtime cannot work with it\n",
                line->items.items[i].text);
}

/* Does clang do this alone? There is nothing to instrument, or clang reports the error best. `as_given`: with the
 * original arguments. */
static bool is_for_clang(const hd_cc_line *line, bool *as_given)
{
    size_t sources = hd_cc_line_count(line, hd_cc_kind_c) + hd_cc_line_count(line, hd_cc_kind_assembly);
    size_t objects = hd_cc_line_count(line, hd_cc_kind_linker), headers = hd_cc_line_count(line, hd_cc_kind_header);
    bool mistake = line->mode != 'l' && ((line->output && sources > 1) || !sources);
    *as_given = line->query || (!sources && !objects && !headers) || (mistake && !headers);
    return *as_given || line->preprocess || headers;
}

static void work(driver *d, hd_cc_texts *arguments, hd_error *error)
{
    bool as_given;
    if (!hd_cc_line_parse(&d->line, arguments, error) || !hd_library_find(&d->session.arena, &d->library, error)) {
        d->status = HD_EXIT_USAGE;
        return;
    }
    if (is_for_clang(&d->line, &as_given)) {
        hd_cc_texts command = { 0 };
        if (as_given) {
            hd_cc_session_unblock(&d->session);
            d->status = become_clang(arguments, error);
            return;
        }
        hd_cc_clang_step(&d->session.arena, &command, &d->line, d->library);
        run(d, &command, error);
        return;
    }
    warn_of_ignored(&d->line);
    if (compile_all(d, error) && d->line.mode == 'l')
        link_all(d, error);
    if (*error->text && !d->status)
        d->status = HD_EXIT_USAGE;
}

static int drive(const char *const *arguments, size_t count, hd_cc_limits *limits, hd_error *error)
{
    driver d = { 0 };
    hd_cc_texts expanded = { 0 };
    error->text[0] = '\0';
    hd_cc_session_open(&d.session, limits);
    hd_cc_expand(&d.session.arena, &expanded, arguments, count);
    work(&d, &expanded, error);
    hd_vec_fini(&expanded);
    hd_vec_fini(&d.objects);
    hd_cc_line_fini(&d.line);
    hd_cc_session_close(&d.session);
    return d.status;
}

static int be_disabled(int argc, char **argv, hd_error *error)
{
    hd_arena arena;
    hd_cc_texts arguments = { 0 };
    const char *library;
    hd_arena_init(&arena, &hd_heap);
    for (int i = 1; i < argc; i++)
        hd_vec_push(&arguments, argv[i]);
    if (hd_library_find(&arena, &library, error))
        offer_header(&arena, library);
    int status = become_clang(&arguments, error);
    hd_vec_fini(&arguments);
    hd_arena_fini(&arena);
    return status;
}

int hd_cc_main(int argc, char **argv)
{
    const char *disabled = getenv("HEDDLE_DISABLE");
    hd_error error = { "" };
    int status = disabled && !strcmp(disabled, "1")
        ? be_disabled(argc, argv, &error)
        : drive((const char *const *)argv + 1, (size_t)argc - 1, NULL, &error);
    if (*error.text)
        fprintf(stderr, "heddle cc: %s\n", error.text);
    return status;
}

bool hd_cc_build(const char *const *sources, size_t count, const char *cflags, const char *output, hd_cc_limits *limits,
    hd_error *error)
{
    hd_arena arena;
    hd_cc_texts arguments = { 0 };
    hd_arena_init(&arena, &hd_heap);
    hd_cc_split(&arena, &arguments, cflags);
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&arguments, sources[i]);
    hd_vec_push(&arguments, "-o");
    hd_vec_push(&arguments, output);
    int status = drive(arguments.items, arguments.count, limits, error);
    hd_vec_fini(&arguments);
    hd_arena_fini(&arena);
    if (!status)
        return true;
    unlink(output);
    return *error->text ? false : hd_fail(error, "%s does not compile", count ? sources[0] : output);
}
