#include "suite/manifest.h"

#include "event/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

void hd_suite_manifest_fini(hd_suite_manifest *m)
{
    for (size_t i = 0; i < m->tests.count; i++)
        hd_vec_fini(&m->tests.items[i].goals);
    hd_vec_fini(&m->tests);
    hd_vec_fini(&m->lost);
    hd_vec_fini(&m->arguments);
    hd_vec_fini(&m->sources);
}

/* --- writing -------------------------------------------------------------------------------- */

static void write_goal(const char *word, const hd_suite_manifest_goal *goal, FILE *out)
{
    fprintf(out, "%s %016llx %s\n", word, (unsigned long long)goal->key, goal->text);
}

static void write_test(const hd_suite_manifest_test *t, FILE *out)
{
    hd_record_write_text(out, "test", t->file);
    for (size_t i = 0; i < t->goals.count; i++)
        write_goal("goal", &t->goals.items[i], out);
}

void hd_suite_manifest_write(const hd_suite_manifest *m, FILE *out)
{
    fprintf(out, "heddle suite %d\n", FORMAT);
    hd_record_write_text(out, "version", m->version);
    hd_record_write_text(out, "program", m->program);
    for (size_t i = 0; i < m->arguments.count; i++)
        hd_record_write_text(out, "argument", m->arguments.items[i]);
    for (size_t i = 0; i < m->sources.count; i++)
        hd_record_write_text(out, "source", m->sources.items[i]);
    if (m->sources.count)
        hd_record_write_text(out, "cflags", m->cflags);
    if (m->symbolic)
        hd_record_write_text(out, "symbolic", m->symbolic);
    fprintf(out, "build %016llx\n", (unsigned long long)m->build);
    hd_record_write_text(out, "net", m->net);
    hd_record_write_text(out, "cover", m->cover);
    hd_record_write_text(out, "method", m->method);
    fprintf(out, "goals %u\nlower %u\ncomplete %s\n", m->goals, m->lower, m->complete ? "yes" : "no");
    for (size_t i = 0; i < m->tests.count; i++)
        write_test(&m->tests.items[i], out);
    for (size_t i = 0; i < m->lost.count; i++)
        write_goal("lost", &m->lost.items[i], out);
    fputs("end\n", out);
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct reader {
    hd_suite_manifest *manifest;
    hd_error *error;
    const char *path;
    uint32_t line;
    bool ended;
} reader;

static bool damaged(const reader *r, const char *what)
{
    return hd_fail(r->error, "%s:%u: the manifest is damaged: %s", r->path, r->line, what);
}

static bool read_number(const reader *r, const char *text, int base, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return (*text && *text != '-' && !*end && !errno && *value <= most) || damaged(r, "a number is expected here");
}

static bool read_count(const reader *r, const char *text, uint32_t *into)
{
    uint64_t value = 0;
    bool fine = read_number(r, text, 10, UINT32_MAX, &value);
    *into = (uint32_t)value;
    return fine;
}

static bool read_goal(const reader *r, char *text, hd_suite_manifest_goal *goal)
{
    char *space = strchr(text, ' ');
    goal->text = space ? space + 1 : "";
    if (space)
        *space = '\0';
    return read_number(r, text, 16, UINT64_MAX, &goal->key);
}

static bool read_reached(const reader *r, char *text)
{
    hd_suite_manifest_goal goal;
    if (!r->manifest->tests.count)
        return damaged(r, "a goal stands before the first test");
    if (!read_goal(r, text, &goal))
        return false;
    hd_vec_push(&hd_vec_last(&r->manifest->tests)->goals, goal);
    return true;
}

static bool read_lost(const reader *r, char *text)
{
    hd_suite_manifest_goal goal;
    if (!read_goal(r, text, &goal))
        return false;
    hd_vec_push(&r->manifest->lost, goal);
    return true;
}

static bool read_text(const reader *r, const char **into, char *text)
{
    *into = text;
    return hd_record_unescape(text) || damaged(r, "a wrong backslash");
}

/* A line is a keyword and its value; unknown keywords are errors, so that a newer format is noticed. */
static bool read_line(reader *r, char *line)
{
    hd_suite_manifest *m = r->manifest;
    char *value = line + strcspn(line, " ");
    const char *text;
    if (*value)
        *value++ = '\0';
    const struct {
        const char *word;
        const char **into;
    } texts[] = { { "version", &m->version }, { "program", &m->program }, { "cflags", &m->cflags },
        { "symbolic", &m->symbolic }, { "net", &m->net }, { "cover", &m->cover }, { "method", &m->method } };
    if (r->ended)
        return damaged(r, "something follows the 'end'");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(line, texts[i].word))
            return read_text(r, texts[i].into, value);
    if (!strcmp(line, "goal"))
        return read_reached(r, value);
    if (!strcmp(line, "lost"))
        return read_lost(r, value);
    if (!strcmp(line, "goals"))
        return read_count(r, value, &m->goals);
    if (!strcmp(line, "lower"))
        return read_count(r, value, &m->lower);
    if (!strcmp(line, "build"))
        return read_number(r, value, 16, UINT64_MAX, &m->build);
    if (!strcmp(line, "complete"))
        return (m->complete = !strcmp(value, "yes")) || !strcmp(value, "no") || damaged(r, "'yes' or 'no' is expected");
    if (!strcmp(line, "end"))
        return r->ended = true;
    if (!read_text(r, &text, value))
        return false;
    if (!strcmp(line, "argument"))
        hd_vec_push(&m->arguments, text);
    else if (!strcmp(line, "source"))
        hd_vec_push(&m->sources, text);
    else if (!strcmp(line, "test"))
        hd_vec_push(&m->tests, ((hd_suite_manifest_test) { .file = text }));
    else
        return damaged(r, "a line that begins with an unknown word");
    return true;
}

static bool read_header(reader *r, const char *line)
{
    static const char start[] = "heddle suite ";
    if (strncmp(line, start, sizeof start - 1))
        return hd_fail(r->error, "%s:1: this is not the manifest of a suite (it should begin with '%s%d')", r->path,
            start, FORMAT);
    return atoi(line + sizeof start - 1) == FORMAT
        || hd_fail(r->error, "%s:1: the manifest has format %s; this heddle reads format %d", r->path,
            line + sizeof start - 1, FORMAT);
}

bool hd_suite_manifest_read(hd_suite_manifest *m, const char *folder, hd_arena *arena, hd_error *error)
{
    reader r = { .manifest = m, .error = error };
    *m = (hd_suite_manifest) { .cflags = "" };
    r.path = hd_arena_print(arena, "%s/%s", folder, HD_MANIFEST_FILE);
    char *text = hd_record_read_file(r.path, "the manifest of a suite", arena, error);
    bool fine = text != NULL;
    for (char *end; fine && (end = strchr(text, '\n')); text = end + 1) {
        *end = '\0';
        r.line++;
        fine = r.line == 1 ? read_header(&r, text) : read_line(&r, text);
    }
    /* The final `end` tells a complete file from one that was cut off. */
    if (fine && !r.ended) {
        r.line++;
        fine = damaged(&r, "it is cut off (there is no 'end')");
    }
    return fine
        && ((m->version && m->program && m->net && m->cover && m->method)
            || damaged(&r, "version, program, net, cover or method is missing"));
}

/* --- paths ------------------------------------------------------------------------------------ */

const char *hd_suite_manifest_path(const char *folder, const char *path, hd_arena *arena)
{
    size_t same = 0;
    size_t end = strlen(folder);
    if (!strncmp(folder, path, end) && path[end] == '/')
        return hd_arena_copy(arena, path + end + 1);
    /* The longest common prefix of whole path components. */
    for (size_t i = 0; folder[i] && folder[i] == path[i]; i++)
        if (path[i] == '/')
            same = i + 1;
    const char *up = "../";
    for (const char *c = folder + same; *c; c++)
        if (*c == '/')
            up = hd_arena_print(arena, "../%s", up);
    return hd_arena_print(arena, "%s%s", up, path + same);
}
