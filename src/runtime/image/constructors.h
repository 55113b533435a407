/* Constructors and destructors of the program and of the libraries that heddle
 * compiled. They are part of every execution: constructors run on the first thread
 * before main, destructors after the handlers of atexit. So they are explored,
 * checked and undone like the rest of the program.
 *
 * The compiler moves them from the lists that the loader runs to the section
 * hd_init; each module registers its own. A library comes before the modules that
 * need it; within a module the priority decides, then the order of linking.
 * Destructors run in the opposite order.
 */
#ifndef HD_RUNTIME_IMAGE_CONSTRUCTORS_H
#define HD_RUNTIME_IMAGE_CONSTRUCTORS_H

#include "abi/init.h"

/* A module has been loaded. If that happens while the program runs (dlopen), its constructors run at once. */
void hd_constructors_add(const hd_init *start, const hd_init *stop);

/* `own`: the process's own list, in a system of several processes; NULL: the lists of all modules. */
void hd_constructors_run(const hd_init *own, int argc, char **argv, char **envp);
int hd_has_destructors(const hd_init *own);
void hd_destructors_run(const hd_init *own);

#endif
