/* Data that was sent and that nothing will receive: a finding with --leaks.
 *
 * A message, or bytes in a pipe, are lost when the last descriptor is closed through which they could be received, and
 * when the execution ends. That is reported at the call that sent them, unless the process that loses them dies by a
 * crash or a signal: it did not choose to leave them. */
#ifndef HD_RUNTIME_KERNEL_UNRECEIVED_H
#define HD_RUNTIME_KERNEL_UNRECEIVED_H

#include "abi/site.h"

#include <stddef.h>

/* `what`, sent at the site, is lost now; ends the execution if that is a finding. */
void hd_unreceived(const char *what, size_t bytes, const hd_site *site);

/* The descriptors of a process are closed that did not end by itself; and that is over. */
void hd_unreceived_forgive(int forgives);

/* The execution ends, and so have all its processes: looks for what is still on its way. */
void hd_unreceived_check(void);

#endif
