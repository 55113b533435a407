/* The functions that programs call: hd_NAME for every NAME that abi/redirect.def redirects. They translate arguments
 * and results; the semantics are in runtime/sync. */
#ifndef HD_RUNTIME_FACE_FACE_H
#define HD_RUNTIME_FACE_FACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HD_FACE __attribute__((visibility("default")))

/* The allocator that the program calls, which may be its own: for blocks that the program will free, and for blocks
 * that the C library has allocated. */
void *hd_face_malloc(size_t size);
void *hd_face_realloc(void *block, size_t size);
void hd_face_free(void *block);

/* Returns the error of a call with a time limit. If it is a time-out, virtual time advances to the limit. */
struct timespec;
int hd_time_ran_out(int error, const struct timespec *until);

/* The current thread sleeps. Returns whether a signal ended it. */
int hd_time_pass(uint64_t nanoseconds);

/* read, write and their kin, if the descriptor is one of the modelled kernel: returns whether it is. */
struct iovec;
int hd_modelled_read(int fd, const struct iovec *parts, int count, ssize_t *result);
int hd_modelled_write(int fd, const struct iovec *parts, int count, ssize_t *result);

/* Is the descriptor one of the modelled kernel, for the current thread? Sets errno for a call that it does not support.
 */
int hd_modelled_refuses(int fd, int error);

/* The kind of its file, as st_mode; 0: it is none of the modelled kernel. */
uint32_t hd_modelled_mode(int fd);

/* ftruncate, what fstat tells beyond the kind, and mmap, of a descriptor of the modelled kernel. */
int hd_modelled_truncate(int fd, off_t size);
struct stat;
void hd_modelled_status(int fd, struct stat *to);
void *hd_modelled_map(int fd, size_t size, int protection, int flags, off_t offset);

/* Run by hand: lets other threads run until the real descriptor is ready (POLL…), if a call on it would wait. */
void hd_await_by_hand(int fd, short events);

/* The time that it is after this span, for the current thread. */
struct timespec hd_time_in(const struct timespec *span);

#endif
