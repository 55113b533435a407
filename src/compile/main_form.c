#include "compile/main_form.h"

#include "base/file.h"

#include <ctype.h>
#include <string.h>

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *behind_spaces(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* The end of the comment or literal that begins at `at`; `at` itself if there is none. */
static const char *behind_text(const char *at)
{
    const char *end;
    if (!strncmp(at, "/*", 2))
        return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (!strncmp(at, "//", 2))
        return at + strcspn(at, "\n");
    if (*at != '"' && *at != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        end += end[0] == '\\' && end[1];
    return *end ? end + 1 : end;
}

/* Copies the source without comments and literals, which become spaces. */
static char *code_of(hd_arena *arena, const char *source)
{
    char *code = hd_arena_alloc(arena, strlen(source) + 1), *into = code;
    for (const char *at = source; *at;) {
        const char *end = behind_text(at);
        *into++ = end > at ? ' ' : *at;
        at = end > at ? end : at + 1;
    }
    *into = '\0';
    return code;
}

static bool has_word(const char *from, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = from; (at = strstr(at, word)) && at + length <= end; at++)
        if ((at == from || !is_of_name(at[-1])) && !is_of_name(at[length]))
            return true;
    return false;
}

/* How many times does the declaration say pointer or array? */
static int depth_of(const char *from, const char *end)
{
    int depth = 0;
    for (; from < end; from++)
        depth += *from == '*' || *from == '[';
    return depth;
}

/* The end of the parameter that begins at `at`: a comma or the closing bracket. */
static const char *end_of_parameter(const char *at)
{
    for (int open = 0; *at && (open || (*at != ',' && *at != ')')); at++)
        open += (*at == '(') - (*at == ')');
    return at;
}

/* `at` is behind the opening bracket. Declarations of the old style are between the brackets and the body. */
static bool is_unusual_definition(const char *at)
{
    int count = 0, unusual = 0;
    const char *first = at, *end;
    for (bool more = true; more; at = end + 1, count++) {
        end = end_of_parameter(at);
        unusual += count ? depth_of(at, end) != 2 : !has_word(at, end, "int");
        more = *end == ',';
        if (!*end)
            return false;
    }
    const char *body = strchr(at, '{');
    if (!body || memchr(at, '(', (size_t)(body - at)) || memchr(at, '}', (size_t)(body - at)))
        return false; /* a call */
    if (behind_spaces(at) < body)
        return depth_of(at, body) != 2 * (count - 1);
    bool none = count == 1 && (behind_spaces(first) == at - 1 || has_word(first, at, "void"));
    return !none && (unusual || count > 3);
}

bool hd_cc_is_unusual_main(const char *source)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    const char *code = code_of(&arena, source);
    bool found = false;
    for (const char *at = code; !found && (at = strstr(at, "main")); at += strlen("main")) {
        const char *next = behind_spaces(at + strlen("main"));
        found = (at == code || !is_of_name(at[-1])) && *next == '(' && is_unusual_definition(next + 1);
    }
    hd_arena_fini(&arena);
    return found;
}

bool hd_cc_has_unusual_main(const char *path)
{
    hd_arena arena;
    size_t size;
    FILE *in = fopen(path, "r");
    if (!in)
        return false;
    hd_arena_init(&arena, &hd_heap);
    bool unusual = hd_cc_is_unusual_main(hd_file_read(in, &arena, &size));
    hd_arena_fini(&arena);
    fclose(in);
    return unusual;
}
