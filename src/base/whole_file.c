#include "base/whole_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool failed(const hd_whole_file *f, hd_error *error)
{
    return hd_fail(error, "%s: %scannot be written: %s", f->path, f->what, strerror(errno));
}

bool hd_whole_file_open(hd_whole_file *f, const char *path, const char *what, hd_arena *arena, hd_error *error)
{
    *f = (hd_whole_file) { .path = path, .what = what, .unfinished = hd_arena_print(arena, "%s.new", path) };
    f->out = fopen(f->unfinished, "w");
    return f->out || failed(f, error);
}

bool hd_whole_file_close(hd_whole_file *f, hd_error *error)
{
    bool written = !fflush(f->out) && !ferror(f->out);
    written &= !fclose(f->out);
    if (written && !rename(f->unfinished, f->path))
        return true;
    failed(f, error);
    unlink(f->unfinished);
    return false;
}
