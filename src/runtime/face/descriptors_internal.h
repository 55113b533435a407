/* What calls on descriptors share. */
#ifndef HD_RUNTIME_FACE_DESCRIPTORS_INTERNAL_H
#define HD_RUNTIME_FACE_DESCRIPTORS_INTERNAL_H

#include "runtime/kernel/descriptors.h"

#include <sys/uio.h>

/* The result of a call that returns minus an error number. */
ssize_t hd_answer(ssize_t result);

/* Of face/descriptors.c; also made by libraries (face/library_calls.c). */
int hd_fcntl(int fd, int command, ...);
int hd_ioctl(int fd, unsigned long request, ...);

/* Makes two descriptors in one step, and stores them; `make` makes what they stand for. */
typedef void hd_make_ends(int type, int flags, hd_description *ends[2]);
int hd_tell_both(int *to, hd_make_ends *make, int type, int flags, const hd_site *site);

/* What a call that receives tells beside the data. Plain data. */
typedef struct hd_received {
    int truncated; /* the message was longer than there was room for */
    int keeps; /* descriptors of the message stay in the hand of the thread (kernel/rights.h) */
    int dropped; /* there were some, and they do not */
    struct hd_address *from; /* where it came from; NULL: nobody asks */
} hd_received;

/* A handler of a signal ends the call. `d` is held, and given back. */
ssize_t hd_end_call(int fd, hd_description *d);

/* `d` is held, and given back. `to` NULL: where the descriptor leads to. */
struct hd_address;
ssize_t hd_receive(int fd, hd_description *d, const struct iovec *parts, int count, int flags, hd_received *more);
ssize_t hd_send_from(
    int fd, hd_description *d, const struct iovec *parts, int count, int flags, const struct hd_address *to);

/* fcntl of a real descriptor with a command about locks; face/file_locks.c. */
int hd_is_lock_command(int command);
int hd_lock_control(int fd, int command, void *argument);

/* Puts the descriptors of a message's control data into the hand of the current thread: 0 or minus an error number. */
int hd_collect_rights(const hd_description *d, const void *control, size_t length, const hd_site *site);

/* Stores numbers for those in its hand, as far as the control data of the message has room; returns whether some are
 * lost. */
struct msghdr;
int hd_tell_rights(struct msghdr *m, int closes_on_exec, const hd_site *site);

/* The vector is read before the call begins. */
int hd_is_bad_vector(const struct iovec *parts, int count, const hd_site *site);

#endif
