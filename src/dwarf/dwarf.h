/* The debug information of a program or a library: which variable is where, and the types of variables. It is read by
 * libdw of elfutils; this folder is its only user.
 *
 * A type is named by its place in the file. Types that only rename or qualify others (typedef, const, volatile,
 * _Atomic) are looked through everywhere. A file without debug information, or with damaged one, yields empty answers.
 */
#ifndef HD_DWARF_DWARF_H
#define HD_DWARF_DWARF_H

#include "base/sentence.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct hd_dwarf hd_dwarf;

typedef uint64_t hd_dwarf_type; /* 0: unknown */

typedef struct hd_dwarf_variable {
    const char *name; /* valid until the file is closed */
    const char *function; /* of a local variable, or a static one of a function; else NULL */
    uint64_t address;
    hd_dwarf_type type;
} hd_dwarf_variable;

/* NULL: the file cannot be read, or has no debug information. */
hd_dwarf *hd_dwarf_open(const char *path);
void hd_dwarf_close(hd_dwarf *d); /* NULL is fine */

/* The variable with a fixed address that contains `address`. All addresses are those of the file: without load bias. */
bool hd_dwarf_global(hd_dwarf *d, uint64_t address, hd_dwarf_variable *v);

/* The variable that contains `address` in the frame of the function at `pc`, with this frame pointer. */
bool hd_dwarf_local(hd_dwarf *d, uint64_t pc, uint64_t frame, uint64_t address, hd_dwarf_variable *v);

/* The type of the variable that has this name in line `line` of the function: its own, or a global one. */
hd_dwarf_type hd_dwarf_type_of(hd_dwarf *d, const char *function, uint32_t line, const char *name);

/* The type `struct name`; the type that the function returns. */
hd_dwarf_type hd_dwarf_structure(hd_dwarf *d, const char *name);
hd_dwarf_type hd_dwarf_result(hd_dwarf *d, const char *function);

/* What a pointer of this type points to; 0: it is no pointer, or one to void. */
hd_dwarf_type hd_dwarf_target(hd_dwarf *d, hd_dwarf_type pointer);

/* In bytes; 0: unknown. */
uint64_t hd_dwarf_size(hd_dwarf *d, hd_dwarf_type type);

/* As the source writes it, without qualifiers: "struct queue", "int". "": it has no name. */
void hd_dwarf_type_name(hd_dwarf *d, hd_dwarf_type type, char *text, size_t size);

/* Adds the way from a variable of this type to its smallest part that contains these bytes, as `.rows[3].next`, and
 * returns the type of the part. Objects of the system's types (pthread_mutex_t) are not taken apart. */
hd_dwarf_type hd_dwarf_part(hd_dwarf *d, hd_dwarf_type type, uint64_t offset, uint64_t bytes, hd_sentence *path);

typedef enum hd_dwarf_form {
    HD_DWARF_UNKNOWN,
    HD_DWARF_SIGNED,
    HD_DWARF_UNSIGNED,
    HD_DWARF_BOOLEAN,
    HD_DWARF_CHARACTER,
    HD_DWARF_REAL,
    HD_DWARF_POINTER,
    HD_DWARF_ENUM
} hd_dwarf_form;

hd_dwarf_form hd_dwarf_form_of(hd_dwarf *d, hd_dwarf_type type);

/* The constant of the enumeration with this value; NULL: none has it. */
const char *hd_dwarf_constant(hd_dwarf *d, hd_dwarf_type type, int64_t value);

#endif
