/* The parsed command line of a compiler.
 *
 * Each argument becomes an item with a role, in the given order: it matters to linkers
 * and to options that override each other. An option and its separate value are one
 * item. What decides the steps (mode, output, level, …) is also stored in fields; of
 * options that override each other the last one counts. The result is plain data.
 */
#ifndef HD_COMPILE_LINE_H
#define HD_COMPILE_LINE_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stdbool.h>

typedef hd_vec(const char *) hd_cc_texts;

typedef enum hd_cc_role {
    hd_cc_role_both, /* to the compiler and to the linker */
    hd_cc_role_compile,
    hd_cc_role_link,
    hd_cc_role_link_input, /* to the linker, at its position among the inputs */
    hd_cc_role_input,
    hd_cc_role_dropped, /* without effect, or stored in a field */
    hd_cc_role_ignored, /* dropped with a warning */
    hd_cc_role_mode,
    hd_cc_role_preprocess, /* left to clang alone */
    hd_cc_role_query,
    hd_cc_role_output,
    hd_cc_role_language,
    hd_cc_role_level,
    hd_cc_role_debug,
    hd_cc_role_dependencies,
    hd_cc_role_dependencies_into,
    hd_cc_role_dependency_file,
    hd_cc_role_dependency_target,
    hd_cc_role_sections,
    hd_cc_role_no_sections,
    hd_cc_role_cover,
    hd_cc_role_annotate,
    hd_cc_role_inputs,
    hd_cc_role_timed,
    hd_cc_role_quiet,
    hd_cc_role_verbose,
    hd_cc_role_common,
    hd_cc_role_no_common,
    hd_cc_role_shared,
    hd_cc_role_relocatable,
    hd_cc_role_sanitizer
} hd_cc_role;

typedef enum hd_cc_kind {
    hd_cc_kind_linker, /* an object, an archive, a linker script */
    hd_cc_kind_c,
    hd_cc_kind_assembly,
    hd_cc_kind_header,
    hd_cc_kind_refused
} hd_cc_kind;

typedef struct hd_cc_item {
    hd_cc_role role;
    const char *text, *value; /* value: a separate argument, or NULL */
    hd_cc_kind kind; /* of an input */
    const char *language; /* of an input: its -x, or NULL */
} hd_cc_item;

typedef struct hd_cc_line {
    hd_vec(hd_cc_item) items;
    const char *output, *level_option, *annotations; /* NULL: not given */
    char mode; /* 'c', 'S', or 'l' for a link */
    char level; /* '0' to '3', 's', 'z' */
    bool preprocess, query, emit_llvm, debug, sections, cover, inputs, timed, quiet, verbose, common, shared,
        relocatable;
    bool dependencies, dependency_file, dependency_target;
} hd_cc_line;

/* Parses arguments; every @file must be expanded before. Texts are not copied. */
bool hd_cc_line_parse(hd_cc_line *line, const hd_cc_texts *arguments, hd_error *error);
void hd_cc_line_fini(hd_cc_line *line);

/* The number of inputs of this kind. */
size_t hd_cc_line_count(const hd_cc_line *line, hd_cc_kind kind);

/* Appends `arguments`, with each @file replaced by the arguments in the file, as in gcc and clang: white space
 * separates arguments, quotes and backslashes protect it, nested @file are expanded, and an @file that cannot be read
 * is left unchanged. */
void hd_cc_expand(hd_arena *arena, hd_cc_texts *into, const char *const *arguments, size_t count);

/* Appends the words of `text`, by the same rules. */
void hd_cc_split(hd_arena *arena, hd_cc_texts *into, const char *text);

#endif
