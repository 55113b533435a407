#include "base/library.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

bool hd_library_find(hd_arena *arena, const char **folder, hd_error *error)
{
    static const char *const folders[] = { "lib/heddle", "../lib/heddle" };
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return hd_fail(error, "cannot find heddle's own files: /proc/self/exe: %s", strerror(errno));
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        *folder = hd_arena_print(arena, "%s/%s", self, folders[i]);
        if (!access(*folder, R_OK))
            return true;
    }
    return hd_fail(error, "neither %s/lib/heddle nor %s/../lib/heddle exists; install heddle again", self, self);
}
