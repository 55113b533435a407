#include "compile/steps.h"

#include "compile/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLANG "clang-" HD_LLVM

static void add(hd_cc_texts *into, const char *text)
{
    hd_vec_push(into, text);
}

static void add_item(hd_cc_texts *into, const hd_cc_item *item)
{
    add(into, item->text);
    if (item->value)
        add(into, item->value);
}

static void add_role(hd_cc_texts *into, const hd_cc_line *line, hd_cc_role role)
{
    for (size_t i = 0; i < line->items.count; i++) {
        const hd_cc_item *item = &line->items.items[i];
        if (item->role == role || item->role == hd_cc_role_both)
            add_item(into, item);
    }
}

static void add_input(hd_cc_texts *into, const hd_cc_item *input)
{
    if (input->language) {
        add(into, "-x");
        add(into, input->language);
    }
    add(into, input->text);
}

/* clang gets the user's level, because macros tell it to the source; the instrumenter does the optimising. For -O0 it
 * gets -O1, and the macros of -O0: at -O0 clang marks functions as not to be optimised, and omits the lifetimes of
 * variables. */
static void add_level(hd_cc_texts *into, const hd_cc_line *line)
{
    if (line->level != '0') {
        add(into, line->level_option);
        return;
    }
    add(into, "-O1");
    add(into, "-U__OPTIMIZE__");
    add(into, "-D__NO_INLINE__=1");
}

/* Is every warning an error? */
static bool fails_on_warnings(const hd_cc_line *line)
{
    bool fails = false;
    for (size_t i = 0; i < line->items.count; i++) {
        const char *text = line->items.items[i].text;
        fails = !strcmp(text, "-Werror") || (fails && strcmp(text, "-Wno-error"));
    }
    return fails;
}

/* What clang refuses and gcc 12 only warns of stays a warning: programs that gcc compiles shall compile. These come
 * before the user's options, so that -Werror=… still counts; with -Werror, which would not override them, gcc refuses
 * such code, too. */
static void add_leniency(hd_cc_texts *into, const hd_cc_line *line)
{
    static const char *const warnings[] = { "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
        "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-type" };
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings && !fails_on_warnings(line); i++)
        add(into, warnings[i]);
}

/* main is an ordinary function (main_form.h); otherwise the C library is as usual. */
static void add_freestanding(hd_cc_texts *into)
{
    add(into, "-ffreestanding");
    add(into, "-Wno-builtin-macro-redefined");
    add(into, "-D__STDC_HOSTED__=1");
}

/* The options of every C compilation. */
static void add_own(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const char *library)
{
    add_level(into, line);
    if (!line->debug)
        add(into, "-g");
    add(into, line->common ? "-fcommon" : "-fno-common");
    add(into, "-DHEDDLE");
    add(into, "-D__NO_CTYPE"); /* <ctype.h> calls functions instead of reading tables: the results can be expressions */
    add(into, "-Qunused-arguments");
    add(into, "-idirafter");
    add(into, hd_arena_print(arena, "%s/include", library));
}

void hd_cc_clang_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const char *library)
{
    add(into, CLANG);
    add_leniency(into, line);
    for (size_t i = 0; i < line->items.count; i++) {
        const hd_cc_item *item = &line->items.items[i];
        if (item->role == hd_cc_role_input)
            add_input(into, item);
        else if (item->role == hd_cc_role_both || item->role == hd_cc_role_compile
            || item->role == hd_cc_role_preprocess)
            add_item(into, item);
    }
    add_own(arena, into, line, library);
    if (line->mode != 'l')
        add(into, line->mode == 'c' ? "-c" : "-S");
    if (line->output) {
        add(into, "-o");
        add(into, line->output);
    }
    add(into, NULL);
}

static const char *with_ending(hd_arena *arena, const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int length = dot && dot > (slash ? slash + 1 : path) ? (int)(dot - path) : (int)strlen(path);
    return hd_arena_print(arena, "%.*s%s", length, path, ending);
}

/* clang derives the names of the dependency file and of its target from its output, which is a temporary file here:
 * they are given explicitly. */
static void add_dependencies(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step)
{
    if (!line->dependencies)
        return;
    if (!line->dependency_file) {
        add(into, "-MF");
        add(into, with_ending(arena, line->output ? line->output : step->target, ".d"));
    }
    if (!line->dependency_target) {
        add(into, "-MQ");
        add(into, step->target);
    }
}

void hd_cc_bitcode_step(
    hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step, const char *library)
{
    add(into, CLANG);
    add_leniency(into, line);
    add_role(into, line, hd_cc_role_compile);
    add_own(arena, into, line, library);
    if (step->unusual_main)
        add_freestanding(into);
    static const char *const fixed[] = { "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm" };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(into, fixed[i]);
    add_dependencies(arena, into, line, step);
    add_input(into, step->input);
    add(into, "-o");
    add(into, step->output);
    add(into, NULL);
}

static const char *emitted(const hd_cc_line *line)
{
    if (line->emit_llvm)
        return line->mode == 'S' ? "ll" : "bc";
    return line->mode == 'S' ? "asm" : "obj";
}

static void add_files(hd_arena *arena, hd_cc_texts *into, const char *output, const char *input, const char *library)
{
    add(into, "-i");
    add(into, hd_arena_print(arena, "%s/inline.bc", library));
    add(into, "-o");
    add(into, output);
    add(into, input);
    add(into, NULL);
}

void hd_cc_twins_step(
    hd_arena *arena, hd_cc_texts *into, const hd_cc_kept_unit *unit, const hd_cc_step *step, const char *library)
{
    add(into, hd_arena_print(arena, "%s/instrument", library));
    hd_cc_kept_options(unit, into);
    add_files(arena, into, step->output, step->target, library);
}

/* The file may be read again by a later step in another folder. */
static const char *whole_path(hd_arena *arena, const char *path)
{
    char *whole = realpath(path, NULL);
    const char *copy = whole ? hd_arena_copy(arena, whole) : path;
    free(whole);
    return copy;
}

void hd_cc_instrument_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step,
    const char *bitcode, const char *library)
{
    add(into, hd_arena_print(arena, "%s/instrument", library));
    add(into, hd_arena_print(arena, "-O%c", line->level));
    add(into, "-e");
    add(into, emitted(line));
    add(into, "-f");
    add(into, step->input->text);
    if (!line->inputs && !line->emit_llvm && line->mode != 'S')
        add(into, "-p");
    if (line->sections)
        add(into, "-s");
    if (line->cover)
        add(into, "-c");
    if (line->annotations) {
        add(into, "-a");
        add(into, whole_path(arena, line->annotations));
    }
    if (line->timed)
        add(into, "-t");
    if (line->quiet)
        add(into, "-w");
    add_files(arena, into, step->output, bitcode, library);
}

void hd_cc_assemble_step(hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step)
{
    add(into, CLANG);
    add_role(into, line, hd_cc_role_compile);
    add(into, "-Qunused-arguments");
    add(into, line->mode == 'S' ? "-S" : "-c");
    add_input(into, step->input);
    add(into, "-o");
    add(into, step->output);
    add(into, NULL);
}

/* The runtime contains the real main, and its functions are visible to shared libraries that heddle compiled. */
static void add_runtime(hd_arena *arena, hd_cc_texts *into, const char *library)
{
    add(into, "-Wl,--export-dynamic-symbol=hd_*");
    add(into, hd_arena_print(arena, "%s/libheddle_rt.a", library));
    add(into, "-lpthread");
    add(into, "-ldl");
    add(into, "-lm");
}

static void add_link_item(hd_cc_texts *into, const hd_cc_item *item, const hd_cc_texts *objects, size_t *next)
{
    if (item->role == hd_cc_role_input)
        add(into, item->kind == hd_cc_kind_linker ? item->text : objects->items[(*next)++]);
    else if (item->role == hd_cc_role_both || item->role == hd_cc_role_link || item->role == hd_cc_role_link_input)
        add_item(into, item);
}

void hd_cc_image_step(
    hd_arena *arena, hd_cc_texts *into, const hd_cc_texts *files, const char *output, const char *library)
{
    add(into, CLANG);
    for (size_t i = 0; i < files->count; i++)
        add(into, files->items[i]);
    add(into, "-o");
    add(into, output);
    add_runtime(arena, into, library);
    add(into, NULL);
}

void hd_cc_link_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_texts *objects,
    const char *list, const char *library)
{
    size_t next = 0;
    add(into, CLANG);
    add(into, "-Qunused-arguments");
    for (size_t i = 0; i < line->items.count; i++)
        add_link_item(into, &line->items.items[i], objects, &next);
    hd_cc_wrap(arena, into, line);
    if (line->output) {
        add(into, "-o");
        add(into, line->output);
    }
    if (list)
        add(into, hd_arena_print(arena, "-Wl,--dependency-file=%s", list));
    if (line->shared)
        add(into, "-Wl,-z,undefs");
    else if (!line->relocatable)
        add_runtime(arena, into, library);
    add(into, NULL);
}
