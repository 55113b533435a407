/* The linker option --wrap=NAME: NAME refers to __wrap_NAME, and __real_NAME to NAME.
 *
 * Instrumented code calls hd_NAME where the source calls a modelled NAME
 * (abi/redirect.def), so the linker is told to wrap hd_NAME as well. An object that
 * defines __wrap_NAME also defines __wrap_hd_NAME, as the same function
 * (passes/own.c), and a call of __real_NAME becomes a call of __real_hd_NAME
 * (passes/calls.c). */
#ifndef HD_COMPILE_WRAP_H
#define HD_COMPILE_WRAP_H

#include "compile/line.h"

#define HD_WRAP "__wrap_"
#define HD_REAL "__real_"

/* Adds an option for each modelled function that the line wraps. */
void hd_cc_wrap(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line);

#endif
