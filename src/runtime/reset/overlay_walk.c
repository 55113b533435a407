/* Where paths lead: through entries of the overlay and what is on the disk. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LINKS = 40, LINK_ROOM = 40 };

hd_node *hd_overlay_here;

static int is_directory(const hd_spot *s)
{
    return S_ISDIR(hd_spot_mode(s));
}

/* Not the whole structure: it has room for long paths. */
static void copy_spot(hd_spot *to, const hd_spot *from)
{
    to->node = from->node;
    strcpy(to->path, from->path);
    to->at = from->at;
}

/* --- one component --------------------------------------------------------------------------- */

static long look_at_disk(hd_spot *s)
{
    long error = hd_disk_status(s->path, &s->at);
    s->node = error ? NULL : hd_overlay_find(s->at.st_dev, s->at.st_ino);
    return error;
}

static long look_at_node(hd_spot *s, hd_node *n)
{
    s->node = n;
    strcpy(s->path, n->text && !S_ISLNK(n->mode) ? n->text : "");
    return 0;
}

static long root(hd_spot *s)
{
    strcpy(s->path, "/");
    return look_at_disk(s);
}

/* The path of `name` in the directory. */
static long join(char *to, const char *directory, const char *name)
{
    int length = snprintf(to, PATH_MAX, "%s/%s", directory[1] ? directory : "", name);
    return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static long look(const hd_spot *in, const char *name, hd_spot *to)
{
    const hd_entry *e = in->node ? hd_overlay_entry(in->node, name) : NULL;
    if (in->node && hd_overlay_permits(in, X_OK, 1))
        return -EACCES;
    if (e)
        return e->node ? look_at_node(to, e->node) : -ENOENT;
    if (!*in->path)
        return -ENOENT;
    long error = join(to->path, in->path, name);
    return error ? error : look_at_disk(to);
}

/* A directory that was moved has its parent in the overlay, another one where it is on the disk. */
static long look_up(const hd_spot *in, hd_spot *to)
{
    if (in->node && in->node->parent)
        return look_at_node(to, in->node->parent);
    if (!*in->path)
        return -ENOENT;
    strcpy(to->path, in->path);
    char *end = strrchr(to->path, '/');
    end[end == to->path] = 0;
    return look_at_disk(to);
}

/* --- where paths start ----------------------------------------------------------------------- */

static long working_directory(hd_spot *s)
{
    if (hd_overlay_here)
        return look_at_node(s, hd_overlay_here);
    long length = hd_disk_directory(s->path);
    return length < 0 ? length : look_at_disk(s);
}

long hd_overlay_descriptor(hd_spot *s, int fd)
{
    char link[LINK_ROOM];
    if (fd == AT_FDCWD)
        return working_directory(s);
    long error = hd_system(SYS_fstat, (long)fd, &s->at);
    if (error)
        return error;
    hd_node *n = hd_overlay_find(s->at.st_dev, s->at.st_ino);
    if (n)
        return look_at_node(s, n);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = hd_system(SYS_readlink, link, s->path, sizeof s->path - 1);
    s->path[length > 0 ? length : 0] = 0;
    s->node = NULL;
    return length < 0 ? length : 0;
}

/* Links in /proc lead to what has no path: the rest of such a path is left to the kernel. */
static int is_in_proc(const hd_spot *s)
{
    static struct stat proc;
    if (!proc.st_dev)
        hd_system(SYS_stat, "/proc", &proc);
    return !s->node && s->at.st_dev == proc.st_dev;
}

/* --- the walk ------------------------------------------------------------------------------------ */

/* What is left of a path. */
typedef struct rest {
    char text[2 * PATH_MAX];
    char *next;
    uint32_t links;
} rest;

static void skip_slashes(rest *r)
{
    while (*r->next == '/')
        r->next++;
}

static long take_name(rest *r, char *name)
{
    size_t length = strcspn(r->next, "/");
    if (length > NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(name, r->next, length);
    name[length] = 0;
    r->next += length;
    return 0;
}

/* The link at `s` is replaced by what it leads to. */
static long follow(rest *r, const hd_spot *s)
{
    static char text[2 * PATH_MAX];
    long length = s->node ? (long)strlen(s->node->text) : hd_system(SYS_readlink, s->path, text, PATH_MAX);
    if (++r->links > MOST_LINKS)
        return -ELOOP;
    if (length < 0)
        return length;
    if (s->node)
        memcpy(text, s->node->text, (size_t)length);
    size_t left = strlen(r->next) + 1;
    if ((size_t)length + left > PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(text + length, r->next, left);
    memcpy(r->text, text, (size_t)length + left);
    r->next = r->text;
    return 0;
}

/* The kernel resolves the rest. */
static long leave_to_kernel(hd_place *p, const char *left)
{
    p->is_there = 1;
    p->object.node = NULL;
    memset(&p->object.at, 0, sizeof p->object.at);
    return join(p->object.path, p->directory.path, left);
}

static long look_for(hd_place *p)
{
    if (!strcmp(p->name, "."))
        return copy_spot(&p->object, &p->directory), 0;
    if (!strcmp(p->name, ".."))
        return look_up(&p->directory, &p->object);
    return look(&p->directory, p->name, &p->object);
}

/* p->object is a directory from which the walk goes on, or the end of it. */
static long walk(hd_place *p, rest *r, int follows)
{
    for (long error;;) {
        skip_slashes(r);
        if (!*r->next)
            return 0;
        if (!is_directory(&p->object))
            return -ENOTDIR;
        copy_spot(&p->directory, &p->object);
        if (is_in_proc(&p->directory))
            return leave_to_kernel(p, r->next);
        if ((error = take_name(r, p->name)))
            return error;
        p->has_slash = *r->next == '/';
        skip_slashes(r);
        error = look_for(p);
        p->is_there = !error;
        if (error)
            return error == -ENOENT && !*r->next ? 0 : error;
        if (!S_ISLNK(hd_spot_mode(&p->object)) || (!*r->next && !p->has_slash && !follows))
            continue;
        r->next -= p->has_slash;
        if ((error = follow(r, &p->object)))
            return error;
        if ((error = *r->next == '/' ? root(&p->object) : (copy_spot(&p->object, &p->directory), 0)))
            return error;
    }
}

long hd_overlay_walk(hd_place *p, int from, const char *path, int follows)
{
    static rest r;
    if (!*path)
        return -ENOENT;
    if (strlen(path) >= PATH_MAX)
        return -ENAMETOOLONG;
    strcpy(r.text, path);
    r.next = r.text;
    r.links = 0;
    long error = *path == '/' ? root(&p->object) : hd_overlay_descriptor(&p->object, from);
    if (!error && !is_directory(&p->object))
        return -ENOTDIR;
    copy_spot(&p->directory, &p->object);
    strcpy(p->name, ".");
    p->is_there = 1;
    p->has_slash = 0;
    return error ? error : walk(p, &r, follows);
}

/* --- paths of directories ------------------------------------------------------------------------- */

static const char *name_in(const hd_node *parent, const hd_node *n)
{
    const hd_entry *e = parent->first;
    while (e && e->node != n)
        e = e->next;
    return e ? e->name : NULL;
}

/* Puts names before each other until the root is reached. */
long hd_overlay_path(const hd_spot *s, char *to, size_t size)
{
    static char text[PATH_MAX];
    static hd_spot at, up;
    char *start = text + sizeof text - 1;
    *start = 0;
    for (copy_spot(&at, s); strcmp(at.path, "/") != 0; copy_spot(&at, &up)) {
        hd_node *parent = at.node ? at.node->parent : NULL;
        const char *name = parent ? name_in(parent, at.node) : strrchr(at.path, '/') + 1;
        size_t length = name ? strlen(name) : 0;
        if (!name || look_up(&at, &up))
            return -ENOENT;
        if ((size_t)(start - text) < length + 1)
            return -ENAMETOOLONG;
        start -= length;
        memcpy(start, name, length);
        *--start = '/';
    }
    size_t length = (size_t)(text + sizeof text - start);
    if (length == 1) { /* the root */
        *--start = '/';
        length++;
    }
    if (length > size)
        return -ERANGE;
    memcpy(to, start, length);
    return (long)length;
}
