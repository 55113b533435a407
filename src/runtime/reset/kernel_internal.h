/* Private to runtime/reset/kernel*.c: the handlers of system calls, by what they change. */
#ifndef HD_RUNTIME_RESET_KERNEL_INTERNAL_H
#define HD_RUNTIME_RESET_KERNEL_INTERNAL_H

#include "abi/wire.h"
#include "runtime/reset/kernel.h"

#include <stddef.h>

/* Performs the call unchanged. */
long hd_kernel_perform(const hd_call *call);

/* The call cannot be undone: the search restarts with fork isolation. A process that runs one execution only
 * performs it. */
long hd_kernel_refuse(hd_call *call, const char *what);

/* The same for a call that opens a file for writing, makes or removes one, or the like: an execution may do so
 * HD_EFFECTS_MOST times. */
long hd_kernel_change(hd_call *call, const char *what);

/* The execution ends with this outcome when the call returns. Returns 0. */
long hd_kernel_end(hd_call *call, hd_outcome_kind kind, const char *text);

/* One more file is opened for writing, made or removed, or the like. Returns whether that ended the execution. */
int hd_kernel_is_too_much(hd_call *call);

/* The call uses files (hd_file_use). Returns whether that ended the execution. */
int hd_kernel_use(hd_call *call, unsigned uses);

/* The call writes so many bytes. Returns whether that ended the execution (hd_kernel_writes). */
int hd_kernel_is_flooded(hd_call *call, uint64_t bytes);

/* Descriptors. */
long hd_files_open(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode);
long hd_files_opened(hd_call *call, long result); /* records a new descriptor, or passes on an error */
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
long hd_files_reserve(int placeholder, int from);
int hd_files_is_reserved(int fd);
void hd_files_forget_limit(void); /* the limit of descriptors changes */
void hd_files_undo(void);

/* A file in memory of the overlay: a new description of it; the descriptors that stand for a file on the disk, or that
 * are duplicates of `fd`, stand for it from now on. */
long hd_files_reopen(int file, uint64_t flags);
void hd_files_redirect(uint64_t device, uint64_t number, int file);
void hd_files_redirect_description(int fd, int file);

/* Files (runtime/reset/overlay.h). */
long hd_overlay_open(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode);
long hd_overlay_look(hd_call *call); /* any other call that looks at files, or changes them */
long hd_overlay_change(hd_call *call);
void hd_overlay_touch_fd(int fd); /* its file is written to */

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
