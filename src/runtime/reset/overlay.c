#include "runtime/reset/overlay_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/reset/trap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUCKETS = 256, ARENA = 32 << 20, MOST_PER_CALL = 8 * PATH_MAX, GROUPS = 64 };

static const uint64_t second = 1000000000, first_number = 1ull << 48;

/* What the kernel calls a file, and the node that it stands for. */
typedef struct alias {
    struct alias *next;
    uint64_t device, number;
    hd_node *node;
} alias;

static struct {
    hd_entry *entries[BUCKETS];
    alias *aliases[BUCKETS];
    hd_node *nodes; /* the newest first */
    uint64_t made; /* of nodes that are not on the disk */
    size_t used; /* of the arena */
    uint32_t changes; /* for validity checks */
} tree;

static _Alignas(16) uint8_t arena[ARENA];

int hd_overlay_is_on(void)
{
    return hd_exploring() && !hd_rt.options->settings.real_files && hd_trap_works();
}

int hd_overlay_is_clean(void)
{
    return !tree.nodes;
}

int hd_overlay_has_room(void)
{
    return tree.used + MOST_PER_CALL <= ARENA;
}

static void *take(size_t bytes)
{
    void *taken = arena + tree.used;
    tree.used += (bytes + 15) & ~(size_t)15;
    hd_assert(tree.used <= ARENA);
    return memset(taken, 0, bytes);
}

const char *hd_overlay_keep(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(take(size), text, size);
}

void hd_overlay_reset(void)
{
    if (tree.used)
        memset(&tree, 0, sizeof tree);
    hd_overlay_here = NULL;
    hd_overlay_forget_data();
}

/* --- nodes -------------------------------------------------------------------------------- */

static uint32_t bucket_of(uint64_t a, uint64_t b)
{
    return (uint32_t)((a * 31 + b) * 0x9e3779b97f4a7c15u >> 56) % BUCKETS;
}

hd_node *hd_overlay_find(uint64_t device, uint64_t number)
{
    alias *a = tree.aliases[bucket_of(device, number)];
    while (a && !(a->device == device && a->number == number))
        a = a->next;
    return a ? a->node : NULL;
}

void hd_overlay_know(uint64_t device, uint64_t number, hd_node *node)
{
    alias **bucket = &tree.aliases[bucket_of(device, number)];
    alias *a = take(sizeof *a);
    *a = (alias) { *bucket, device, number, node };
    *bucket = a;
}

static hd_node *add_node(hd_node with)
{
    hd_node *n = take(sizeof *n);
    *n = with;
    n->memory = n->durable = -1;
    n->next = tree.nodes;
    tree.nodes = n;
    return n;
}

hd_node *hd_overlay_make(uint32_t mode, uint64_t device)
{
    hd_node *n = add_node((hd_node) { .device = device,
        .number = first_number + tree.made++,
        .mode = mode,
        .links = S_ISDIR(mode) ? 2 : 1,
        .owner = hd_disk_user(1),
        .group = hd_disk_group() });
    hd_overlay_touch(n);
    n->accessed = n->modified;
    return n;
}

static uint64_t nanoseconds(struct timespec t)
{
    return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

static const char *text_of(const hd_spot *s)
{
    char text[PATH_MAX];
    if (!S_ISLNK(s->at.st_mode))
        return hd_overlay_keep(s->path);
    long length = hd_system(SYS_readlink, s->path, text, sizeof text - 1);
    text[length > 0 ? length : 0] = 0;
    return hd_overlay_keep(text);
}

hd_node *hd_overlay_node(hd_spot *s)
{
    if (s->node)
        return s->node;
    s->node = add_node((hd_node) { .device = s->at.st_dev,
        .number = s->at.st_ino,
        .mode = s->at.st_mode,
        .links = (uint32_t)s->at.st_nlink,
        .owner = s->at.st_uid,
        .group = s->at.st_gid,
        .text = text_of(s),
        .accessed = nanoseconds(s->at.st_atim),
        .modified = nanoseconds(s->at.st_mtim),
        .changed = nanoseconds(s->at.st_ctim) });
    hd_overlay_know(s->at.st_dev, s->at.st_ino, s->node);
    return s->node;
}

uint64_t hd_overlay_now(void)
{
    return HD_EPOCH * second + hd_current->now;
}

void hd_overlay_touch(hd_node *n)
{
    n->modified = n->changed = hd_overlay_now();
    n->changed_by = (uint16_t)(hd_current->process + 1);
}

hd_node *hd_overlay_first_node(void)
{
    return tree.nodes;
}

/* --- entries ------------------------------------------------------------------------------- */

static uint32_t bucket_of_name(const hd_node *directory, const char *name)
{
    uint64_t hash = 0;
    for (; *name; name++)
        hash = hash * 131 + (uint8_t)*name;
    return bucket_of((uint64_t)directory, hash);
}

hd_entry *hd_overlay_entry(const hd_node *directory, const char *name)
{
    hd_entry *e = tree.entries[bucket_of_name(directory, name)];
    while (e && (e->directory != directory || strcmp(e->name, name) != 0))
        e = e->next_in_bucket;
    return e;
}

static hd_entry *add_entry(hd_node *directory, const char *name, hd_node *before)
{
    hd_entry **bucket = &tree.entries[bucket_of_name(directory, name)], *e = take(sizeof *e);
    *e = (hd_entry) {
        .next_in_bucket = *bucket, .directory = directory, .durable = before, .name = hd_overlay_keep(name)
    };
    *bucket = e;
    *(directory->last ? &directory->last->next : &directory->first) = e;
    directory->last = e;
    return e;
}

void hd_overlay_enter(hd_node *directory, const char *name, hd_node *node, hd_node *before)
{
    hd_entry *e = hd_overlay_entry(directory, name);
    if (!e)
        e = add_entry(directory, name, before);
    e->node = node;
    e->changed_by = (uint16_t)(hd_current->process + 1);
    if (node && S_ISDIR(node->mode))
        node->parent = directory;
    hd_overlay_touch(directory);
    hd_check_valid(hd_overlay_is_valid(), tree.used / sizeof(hd_node), ++tree.changes);
}

/* --- what stat shows -------------------------------------------------------------------------- */

static struct timespec time_of(uint64_t ns)
{
    return (struct timespec) { (time_t)(ns / second), (long)(ns % second) };
}

static void fill_status(const hd_node *n, struct stat *to)
{
    enum { BLOCK = 4096, SECTOR = 512 };
    if (n->memory >= 0 && !hd_system(SYS_fstat, (long)n->memory, to))
        return;
    if (!S_ISLNK(n->mode) && n->text && !hd_system(SYS_newfstatat, (long)AT_FDCWD, n->text, to, 0l))
        return;
    *to = (struct stat) { .st_blksize = BLOCK, .st_size = S_ISLNK(n->mode) ? (off_t)strlen(n->text) : 0 };
    if (S_ISDIR(n->mode)) {
        to->st_size = BLOCK;
        to->st_blocks = BLOCK / SECTOR;
    }
}

void hd_overlay_status(const hd_node *n, struct stat *to)
{
    fill_status(n, to);
    to->st_dev = n->device;
    to->st_ino = n->number;
    to->st_mode = n->mode;
    to->st_nlink = n->links;
    to->st_uid = n->owner;
    to->st_gid = n->group;
    to->st_atim = time_of(n->accessed);
    to->st_mtim = time_of(n->modified);
    to->st_ctim = time_of(n->changed);
}

/* --- permissions ------------------------------------------------------------------------------- */

static int is_in_group(uint32_t group, int effective)
{
    uint32_t groups[GROUPS];
    if ((uint32_t)hd_system(effective ? SYS_getegid : SYS_getgid) == group)
        return 1;
    long count = hd_system(SYS_getgroups, (long)GROUPS, groups);
    while (count > 0)
        if (groups[--count] == group)
            return 1;
    return 0;
}

/* The super-user may do everything, except execute a file that nobody may. */
static int permits(const hd_node *n, uint32_t wanted, int effective)
{
    uint32_t user = hd_disk_user(effective);
    if (!user)
        return !(wanted & X_OK) || S_ISDIR(n->mode) || (n->mode & 0111);
    uint32_t granted = user == n->owner ? n->mode >> 6 : is_in_group(n->group, effective) ? n->mode >> 3 : n->mode;
    return !(wanted & ~granted & 7);
}

long hd_overlay_permits(const hd_spot *s, int wanted, int effective)
{
    if (s->node)
        return permits(s->node, (uint32_t)wanted, effective) ? 0 : -EACCES;
    return hd_disk_permits(s->path, wanted, effective);
}

/* --- validity ----------------------------------------------------------------------------------- */

static int is_listed(const hd_entry *e)
{
    const hd_entry *in = e->directory->first;
    while (in && in != e)
        in = in->next;
    return in && hd_overlay_entry(e->directory, e->name) == e;
}

static int has_its_place(const hd_node *directory)
{
    for (uint32_t depth = 0; directory->parent; directory = directory->parent)
        if (++depth > PATH_MAX)
            return 0;
    return directory->text != NULL || !directory->links || !directory->first;
}

int hd_overlay_is_valid(void)
{
    for (uint32_t i = 0; i < BUCKETS; i++)
        for (const hd_entry *e = tree.entries[i]; e; e = e->next_in_bucket)
            if (!S_ISDIR(e->directory->mode) || !is_listed(e))
                return 0;
    for (const hd_node *n = tree.nodes; n; n = n->next) {
        uint32_t leading = 0;
        for (uint32_t i = 0; i < BUCKETS; i++)
            for (const hd_entry *e = tree.entries[i]; e; e = e->next_in_bucket)
                leading += e->node == n;
        if (leading > n->links || (S_ISDIR(n->mode) && (leading > 1 || !has_its_place(n))))
            return 0;
    }
    return hd_overlay_memory_is_valid(tree.nodes);
}
