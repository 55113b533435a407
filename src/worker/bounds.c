#include "worker/bounds.h"

#include "base/elf.h"

#include <link.h>

typedef struct search {
    uint64_t base; /* of the program, which is visited first, with an empty name */
    bool visited, libraries;
} search;

static int look_at_file(struct dl_phdr_info *info, size_t size, void *context)
{
    search *s = context;
    hd_elf e;
    hd_error error;
    (void)size;
    if (!s->visited) {
        s->base = info->dlpi_addr;
        s->visited = true;
    } else if (*info->dlpi_name && hd_elf_open(&e, info->dlpi_name, &error)) {
        s->libraries |= hd_elf_has_section(&e, ".note.heddle");
        hd_elf_close(&e);
    }
    return 0;
}

hd_allowed *hd_allowed_find(hd_memory *memory)
{
    hd_elf e;
    hd_error error;
    search s = { 0 };
    const hd_allowed_item *items = NULL;
    size_t bytes = 0;
    hd_allowed *allowed;
    dl_iterate_phdr(look_at_file, &s);
    bool opened = hd_elf_open(&e, "/proc/self/exe", &error);
    if (opened && !s.libraries)
        items = (const hd_allowed_item *)hd_elf_section(&e, HD_ALLOWED_SECTION, &bytes);
    allowed = hd_allowed_open(items, items ? bytes / sizeof *items : 0, s.base, memory);
    if (opened)
        hd_elf_close(&e);
    return allowed;
}
