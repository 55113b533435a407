/* signalfds: descriptors from which a process reads the signals that are pending for it.
 *
 * The data of a signalfd is there while a signal of its mask is pending for a thread of the process that has made it.
 * Sending such a signal, taking it in another way and reading it are steps that open and shut its gate. Which
 * signalfds a process has is an object: making one changes it, sending looks at it. Only the process that has made a
 * signalfd may use it. */
#ifndef HD_RUNTIME_KERNEL_SIGNALFD_H
#define HD_RUNTIME_KERNEL_SIGNALFD_H

#include <stdint.h>

struct hd_description;

/* Before a run: there are none. */
void hd_signalfds_reset(void);

/* A signalfd for these signals; `flags` are SFD_…. */
struct hd_description *hd_signalfd_make(uint64_t signals, int flags);

/* It is for these signals from now on. Is the description one? */
void hd_signalfd_set(struct hd_description *d, uint64_t signals);
int hd_signalfd_is(const struct hd_description *d);

#endif
