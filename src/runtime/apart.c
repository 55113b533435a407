/* The inline hooks as functions. */
#define HD_APART
#include "runtime/inline.c"
