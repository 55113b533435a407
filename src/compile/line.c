#include "compile/line.h"

#include <stdio.h>
#include <string.h>

typedef enum form { alone, joined, separate, either } form;

static const struct option {
    const char *spelling;
    form form;
    hd_cc_role role;
} options[] = {
#define OPTION(spelling, form, role) { spelling, form, hd_cc_role_##role },
#include "compile/options.def"
#undef OPTION
};

static const struct language {
    const char *name;
    hd_cc_kind kind;
    const char *title, *endings;
} languages[] = {
#define LANGUAGE(name, kind, title, endings) { name, hd_cc_kind_##kind, title, endings },
#include "compile/languages.def"
#undef LANGUAGE
};

/* Does the argument begin with the option, in a form that the option allows? */
static bool fits(const struct option *option, const char *text)
{
    size_t length = strlen(option->spelling);
    return !strncmp(text, option->spelling, length)
        && (!text[length] || option->form == joined || option->form == either);
}

/* The longest spelling that matches; NULL: an option that heddle need not know. */
static const struct option *find_option(const char *text)
{
    const struct option *best = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (fits(&options[i], text) && (!best || strlen(options[i].spelling) > strlen(best->spelling)))
            best = &options[i];
    return best;
}

static bool has_ending(const char *endings, const char *ending)
{
    size_t length = strlen(ending);
    for (const char *at = endings; (at = strstr(at, ending)); at++)
        if ((at == endings || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static const struct language *language_of(const char *file, const char *chosen)
{
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (chosen ? !strcmp(languages[i].name, chosen) : dot && dot[1] && has_ending(languages[i].endings, dot + 1))
            return &languages[i];
    return NULL;
}

static bool add_input(hd_cc_line *line, const char *file, const char *chosen, hd_error *error)
{
    const struct language *language = language_of(file, chosen);
    hd_cc_kind kind = language ? language->kind : chosen ? hd_cc_kind_refused : hd_cc_kind_linker;
    if (kind == hd_cc_kind_refused)
        return hd_fail(error,
            "%s: this is %s, and heddle compiles C only; compile it with its own compiler and link the object", file,
            language ? language->title : chosen);
    hd_cc_item item = { .role = hd_cc_role_input, .text = file, .kind = kind, .language = chosen };
    hd_vec_push(&line->items, item);
    return true;
}

/* The level as the instrumenter takes it: -O and -Og are 1, -Ofast and levels above 3 are 3. */
static char level_of(const char *text)
{
    const char *level = text + strlen("-O");
    if (!*level || !strcmp(level, "g"))
        return '1';
    if (!strcmp(level, "fast") || strlen(level) > 1)
        return '3';
    return *level >= '4' && *level <= '9' ? '3' : *level;
}

/* Sanitizers that are LLVM passes would be lost, because those passes do not run; sanitizers that clang itself
 * implements (undefined, …) work. */
static bool is_runtime_sanitizer(const char *text)
{
    static const char *const names[] = { "address", "thread", "memory", "leak", "hwaddress", "dataflow" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(text, names[i]))
            return true;
    return false;
}

static hd_cc_role role_of_sanitizer(const char *text)
{
    return is_runtime_sanitizer(text) ? hd_cc_role_ignored : hd_cc_role_both;
}

/* Records what an option means for the whole line; returns the role that it has as an item. */
static hd_cc_role note(hd_cc_line *line, hd_cc_role role, const char *text, const char *value)
{
    switch (role) {
    case hd_cc_role_mode:
        if (!strcmp(text, "-emit-llvm"))
            line->emit_llvm = true;
        else if (line->mode != 'S')
            line->mode = text[1];
        return hd_cc_role_dropped;
    case hd_cc_role_preprocess:
        line->preprocess = true;
        return role;
    case hd_cc_role_query:
        line->query = true;
        return role;
    case hd_cc_role_output:
        line->output = value;
        return hd_cc_role_dropped;
    case hd_cc_role_level:
        line->level = level_of(text);
        line->level_option = text;
        return hd_cc_role_dropped;
    case hd_cc_role_debug:
        line->debug = true;
        return hd_cc_role_both;
    case hd_cc_role_dependencies_into:
        line->dependencies = line->dependency_file = true;
        return hd_cc_role_compile;
    case hd_cc_role_dependencies:
        line->dependencies = true;
        return hd_cc_role_compile;
    case hd_cc_role_dependency_file:
        line->dependency_file = true;
        return hd_cc_role_compile;
    case hd_cc_role_dependency_target:
        line->dependency_target = true;
        return hd_cc_role_compile;
    case hd_cc_role_sections:
    case hd_cc_role_no_sections:
        line->sections = role == hd_cc_role_sections;
        return hd_cc_role_dropped;
    case hd_cc_role_cover:
        line->cover = true;
        return hd_cc_role_dropped;
    case hd_cc_role_annotate:
        line->annotations = strchr(text, '=') + 1;
        return hd_cc_role_dropped;
    case hd_cc_role_inputs:
        line->inputs = true;
        return hd_cc_role_dropped;
    case hd_cc_role_timed:
        line->timed = true;
        return hd_cc_role_compile;
    case hd_cc_role_quiet:
        line->quiet = true;
        return hd_cc_role_both;
    case hd_cc_role_verbose:
        line->verbose = true;
        return hd_cc_role_both;
    case hd_cc_role_common:
    case hd_cc_role_no_common:
        line->common = role == hd_cc_role_common;
        return hd_cc_role_dropped;
    case hd_cc_role_shared:
        line->shared = true;
        return hd_cc_role_link;
    case hd_cc_role_relocatable:
        line->relocatable = true;
        return hd_cc_role_link;
    case hd_cc_role_sanitizer:
        return role_of_sanitizer(text);
    default:
        return role;
    }
}

/* The value of an option: joined to it, or the next argument. */
static const char *value_of(
    const struct option *option, const char *text, const hd_cc_texts *arguments, size_t *next, bool *is_separate)
{
    size_t length = strlen(option->spelling);
    *is_separate = option->form == separate || (option->form == either && !text[length]);
    if (!*is_separate)
        return text + length;
    return *next < arguments->count ? arguments->items[(*next)++] : NULL;
}

static bool add_option(
    hd_cc_line *line, const hd_cc_texts *arguments, size_t *next, const char **language, hd_error *error)
{
    const char *text = arguments->items[(*next)++], *value = "";
    const struct option *option = find_option(text);
    hd_cc_role role = option ? option->role : hd_cc_role_both;
    bool is_separate = false;
    if (option && option->form != alone)
        value = value_of(option, text, arguments, next, &is_separate);
    if (!value)
        return hd_fail(error, "argument to '%s' is missing", text);
    if (role == hd_cc_role_language) {
        *language = strcmp(value, "none") ? value : NULL;
        return true;
    }
    hd_cc_item item = { .text = text, .value = is_separate ? value : NULL };
    item.role = note(line, role, text, value);
    hd_vec_push(&line->items, item);
    return true;
}

bool hd_cc_line_parse(hd_cc_line *line, const hd_cc_texts *arguments, hd_error *error)
{
    *line = (hd_cc_line) { .mode = 'l', .level = '0' };
    const char *language = NULL;
    bool only_inputs = false;
    for (size_t i = 0; i < arguments->count;) {
        const char *text = arguments->items[i];
        if (!only_inputs && !strcmp(text, "--")) {
            only_inputs = true;
            i++;
        } else if (only_inputs || text[0] != '-' || !text[1]) {
            if (!add_input(line, text, language, error))
                return false;
            i++;
        } else if (!add_option(line, arguments, &i, &language, error)) {
            return false;
        }
    }
    return true;
}

void hd_cc_line_fini(hd_cc_line *line)
{
    hd_vec_fini(&line->items);
}

size_t hd_cc_line_count(const hd_cc_line *line, hd_cc_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < line->items.count; i++)
        count += line->items.items[i].role == hd_cc_role_input && line->items.items[i].kind == kind;
    return count;
}
