/* Descriptors of heddle's own inside the tested program's process. They lie high,
 * so that the program's get the numbers that they would have without heddle, and
 * programs that close or reuse low ones do not meet them. */
#ifndef HD_BASE_DESCRIPTOR_H
#define HD_BASE_DESCRIPTOR_H

#include <stdbool.h>

enum { HD_DESCRIPTORS = 900 /* the first of them */ };

/* Moves `fd` there if it can; gives its new number. `inherited`: by programs that are executed. */
int hd_descriptor_set_aside(int fd, bool inherited);

#endif
