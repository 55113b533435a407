/* The files that the process consists of, the program and its shared libraries,
 * and which compiler made them.
 *
 * SYSTEM: glibc's own libraries and libgcc. heddle models those of their
 * functions that matter to other threads.
 * HEDDLE: compiled by heddle cc, at least in part; an ELF note in the file says so.
 * OTHERS: heddle does not see what their code does.
 *
 * A module is plain data. */
#ifndef HD_RUNTIME_IMAGE_MODULES_H
#define HD_RUNTIME_IMAGE_MODULES_H

#include <stddef.h>
#include <stdint.h>

typedef enum hd_maker { HD_MADE_BY_SYSTEM, HD_MADE_BY_HEDDLE, HD_MADE_BY_OTHERS } hd_maker;

typedef struct hd_loaded_module {
    const char *path;
    uint64_t base, text, text_end; /* where it is loaded, and its code */
    hd_maker maker;
    const char *plain; /* a source of it that was compiled without twins; NULL: there is none */
} hd_loaded_module;

/* Lists what is loaded. Called during start-up, before the other functions. Files that are loaded later, such as the
 * engine, are not among the modules. */
void hd_modules_init(void);

hd_loaded_module *hd_modules(size_t *count);

/* The module whose code contains `address`; NULL: none. */
const hd_loaded_module *hd_module_of(const void *address);

/* The name of its file, without folders. */
const char *hd_module_name(const hd_loaded_module *m);

#endif
