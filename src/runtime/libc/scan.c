/* scanf. The C library scans into memory of the runtime; the results are then written to the program's memory, with
 * checks and operations as for any other write. Strings may have any length, so the C library allocates them (%ms). */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/libc/format.h"
#include "runtime/libc/see.h"
#include "runtime/reset/heap.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/sources.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TARGETS = 32, MOST_FORMAT = 1024 };

typedef enum shape { NUMBER, COUNT /* %n */, STRING, CHARACTERS } shape;

typedef struct target {
    void *user;
    shape shape;
    int allocates; /* the program asks for an allocated string (%ms) */
    size_t size; /* of a number or of characters */
    union {
        char *text;
        unsigned char number[16];
    } got;
} target;

typedef struct scan {
    target targets[MOST_TARGETS];
    void *arguments[MOST_TARGETS]; /* what the C library gets */
    uint32_t count;
    char format[MOST_FORMAT]; /* with %ms for %s */
    size_t length;
    const hd_site *site;
} scan;

/* --- reading the format -------------------------------------------------------------- */

static void put(scan *s, char c)
{
    if (s->length + 2 > MOST_FORMAT)
        hd_end(HD_MODEL_LIMIT, s->site, "a scanf format of more than %d characters is not modelled yet", MOST_FORMAT);
    s->format[s->length++] = c;
    s->format[s->length] = '\0';
}

static size_t size_of_integer(const char *length)
{
    if (length[0] == 'h')
        return length[1] == 'h' ? 1 : 2;
    return length[0] ? 8 : 4;
}

static size_t size_of_real(const char *length)
{
    return length[0] == 'L' ? 16 : length[0] == 'l' ? 8 : 4;
}

static void add_target(scan *s, target t, va_list args)
{
    if (s->count == MOST_TARGETS)
        hd_end(HD_MODEL_LIMIT, s->site, "scanf with more than %d results is not modelled yet", MOST_TARGETS);
    t.user = va_arg(args, void *);
    s->targets[s->count] = t;
    s->arguments[s->count] = &s->targets[s->count].got;
    memset(&s->targets[s->count].got, t.shape == COUNT ? 0xa5 : 0, sizeof t.got);
    s->count++;
}

/* Copies the set of %[…], which `f` points to. */
static const char *copy_set(scan *s, const char *f)
{
    put(s, *f++);
    if (*f == '^')
        put(s, *f++);
    if (*f == ']')
        put(s, *f++);
    while (*f && *f != ']')
        put(s, *f++);
    if (*f)
        put(s, *f++);
    return f;
}

/* Copies the conversion after a '%', and records the target of its result. */
static const char *read_conversion(scan *s, const char *f, va_list args)
{
    int suppressed = *f == '*';
    char length[3] = "";
    target t = { .size = 1 };
    if (suppressed)
        put(s, *f++);
    if (*f >= '0' && *f <= '9')
        t.size = (size_t)strtoul(f, NULL, 10);
    while (*f >= '0' && *f <= '9')
        put(s, *f++);
    if (*f == '$')
        hd_end(HD_MODEL_LIMIT, s->site, "scanf with numbered arguments is not modelled yet");
    t.allocates = *f == 'm';
    f += t.allocates;
    for (unsigned i = 0; *f && strchr("hlLqjzt", *f) && i < 2; i++)
        length[i] = *f++;
    char kind = *f;
    if (length[0] && strchr("sc[", kind))
        hd_end(HD_MODEL_LIMIT, s->site, "scanf of wide characters is not modelled yet");
    if (kind && strchr("sc[", kind)) {
        t.shape = kind == 'c' ? CHARACTERS : STRING;
        if (!suppressed)
            put(s, 'm');
    } else {
        t.shape = kind == 'n' ? COUNT : NUMBER;
        t.size = kind == 'p' ? 8 : kind && strchr("aefgAEFG", kind) ? size_of_real(length) : size_of_integer(length);
        for (const char *l = length; *l; l++)
            put(s, *l);
    }
    if (!suppressed && kind && kind != '%')
        add_target(s, t, args);
    if (kind == '[')
        return copy_set(s, f);
    if (kind)
        put(s, kind);
    return kind ? f + 1 : f;
}

static void read_format(scan *s, const char *f, va_list args)
{
    s->site = hd_call_site;
    hd_see_string(f, s->site);
    put(s, ' ');
    s->length = 0;
    s->format[0] = '\0';
    while (*f) {
        char c = *f++;
        put(s, c);
        if (c == '%')
            f = read_conversion(s, f, args);
    }
}

/* --- results ------------------------------------------------------------------------- */

static void give(void *to, const void *from, size_t size, const hd_site *site)
{
    SEE(site, WRITES(to, size));
    memcpy(to, from, size);
}

static void give_allocated(const target *t, size_t size, const hd_site *site)
{
    hd_call_site = site;
    char *copy = hd_face_malloc(size);
    if (copy)
        memcpy(copy, t->got.text, size);
    give(t->user, &copy, sizeof copy, site);
}

static void give_target(target *t, const hd_site *site)
{
    if (t->shape == NUMBER || t->shape == COUNT) {
        give(t->user, t->got.number, t->size, site);
        return;
    }
    size_t size = t->shape == STRING ? strlen(t->got.text) + 1 : t->size;
    if (t->allocates)
        give_allocated(t, size, site);
    else
        give(t->user, t->got.text, size, site);
    hd_face_free(t->got.text);
}

static int is_given(const target *t, int *left)
{
    static const unsigned char untouched[8] = { 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5 };
    if (t->shape == COUNT)
        return memcmp(t->got.number, untouched, t->size) != 0;
    return (*left)-- > 0;
}

static int deliver(scan *s, int result)
{
    int left = result;
    for (uint32_t i = 0; i < s->count; i++)
        if (is_given(&s->targets[i], &left))
            give_target(&s->targets[i], s->site);
    return result;
}

/* --- the calls ------------------------------------------------------------------------- */

/* A va_list for the C library with pointers to the runtime's memory. It says that all registers are used, so all
 * arguments are taken from the overflow area. */
typedef union list {
    va_list args;
    struct {
        unsigned general, floating;
        void *others, *saved;
    } parts;
} list;

static list arguments_of(scan *s)
{
    return (list) { .parts = { .general = 48, .floating = 176, .others = s->arguments } };
}

HD_FACE int hd_vsscanf(const char *text, const char *format, va_list args)
{
    scan s = { .count = 0 };
    read_format(&s, format, args);
    hd_see_string(text, s.site);
    list arguments = arguments_of(&s);
    return deliver(&s, vsscanf(text, s.format, arguments.args));
}

/* The bytes that were scanned and are inputs are followed: scanf computes concretely. */
static void follow_scanned(int fd, off_t from, FILE *source, const hd_site *site)
{
    off_t to = hd_sources_is(fd) ? ftello(source) : from;
    for (off_t at = from; hd_sources_is(fd) && at <= to; at++)
        hd_branch_follow(hd_sources_byte(fd, at), site);
}

HD_FACE int hd_vfscanf(FILE *stream, const char *format, va_list args)
{
    scan s = { .count = 0 };
    read_format(&s, format, args);
    FILE *source = hd_use_stream(stream, s.site);
    list arguments = arguments_of(&s);
    int fd = hd_fast_state.symbolic ? fileno(source) : -1;
    off_t from = hd_sources_is(fd) ? ftello(source) : 0;
    int result = vfscanf(source, s.format, arguments.args);
    follow_scanned(fd, from, source, s.site);
    return deliver(&s, result);
}

/* All functions, under the different names that <stdio.h> gives them. */
#define SCANF(prefix) \
    HD_FACE int hd_##prefix##sscanf(const char *text, const char *format, ...) \
    { \
        HD_FORWARD(hd_vsscanf(text, format, args)); \
    } \
    HD_FACE int hd_##prefix##fscanf(FILE *stream, const char *format, ...) \
    { \
        HD_FORWARD(hd_vfscanf(stream, format, args)); \
    } \
    HD_FACE int hd_##prefix##scanf(const char *format, ...) \
    { \
        HD_FORWARD(hd_vfscanf(stdin, format, args)); \
    } \
    HD_FACE int hd_##prefix##vscanf(const char *format, va_list args) \
    { \
        return hd_vfscanf(stdin, format, args); \
    }
SCANF()
SCANF(__isoc99_)
SCANF(__isoc23_)

#define SAME(prefix) \
    HD_FACE int hd_##prefix##vsscanf(const char *text, const char *format, va_list args) \
    { \
        return hd_vsscanf(text, format, args); \
    } \
    HD_FACE int hd_##prefix##vfscanf(FILE *stream, const char *format, va_list args) \
    { \
        return hd_vfscanf(stream, format, args); \
    }
SAME(__isoc99_)
SAME(__isoc23_)
