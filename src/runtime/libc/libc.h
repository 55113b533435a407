/* State that functions of the C library keep from call to call, and heddle's versions of them keep, too: reset before
 * every run. */
#ifndef HD_RUNTIME_LIBC_LIBC_H
#define HD_RUNTIME_LIBC_LIBC_H

void hd_libc_reset(void);

void hd_strings_reset(void);

/* A call is about to do something that reset cannot undo; to change files, which needs nothing else if changes stay in
 * memory; to do something that cannot be undone and is an effect. */
void hd_needs_fork(const char *what);
void hd_changes_files(const char *what);
void hd_outside_effect(const char *what);

#endif
