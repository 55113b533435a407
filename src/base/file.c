#include "base/file.h"

#include "base/map.h"

#include <errno.h>
#include <string.h>

char *hd_file_read(FILE *in, hd_arena *arena, size_t *size)
{
    size_t room = 1 << 16, used = 0;
    char *text = hd_alloc(&hd_heap, room);
    for (size_t got; (got = fread(text + used, 1, room - used - 1, in)) > 0;) {
        used += got;
        if (used + 1 == room) {
            text = hd_resize(&hd_heap, text, room, room * 2);
            room *= 2;
        }
    }
    char *copy = hd_arena_alloc(arena, used + 1);
    memcpy(copy, text, used);
    copy[used] = '\0';
    hd_release(&hd_heap, text, room);
    *size = used;
    return copy;
}

FILE *hd_file_create(const char *name, hd_error *error)
{
    FILE *out = fopen(name, "w");
    if (!out)
        hd_fail(error, "%s: cannot be written: %s", name, strerror(errno));
    return out;
}

bool hd_file_close(FILE *out, const char *name, hd_error *error)
{
    /* An earlier write may have failed where the last one, made by fclose, does not. */
    bool written = !ferror(out);
    return (fclose(out) == 0 && written) || hd_fail(error, "%s: cannot be written", name);
}

bool hd_file_hash(const char *path, uint64_t *hash)
{
    char bytes[4096];
    FILE *in = fopen(path, "r");
    if (!in)
        return false;
    *hash = 0;
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) > 0;)
        *hash = hd_hash_bytes(bytes, size, *hash);
    bool whole = !ferror(in);
    fclose(in);
    return whole;
}
