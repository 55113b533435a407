/* Input from files and from standard input (see runtime/libc/files.h). */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/libc/see.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/heap.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/sources.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A buffer for input of unknown length, so that only the bytes that were really read are written to the program's
 * memory. */
static char *bounce(size_t size)
{
    char *buffer = malloc(size ? size : 1);
    if (!buffer)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "no memory to read %zu bytes", size);
    return buffer;
}

static void deliver(void *to, char *buffer, size_t n, const hd_site *site)
{
    SEE(site, WRITES(to, n));
    memcpy(to, buffer, n);
    free(buffer);
}

/* --- inputs --------------------------------------------------------------------------- */

/* The position of a stream whose bytes may be inputs. */
typedef struct position {
    int fd; /* -1: its bytes are no inputs */
    off_t position;
} position;

static position position_of(FILE *source)
{
    int fd = hd_fast_state.symbolic ? fileno(source) : -1;
    return hd_sources_is(fd) ? (position) { fd, ftello(source) } : (position) { -1, 0 };
}

/* The number of bytes that have been read since then. */
static size_t read_since(position p, FILE *source)
{
    return (size_t)(ftello(source) - p.position);
}

/* A line ends at the first byte that is `end`: for each byte, whether it is `end` is a branch. */
static void branch_on_end(position p, const char *text, size_t n, int end, const hd_site *site)
{
    for (size_t i = 0; p.fd >= 0 && i < n; i++) {
        uint32_t byte = hd_sources_byte(p.fd, p.position + (off_t)i);
        if (byte)
            hd_branch(hd_follow_make(HD_EXPR_EQ, 8, byte, 0, 0, (uint8_t)end), text[i] == (char)end, site);
    }
}

/* --- blocks and lines ----------------------------------------------------------------- */

HD_FACE size_t hd_fread(void *to, size_t size, size_t count, FILE *stream)
{
    const hd_site *site = hd_call_site;
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes) || !bytes)
        return 0;
    FILE *source = hd_use_stream(stream, site);
    char *buffer = bounce(bytes);
    position p = position_of(source);
    size_t got = fread(buffer, 1, bytes, source);
    deliver(to, buffer, got, site);
    hd_sources_read(p.fd, p.position, to, got);
    return got / size;
}

HD_FACE ssize_t hd_file_read(int fd, void *to, size_t size)
{
    const hd_site *site = hd_call_site;
    ssize_t result;
    if (hd_modelled_read(fd, &(struct iovec) { to, size }, 1, &result))
        return result;
    hd_call_site = site;
    int source = hd_use_fd(fd, site);
    hd_fs_use_mapped(fd, 0, site);
    char *buffer = bounce(size);
    off_t position = hd_sources_is(source) ? lseek(source, 0, SEEK_CUR) : 0;
    hd_await_by_hand(source, POLLIN);
    ssize_t got = hd_kernel_make(SYS_read, source, (long)buffer, (long)size, 0);
    deliver(to, buffer, got > 0 ? (size_t)got : 0, site);
    hd_sources_read(source, position, to, got > 0 ? (size_t)got : 0);
    return got;
}

HD_FACE char *hd_fgets(char *to, int size, FILE *stream)
{
    const hd_site *site = hd_call_site;
    if (size <= 0)
        return NULL;
    FILE *source = hd_use_stream(stream, site);
    char *buffer = bounce((size_t)size);
    position p = position_of(source);
    if (!fgets(buffer, size, source)) {
        free(buffer);
        return NULL;
    }
    size_t n = p.fd < 0 ? strlen(buffer) : read_since(p, source);
    branch_on_end(p, buffer, n, '\n', site);
    deliver(to, buffer, n + 1, site);
    hd_sources_read(p.fd, p.position, to, n);
    return to;
}

/* Returns a byte as an int, with its shadow as the result of `function`, or EOF, which depends on the position alone.
 */
static int get_character(FILE *stream, const void *function)
{
    FILE *source = hd_use_stream(stream, hd_call_site);
    position p = position_of(source);
    int c = fgetc(source);
    uint32_t byte = c == EOF ? 0 : hd_sources_byte(p.fd, p.position);
    int is_input = byte && hd_expr_value(byte) == (uint64_t)c;
    hd_returns_from(function, is_input ? hd_expr_unary(HD_EXPR_ZEXT, 32, 0, byte) : 0);
    return c;
}

HD_FACE int hd_getchar(void)
{
    return get_character(stdin, (const void *)hd_getchar);
}

HD_FACE int hd_getchar_unlocked(void)
{
    return get_character(stdin, (const void *)hd_getchar_unlocked);
}

/* getc and similar functions, and the names that <stdio.h> gives them when it optimises. */
#define SAME_AS_FGETC(name) \
    HD_FACE int hd_##name(FILE *stream) \
    { \
        return get_character(stream, (const void *)hd_##name); \
    }
SAME_AS_FGETC(fgetc)
SAME_AS_FGETC(getc)
SAME_AS_FGETC(getc_unlocked)
SAME_AS_FGETC(fgetc_unlocked)
SAME_AS_FGETC(__uflow)
#undef SAME_AS_FGETC

HD_FACE int hd_ungetc(int c, FILE *stream)
{
    return ungetc(c, hd_use_stream(stream, hd_call_site));
}

HD_FACE ssize_t hd_getdelim(char **line, size_t *room, int end, FILE *stream)
{
    const hd_site *site = hd_call_site;
    FILE *source = hd_use_stream(stream, site);
    char *text = NULL;
    size_t text_room = 0;
    position p = position_of(source);
    ssize_t got = getdelim(&text, &text_room, end, source);
    if (got >= 0) {
        branch_on_end(p, text, (size_t)got, end, site);
        SEE(site, WRITES(line, sizeof *line), WRITES(room, sizeof *room));
        hd_call_site = site;
        if (!*line || *room < (size_t)got + 1) {
            *room = (size_t)got + 1 < 120 ? 120 : (size_t)got + 1;
            *line = hd_face_realloc(*line, *room);
        }
        SEE(site, WRITES(*line, (size_t)got + 1));
        memcpy(*line, text, (size_t)got + 1);
        hd_sources_read(p.fd, p.position, *line, (uint64_t)got);
    }
    hd_face_free(text);
    return got;
}

HD_FACE ssize_t hd___getdelim(char **line, size_t *room, int end, FILE *stream)
{
    return hd_getdelim(line, room, end, stream);
}

HD_FACE ssize_t hd_getline(char **line, size_t *room, FILE *stream)
{
    return hd_getdelim(line, room, '\n', stream);
}

/* --- positions in files ----------------------------------------------------------------- */

HD_FACE int hd_fseek(FILE *stream, long offset, int from)
{
    return fseek(hd_use_stream(stream, hd_call_site), offset, from);
}

HD_FACE int hd_fseeko(FILE *stream, off_t offset, int from)
{
    return fseeko(hd_use_stream(stream, hd_call_site), offset, from);
}

HD_FACE long hd_ftell(FILE *stream)
{
    return ftell(hd_use_stream(stream, hd_call_site));
}

HD_FACE off_t hd_ftello(FILE *stream)
{
    return ftello(hd_use_stream(stream, hd_call_site));
}

HD_FACE void hd_rewind(FILE *stream)
{
    rewind(hd_use_stream(stream, hd_call_site));
}

HD_FACE off_t hd_lseek(int fd, off_t offset, int from)
{
    if (hd_modelled_refuses(fd, ESPIPE))
        return -1;
    return hd_kernel_make(SYS_lseek, hd_use_fd(fd, hd_call_site), offset, from, 0);
}

HD_FACE int hd_feof(FILE *stream)
{
    return hd_is_console(stream) ? 0 : feof(hd_use_stream(stream, hd_call_site));
}

HD_FACE int hd_ferror(FILE *stream)
{
    return hd_is_console(stream) ? 0 : ferror(hd_use_stream(stream, hd_call_site));
}

HD_FACE void hd_clearerr(FILE *stream)
{
    if (!hd_is_console(stream))
        clearerr(hd_use_stream(stream, hd_call_site));
}

/* --- variants of _FORTIFY_SOURCE, which know the room --------------------------------- */

HD_FACE char *hd___fgets_chk(char *to, size_t room, int size, FILE *stream)
{
    hd_check_room(size > 0 ? (size_t)size : 0, room);
    return hd_fgets(to, size, stream);
}

HD_FACE ssize_t hd___read_chk(int fd, void *to, size_t size, size_t room)
{
    hd_check_room(size, room);
    return hd_file_read(fd, to, size);
}

HD_FACE size_t hd___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
    hd_check_room(size * count, room);
    return hd_fread(to, size, count, stream);
}
