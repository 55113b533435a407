/* What the C library keeps from call to call, and heddle's versions of its
 * functions keep too: set back before every run. */
#ifndef HD_RUNTIME_LIBC_LIBC_H
#define HD_RUNTIME_LIBC_LIBC_H

void hd_libc_reset(void);

void hd_strings_reset(void);

/* Something whose effect memory reset cannot undo is about to be done. */
void hd_outside_effect(const char *what);

#endif
