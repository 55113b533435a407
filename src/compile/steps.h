/* The command lines of the steps: clang to bitcode, the instrumenter, clang as the linker. Each ends with NULL. */
#ifndef HD_COMPILE_STEPS_H
#define HD_COMPILE_STEPS_H

#include "compile/kept.h"

/* One input and its output file. `target` is the output's name in a dependency file. */
typedef struct hd_cc_step {
    const hd_cc_item *input;
    const char *output, *target;
    bool unusual_main; /* see main_form.h */
} hd_cc_step;

/* clang alone: preprocessing, precompiled headers. */
void hd_cc_clang_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const char *library);

void hd_cc_bitcode_step(
    hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step, const char *library);

/* The instrumenter: from `bitcode` to the step's output. */
void hd_cc_instrument_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step,
    const char *bitcode, const char *library);

/* The instrumenter: from the bitcode of a kept unit to an object with twins. */
void hd_cc_twins_step(
    hd_arena *arena, hd_cc_texts *into, const hd_cc_kept_unit *unit, const hd_cc_step *step, const char *library);

void hd_cc_assemble_step(hd_cc_texts *into, const hd_cc_line *line, const hd_cc_step *step);

/* `objects` replace the C and assembly inputs, in order. The linker writes the files that it has used to `list`, if it
 * is not NULL. */
void hd_cc_link_step(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line, const hd_cc_texts *objects,
    const char *list, const char *library);

/* Links objects and shared libraries with the runtime, to an executable. */
void hd_cc_image_step(
    hd_arena *arena, hd_cc_texts *into, const hd_cc_texts *files, const char *output, const char *library);

#endif
