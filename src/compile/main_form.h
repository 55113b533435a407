/* Definitions of main that clang refuses and gcc accepts: `int main(int argc, char *argv)`.
 *
 * clang checks the types of main's parameters, and no option changes that, unless the
 * program is compiled as one for a machine without an operating system
 * (-ffreestanding), in which main is an ordinary function. That costs some of clang's
 * knowledge of the C library, so it is done only for sources that need it. The
 * source is searched without preprocessing it: a definition that is not recognised
 * gets clang's error, and one that is taken for unusual compiles all the same. */
#ifndef HD_COMPILE_MAIN_FORM_H
#define HD_COMPILE_MAIN_FORM_H

#include <stdbool.h>

/* Does the text of a C source define main with parameters other than (int, char **, char **)? */
bool hd_cc_is_unusual_main(const char *source);

/* The same for the source in a file; false if it cannot be read. */
bool hd_cc_has_unusual_main(const char *path);

#endif
