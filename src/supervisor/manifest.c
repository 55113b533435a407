#include "supervisor/manifest.h"

#include "base/file.h"
#include "check/finding.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    hd_manifest *manifest;
    const char *at;
    uint32_t line;
    hd_arena *arena;
    hd_error *error;
} reader;

static bool complain(const reader *r, const char *what)
{
    return hd_fail(r->error, "%s:%u: %s", r->manifest->path, r->line, what);
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

/* Blanks, comments and line feeds. */
static void skip_lines(reader *r)
{
    for (skip_blanks(r); *r->at == '#' || *r->at == '\n'; skip_blanks(r)) {
        r->at += strcspn(r->at, "\n");
        if (*r->at == '\n') {
            r->at++;
            r->line++;
        }
    }
}

static bool ends_line(reader *r)
{
    skip_blanks(r);
    return !*r->at || *r->at == '\n' || *r->at == '#' || complain(r, "the line should end here");
}

/* In double quotes, a backslash escapes a quote or a backslash; in single quotes, nothing is special. */
static bool take_text(reader *r, const char **text)
{
    char quote = *r->at;
    size_t length = 0;
    if (quote != '"' && quote != '\'')
        return complain(r, "expected a text in quotes");
    char *into = hd_arena_alloc(r->arena, strcspn(r->at, "\n") + 1);
    for (r->at++; *r->at && *r->at != '\n' && *r->at != quote; r->at++) {
        if (quote == '"' && *r->at == '\\') {
            r->at++;
            if (*r->at != '"' && *r->at != '\\')
                return complain(
                    r, "only \\\" and \\\\ are understood after a backslash; single quotes take it as it is");
        }
        into[length++] = *r->at;
    }
    if (*r->at != quote)
        return complain(r, "the text has no closing quote");
    r->at++;
    *text = into;
    return true;
}

static bool take_list(reader *r, hd_manifest_texts *texts)
{
    const char *text;
    r->at++;
    for (skip_lines(r); *r->at != ']'; skip_lines(r)) {
        if (!take_text(r, &text))
            return false;
        hd_vec_push(texts, text);
        skip_lines(r);
        if (*r->at == ',')
            r->at++;
        else if (*r->at != ']')
            return complain(r, "expected ',' or ']' in the list");
    }
    r->at++;
    return true;
}

static bool take_value(reader *r, hd_manifest_texts *texts)
{
    const char *text;
    if (texts->count)
        return complain(r, "the key is given twice");
    if (*r->at == '[')
        return take_list(r, texts);
    if (!take_text(r, &text))
        return false;
    hd_vec_push(texts, text);
    return true;
}

static hd_manifest_texts *field_of(hd_manifest_check *c, hd_manifest_texts *name, const char *key, size_t length)
{
    const struct {
        const char *key;
        hd_manifest_texts *field;
    } fields[] = { { "name", name }, { "program", &c->program }, { "options", &c->options },
        { "arguments", &c->arguments }, { "expected", &c->expected } };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strlen(fields[i].key) == length && !strncmp(fields[i].key, key, length))
            return fields[i].field;
    return NULL;
}

static bool is_expectation(const char *word)
{
    bool known = !strcmp(word, "clean") || !strcmp(word, "found") || !strcmp(word, "bound");
    for (int i = 0; i < HD_FINDING_KINDS; i++)
        known |= i != HD_FINDING_MODEL_LIMIT && !strcmp(word, hd_finding_word((hd_finding_kind)i));
    return known;
}

static bool is_kind_only(const hd_manifest_check *c)
{
    for (size_t i = 0; i < c->expected.count; i++)
        if (strlen(c->expected.items[i]) == 5 && c->expected.count > 1
            && (!strcmp(c->expected.items[i], "clean") || !strcmp(c->expected.items[i], "found")
                || !strcmp(c->expected.items[i], "bound")))
            return false;
    return true;
}

static bool is_named_twice(const hd_manifest *m, const hd_manifest_check *c)
{
    for (size_t i = 0; i < m->checks.count; i++)
        if (!strcmp(m->checks.items[i].name, c->name))
            return true;
    return false;
}

static bool take_key(reader *r, hd_manifest_check *c)
{
    const char *key = r->at;
    size_t length = 0;
    hd_manifest_texts name = { 0 };
    while (isalnum((unsigned char)key[length]) || key[length] == '_' || key[length] == '-')
        length++;
    hd_manifest_texts *field = field_of(c, &name, key, length);
    if (!field)
        return hd_fail(r->error,
            "%s:%u: there is no key '%.*s'; there are: name, program, options, arguments, expected", r->manifest->path,
            r->line, (int)length, key);
    r->at += length;
    skip_blanks(r);
    if (*r->at != '=')
        return complain(r, "expected '=' after the key");
    r->at++;
    skip_blanks(r);
    bool fine = take_value(r, field) && ends_line(r);
    if (fine && field == &name) {
        if (c->name || name.count != 1)
            fine = complain(r, "a check has one name");
        else
            c->name = name.items[0];
    }
    hd_vec_fini(&name);
    return fine;
}

static bool take_check(reader *r)
{
    static const char head[] = "[[check]]";
    hd_manifest_check *c = hd_vec_add(&r->manifest->checks);
    *c = (hd_manifest_check) { .line = r->line };
    if (strncmp(r->at, head, sizeof head - 1))
        return complain(r, "expected [[check]]");
    r->at += sizeof head - 1;
    if (!ends_line(r))
        return false;
    for (skip_lines(r); *r->at && *r->at != '['; skip_lines(r))
        if (!take_key(r, c))
            return false;
    r->manifest->checks.count--;
    uint32_t line = r->line;
    r->line = c->line;
    bool fine = c->name && c->program.count ? !is_named_twice(r->manifest, c) || complain(r, "the name is in use")
                                            : complain(r, "a check needs a name and a program");
    for (size_t i = 0; i < c->expected.count && fine; i++)
        fine = is_expectation(c->expected.items[i])
            || complain(r, "expected is 'clean', 'found', 'bound', or kinds of findings");
    fine = fine && (is_kind_only(c) || complain(r, "a list of what is expected has kinds of findings only"));
    r->line = line;
    r->manifest->checks.count++;
    return fine;
}

bool hd_manifest_read(hd_manifest *m, const char *path, hd_arena *arena, hd_error *error)
{
    size_t size;
    FILE *in = fopen(path, "r");
    *m = (hd_manifest) { .path = path };
    if (!in)
        return hd_fail(error, "%s: the manifest cannot be read: %s", path, strerror(errno));
    reader r = { .manifest = m, .at = hd_file_read(in, arena, &size), .line = 1, .arena = arena, .error = error };
    bool fine = !ferror(in) || complain(&r, strerror(errno));
    fclose(in);
    for (skip_lines(&r); *r.at && fine; skip_lines(&r))
        fine = take_check(&r);
    return fine && (m->checks.count || hd_fail(error, "%s: there is no [[check]] in the manifest", path));
}

void hd_manifest_close(hd_manifest *m)
{
    for (size_t i = 0; i < m->checks.count; i++) {
        hd_manifest_check *c = &m->checks.items[i];
        hd_vec_fini(&c->program);
        hd_vec_fini(&c->options);
        hd_vec_fini(&c->arguments);
        hd_vec_fini(&c->expected);
    }
    hd_vec_fini(&m->checks);
}
