/* Locks of files: flock(2), record locks (F_SETLK), and those of open files (F_OFD_SETLK).
 *
 * A lock has an owner, which is the open file for flock and F_OFD_SETLK (duplicates of a descriptor share it), and the
 * process for F_SETLK. Locks of flock are about the whole file and exclude only each other. The other two are about
 * ranges of bytes, and exclude each other: two locks *conflict* if their ranges overlap, their owners differ, and one
 * of them is for writing. The locks of one owner never overlap; neighbours of the same type are one lock. All this is
 * as in Linux, also that a call of flock which changes the type gives the old lock up first, and does not get it back
 * if it fails.
 *
 * Locks end with a call, with the last descriptor of the open file, with the process, and those of a process also when
 * it closes any descriptor of the file.
 *
 * Conflicts of operations. All locks of a file are one object. A call is one operation on it: it changes the object, or
 * finds that it cannot, and has only looked. A call that waits looks again after another thread has changed the object
 * (sched/spin.h). Closing a descriptor looks at the locks of its file if the program uses locks while several threads
 * exist, which is learned.
 *
 * F_SETLKW fails with EDEADLK if the process would wait for one that waits for it, directly or through others. That
 * depends on which calls wait, which is an object of its own. A call that begins to wait changes it, and so does one
 * that lets it go on; but a thread whose process has no lock and no other thread does not count, because nothing can
 * wait for it. */
#ifndef HD_RUNTIME_KERNEL_FILE_LOCKS_H
#define HD_RUNTIME_KERNEL_FILE_LOCKS_H

#include "abi/site.h"

#include <stdint.h>

typedef enum hd_lock_sort { HD_LOCK_WHOLE, HD_LOCK_OF_PROCESS, HD_LOCK_OF_OPEN_FILE } hd_lock_sort;

enum { HD_FILE_LOCKS = 512 };

static const int64_t hd_lock_to_the_end = INT64_MAX;

/* What a descriptor stands for (runtime/sync/fs.h). Plain data. */
typedef struct hd_open_file {
    uint64_t device, node; /* of the file */
    uint32_t file; /* the number of its object */
    uint32_t opening; /* duplicates of a descriptor have the same */
} hd_open_file;

/* A lock, or what a call asks for. Plain data. */
typedef struct hd_file_lock {
    hd_open_file at;
    uint32_t process;
    uint8_t sort; /* hd_lock_sort */
    int type; /* F_RDLCK, F_WRLCK; of a call also F_UNLCK */
    int64_t start, end; /* the first byte and the last */
} hd_file_lock;

/* Before a run: there is none. */
void hd_file_locks_reset(void);

/* Takes the lock, changes its type or gives it up. Waits for it if `waits` is set. Returns 0, EAGAIN or EDEADLK. */
int hd_file_lock_set(const hd_file_lock *want, int waits, const hd_site *site);

/* The first lock that conflicts with `want`. Returns whether there is one. */
int hd_file_lock_find(const hd_file_lock *want, hd_file_lock *found, const hd_site *site);

/* Do calls that close a descriptor have to look for locks? */
int hd_file_locks_are_used(void);

/* Part of the step that closes a descriptor of the current process; `last`: no other descriptor leads to the open
 * file. */
void hd_file_locks_close(const hd_open_file *at, int last, const hd_site *site);

/* Does the process have a lock that it loses with the descriptor? */
int hd_file_locks_has(uint32_t process, const hd_open_file *at);

/* The process has ended: its calls wait no more. */
void hd_file_locks_end_waits(uint32_t process, const hd_site *site);

/* No two locks conflict, no two of one owner overlap, and those of one owner are in order; a call waits only for a lock
 * that conflicts with what it asks for (abi/valid.h). */
int hd_file_locks_are_valid(void);

#endif
