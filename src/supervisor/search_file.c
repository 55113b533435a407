#include "supervisor/search_file.h"

#include "base/map.h"
#include "worker/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT = 1, PAGE = 4096 };
static const char magic[8] = "hdsearch";

/* A part of the checkpoint: zero bytes, and bytes that follow in the file. */
typedef struct part {
    uint64_t zeros, bytes;
} part;

static uint64_t sum_of_head(const hd_search_head *head)
{
    return hd_hash_bytes(head, offsetof(hd_search_head, head_sum), FORMAT);
}

/* --- writing --------------------------------------------------------------------------------- */

typedef struct packing {
    FILE *out;
    uint64_t sum;
} packing;

/* Sums are made of pieces of this size, as the file is read. */
enum { PIECE = 1 << 14 };

static void put(packing *p, const char *bytes, uint64_t size)
{
    for (uint64_t at = 0; at < size;) {
        size_t more = size - at < PIECE ? (size_t)(size - at) : PIECE;
        fwrite(bytes + at, 1, more, p->out);
        p->sum = hd_hash_bytes(bytes + at, more, p->sum);
        at += more;
    }
}

static bool is_zero(const char *bytes, size_t size)
{
    return !*bytes && !memcmp(bytes, bytes + 1, size - 1);
}

/* The end of the pages from `at` on that are all zero, or all not. */
static uint64_t end_of_pages(const char *bytes, uint64_t at, uint64_t size, bool zero)
{
    for (size_t more; at < size; at += more) {
        more = size - at < PAGE ? (size_t)(size - at) : PAGE;
        if (is_zero(bytes + at, more) != zero)
            break;
    }
    return at;
}

static void pack(packing *p, const char *bytes, uint64_t size)
{
    for (uint64_t at = 0; at < size;) {
        uint64_t from = end_of_pages(bytes, at, size, true), to = end_of_pages(bytes, from, size, false);
        part next = { from - at, to - from };
        put(p, (const char *)&next, sizeof next);
        put(p, bytes + from, to - from);
        at = to;
    }
}

static void fill_in(hd_search_head *head, const hd_session *s)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    memcpy(head->magic, magic, sizeof magic);
    head->format = FORMAT;
    head->time = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    head->tests = s->counts.tests;
    head->hunted = s->counts.hunted;
    head->executions = s->counts.tests + s->counts.hunted + s->counts.blocked + s->counts.assumed;
    head->findings = s->keep->found_count;
}

static bool failed(const char *path, int why, hd_error *error)
{
    return hd_fail(error, "%s: the search cannot be kept: %s", path, strerror(why));
}

bool hd_search_file_write(
    const char *path, const char *unfinished, hd_search_head *head, bool *overtaken, hd_error *error)
{
    hd_checkpoint c;
    *overtaken = !hd_checkpoint_latest(&c);
    if (*overtaken)
        return hd_fail(error, "there is no checkpoint");
    packing p = { .out = fopen(unfinished, "we") };
    if (!p.out)
        return failed(unfinished, errno, error);
    fill_in(head, hd_checkpoint_session(&c));
    head->size = c.size;
    errno = 0;
    fwrite(head, sizeof *head, 1, p.out);
    pack(&p, c.bytes, c.size);
    *overtaken = !hd_checkpoint_was_kept(&c);
    head->sum = p.sum;
    head->head_sum = sum_of_head(head);
    bool written =
        !fseek(p.out, 0, SEEK_SET) && fwrite(head, sizeof *head, 1, p.out) == 1 && !fflush(p.out) && !ferror(p.out);
    int why = errno;
    written &= !fclose(p.out);
    if (written && !*overtaken && !rename(unfinished, path))
        return true;
    failed(path, why ? why : errno, error);
    unlink(unfinished);
    return false;
}

/* --- reading --------------------------------------------------------------------------------- */

static bool damaged(const char *path, hd_error *error)
{
    return hd_fail(error, "%s: the file is damaged", path);
}

/* Sums the parts up to the end of the file, and copies them to `into` unless that is NULL. False: they are not a
 * checkpoint of this size. */
static bool unpack(FILE *in, const hd_search_head *head, char *into, uint64_t *sum)
{
    char bytes[PIECE];
    part p;
    uint64_t at = 0;
    *sum = 0;
    while (at < head->size && fread(&p, sizeof p, 1, in) == 1) {
        if (p.zeros > head->size - at || p.bytes > head->size - at - p.zeros || !(p.zeros + p.bytes))
            return false;
        *sum = hd_hash_bytes(&p, sizeof p, *sum);
        at += p.zeros;
        uint64_t whole = 0;
        for (uint64_t left = p.bytes; left; left -= whole, at += whole) {
            whole = left < sizeof bytes ? left : sizeof bytes;
            if (fread(bytes, 1, whole, in) != whole)
                return false;
            *sum = hd_hash_bytes(bytes, whole, *sum);
            if (into)
                memcpy(into + at, bytes, whole);
        }
    }
    return at == head->size && fgetc(in) == EOF && !ferror(in);
}

static bool ends(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static bool read_head(FILE *in, const char *path, hd_search_head *head, hd_error *error)
{
    if (fread(head, sizeof *head, 1, in) != 1 || memcmp(head->magic, magic, sizeof magic) != 0)
        return hd_fail(error, "%s: this is not a search of heddle, or the file is damaged", path);
    if (head->format != FORMAT)
        return hd_fail(error, "%s: the search was kept by another version of heddle", path);
    bool whole = head->head_sum == sum_of_head(head) && ends(head->given, sizeof head->given)
        && ends(head->explorer, sizeof head->explorer) && ends(head->options, sizeof head->options);
    return whole || damaged(path, error);
}

static FILE *open_file(const char *path, hd_search_head *head, hd_error *error)
{
    FILE *in = fopen(path, "re");
    if (!in) {
        hd_fail(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (read_head(in, path, head, error))
        return in;
    fclose(in);
    return NULL;
}

bool hd_search_file_read(const char *path, hd_search_head *head, bool whole, hd_error *error)
{
    uint64_t sum;
    FILE *in = open_file(path, head, error);
    if (!in)
        return false;
    bool is_right = !whole || (unpack(in, head, NULL, &sum) && sum == head->sum);
    fclose(in);
    return is_right || damaged(path, error);
}

bool hd_search_file_load(const char *path, hd_session *s, hd_search_head *head, hd_error *error)
{
    uint64_t sum;
    /* The sum is known first: what is read goes into the session's memory. */
    if (!hd_search_file_read(path, head, true, error))
        return false;
    char *room = hd_checkpoint_room(head->size);
    FILE *in = room ? open_file(path, head, error) : NULL;
    bool loaded = in && unpack(in, head, room, &sum) && sum == head->sum && hd_checkpoint_adopt(s, head->size);
    if (in)
        fclose(in);
    return loaded || damaged(path, error);
}
