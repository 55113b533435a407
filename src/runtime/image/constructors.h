/* Constructors and destructors of the program and of the libraries that heddle
 * compiled. They are part of every execution: constructors run on its first
 * thread before main, destructors after the handlers of atexit. So what they do
 * is explored, undone and found wrong like everything else.
 *
 * The compiler takes them out of the lists that the loader runs, and puts them
 * into the section hd_init. Each module tells where its own is. Libraries come
 * before those that need them; within a module the priority decides, then the
 * order of linking. Destructors run in the opposite order.
 */
#ifndef HD_RUNTIME_IMAGE_CONSTRUCTORS_H
#define HD_RUNTIME_IMAGE_CONSTRUCTORS_H

#include "abi/init.h"

/* A module has been loaded. While the program runs (dlopen), its constructors
 * run at once. */
void hd_constructors_add(const hd_init *start, const hd_init *stop);

void hd_constructors_run(int argc, char **argv, char **envp);
int hd_has_destructors(void);
void hd_destructors_run(void);

#endif
