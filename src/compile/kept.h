/* Bitcode that objects keep.
 *
 * Twins, which track expressions over inputs, are most of the cost of compiling, and
 * most programs never run them. So an object whose source does not ask for inputs
 * itself is made without them, and keeps its bitcode in a section. When a linked file
 * turns out to need twins (the program asks for inputs, or it is a shared library,
 * whose programs are not known), its objects are made again from that bitcode, and it
 * is linked again.
 *
 * Linkers concatenate the sections of the objects that they use, so the linked file
 * contains one unit for each object without twins, also of those from archives.
 * A program that runs twins must contain none: the runtime refuses it.
 */
#ifndef HD_COMPILE_KEPT_H
#define HD_COMPILE_KEPT_H

#include "base/elf.h"
#include "compile/line.h"

/* One object's bitcode; points into the file. */
typedef struct hd_cc_kept_unit {
    const char *bytes; /* the words of its options, each with a 0 at its end, then the bitcode */
    size_t size, options; /* options: how many bytes they are */
} hd_cc_kept_unit;

typedef hd_vec(hd_cc_kept_unit) hd_cc_kept_units;

/* Appends the units in the file, in order. */
void hd_cc_kept_read(const hd_elf *e, hd_cc_kept_units *into);

/* Removes a unit with the same contents; false: there is none. */
bool hd_cc_kept_remove(hd_cc_kept_units *units, const hd_cc_kept_unit *unit);

/* Appends the words of its options. */
void hd_cc_kept_options(const hd_cc_kept_unit *unit, hd_cc_texts *into);

/* The name of its source. */
const char *hd_cc_kept_source(const hd_cc_kept_unit *unit);

#endif
