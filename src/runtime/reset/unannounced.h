/* System calls on files that no operation stands for.
 *
 * heddle's versions of the functions on files announce what they use, as operations (runtime/sync/fs.h), and make their
 * system calls right after that. Other functions, and code that heddle did not compile, make such calls without.
 * Explorers do not know what those conflict with. So if two threads use the same thing in one execution, and one of
 * them has not announced it, the execution ends as a model limit: the check is not complete, but not wrong either.
 *
 * A call counts as announced if its thread has announced the use and has not begun another step since: what a thread
 * does up to its next operation is part of the step of its last one. */
#ifndef HD_RUNTIME_RESET_UNANNOUNCED_H
#define HD_RUNTIME_RESET_UNANNOUNCED_H

/* What is used. Two uses of numbers conflict, and so do two uses of files unless both are looks. */
typedef enum hd_file_use {
    HD_USES_NUMBERS = 1, /* of descriptors: makes or closes one */
    HD_LOOKS_AT_FILES = 2,
    HD_CHANGES_FILES = 4
} hd_file_use;

void hd_unannounced_reset(void);

/* The current thread has announced these uses, or'ed together. Returns whether another thread has used the same
 * without an announcement. */
int hd_announced(unsigned uses);

/* A system call with these uses is about to be made. Returns whether it is not announced and another thread uses the
 * same. */
int hd_unannounced(unsigned uses);

#endif
