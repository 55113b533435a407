#include "supervisor/symbolic.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096, MOST_ARGUMENTS = 64, MOST_TOSSED = 65536 };

typedef struct text {
    hd_arena *arena;
    const char *lines;
    hd_error *error;
} text;

static void add_line(text *t, const char *line)
{
    t->lines = t->lines ? hd_arena_print(t->arena, "%s\n%s", t->lines, line) : line;
}

static bool number(const char *digits, long least, long most, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(digits, &end, 10);
    return isdigit((unsigned char)*digits) && !*end && !errno && *value >= least && *value <= most;
}

static bool length_of(text *t, const char *option, const char *given, const char *digits, long *bytes)
{
    return number(digits, 1, MOST_BYTES, bytes)
        || hd_fail(
            t->error, "--%s=%s: expected a length from 1 to %d bytes, not '%s'", option, given, MOST_BYTES, digits);
}

/* N or N:LENGTH */
static bool add_argument(text *t, const char *given, uint32_t *last)
{
    const char *colon = strchr(given, ':');
    char *first = colon ? hd_arena_print(t->arena, "%.*s", (int)(colon - given), given) : (char *)given;
    long which, bytes = HD_SYMBOLIC_LENGTH;
    if (!number(first, 1, MOST_ARGUMENTS, &which))
        return hd_fail(t->error, "--sym-arg=%s: expected the number of an argument, from 1 to %d, not '%s'", given,
            MOST_ARGUMENTS, first);
    if (colon && !length_of(t, "sym-arg", given, colon + 1, &bytes))
        return false;
    *last = (uint32_t)which > *last ? (uint32_t)which : *last;
    add_line(t, hd_arena_print(t->arena, "arg %ld %ld", which, bytes));
    return true;
}

/* NAME:LENGTH */
static bool add_named(text *t, const char *option, const char *word, const char *given)
{
    /* The last colon: a path may contain others. */
    const char *colon = strrchr(given, ':');
    long bytes;
    if (!colon || colon == given)
        return hd_fail(t->error, "--%s=%s: expected a name and a length, as in --%s=NAME:16", option, given, option);
    if (strpbrk(given, "\n"))
        return hd_fail(t->error, "--%s: a name cannot have a line feed in it", option);
    if (!length_of(t, option, given, colon + 1, &bytes))
        return false;
    add_line(t, hd_arena_print(t->arena, "%s %.*s %ld", word, (int)(colon - given), given, bytes));
    return true;
}

static bool is_variable(const char *given)
{
    size_t length = strcspn(given, ":");
    for (size_t i = 0; i < length; i++)
        if (!(isalnum((unsigned char)given[i]) || given[i] == '_') || isdigit((unsigned char)given[0]))
            return false;
    return length > 0;
}

static bool add_variable(text *t, const char *given)
{
    if (!is_variable(given))
        return hd_fail(t->error,
            "--sym-env=%s: expected the name of an environment variable and a length, as in --sym-env=HOME:8", given);
    return add_named(t, "sym-env", "env", given);
}

static bool is_tossed(const char *function, size_t length)
{
    static const char *const names[] = {
#define TOSS(name) #name,
#include "abi/toss.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], function, length))
            return true;
    return false;
}

static bool add_toss(text *t, const char *given, size_t length)
{
    static const char known[] = ""
#define TOSS(name) " " #name
#include "abi/toss.def"
        ;
    const char *function = hd_arena_print(t->arena, "%.*s", (int)length, given);
    size_t name = strcspn(function, ":");
    long most = 0;
    if (!is_tossed(function, name))
        return hd_fail(t->error, "--toss=%s: expected a function, one of%s", function, known);
    if (function[name] && !number(function + name + 1, 1, MOST_TOSSED, &most))
        return hd_fail(t->error, "--toss=%s: expected how many numbers, from 1 to %d, as in --toss=%.*s:4", function,
            MOST_TOSSED, (int)name, function);
    add_line(t, hd_arena_print(t->arena, "toss %.*s %ld", (int)name, function, most));
    return true;
}

/* FUNCTION or FUNCTION:N, separated by commas */
static bool add_tosses(text *t, const char *given)
{
    for (size_t length; *given; given += length + (given[length] == ',')) {
        length = strcspn(given, ",");
        if (!add_toss(t, given, length))
            return false;
    }
    return true;
}

bool hd_symbolic_lines(
    const hd_symbolic_options *o, hd_arena *arena, const char **lines, uint32_t *last_argument, hd_error *error)
{
    text t = { .arena = arena, .error = error };
    long bytes;
    *last_argument = 0;
    for (uint32_t i = 0; i < o->arguments.count; i++)
        if (!add_argument(&t, o->arguments.items[i], last_argument))
            return false;
    if (o->input && !length_of(&t, "sym-stdin", o->input, o->input, &bytes))
        return false;
    if (o->input)
        add_line(&t, hd_arena_print(arena, "stdin %ld", bytes));
    for (uint32_t i = 0; i < o->files.count; i++)
        if (!add_named(&t, "sym-file", "file", o->files.items[i]))
            return false;
    for (uint32_t i = 0; i < o->variables.count; i++)
        if (!add_variable(&t, o->variables.items[i]))
            return false;
    for (uint32_t i = 0; i < o->tosses.count; i++)
        if (!add_tosses(&t, o->tosses.items[i]))
            return false;
    *lines = t.lines;
    return true;
}
