/* The program references an input and never asks for it: it runs as twins. */
#include <heddle.h>

int (*const unused_input)(const char *name) = heddle_int;
