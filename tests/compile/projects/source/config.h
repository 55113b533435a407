/* What the build systems may overrule. */
#ifdef HAVE_GENERATED_CONFIG
#include "generated.h"
#endif
#ifndef PROJECT
#define PROJECT "plain"
#endif
