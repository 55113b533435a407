#include "runtime/symbolic/sources.h"

#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/symbolic/inputs.h"
#include "runtime/symbolic/lines.h"
#include "runtime/symbolic/toss.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_SOURCES = 32 };

typedef enum kind { ARGUMENT, VARIABLE, INPUT_STREAM, FILE_BYTES } kind;

typedef struct source {
    kind kind;
    char *name; /* as its inputs are called; a file's path, a variable's name */
    int number; /* of an argument */
    uint64_t bytes;
    char *text; /* bytes and a 0 behind them */
    int fd; /* the file in memory */
    ino_t inode;
    uint32_t first; /* of its inputs */
} source;

static source sources[MOST_SOURCES];
static uint32_t count;

/* --- reading HD_ENV_SYMBOLIC ------------------------------------------------------- */

static _Noreturn void refuse(const char *line)
{
    fprintf(stderr,
        "heddle: " HD_ENV_SYMBOLIC ": '%s' is none of 'arg N BYTES', 'stdin BYTES', 'file PATH BYTES', "
        "'env NAME BYTES', 'toss FUNCTION N'\n",
        line);
    exit(2);
}

/* Removes the number after the last space, and returns it. */
static uint64_t take_number(char *line, const char *whole)
{
    char *space = strrchr(line, ' '), *end;
    if (!space)
        refuse(whole);
    uint64_t number = strtoull(space + 1, &end, 10);
    if (*end || end == space + 1 || number > HD_INPUT_ROOM)
        refuse(whole);
    *space = '\0';
    return number;
}

static int takes(char **line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*line, word, length) || ((*line)[length] && (*line)[length] != ' '))
        return 0;
    *line += length + ((*line)[length] == ' ');
    return 1;
}

static void name_argument(source *s, char *number, const char *whole)
{
    char *end;
    s->number = (int)strtol(number, &end, 10);
    if (*end || end == number || s->number < 0 || s->number > 1000)
        refuse(whole);
    if (asprintf(&s->name, "arg%d", s->number) < 0)
        abort();
}

static void add(const char *whole)
{
    source s = { .fd = -1 };
    char *line = strdup(whole);
    if (count == MOST_SOURCES)
        refuse("too many lines");
    s.bytes = take_number(line, whole);
    if (takes(&line, "toss")) {
        if (!hd_toss_add(line, s.bytes))
            refuse(whole);
        return;
    }
    if (takes(&line, "arg")) {
        name_argument(&s, line, whole);
    } else if (takes(&line, "stdin")) {
        s.kind = INPUT_STREAM;
        s.name = "stdin";
    } else if (takes(&line, "file") && *line) {
        s.kind = FILE_BYTES;
        s.name = line;
    } else if (takes(&line, "env") && *line) {
        s.kind = VARIABLE;
        s.name = line;
    } else {
        refuse(whole);
    }
    sources[count++] = s;
}

/* The text of a variable becomes part of the environment, with "NAME=" before it. */
static void make_text(source *s)
{
    size_t before = s->kind == VARIABLE ? strlen(s->name) + 1 : 0;
    char *whole = calloc(1, before + s->bytes + 1);
    if (!whole)
        abort();
    s->text = whole + before;
    if (s->kind != VARIABLE)
        return;
    sprintf(whole, "%s=", s->name);
    putenv(whole);
}

static void make_file(source *s)
{
    struct stat status;
    s->fd = memfd_create("heddle-input", MFD_CLOEXEC);
    if (s->fd < 0 || ftruncate(s->fd, (off_t)s->bytes) || fstat(s->fd, &status)) {
        perror("heddle: a file of inputs cannot be made");
        exit(2);
    }
    s->inode = status.st_ino;
}

void hd_sources_init(void)
{
    const char *text = getenv(HD_ENV_SYMBOLIC);
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = calloc(1, length + 1);
        if (!line)
            abort();
        memcpy(line, text, length);
        if (*line)
            add(line);
        free(line);
        text += length + (text[length] == '\n');
    }
    for (uint32_t i = 0; i < count; i++) {
        make_text(&sources[i]);
        if (sources[i].kind == INPUT_STREAM || sources[i].kind == FILE_BYTES)
            make_file(&sources[i]);
    }
}

/* --- a run ---------------------------------------------------------------------------- */

void hd_sources_draw(void)
{
    for (uint32_t i = 0; i < count; i++) {
        source *s = &sources[i];
        s->first = *hd_rt.input_count;
        hd_input_bytes(s->text, s->bytes, s->name, NULL);
        s->text[s->bytes] = '\0';
        if (s->fd >= 0 && hd_system(SYS_pwrite64, s->fd, s->text, s->bytes, 0) != (long)s->bytes)
            hd_end(HD_MODEL_LIMIT, NULL, "a file of inputs cannot be written");
    }
}

int hd_sources_arguments(int given)
{
    int most = given;
    for (uint32_t i = 0; i < count; i++)
        if (sources[i].kind == ARGUMENT && sources[i].number >= most)
            most = sources[i].number + 1;
    return most;
}

int hd_sources_has_arguments(void)
{
    for (uint32_t i = 0; i < count; i++)
        if (sources[i].kind == ARGUMENT)
            return 1;
    return 0;
}

char *hd_sources_argument(int number)
{
    for (uint32_t i = 0; i < count; i++)
        if (sources[i].kind == ARGUMENT && sources[i].number == number)
            return sources[i].text;
    return NULL;
}

/* --- files ------------------------------------------------------------------------------- */

int hd_sources_open(const char *path)
{
    char self[40];
    for (uint32_t i = 0; i < count; i++) {
        const source *s = &sources[i];
        if (path ? s->kind != FILE_BYTES || strcmp(path, s->name) : s->kind != INPUT_STREAM)
            continue;
        snprintf(self, sizeof self, "/proc/self/fd/%d", s->fd);
        return open(self, O_RDONLY | O_CLOEXEC);
    }
    return -1;
}

/* The inode identifies the file, however the program got the descriptor (dup, open). */
static const source *source_of(int fd)
{
    struct stat status;
    if (!count || fd < 0 || fstat(fd, &status))
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (sources[i].fd >= 0 && sources[i].inode == status.st_ino)
            return &sources[i];
    return NULL;
}

int hd_sources_is(int fd)
{
    return source_of(fd) != NULL;
}

static uint32_t shadow_at(const source *s, int64_t position)
{
    return position >= 0 && (uint64_t)position < s->bytes ? hd_rt.inputs[s->first + (uint64_t)position].expr : 0;
}

uint32_t hd_sources_byte(int fd, int64_t position)
{
    const source *s = hd_exploring() ? source_of(fd) : NULL;
    return s ? shadow_at(s, position) : 0;
}

void hd_sources_read(int fd, int64_t position, void *to, uint64_t bytes)
{
    const source *s = hd_exploring() ? source_of(fd) : NULL;
    for (uint64_t i = 0; s && i < bytes; i++)
        hd_lines_store((char *)to + i, 1, shadow_at(s, position + (int64_t)i));
}
