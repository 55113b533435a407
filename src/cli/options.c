#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool hd_cli_is_named(const char *field, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (field[i] != (name[i] == '-' ? '_' : name[i]))
            return false;
    return field[length] == '\0' || !strcmp(field + length, "_");
}

static const hd_cli_option *find(const hd_cli_usage *usage, const char *name, size_t length)
{
    for (size_t i = 0; i < usage->option_count; i++)
        if (hd_cli_is_named(usage->options[i].field, name, length))
            return &usage->options[i];
    return NULL;
}

static bool store(const hd_cli_option *option, const char *name, const char *value, void *into, hd_error *error)
{
    void *field = (char *)into + option->offset;
    char *end;
    errno = 0;
    switch (option->type) {
    case hd_cli_option_flag:
        *(hd_cli_type_flag *)field = true;
        return true;
    case hd_cli_option_toggle:
        *(hd_cli_type_toggle *)field = strcmp(value, "off") ? HD_CLI_ON : HD_CLI_OFF;
        return !*value || hd_cli_one_of(name, value, "on", "off", error);
    case hd_cli_option_text:
        *(hd_cli_type_text *)field = value;
        return true;
    case hd_cli_option_texts:
        if (((hd_cli_type_texts *)field)->count == HD_MOST_TEXTS)
            return hd_fail(error, "--%s can be given %d times at most", name, HD_MOST_TEXTS);
        ((hd_cli_type_texts *)field)->items[((hd_cli_type_texts *)field)->count++] = value;
        return true;
    case hd_cli_option_integer:
        *(hd_cli_type_integer *)field = strtoll(value, &end, 0);
        /* The whole text must be a number. */
        if (*value && !*end && !errno && *(hd_cli_type_integer *)field >= 0)
            return true;
        return hd_fail(error, "--%s expects a non-negative integer, not '%s'", name, value);
    case hd_cli_option_real:
        *(hd_cli_type_real *)field = strtod(value, &end);
        if (*value && !*end && !errno && *(hd_cli_type_real *)field >= 0)
            return true;
        return hd_fail(error, "--%s expects a non-negative number, not '%s'", name, value);
    }
    hd_panic("option type %d", option->type);
}

/* Behind the name of a program, an unknown option is probably meant for the program. */
static bool fail_unknown(const hd_cli_usage *usage, const char *option, bool is_behind, hd_error *error)
{
    bool for_program = is_behind && strstr(usage->synopsis, "[-- ARGS]");
    return hd_fail(error, "unknown option %s (%ssee 'heddle %.*s --help')", option,
        for_program ? "the program's own arguments come after '--'; " : "", (int)strcspn(usage->synopsis, " "),
        usage->synopsis);
}

/* Parses one `--name`, `--name=value` or `--name value`; *next becomes the index after it, and `is_behind` says that an
 * operand came before it. One-letter options have one dash. */
static bool parse_one(
    const hd_cli_usage *usage, int argc, char **argv, int *next, bool is_behind, void *into, hd_error *error)
{
    bool is_short = argv[*next][1] != '-';
    const char *text = argv[*next] + (is_short ? 1 : 2);
    const char *equals = is_short ? NULL : strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const hd_cli_option *option = (length == 1) == is_short ? find(usage, text, length) : NULL;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!option)
        return fail_unknown(usage, argv[*next], is_behind, error);
    ++*next;
    if (option->type == hd_cli_option_flag && equals)
        return hd_fail(error, "--%s takes no value", name);
    if (option->type == hd_cli_option_flag || option->type == hd_cli_option_toggle || equals)
        return store(option, name, equals ? equals + 1 : "", into, error);
    if (*next == argc && is_short)
        return hd_fail(error, "-%s expects a value: -%s %s", name, name, option->argument);
    if (*next == argc)
        return hd_fail(error, "--%s expects a value: --%s=%s", name, name, option->argument);
    return store(option, name, argv[(*next)++], into, error);
}

bool hd_cli_parse(
    const hd_cli_usage *usage, int argc, char **argv, void *into, int *count, int *dashes, hd_error *error)
{
    *count = 0;
    *dashes = -1;
    for (int i = 1; i < argc;) {
        if (*dashes < 0 && !strcmp(argv[i], "--")) {
            *dashes = *count;
            i++;
        } else if (*dashes < 0 && argv[i][0] == '-' && argv[i][1]) {
            if (!parse_one(usage, argc, argv, &i, *count > 0, into, error))
                return false;
        } else {
            /* Operands move to the front; they never overtake what is still to be read. */
            argv[(*count)++] = argv[i++];
        }
    }
    if (*dashes < 0)
        *dashes = *count;
    return true;
}

static void help_line(const hd_cli_option *option, FILE *out)
{
    char name[64];
    bool is_short = !option->field[1];
    size_t length = strlen(option->field);
    length -= option->field[length - 1] == '_';
    snprintf(name, sizeof name, is_short ? "-%.*s%s%s" : "--%.*s%s%s", (int)length, option->field,
        !*option->argument ? ""
            : is_short     ? " "
                           : "=",
        option->argument);
    for (char *c = name; *c && *c != '='; c++)
        if (*c == '_')
            *c = '-';
    const char *value = option->default_text;
    /* Defaults that mean "none" are not shown. */
    bool shown = option->type != hd_cli_option_flag && strcmp(value, "NULL") && strcmp(value, "\"\"")
        && strcmp(value, "0") && strcmp(value, "HD_NO_TEXTS") && strcmp(value, "HD_CLI_NOT_GIVEN")
        && strcmp(value, "HD_CLI_NO_NUMBER");
    int width = 22; /* in characters, not bytes */
    for (const char *c = name; *c; c++)
        width += (*c & 0xc0) == 0x80;
    fprintf(out, "  %-*s %s", width, name, option->help);
    if (shown && *value == '"')
        fprintf(out, " [%.*s]", (int)strlen(value) - 2, value + 1);
    else if (shown)
        fprintf(out, " [%s]", value);
    fputc('\n', out);
}

void hd_cli_help(const hd_cli_usage *usage, FILE *out)
{
    fprintf(out, "usage: heddle %s\n\n%s\n", usage->synopsis, usage->summary);
    if (usage->option_count)
        fprintf(out, "\noptions:\n");
    for (size_t i = 0; i < usage->option_count; i++)
        help_line(&usage->options[i], out);
}

bool hd_cli_asks_help(const hd_cli_usage *usage, int argc, char **argv)
{
    bool asks = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    if (asks)
        hd_cli_help(usage, stdout);
    return asks;
}

bool hd_cli_one_of(const char *option, const char *value, const char *a, const char *b, hd_error *error)
{
    return !strcmp(value, a) || !strcmp(value, b)
        || hd_fail(error, "--%s is '%s' or '%s', not '%s'", option, a, b, value);
}

bool hd_cli_in_range(const char *option, int64_t value, int64_t least, int64_t most, hd_error *error)
{
    return (value >= least && value <= most)
        || hd_fail(error, "--%s expects a number from %lld to %lld, not %lld", option, (long long)least,
            (long long)most, (long long)value);
}
