#include "serve/runs.h"

#include "base/file.h"
#include "base/json.h"
#include "report/page.h"
#include "serve/digest.h"
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DATABASE "runs.db"

enum { MOST_SIZE = 256 << 20, MOST_LISTED = 500 };

typedef struct entry {
    char name[256];
    struct timespec modified;
    int64_t size;
} entry;

typedef hd_vec(entry) entries;

/* A run without its bulk; NULL: the entry is no run. */
typedef struct digest {
    entry of;
    char *text;
} digest;

typedef hd_vec(digest) digests;

struct hd_serve_runs {
    int folder;
    char *path;
    char database[PATH_MAX];
    digests known; /* those of `list`, in its order */
    hd_error problem; /* of the database; "": none */
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
    snprintf(r->database, sizeof r->database, "%s/" DATABASE, path);
    return r;
}

static void drop_digests(digests *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->items[i].text);
    hd_vec_fini(d);
}

void hd_serve_runs_close(hd_serve_runs *r)
{
    close(r->folder);
    free(r->path);
    free(r->list);
    drop_digests(&r->known);
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

/* The number that the name is; 0: it is not one. */
static int64_t number_of(const char *name)
{
    bool is_number = *name && strlen(name) < 18 && name[strspn(name, "0123456789")] == '\0';
    return is_number ? atoll(name) : 0;
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

/* --- the database ----------------------------------------------------------------------------------- */

/* NULL: there is none, or it cannot be used, which is an error. */
static hd_store *open_database(const hd_serve_runs *r, hd_error *error)
{
    struct stat about;
    bool is_there = !fstatat(r->folder, DATABASE, &about, AT_SYMLINK_NOFOLLOW);
    if (is_there && !S_ISREG(about.st_mode))
        hd_fail(error, "%s: not a file", r->database);
    return is_there && S_ISREG(about.st_mode) ? hd_store_open(r->database, false, error) : NULL;
}

static void add_stored(void *context, int64_t number, double time)
{
    entries *found = context;
    entry *e = hd_vec_add(found);
    memset(e, 0, sizeof *e);
    snprintf(e->name, sizeof e->name, "%lld", (long long)number);
    e->modified = (struct timespec) { (time_t)time, (long)((time - (double)(time_t)time) * 1e9) };
}

static void find_stored(const hd_serve_runs *r, entries *found, hd_error *error)
{
    hd_store *s = open_database(r, error);
    if (s) {
        hd_store_each(s, MOST_LISTED, add_stored, found, error);
        hd_store_close(s);
    }
}

static char *read_stored(const hd_serve_runs *r, int64_t number, hd_arena *arena)
{
    hd_error ignored = { "" };
    hd_store *s = open_database(r, &ignored);
    char *text = s ? hd_store_page(s, number, arena, &ignored) : NULL;
    if (s)
        hd_store_close(s);
    return text;
}

char *hd_serve_runs_read(const hd_serve_runs *r, const char *name, hd_arena *arena)
{
    struct stat about;
    int64_t number = number_of(name);
    char *text = number ? read_stored(r, number, arena) : read_file(r, name, ".json", &about, arena);
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
    int64_t first = number_of(x->name), second = number_of(y->name);
    return first != second ? first < second ? 1 : -1 : strcmp(x->name, y->name);
}

/* The files that end so. */
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
    return found;
}

static void keep_latest(entries *found)
{
    if (found->count)
        qsort(found->items, found->count, sizeof *found->items, compare_ages);
    if (found->count > MOST_LISTED)
        found->count = MOST_LISTED;
}

static double seconds_of(const struct timespec *t)
{
    return (double)t->tv_sec + (double)t->tv_nsec * 1e-9;
}

static digest make_digest(const hd_serve_runs *r, const entry *e)
{
    static const char *const bulk[] = { "text", "steps", "threads", "objects", "accesses", "lines", "samples",
        "unfolding", NULL };
    digest d = { .of = *e };
    hd_arena arena;
    size_t size;
    hd_arena_init(&arena, &hd_heap);
    char *text = hd_serve_runs_read(r, e->name, &arena);
    FILE *copy = open_memstream(&d.text, &size);
    bool fine = text && hd_serve_digest(text, bulk, copy);
    fclose(copy);
    if (!fine) {
        free(d.text);
        d.text = NULL;
    }
    hd_arena_fini(&arena);
    return d;
}

/* Takes the digest from those of the last list, if it is there. */
static digest take_digest(hd_serve_runs *r, const entry *e)
{
    for (size_t i = 0; i < r->known.count; i++)
        if (!memcmp(&r->known.items[i].of, e, sizeof *e)) {
            digest d = r->known.items[i];
            r->known.items[i].text = NULL;
            return d;
        }
    return make_digest(r, e);
}

/* Is there a file with the same result? Its verdict and its counts have times in them. */
static bool is_in_file(const digests *all, const digest *stored)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].text && !number_of(all->items[i].of.name) && !strcmp(all->items[i].text, stored->text))
            return true;
    return false;
}

static void put_run(hd_json *j, const digest *d, FILE *out)
{
    hd_json_object(j, NULL);
    hd_json_text(j, "name", d->of.name);
    hd_json_real(j, "modified", seconds_of(&d->of.modified));
    hd_json_int(j, "size", d->of.size);
    fprintf(out, ", \"result\": %s", d->text); /* JSON already */
    hd_json_end(j, '}');
}

static void write_list(hd_serve_runs *r)
{
    hd_json j;
    size_t size;
    free(r->list);
    FILE *out = open_memstream(&r->list, &size);
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_array(&j, "runs");
    for (size_t i = 0; i < r->known.count; i++) {
        const digest *d = &r->known.items[i];
        if (d->text && !(number_of(d->of.name) && is_in_file(&r->known, d)))
            put_run(&j, d, out);
    }
    hd_json_end(&j, ']');
    hd_json_text(&j, "problem", *r->problem.text ? r->problem.text : NULL);
    hd_json_end(&j, '}');
    fclose(out);
}

static bool is_known(const hd_serve_runs *r, const entries *found, const hd_error *problem)
{
    bool same = r->list && found->count == r->known.count && !strcmp(problem->text, r->problem.text);
    for (size_t i = 0; same && i < found->count; i++)
        same = !memcmp(&found->items[i], &r->known.items[i].of, sizeof *found->items);
    return same;
}

void hd_serve_runs_list(hd_serve_runs *r, FILE *out)
{
    hd_error problem = { "" };
    entries found = find(r, ".json");
    find_stored(r, &found, &problem);
    keep_latest(&found);
    if (!is_known(r, &found, &problem)) {
        digests now = { 0 };
        for (size_t i = 0; i < found.count; i++)
            hd_vec_push(&now, take_digest(r, &found.items[i]));
        drop_digests(&r->known);
        r->known = now;
        r->problem = problem;
        write_list(r);
    }
    hd_vec_fini(&found);
    fputs(r->list, out);
}

/* --- checks under way ---------------------------------------------------------------------------------- */

void hd_serve_runs_progress(const hd_serve_runs *r, FILE *out)
{
    entries found = find(r, ".progress");
    struct timespec now;
    hd_json j;
    keep_latest(&found);
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
