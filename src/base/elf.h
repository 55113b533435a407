/* Sections and symbols of a 64-bit ELF file. The file is mapped read-only; names point into the
 * mapping. All offsets of the file are checked before they are used, so a damaged file yields empty
 * answers, never a fault. */
#ifndef HD_BASE_ELF_H
#define HD_BASE_ELF_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct hd_elf {
    const char *bytes; /* the file, mapped */
    size_t size;
} hd_elf;

typedef struct hd_elf_symbol {
    const char *name;
    uint64_t address, size;
    bool hidden; /* its visibility is not STV_DEFAULT */
    uint32_t unit; /* of symbols that one source file has for itself: which; 0: all may know it */
} hd_elf_symbol;

typedef struct hd_elf_code {
    const char *name; /* of its section */
    uint64_t address, size;
    const uint8_t *bytes;
} hd_elf_code;

/* False: not a 64-bit ELF file, or cut short. */
bool hd_elf_open(hd_elf *e, const char *path, hd_error *error);
void hd_elf_close(hd_elf *e);

bool hd_elf_has_section(const hd_elf *e, const char *name);

/* The contents of the section; NULL: it has none of this name. */
const char *hd_elf_section(const hd_elf *e, const char *name, size_t *size);

bool hd_elf_is_object(const hd_elf *e); /* is it input for a linker, and not a program or a library? */

size_t hd_elf_sources(const hd_elf *e); /* how many source files its symbol table names */

/* Does its symbol table define the name? */
bool hd_elf_defines(const hd_elf *e, const char *name);

/* Calls `visit` for each function that the file defines, with the name of its
 * section: in the order of the file, and with labels of code that say nothing of
 * what they are, as assembly has them. False: the file has no table of all its
 * functions (it is stripped). */
typedef void hd_elf_visit(void *context, const hd_elf_symbol *function, const char *section);
bool hd_elf_functions(const hd_elf *e, hd_elf_visit *visit, void *context);

/* Calls `visit` for each section of code. */
typedef void hd_elf_visit_code(void *context, const hd_elf_code *code);
void hd_elf_code_sections(const hd_elf *e, hd_elf_visit_code *visit, void *context);

/* Finds the data object that contains `address` (a link-time address, without load bias). */
bool hd_elf_data_at(const hd_elf *e, uint64_t address, hd_elf_symbol *symbol);

#endif
