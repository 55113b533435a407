#include "compile/kept.h"

#include "abi/site.h"

#include <string.h>

enum { ALIGNMENT = 8 };

/* The lengths in front of a unit (compile/passes/keep.c). */
typedef struct lengths {
    uint64_t all, options;
} lengths;

void hd_cc_kept_read(const hd_elf *e, hd_cc_kept_units *into)
{
    size_t size = 0, at = 0;
    const char *section = hd_elf_section(e, HD_KEPT_SECTION, &size);
    while (section && size - at >= sizeof(lengths)) {
        lengths l;
        memcpy(&l, section + at, sizeof l);
        at += sizeof l;
        if (l.all > size - at || l.options > l.all || !l.options || section[at + l.options - 1])
            return;
        hd_vec_push(into, ((hd_cc_kept_unit) { section + at, l.all, l.options }));
        at += (l.all + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
        at = at < size ? at : size;
    }
}

bool hd_cc_kept_remove(hd_cc_kept_units *units, const hd_cc_kept_unit *unit)
{
    for (size_t i = 0; i < units->count; i++)
        if (units->items[i].size == unit->size && !memcmp(units->items[i].bytes, unit->bytes, unit->size)) {
            memmove(&units->items[i], &units->items[i + 1], (units->count - i - 1) * sizeof *unit);
            units->count--;
            return true;
        }
    return false;
}

void hd_cc_kept_options(const hd_cc_kept_unit *unit, hd_cc_texts *into)
{
    for (const char *word = unit->bytes; word < unit->bytes + unit->options; word += strlen(word) + 1)
        hd_vec_push(into, word);
}

const char *hd_cc_kept_source(const hd_cc_kept_unit *unit)
{
    hd_cc_texts words = { 0 };
    const char *source = "";
    hd_cc_kept_options(unit, &words);
    for (size_t i = 0; i + 1 < words.count; i++)
        if (!strcmp(words.items[i], "-f"))
            source = words.items[i + 1];
    hd_vec_fini(&words);
    return source;
}
