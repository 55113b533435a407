/* Private to runtime/reset/overlay*.c. */
#ifndef HD_RUNTIME_RESET_OVERLAY_INTERNAL_H
#define HD_RUNTIME_RESET_OVERLAY_INTERNAL_H

#include "runtime/reset/kernel_internal.h"
#include "runtime/reset/overlay.h"

#include <limits.h>
#include <sys/stat.h>

typedef struct hd_node hd_node;

typedef struct hd_entry {
    struct hd_entry *next; /* in the directory */
    struct hd_entry *next_in_bucket;
    hd_node *directory;
    hd_node *node; /* NULL: the name was removed */
    hd_node *durable; /* what it leads to if the changes are lost in a crash (overlay_durable.c) */
    uint16_t changed_by; /* the process that has last changed it since it was durable, + 1; 0: it is */
    const char *name;
} hd_entry;

struct hd_node {
    uint64_t device, number; /* as stat shows them: those of the disk, if it is there */
    uint32_t mode, links, owner, group;
    int memory; /* the file in memory with the contents; -1: they are on the disk, or it is no file */
    const char *text; /* of a link: where it leads; otherwise the path on the disk, NULL: it is not there */
    hd_node *parent; /* of a directory that was made or moved; NULL: as on the disk */
    hd_entry *first, *last; /* entries of a directory, in the order in which they were made */
    uint64_t accessed, modified, changed; /* times in nanoseconds */
    int durable; /* a file in memory with the contents that no crash loses; -1: they are on the disk, or empty */
    uint16_t changed_by; /* as of an entry: its contents or entries */
    hd_node *next; /* the node that was made before */
};

/* Something that exists. */
typedef struct hd_spot {
    hd_node *node; /* NULL: as on the disk */
    char path[PATH_MAX]; /* on the disk, without links in it; empty: it is not there */
    struct stat at; /* what is on the disk, if `node` is NULL */
} hd_spot;

/* Where a path leads. */
typedef struct hd_place {
    hd_spot directory;
    char name[NAME_MAX + 1]; /* in the directory: the last component, "." if the path is the root */
    int is_there;
    int has_slash; /* the path ends with a slash */
    hd_spot object; /* if it is there */
} hd_place;

/* --- the tree: overlay.c ------------------------------------------------------------------ */

/* Has the execution changed nothing yet? */
int hd_overlay_is_clean(void);

/* Is there memory for the changes of one more call? */
int hd_overlay_has_room(void);

/* The node for what a device and number of the kernel stand for, or NULL. */
hd_node *hd_overlay_find(uint64_t device, uint64_t number);
void hd_overlay_know(uint64_t device, uint64_t number, hd_node *node);

/* A node that is not on the disk, in no directory yet. */
hd_node *hd_overlay_make(uint32_t mode, uint64_t device);

/* The node of what is there: makes one if it has none. */
hd_node *hd_overlay_node(hd_spot *s);

hd_entry *hd_overlay_entry(const hd_node *directory, const char *name);

/* The name leads to the node from now on, or (NULL) to nothing. `before` is what it has led to, if the overlay had no
 * entry for it. */
void hd_overlay_enter(hd_node *directory, const char *name, hd_node *node, hd_node *before);

hd_node *hd_overlay_first_node(void);

const char *hd_overlay_keep(const char *text);
void hd_overlay_status(const hd_node *n, struct stat *to);
uint64_t hd_overlay_now(void); /* virtual time, in nanoseconds since 1970 */
void hd_overlay_touch(hd_node *n); /* its contents or entries have changed */

/* Minus an error number, or 0: may the process do this with it (R_OK, W_OK, X_OK)? */
long hd_overlay_permits(const hd_spot *s, int wanted, int effective);

/* --- paths: overlay_walk.c ---------------------------------------------------------------- */

/* Where does the path lead, seen from the directory `from` (AT_FDCWD: the working directory)? A link at its end is
 * followed if `follows` is set. Returns 0, also if only the last component is not there, or minus an error number. */
long hd_overlay_walk(hd_place *p, int from, const char *path, int follows);

/* What the descriptor stands for; AT_FDCWD: the working directory. */
long hd_overlay_descriptor(hd_spot *s, int fd);

/* The path of a directory. Returns its length or minus an error number. */
long hd_overlay_path(const hd_spot *s, char *to, size_t size);

/* The working directory, if it is in the overlay. */
extern hd_node *hd_overlay_here;

static inline uint32_t hd_spot_mode(const hd_spot *s)
{
    return s->node ? s->node->mode : s->at.st_mode;
}

static inline uint64_t hd_spot_device(const hd_spot *s)
{
    return s->node ? s->node->device : s->at.st_dev;
}

/* --- the disk: overlay_disk.c ----------------------------------------------------------------
 *
 * Of an absolute path without links in it: its status; as faccessat2; is it in a file system through which the kernel
 * is controlled? A write there is no change of contents. */
long hd_disk_status(const char *path, struct stat *to);
long hd_disk_status_as(const char *path, struct stat *to, int flags); /* of fstatat */
long hd_disk_permits(const char *path, int wanted, int effective);
int hd_disk_is_special(const char *path);

/* The user and the umask; the path of the working directory on the disk, its length with the final 0 or minus an error
 * number; that directory changes. */
uint32_t hd_disk_user(int effective);
uint32_t hd_disk_group(void); /* the effective one */
uint32_t hd_disk_umask(void);
void hd_disk_umask_changed(void);
long hd_disk_directory(char to[PATH_MAX]);
void hd_disk_moved(void);

/* --- contents: overlay_data.c --------------------------------------------------------------- */

/* The result of a function that has ended the execution; no error number of the kernel. */
enum { HD_OVERLAY_ENDED = -1000000 };

/* Moves the contents of the file into memory, or begins with none. Returns 0 or HD_OVERLAY_ENDED. */
int hd_overlay_fill(hd_call *call, hd_node *n, int keeps);

/* An empty file in memory for the node, or HD_OVERLAY_ENDED. */
int hd_overlay_take_file(hd_call *call, hd_node *n);

/* Opens a directory that is not on the disk. Returns the descriptor or minus an error number. */
long hd_overlay_open_directory(hd_call *call, hd_node *n, uint64_t flags);
int hd_overlay_is_listing(int fd);
long hd_overlay_list(hd_call *call); /* getdents64 */
int hd_overlay_is_empty(const hd_spot *directory);

void hd_overlay_forget_data(void);
int hd_overlay_memory_is_valid(const hd_node *nodes);

/* --- durability: overlay_durable.c ------------------------------------------------------------ */

/* fsync, fdatasync, sync, syncfs; a write with the descriptor has been performed. */
long hd_overlay_sync(hd_call *call);
void hd_overlay_written(hd_call *call, int fd);

/* The descriptor stands for a file in memory that the program must not see. */
int hd_overlay_hides(int fd);

/* The program's limit of descriptors. */
uint64_t hd_overlay_limit(void);
void hd_overlay_set_limit(uint64_t limit);

#endif
