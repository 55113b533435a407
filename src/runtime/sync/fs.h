/* Files: what calls on them conflict in.
 *
 * All threads of a process share the objects that the kernel keeps for it; numbers, slots and the environment are a
 * process's own:
 *
 *   names         what paths lead to; the working directory and the umask
 *   numbers       which descriptors are in use: a new one gets the lowest free number
 *   slots         per number: what it stands for
 *   descriptions  an open file: its offset and flags, which duplicates of the descriptor share
 *   contents      the data of a file that has been opened in this execution, with its attributes
 *   environment   the variables of the environment
 *
 * A call announces its uses before it is made; several are one step. A use is an operation if several threads use the
 * object (sched/access.h). Looks commute with looks. Names and contents are objects once a thread has changed files
 * beside others; that is learned.
 *
 * What a thread publishes next must be a function of its causal past, so a call on a descriptor looks at the slot of
 * its number first, if any thread opens or closes that number while others exist; that is learned.
 *
 * Why no conflict is missed. Every change of contents is made through a description that is open for writing, or
 * through a path. Opening for writing counts as a change of names. So a call on a path conflicts with the opening if it
 * comes first; if it comes second, the file is known, and the call is also a use of its contents. Descriptions and
 * files are numbered in the order in which they were opened. That order is part of the trace, because every opening
 * changes `numbers`. Calls that announce nothing are noticed (runtime/reset/unannounced.h).
 *
 * The overlay (runtime/reset/overlay.h) adds nothing to what calls conflict in. A file keeps its device and number when
 * it moves into memory, so it keeps its object; that a descriptor then stands for another real file is not visible.
 * Numbers of new files come in the order in which their names were made, which is an order of changes of names.
 *
 * Synchronisation: each use is an atomic access, so a lock file orders what it protects. Races that only uses of
 * unrelated files order are found in the execution in which those uses come in the other order. */
#ifndef HD_RUNTIME_SYNC_FS_H
#define HD_RUNTIME_SYNC_FS_H

#include "abi/site.h"

/* Before a run: nothing is open that was not open before main. */
void hd_fs_reset(void);

/* A call looks at what the path leads to, or changes it; `other` is a second path or NULL. */
void hd_fs_look(const char *path, const hd_site *site);
void hd_fs_change(const char *path, const char *other, const hd_site *site);

/* A call makes a name, or removes one. If it fails because the name is there, or is not, it has only looked: a loop
 * that tries again waits. */
void hd_fs_make(const char *path, const hd_site *site);
void hd_fs_remove(const char *path, const hd_site *site);

/* A call on the names alone (the working directory, a list of files). */
void hd_fs_names(int changes, const hd_site *site);

/* A descriptor is about to be made for the path with these flags of open(2), or for a new file with a new name; and it
 * has been made (or is -1). Returns whether the path leads to a FIFO, which is modelled: only its name has been looked
 * up then. */
int hd_fs_open(const char *path, int flags, const hd_site *site);
void hd_fs_create(const hd_site *site);
int hd_fs_opened(int fd);

/* The same for a duplicate of `fd`; `to` is the descriptor that it replaces, or -1. */
void hd_fs_duplicate(int fd, int to, const hd_site *site);
int hd_fs_duplicated(int fd, int made);

/* The descriptor is about to be used (its offset, its file). */
void hd_fs_use(int fd, const hd_site *site);

/* The call is about to read the contents, or to change them: those of a file that is mapped shared are memory. The last
 * announcement of the call. */
void hd_fs_use_mapped(int fd, int changes, const hd_site *site);

/* Is the object part of the table of descriptors? Uses of it order calls, but tell threads nothing. */
int hd_fs_is_of_table(uint64_t object);

/* The descriptor is about to be closed. One of the modelled kernel is closed here: returns whether it was one. */
int hd_fs_close(int fd, const hd_site *site);

/* The same for one that its process has left open. */
int hd_fs_close_at_end(int fd, const hd_site *site);

/* What a real descriptor stands for; 0 or minus an error number. Does it still? Another thread may have closed it. */
struct hd_open_file;
int hd_fs_open_file(int fd, struct hd_open_file *to, const hd_site *site);
int hd_fs_still_leads_to(int fd, const struct hd_open_file *at, const hd_site *site);

/* The lowest real descriptor that the process has made and not closed, and where; -1: there is none. */
int hd_fs_first_open(const hd_site **made_at);

/* The current process has crashed: explores what is lost of its changes that are not durable (--crash-files). */
void hd_fs_crash(const hd_site *site);

/* The current process has ended: what it loses with its real descriptors. */
void hd_fs_end_process(const hd_site *site);

/* For modelled descriptors, and others that have no description here. One is about to be made, with the lowest number
 * from `from` on; the call is about to find out what `fd` stands for, or to change it. */
void hd_fs_number(int from, const hd_site *site);
void hd_fs_look_up(int fd, const hd_site *site);
void hd_fs_change_number(int fd, const hd_site *site);
void hd_fs_change_number_of(uint32_t process, int fd, const hd_site *site);

/* Does any thread open or close the number while others exist? If not, it stands for the same in all of them. */
int hd_fs_varies(int fd);

void hd_fs_environment(int changes, const hd_site *site);

#endif
