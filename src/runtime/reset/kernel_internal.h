/* Private to runtime/reset/kernel*.c: the handlers of system calls, by what they change. */
#ifndef HD_RUNTIME_RESET_KERNEL_INTERNAL_H
#define HD_RUNTIME_RESET_KERNEL_INTERNAL_H

#include "runtime/reset/kernel.h"

#include <stddef.h>

/* Performs the call unchanged. */
long hd_kernel_perform(const hd_call *call);

/* The call cannot be undone: the search restarts with fork isolation. A process that runs one execution only
 * performs it. */
long hd_kernel_refuse(hd_call *call, const char *what);

/* Descriptors. */
long hd_files_open(hd_call *call, uint64_t flags, const char *path);
long hd_files_new(hd_call *call);
long hd_files_pipe(hd_call *call);
long hd_files_connect(hd_call *call);
long hd_files_close(hd_call *call);
long hd_files_dup(hd_call *call);
long hd_files_dup2(hd_call *call);
long hd_files_fcntl(hd_call *call);
long hd_files_ioctl(hd_call *call);
long hd_files_read(hd_call *call);
long hd_files_write(hd_call *call);
int hd_files_is_opened(int fd);
void hd_files_undo(void);

/* Mappings and the break. */
void hd_maps_save(void);
long hd_maps_map(hd_call *call);
long hd_maps_unmap(hd_call *call);
long hd_maps_move(hd_call *call);
long hd_maps_protect(hd_call *call);
long hd_maps_break(hd_call *call);
long hd_maps_advise(hd_call *call);
void hd_maps_undo(void);

#endif
