/* Reads the lines of a model file: parameters, then sub-models. The constraints that follow are
 * read by predicate.c. */
#include "pairs/model.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct slice {
    const char *text;
    size_t length;
} slice;

typedef struct reader {
    hd_pairs_model *model;
    int line;
    hd_error *error;
} reader;

typedef hd_vec(hd_pairs_value) value_list;

#define FAIL(r, format, ...) hd_fail((r)->error, "%s:%d: " format, (r)->model->name, (r)->line, __VA_ARGS__)

static slice trimmed(const char *text, size_t length)
{
    hd_pairs_trim(&text, &length);
    return (slice) { text, length };
}

/* Cuts the part before `separator` off the front of `rest`; false after the last part. */
static bool next_part(slice *rest, char separator, slice *part)
{
    if (!rest->text)
        return false;
    const char *end = memchr(rest->text, separator, rest->length);
    size_t length = end ? (size_t)(end - rest->text) : rest->length;
    *part = trimmed(rest->text, length);
    *rest = end ? (slice) { end + 1, rest->length - length - 1 } : (slice) { NULL, 0 };
    return true;
}

static const char *keep(reader *r, slice s)
{
    return hd_arena_print(&r->model->arena, "%.*s", (int)s.length, s.text);
}

/* `value (10)`: removes the weight from the end and returns it; 1 if there is none. */
static int take_weight(slice *value)
{
    if (value->length < 3 || value->text[value->length - 1] != ')')
        return 1;
    const char *open = memrchr(value->text, '(', value->length);
    double weight;
    if (!open || !hd_pairs_number(open + 1, value->length - 2 - (size_t)(open - value->text), &weight) || weight < 1
        || weight > 1e6)
        return 1;
    *value = trimmed(value->text, (size_t)(open - value->text));
    return (int)weight;
}

static void read_value(reader *r, slice text, value_list *values)
{
    hd_pairs_value value = { .weight = take_weight(&text) };
    hd_vec(const char *) names = { 0 };
    slice rest = text, name;
    while (next_part(&rest, r->model->syntax.alias_separator, &name)) {
        if (names.count == 0 && name.length > 0 && *name.text == r->model->syntax.negative_prefix) {
            value.negative = r->model->has_negative = true;
            name = trimmed(name.text + 1, name.length - 1);
        }
        hd_vec_push(&names, keep(r, name));
    }
    value.name_count = (int)names.count;
    value.names = hd_arena_alloc(&r->model->arena, names.count * sizeof *names.items);
    memcpy(value.names, names.items, names.count * sizeof *names.items);
    hd_vec_fini(&names);
    hd_vec_push(values, value);
}

/* `<Name>` stands for the values of another parameter. */
static const hd_pairs_parameter *referred(reader *r, slice text)
{
    if (text.length < 3 || text.text[0] != '<' || text.text[text.length - 1] != '>')
        return NULL;
    int p = hd_pairs_find_parameter(r->model, text.text + 1, text.length - 2);
    return p < 0 ? NULL : &r->model->parameters.items[p];
}

static void read_values(reader *r, slice rest, value_list *values)
{
    slice part;
    while (next_part(&rest, r->model->syntax.value_separator, &part)) {
        const hd_pairs_parameter *other = referred(r, part);
        if (!other)
            read_value(r, part, values);
        for (int v = 0; other && v < other->value_count; v++)
            hd_vec_push(values, other->values[v]);
    }
}

static void find_type(hd_pairs_parameter *p)
{
    p->numeric = true;
    for (int v = 0; v < p->value_count; v++)
        if (!hd_pairs_number(p->values[v].names[0], strlen(p->values[v].names[0]), &p->values[v].number))
            p->numeric = false;
}

/* `Name @ 3`: removes the strength from the name and returns it; 0 if there is none. */
static int take_strength(slice *name)
{
    const char *at = memrchr(name->text, '@', name->length);
    double strength;
    if (!at || !hd_pairs_number(at + 1, name->length - 1 - (size_t)(at - name->text), &strength) || strength < 1)
        return 0;
    *name = trimmed(name->text, (size_t)(at - name->text));
    return strength > HD_PAIRS_MOST_STRENGTH ? HD_PAIRS_MOST_STRENGTH + 1 : (int)strength;
}

static bool check_parameter(reader *r, slice name, int strength)
{
    if (strength > HD_PAIRS_MOST_STRENGTH)
        return FAIL(r, "the strength of a parameter is 1 to %d", HD_PAIRS_MOST_STRENGTH);
    if (hd_pairs_find_parameter(r->model, name.text, name.length) >= 0)
        return FAIL(r, "parameter '%.*s' is already defined; names must differ%s", (int)name.length, name.text,
            r->model->syntax.case_sensitive ? "" : " in more than case");
    if (r->model->parameters.count == HD_PAIRS_MOST_PARAMETERS)
        return FAIL(r, "more than %d parameters", HD_PAIRS_MOST_PARAMETERS);
    return true;
}

static bool add_parameter(reader *r, slice name, slice rest)
{
    hd_pairs_parameter p = { .line = r->line, .strength = take_strength(&name) };
    if (!check_parameter(r, name, p.strength))
        return false;
    value_list values = { 0 };
    read_values(r, rest, &values);
    bool fits = values.count <= HD_PAIRS_MOST_VALUES;
    p.name = keep(r, name);
    p.result = *p.name == '$';
    p.value_count = (int)values.count;
    p.values = hd_arena_alloc(&r->model->arena, values.count * sizeof *values.items);
    memcpy(p.values, values.items, values.count * sizeof *values.items);
    hd_vec_fini(&values);
    if (!fits)
        return FAIL(r, "parameter '%s' has more than %d values; put values that behave alike into one", p.name,
            HD_PAIRS_MOST_VALUES);
    find_type(&p);
    hd_vec_push(&r->model->parameters, p);
    return true;
}

static bool read_parameter(reader *r, slice line)
{
    const char *colon = memchr(line.text, ':', line.length);
    if (!colon)
        colon = memchr(line.text, r->model->syntax.value_separator, line.length);
    if (!colon)
        return FAIL(r, "expected 'Name: value%c value%c …', found '%.*s'", r->model->syntax.value_separator,
            r->model->syntax.value_separator, (int)line.length, line.text);
    size_t before = (size_t)(colon - line.text);
    slice rest = trimmed(colon + 1, line.length - before - 1);
    if (rest.length == 0)
        return FAIL(r, "parameter '%.*s' has no value; write at least one after the ':'", (int)before, line.text);
    return add_parameter(r, trimmed(line.text, before), rest);
}

static bool read_members(reader *r, slice inside, char separator, hd_pairs_group *group)
{
    hd_vec(int) members = { 0 };
    slice part = { 0 };
    int p = 0;
    while (p >= 0 && next_part(&inside, separator, &part)) {
        p = hd_pairs_find_parameter(r->model, part.text, part.length);
        bool known = false;
        for (size_t i = 0; i < members.count; i++)
            known |= members.items[i] == p;
        if (!known)
            hd_vec_push(&members, p);
    }
    group->count = (int)members.count;
    group->members = hd_arena_alloc(&r->model->arena, members.count * sizeof(int));
    memcpy(group->members, members.items, members.count * sizeof(int));
    hd_vec_fini(&members);
    return p >= 0
        || FAIL(r, "there is no parameter '%.*s'; a group names parameters that are defined above it", (int)part.length,
            part.text);
}

static bool read_strength(reader *r, slice text, hd_pairs_group *group)
{
    double strength;
    if (text.length == 0)
        return true;
    if (*text.text != '@' || !hd_pairs_number(text.text + 1, text.length - 1, &strength) || strength < 1
        || strength > HD_PAIRS_MOST_STRENGTH || strength != (int)strength)
        return FAIL(r, "expected '@' and a strength from 1 to %d after the group, found '%.*s'", HD_PAIRS_MOST_STRENGTH,
            (int)text.length, text.text);
    group->strength = (int)strength;
    if (group->strength > group->count)
        return FAIL(r, "a group of %d parameters cannot have strength %d", group->count, group->strength);
    return true;
}

static bool read_submodel(reader *r, slice line)
{
    hd_pairs_group group = { .line = r->line };
    const char *close = memchr(line.text, '}', line.length);
    if (!close)
        return FAIL(r, "%s", "expected '}' at the end of the sub-model's parameters");
    slice inside = trimmed(line.text + 1, (size_t)(close - line.text) - 1);
    slice after = trimmed(close + 1, line.length - (size_t)(close - line.text) - 1);
    char other = r->model->syntax.value_separator;
    /* Members are separated by commas, or by the value separator if it occurs. */
    bool plain = !memchr(inside.text, other, inside.length) || other == ',';
    if (!read_members(r, inside, plain ? ',' : other, &group) || !read_strength(r, after, &group))
        return false;
    hd_vec_push(&r->model->submodels, group);
    return true;
}

static bool starts_with_word(slice line, const char *word)
{
    size_t length = strlen(word);
    return line.length >= length && !strncasecmp(line.text, word, length)
        && (line.length == length || !(isalnum((unsigned char)line.text[length]) || line.text[length] == '_'));
}

/* A line opens the constraints if it starts like one and does not read as `Name: …`. */
static bool is_constraint(slice line)
{
    if (*line.text == '[')
        return true;
    bool opens = *line.text == '(' || starts_with_word(line, "IF") || starts_with_word(line, "NOT")
        || starts_with_word(line, "ISNEGATIVE") || starts_with_word(line, "ISPOSITIVE");
    return opens && (memchr(line.text, '[', line.length) || !memchr(line.text, ':', line.length));
}

static bool read_line(reader *r, slice line)
{
    return *line.text == '{' ? read_submodel(r, line) : read_parameter(r, line);
}

bool hd_pairs_parse(hd_pairs_model *m, const char *text, hd_error *error)
{
    reader r = { m, 0, error };
    const char *at = strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
    for (const char *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        r.line++;
        slice line = trimmed(at, (size_t)(end - at));
        if (line.length == 0 || *line.text == '#')
            continue;
        if (is_constraint(line))
            break;
        if (!read_line(&r, line))
            return false;
    }
    if (m->parameters.count == 0)
        return FAIL(&r, "%s", "no parameter found; expected lines 'Name: value, value, …'");
    return hd_pairs_parse_constraints(m, text, at, error);
}

bool hd_pairs_parse_relations(hd_pairs_model *m, const char *text, hd_error *error)
{
    slice rest = { text, strlen(text) }, part;
    hd_error why;
    reader r = { m, 0, &why };
    while (next_part(&rest, ';', &part)) {
        hd_pairs_group group = { 0 };
        const char *at = memrchr(part.text, '@', part.length);
        size_t before = at ? (size_t)(at - part.text) : part.length;
        if (part.length == 0)
            continue;
        if (!at)
            return hd_fail(error, "--relation expects 'A,B,C@3', not '%.*s'", (int)part.length, part.text);
        if (!read_members(&r, trimmed(part.text, before), ',', &group)
            || !read_strength(&r, (slice) { at, part.length - before }, &group))
            return hd_fail(error, "--relation=%s: %s", text, strchr(why.text + strlen(m->name) + 1, ' ') + 1);
        hd_vec_push(&m->relations, group);
    }
    return true;
}

/* One `d^n` (or just `d`, once). */
static const char *read_power(const char *at, long *levels, long *times)
{
    char *end;
    *levels = strtol(at, &end, 10);
    *times = 1;
    if (end == at)
        return NULL;
    at = end;
    if (*at == '^') {
        *times = strtol(at + 1, &end, 10);
        if (end == at + 1)
            return NULL;
        at = end;
    }
    return *at == '\0' || isspace((unsigned char)*at) ? at : NULL;
}

bool hd_pairs_is_shorthand(const char *text)
{
    return strchr(text, '^') && strspn(text, "0123456789^ \t") == strlen(text);
}

bool hd_pairs_parse_shorthand(hd_pairs_model *m, const char *text, hd_error *error)
{
    long levels, times;
    for (const char *at = text; *(at += strspn(at, " \t"));) {
        const char *next = read_power(at, &levels, &times);
        if (!next || levels < 1 || times < 1 || levels > HD_PAIRS_MOST_VALUES
            || times > HD_PAIRS_MOST_PARAMETERS - (long)m->parameters.count)
            return hd_fail(error, "'%s': expected VALUES^PARAMETERS like 4^15 at '%s' (up to %d values, %d parameters)",
                text, at, HD_PAIRS_MOST_VALUES, HD_PAIRS_MOST_PARAMETERS);
        hd_pairs_value *values = hd_arena_alloc(&m->arena, (size_t)levels * sizeof *values);
        for (long v = 0; v < levels; v++) {
            values[v] = (hd_pairs_value) { .name_count = 1, .weight = 1, .number = (double)v };
            values[v].names = hd_arena_alloc(&m->arena, sizeof *values[v].names);
            values[v].names[0] = hd_arena_print(&m->arena, "%ld", v);
        }
        for (long i = 0; i < times; i++) {
            hd_pairs_parameter p = { .values = values, .value_count = (int)levels, .numeric = true };
            p.name = hd_arena_print(&m->arena, "P%zu", m->parameters.count + 1);
            hd_vec_push(&m->parameters, p);
        }
        at = next;
    }
    return m->parameters.count > 0 || hd_fail(error, "'%s' names no parameter", text);
}

/* --- files ------------------------------------------------------------------ */

const char *hd_pairs_read_text(const char *file, hd_arena *arena, hd_error *error)
{
    FILE *in = strcmp(file, "-") ? fopen(file, "rb") : stdin;
    if (!in) {
        hd_fail(error, "%s: %s", file, strerror(errno));
        return NULL;
    }
    size_t size;
    const char *text = hd_file_read(in, arena, &size);
    bool fine = !ferror(in) || hd_fail(error, "%s: %s", file, strerror(errno));
    if (in != stdin)
        fclose(in);
    /* Everything after a zero byte would be ignored silently. */
    if (fine && strlen(text) < size)
        fine = hd_fail(error, "%s: this is not a text file: it has a zero byte", file);
    return fine ? text : NULL;
}

bool hd_pairs_model_open(hd_pairs_model *m, hd_pairs_syntax syntax, char **operands, int count, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    const char *name = operands[0];
    for (int i = 1; i < count; i++)
        name = hd_arena_print(&arena, "%s %s", name, operands[i]);
    hd_pairs_model_init(m, name, syntax);
    bool fine;
    if (hd_pairs_is_shorthand(name)) {
        fine = hd_pairs_parse_shorthand(m, name, error);
    } else if (count > 1) {
        fine = hd_fail(error, "one MODEL is expected, found %d: '%s', '%s', …", count, operands[0], operands[1]);
    } else {
        const char *text = hd_pairs_read_text(name, &arena, error);
        fine = text && hd_pairs_parse(m, text, error);
    }
    hd_arena_fini(&arena);
    return fine;
}
