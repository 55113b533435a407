#include "suite/suite_file.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMAT_FOLDER = 1, FORMAT = 2 };

static const char start[] = "heddle suite ";

void hd_suite_file_fini(hd_suite_file *f)
{
    for (size_t i = 0; i < f->tests.count; i++)
        hd_vec_fini(&f->tests.items[i].goals);
    hd_vec_fini(&f->tests);
    hd_vec_fini(&f->lost);
    hd_vec_fini(&f->sources);
}

/* --- writing -------------------------------------------------------------------------------- */

static void write_goal(const char *word, const hd_suite_file_goal *goal, FILE *out)
{
    fprintf(out, "%s %016llx %s\n", word, (unsigned long long)goal->key, goal->text);
}

static void write_test(const hd_suite_file_test *t, FILE *out)
{
    fprintf(out, "\ntest %u\n", t->number);
    for (size_t i = 0; i < t->goals.count; i++)
        write_goal("goal", &t->goals.items[i], out);
    hd_record_write_test(&t->record, out);
}

void hd_suite_file_write(const hd_suite_file *f, FILE *out)
{
    fprintf(out, "%s%d\n", start, FORMAT);
    hd_record_write_head(&f->head, out);
    for (size_t i = 0; i < f->sources.count; i++)
        hd_record_write_text(out, "source", f->sources.items[i]);
    if (f->sources.count)
        hd_record_write_text(out, "cflags", f->cflags);
    fprintf(out, "build %016llx\n", (unsigned long long)f->build);
    hd_record_write_text(out, "net", f->net);
    hd_record_write_text(out, "cover", f->cover);
    hd_record_write_text(out, "method", f->method);
    fprintf(out, "goals %u\nlower %u\ncomplete %s\n", f->goals, f->lower, f->complete ? "yes" : "no");
    for (size_t i = 0; i < f->tests.count; i++)
        write_test(&f->tests.items[i], out);
    putc('\n', out);
    for (size_t i = 0; i < f->lost.count; i++)
        write_goal("lost", &f->lost.items[i], out);
    fputs("end\n", out);
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct reader {
    hd_suite_file *file;
    hd_record_reader *lines;
    hd_arena *arena;
    hd_error *error;
    const char *folder; /* of format 1: where the replay files are; NULL: the tests are in the file */
    bool in_test, ended;
} reader;

static bool damaged(const reader *r, const char *what)
{
    return hd_record_reader_damaged(r->lines, what);
}

static bool read_count(const reader *r, const char *text, uint32_t *into)
{
    uint64_t value = 0;
    bool fine = hd_record_reader_number(r->lines, text, 10, UINT32_MAX, &value);
    *into = (uint32_t)value;
    return fine;
}

static bool read_goal(const reader *r, char *text, hd_suite_file_goal *goal)
{
    char *space = strchr(text, ' ');
    goal->text = space ? space + 1 : "";
    if (space)
        *space = '\0';
    return hd_record_reader_number(r->lines, text, 16, UINT64_MAX, &goal->key);
}

static bool read_reached(const reader *r, char *text)
{
    hd_suite_file_goal goal;
    if (!r->file->tests.count)
        return damaged(r, "a goal stands before the first test");
    if (!read_goal(r, text, &goal))
        return false;
    hd_vec_push(&hd_vec_last(&r->file->tests)->goals, goal);
    return true;
}

static bool read_lost(const reader *r, char *text)
{
    hd_suite_file_goal goal;
    if (!read_goal(r, text, &goal))
        return false;
    hd_vec_push(&r->file->lost, goal);
    return true;
}

/* The head ends where the first test begins, or at the end of the file. */
static bool finish_head(const reader *r)
{
    const hd_suite_file *f = r->file;
    return f->tests.count || r->folder || hd_record_reader_finish(r->lines, true);
}

static bool begin_test(reader *r, const char *text)
{
    hd_suite_file *f = r->file;
    uint32_t number, last = f->tests.count ? hd_vec_last(&f->tests)->number : 0;
    if (!finish_head(r) || !read_count(r, text, &number))
        return false;
    if (number <= last)
        return damaged(r, "the numbers of tests must ascend, from 1 on");
    hd_vec_push(&f->tests, ((hd_suite_file_test) { .number = number }));
    r->in_test = true;
    return true;
}

/* A test of format 1 has the number in the name of its file, or its position. */
static bool read_named_test(reader *r, char *name)
{
    hd_suite_file *f = r->file;
    const char *text;
    uint32_t number, last = f->tests.count ? hd_vec_last(&f->tests)->number : 0;
    if (!hd_record_reader_text(r->lines, &text, name))
        return false;
    if (sscanf(text, "test-%u", &number) != 1 || number <= last)
        number = last + 1;
    hd_vec_push(&f->tests, ((hd_suite_file_test) { .number = number }));
    return hd_record_read(
        &hd_vec_last(&f->tests)->record, hd_arena_print(r->arena, "%s/%s", r->folder, text), r->arena, r->error);
}

static bool read_test_line(reader *r, char *line)
{
    if (!hd_record_reader_is_in_steps(r->lines) && !strncmp(line, "goal ", 5))
        return read_reached(r, line + 5);
    if (!hd_record_reader_take(r->lines, line))
        return false;
    if (!hd_record_reader_has_ended(r->lines))
        return true;
    r->in_test = false;
    return hd_record_reader_finish(r->lines, false);
}

static bool read_text_line(reader *r, const char *word, char *value, bool *known)
{
    hd_suite_file *f = r->file;
    const char *source;
    const struct {
        const char *word;
        const char **into;
    } texts[] = { { "cflags", &f->cflags }, { "net", &f->net }, { "cover", &f->cover }, { "method", &f->method },
        { "source", &source } };
    *known = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(word, texts[i].word))
            continue;
        if (!hd_record_reader_text(r->lines, texts[i].into, value))
            return false;
        if (texts[i].into == &source)
            hd_vec_push(&f->sources, source);
        return true;
    }
    return *known = false;
}

/* Lines that are none of a suite's belong to the head; there, unknown words are errors, so that a newer format is
 * noticed. */
static bool read_suite_line(reader *r, char *line)
{
    hd_suite_file *f = r->file;
    size_t length = strcspn(line, " ");
    char word[16] = "", *value = line + length + (line[length] == ' ');
    bool known;
    if (length < sizeof word)
        memcpy(word, line, length);
    if (r->ended)
        return damaged(r, "something follows the 'end'");
    bool fine = read_text_line(r, word, value, &known);
    if (known)
        return fine;
    if (!strcmp(word, "goal") && r->folder)
        return read_reached(r, value);
    if (!strcmp(word, "lost"))
        return read_lost(r, value);
    if (!strcmp(word, "goals"))
        return read_count(r, value, &f->goals);
    if (!strcmp(word, "lower"))
        return read_count(r, value, &f->lower);
    if (!strcmp(word, "build"))
        return hd_record_reader_number(r->lines, value, 16, UINT64_MAX, &f->build);
    if (!strcmp(word, "complete"))
        return (f->complete = !strcmp(value, "yes")) || !strcmp(value, "no") || damaged(r, "'yes' or 'no' is expected");
    if (!strcmp(word, "test"))
        return r->folder ? read_named_test(r, value) : begin_test(r, value);
    if (!strcmp(word, "end"))
        return r->ended = true;
    if (f->tests.count)
        return damaged(r, "a line that belongs to no test");
    return hd_record_reader_take(r->lines, line);
}

static bool read_line(reader *r, char *line)
{
    bool began = r->in_test;
    if (!began && !*line && !r->folder)
        return true; /* an empty line between tests */
    bool fine = began ? read_test_line(r, line) : read_suite_line(r, line);
    if (fine && r->in_test && !began) {
        hd_suite_file_test *test = hd_vec_last(&r->file->tests);
        hd_record_reader_begin(r->lines, &test->record, &r->file->head);
    }
    return fine;
}

static bool finish(reader *r)
{
    hd_suite_file *f = r->file;
    if (r->in_test || !r->ended)
        return hd_record_reader_cut_off(r->lines);
    if (r->folder && !f->tests.count)
        return damaged(r, "it has no test");
    if (r->folder)
        f->head = f->tests.items[0].record;
    return finish_head(r) && ((f->net && f->cover && f->method) || damaged(r, "net, cover or method is missing"));
}

static bool is_folder(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

bool hd_suite_file_read(hd_suite_file *f, const char *path, hd_arena *arena, hd_error *error)
{
    *f = (hd_suite_file) { .cflags = "" };
    bool folder = is_folder(path);
    const char *name = folder ? hd_arena_print(arena, "%s/suite.txt", path) : path;
    hd_record_reader *lines = hd_record_reader_open(name, "suite", arena, error);
    if (!lines)
        return false;
    reader r = { .file = f, .lines = lines, .arena = arena, .error = error, .folder = folder ? path : NULL };
    uint32_t format = hd_record_reader_header(lines, start, folder ? FORMAT_FOLDER : FORMAT);
    bool fine =
        format && (folder || format == FORMAT || damaged(&r, "it is the manifest of a folder: name the folder"));
    hd_record_reader_begin(lines, &f->head, NULL);
    for (char *line; fine && (line = hd_record_reader_line(lines));)
        fine = read_line(&r, line);
    fine = fine && finish(&r);
    hd_record_reader_close(lines);
    return fine;
}

bool hd_suite_file_is_one(const char *path)
{
    char name[PATH_MAX], first[sizeof start] = "";
    snprintf(name, sizeof name, "%s%s", path, is_folder(path) ? "/suite.txt" : "");
    FILE *in = fopen(name, "r");
    size_t size = in ? fread(first, 1, sizeof start - 1, in) : 0;
    if (in)
        fclose(in);
    return size == sizeof start - 1 && !strcmp(first, start);
}

/* --- paths ------------------------------------------------------------------------------------ */

const char *hd_suite_file_folder(const char *path, hd_arena *arena)
{
    const char *slash = strrchr(path, '/');
    if (is_folder(path))
        return path;
    return !slash ? "." : slash == path ? "/" : hd_arena_print(arena, "%.*s", (int)(slash - path), path);
}

const char *hd_suite_file_path(const char *folder, const char *path, hd_arena *arena)
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
