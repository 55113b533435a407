/* Input from files and from standard input (see runtime/libc/files.h). */
#include "runtime/face/face.h"
#include "runtime/heap.h"
#include "runtime/libc/files.h"
#include "runtime/libc/see.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A buffer that input of unknown length goes through, so that only what was
 * really read is written to the user's memory. */
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

HD_FACE size_t hd_fread(void *to, size_t size, size_t count, FILE *stream)
{
    const hd_site *site = hd_call_site;
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes) || !bytes)
        return 0;
    FILE *source = hd_use_stream(stream, site);
    char *buffer = bounce(bytes);
    size_t got = fread(buffer, 1, bytes, source);
    deliver(to, buffer, got, site);
    return got / size;
}

HD_FACE ssize_t hd_file_read(int fd, void *to, size_t size)
{
    const hd_site *site = hd_call_site;
    int source = hd_use_fd(fd, site);
    char *buffer = bounce(size);
    ssize_t got = read(source, buffer, size);
    deliver(to, buffer, got > 0 ? (size_t)got : 0, site);
    return got;
}

HD_FACE char *hd_fgets(char *to, int size, FILE *stream)
{
    const hd_site *site = hd_call_site;
    if (size <= 0)
        return NULL;
    FILE *source = hd_use_stream(stream, site);
    char *buffer = bounce((size_t)size);
    if (!fgets(buffer, size, source)) {
        free(buffer);
        return NULL;
    }
    deliver(to, buffer, strlen(buffer) + 1, site);
    return to;
}

HD_FACE int hd_fgetc(FILE *stream)
{
    return fgetc(hd_use_stream(stream, hd_call_site));
}

HD_FACE int hd_getchar(void)
{
    return hd_fgetc(stdin);
}

HD_FACE int hd_getchar_unlocked(void)
{
    return hd_fgetc(stdin);
}

/* getc and its kin, and what <stdio.h> makes of them when it optimises. */
#define SAME_AS_FGETC(name) \
    HD_FACE int hd_##name(FILE *stream) \
    { \
        return hd_fgetc(stream); \
    }
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
    ssize_t got = getdelim(&text, &text_room, end, source);
    if (got >= 0) {
        SEE(site, WRITES(line, sizeof *line), WRITES(room, sizeof *room));
        hd_call_site = site;
        if (!*line || *room < (size_t)got + 1) {
            *room = (size_t)got + 1 < 120 ? 120 : (size_t)got + 1;
            *line = hd_heap_resize(*line, *room);
        }
        SEE(site, WRITES(*line, (size_t)got + 1));
        memcpy(*line, text, (size_t)got + 1);
    }
    free(text);
    return got;
}

HD_FACE ssize_t hd_getline(char **line, size_t *room, FILE *stream)
{
    return hd_getdelim(line, room, '\n', stream);
}

/* --- places in files ------------------------------------------------------------------ */

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
    return lseek(hd_use_fd(fd, hd_call_site), offset, from);
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

/* --- what _FORTIFY_SOURCE calls: the room is known ---------------------------------- */

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
