/* heddle's own file descriptors inside the tested program's process. They have high numbers, so
 * that the program's own descriptors get the numbers that they would have without heddle, and a
 * program that closes or reuses low numbers does not touch heddle's. */
#ifndef HD_BASE_DESCRIPTOR_H
#define HD_BASE_DESCRIPTOR_H

#include <stdbool.h>

enum { HD_DESCRIPTORS = 900 /* the lowest number that heddle uses */ };

/* Moves `fd` to a free number from HD_DESCRIPTORS on and returns that number, or `fd` itself if
 * there is none. `inherited`: the descriptor survives exec. */
int hd_descriptor_set_aside(int fd, bool inherited);

#endif
