/* Images: the memory of processes that fork has made.
 *
 * A process and its child have different memory at the same addresses. What they have in common when the process forks
 * is divided into *parts*: its variables, its heap (with the shadow), the stack of the thread that forks. Each of
 * the two has a version of every part, and so has every further process that either of them makes. One version of a
 * part is in place; the others are copies. Before a thread of a process continues, the versions of that process are put
 * in place. Memory that a process allocates later is its own, at addresses that no other process uses.
 *
 * A version that does not differ from the part as it was when it was made (the base) has no copy: pages are compared
 * with the base when a version leaves its place. So exchanging versions costs reading both, and writing the pages that
 * differ.
 *
 * The variables of a program that processes become by exec are parts, too, as they were before the run. A process gets
 * a version of them when it begins to run the program, and loses its versions of what it has inherited.
 *
 * A stack in use cannot be exchanged by a function that runs on it. These functions run on a stack of their own
 * (hd_images_run).
 *
 * Invariant: the versions of the current thread's process are in place. */
#ifndef HD_RUNTIME_RESET_IMAGES_H
#define HD_RUNTIME_RESET_IMAGES_H

#include <stddef.h>
#include <stdint.h>

/* The number of parts in this run; 0: no process has forked. */
extern uint32_t hd_image_parts;

/* Before a run, whose memory is as at the start: there are no images. */
void hd_images_reset(void);

/* A part of the memory of `process`, which is about to fork: the second version will be that of `child`. Parts that
 * the process has inherited itself are added by hd_images_inherit. */
void hd_images_add(uint32_t process, uint32_t child, char *start, size_t size);
void hd_images_add_stack(uint32_t process, uint32_t child, uint32_t stack);

/* A part that is first used now, after the processes that have versions of the memory at `like` were made. What it
 * holds is without meaning to all but the current one. */
void hd_images_add_later(const char *like, char *start, size_t size);

/* `child` gets versions of all parts of which `process` has one. */
void hd_images_inherit(uint32_t process, uint32_t child);

/* `process`, the current one, begins to run another program: it loses what it has inherited, or has had of programs.
 * And a part of the variables of its new program. */
void hd_images_leave(uint32_t process);
void hd_images_add_fresh(uint32_t process, char *start, size_t size);

/* Makes the new versions of `child`: they are those of its parent, which are in place. */
void hd_images_copy(uint32_t child);

/* Puts the versions of `process` in place. */
void hd_images_put(uint32_t process);

/* At the end of a run: of each part, the version of the process that it was first of is in place; of variables of
 * programs for exec, the fresh one. */
void hd_images_put_makers(void);

int hd_images_are_in_place(uint32_t process);

/* Has the process a version of the memory at the address? Is it one that it has inherited? */
int hd_images_holds(uint32_t process, uint64_t address);
int hd_images_is_inherited(uint32_t process, uint64_t address);

/* Leaves the current stack, stores its pointer in *save, calls `what` on the stack of this module, and continues at
 * `*to`, which `what` may set. */
void hd_images_run(void **save, void (*what)(void), void **to);

#endif
