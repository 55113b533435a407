/* The names that user code calls: hd_NAME for every NAME that abi/redirect.def
 * redirects. They translate arguments and results; what an operation means is
 * in runtime/sync and its neighbours. */
#ifndef HD_RUNTIME_FACE_FACE_H
#define HD_RUNTIME_FACE_FACE_H

#include <stddef.h>

#define HD_FACE __attribute__((visibility("default")))

/* The allocator that the program calls, which may be its own: for blocks that
 * the program will free, and for those that the C library has allocated. */
void *hd_face_malloc(size_t size);
void *hd_face_realloc(void *block, size_t size);
void hd_face_free(void *block);

/* The error of a call with a time limit: if the time has run out, it has passed. */
struct timespec;
int hd_time_ran_out(int error, const struct timespec *until);

#endif
