/* Files that an execution changes: an overlay in memory over the real file system.
 *
 * An execution sees the files that are on the disk, with its own changes; the disk is never changed, and the next
 * execution finds none of them. Everything is done at the level of system calls (runtime/reset/kernel.h), so it holds
 * for streams of the C library and for code that heddle did not compile, too.
 *
 * Names are a tree of the runtime. A *node* is a file, directory or symbolic link that the execution has made or
 * changed. An *entry* is a name in a directory that leads to a node, or that was removed. Every other name leads to
 * what is on the disk. Paths are walked component by component, because a link can lead from the disk into the overlay.
 *
 * Contents are files in memory (memfd_create). A file that is opened for writing is copied into one, and descriptors
 * that stand for the file on the disk are replaced. So a descriptor of a changed file is a real one: the kernel keeps
 * its offset and flags, and reads, writes, seeks, duplicates and maps it. A directory is listed from such a file, too.
 * A node is found by the device and number of the real file that a descriptor stands for; no table of descriptors is
 * needed.
 *
 * Until an execution changes a name, calls that only look are left to the kernel. */
#ifndef HD_RUNTIME_RESET_OVERLAY_H
#define HD_RUNTIME_RESET_OVERLAY_H

#include <stdint.h>

struct stat;

/* Are changes of files kept in memory? If not, they reach the disk, and each execution needs a process of its own. */
int hd_overlay_is_on(void);

/* As newfstatat for a path from the working directory (`flags`: 0 or AT_SYMLINK_NOFOLLOW) and fstat. They return 0 or
 * minus an error number. */
long hd_overlay_stat(const char *path, struct stat *to, int flags);
long hd_overlay_fstat(int fd, struct stat *to);

/* As faccessat2 with the effective user. */
long hd_overlay_access(const char *path, int wanted);

/* The process crashes. Are there names that this may undo? Undoes them. The next file whose contents it may undo, after
 * another (NULL: the first), with its status; NULL: there is none. */
struct hd_node;
int hd_overlay_may_lose_names(uint32_t process);
void hd_overlay_lose_names(uint32_t process);
struct hd_node *hd_overlay_may_lose_contents(uint32_t process, struct hd_node *after, struct stat *at);
void hd_overlay_lose_contents(struct hd_node *n);

/* After an execution: nothing is changed. */
void hd_overlay_reset(void);

/* Every entry is in the list of its directory and is found by its name; every directory in the tree leads to the root
 * or to the disk; each file in memory is in use for one purpose; a file has at least as many links as entries lead to
 * it (abi/valid.h). */
int hd_overlay_is_valid(void);

#endif
