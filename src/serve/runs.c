#include "serve/runs.h"

#include "base/file.h"
#include "base/json.h"
#include "report/page.h"
#include "serve/digest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SIZE = 256 << 20, MOST_LISTED = 500 };

typedef struct entry {
    char name[256];
    struct timespec modified;
    int64_t size;
} entry;

typedef hd_vec(entry) entries;

struct hd_serve_runs {
    int folder;
    char *path;
    entries known; /* the runs of `list` */
    char *list;
};

hd_serve_runs *hd_serve_runs_open(const char *folder, hd_error *error)
{
    if (mkdir(folder, 0777) < 0 && errno != EEXIST) {
        hd_fail(error, "%s: the folder cannot be made: %s", folder, strerror(errno));
        return NULL;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *path = fd < 0 ? NULL : realpath(folder, NULL);
    if (!path) {
        hd_fail(error, "%s: the folder cannot be opened: %s", folder, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    hd_serve_runs *r = hd_alloc(&hd_heap, sizeof *r);
    *r = (hd_serve_runs) { .folder = fd, .path = path };
    return r;
}

void hd_serve_runs_close(hd_serve_runs *r)
{
    close(r->folder);
    free(r->path);
    free(r->list);
    hd_vec_fini(&r->known);
    hd_release(&hd_heap, r, sizeof *r);
}

const char *hd_serve_runs_folder(const hd_serve_runs *r)
{
    return r->path;
}

/* --- files of the folder ------------------------------------------------------------------------ */

static bool is_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/') && strlen(name) < sizeof((entry *)0)->name;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcmp(name + length - tail, ending);
}

static FILE *open_file(const hd_serve_runs *r, const char *name, struct stat *about)
{
    int fd = is_name(name) ? openat(r->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    bool fits = fd >= 0 && !fstat(fd, about) && S_ISREG(about->st_mode) && about->st_size <= MOST_SIZE;
    if (fd >= 0 && !fits)
        close(fd);
    return fits ? fdopen(fd, "r") : NULL;
}

bool hd_serve_runs_has(const hd_serve_runs *r, const char *name, const char *ending)
{
    struct stat about;
    FILE *in = ends_with(name, ending) ? open_file(r, name, &about) : NULL;
    if (in)
        fclose(in);
    return in;
}

static char *read_file(
    const hd_serve_runs *r, const char *name, const char *ending, struct stat *about, hd_arena *arena)
{
    size_t size;
    FILE *in = ends_with(name, ending) ? open_file(r, name, about) : NULL;
    char *text = in ? hd_file_read(in, arena, &size) : NULL;
    if (in)
        fclose(in);
    return text && strlen(text) == size ? text : NULL;
}

char *hd_serve_runs_read(const hd_serve_runs *r, const char *name, hd_arena *arena)
{
    struct stat about;
    char *text = read_file(r, name, ".json", &about, arena);
    return text && hd_report_is_result(text) ? text : NULL;
}

/* --- the list -------------------------------------------------------------------------------------- */

static int compare_ages(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->modified.tv_sec != y->modified.tv_sec)
        return x->modified.tv_sec < y->modified.tv_sec ? 1 : -1;
    if (x->modified.tv_nsec != y->modified.tv_nsec)
        return x->modified.tv_nsec < y->modified.tv_nsec ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* The files that end so, the newest first. */
static entries find(const hd_serve_runs *r, const char *ending)
{
    entries found = { 0 };
    int fd = openat(r->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    struct stat about;
    for (struct dirent *d; folder && (d = readdir(folder));) {
        if (!is_name(d->d_name) || !ends_with(d->d_name, ending)
            || fstatat(r->folder, d->d_name, &about, AT_SYMLINK_NOFOLLOW) || !S_ISREG(about.st_mode))
            continue;
        entry *e = hd_vec_add(&found);
        memset(e, 0, sizeof *e);
        strcpy(e->name, d->d_name);
        e->modified = about.st_mtim;
        e->size = about.st_size;
    }
    if (folder)
        closedir(folder);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, compare_ages);
    if (found.count > MOST_LISTED)
        found.count = MOST_LISTED;
    return found;
}

static double seconds_of(const struct timespec *t)
{
    return (double)t->tv_sec + (double)t->tv_nsec * 1e-9;
}

static void put_run(const hd_serve_runs *r, const entry *e, bool *filled, FILE *out)
{
    static const char *const bulk[] = { "text", "steps", "threads", "objects", "accesses", "lines", "samples",
        "unfolding", NULL };
    hd_arena arena;
    char *digest = NULL;
    size_t size;
    hd_arena_init(&arena, &hd_heap);
    char *text = hd_serve_runs_read(r, e->name, &arena);
    FILE *copy = open_memstream(&digest, &size);
    bool fine = text && hd_serve_digest(text, bulk, copy);
    fclose(copy);
    if (fine) {
        hd_json j;
        fputs(*filled ? ",\n{ \"name\": " : "{ \"name\": ", out);
        hd_json_open(&j, out);
        hd_json_text(&j, NULL, e->name);
        fprintf(out, ", \"modified\": %.3f, \"size\": %lld, \"result\": %s }", seconds_of(&e->modified),
            (long long)e->size, digest);
        *filled = true;
    }
    free(digest);
    hd_arena_fini(&arena);
}

void hd_serve_runs_list(hd_serve_runs *r, FILE *out)
{
    entries found = find(r, ".json");
    bool same = r->list && found.count == r->known.count
        && (!found.count || !memcmp(found.items, r->known.items, found.count * sizeof *found.items));
    if (!same) {
        bool filled = false;
        size_t size;
        free(r->list);
        FILE *list = open_memstream(&r->list, &size);
        putc('[', list);
        for (size_t i = 0; i < found.count; i++)
            put_run(r, &found.items[i], &filled, list);
        putc(']', list);
        fclose(list);
    }
    hd_vec_fini(&r->known);
    r->known = found;
    fputs(r->list, out);
}

/* --- checks under way ---------------------------------------------------------------------------------- */

void hd_serve_runs_progress(const hd_serve_runs *r, FILE *out)
{
    entries found = find(r, ".progress");
    struct timespec now;
    hd_json j;
    clock_gettime(CLOCK_REALTIME, &now);
    hd_json_open(&j, out);
    hd_json_array(&j, NULL);
    for (size_t i = 0; i < found.count; i++) {
        hd_arena arena;
        struct stat about;
        hd_arena_init(&arena, &hd_heap);
        char *text = read_file(r, found.items[i].name, ".progress", &about, &arena), *rest = text;
        hd_json_object(&j, NULL);
        hd_json_text(&j, "name", found.items[i].name);
        hd_json_real(&j, "seconds", seconds_of(&now) - seconds_of(&found.items[i].modified));
        hd_json_array(&j, "lines");
        /* A line that has no end yet is being written. */
        for (char *end; text && (end = strchr(rest, '\n')); rest = end + 1) {
            *end = '\0';
            hd_json_text(&j, NULL, rest);
        }
        hd_json_end(&j, ']');
        hd_json_end(&j, '}');
        hd_arena_fini(&arena);
    }
    hd_json_end(&j, ']');
    hd_vec_fini(&found);
}
