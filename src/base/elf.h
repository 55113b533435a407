/* What a 64-bit ELF file says about itself: its sections and its symbols. */
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
    bool hidden; /* not for other files */
} hd_elf_symbol;

/* False: not a whole ELF file for this kind of machine. */
bool hd_elf_open(hd_elf *e, const char *path, hd_error *error);
void hd_elf_close(hd_elf *e);

bool hd_elf_has_section(const hd_elf *e, const char *name);

/* Calls `visit` for each function that the file defines, with the name of its
 * section. False: the file has no table of all its functions (it is stripped). */
typedef void hd_elf_visit(void *context, const hd_elf_symbol *function, const char *section);
bool hd_elf_functions(const hd_elf *e, hd_elf_visit *visit, void *context);

/* The data object that `address` (as in the file) lies in. */
bool hd_elf_data_at(const hd_elf *e, uint64_t address, hd_elf_symbol *symbol);

#endif
