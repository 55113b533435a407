#include "runtime/image/modules.h"

#include "abi/site.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

static hd_loaded_module modules[MOST];
static size_t module_count;

const char *hd_module_name(const hd_loaded_module *m)
{
    const char *slash = strrchr(m->path, '/');
    return slash ? slash + 1 : m->path;
}

static int is_of_system(const char *name)
{
    static const char *const starts[] = { "ld-linux", "linux-vdso", "libc.so", "libm.so", "libmvec.so", "libpthread.so",
        "librt.so", "libdl.so", "libutil.so", "libresolv.so", "libanl.so", "libnss_", "libgcc_s.so" };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(name, starts[i], strlen(starts[i])))
            return 1;
    return 0;
}

static uint64_t rounded(uint64_t size)
{
    return (size + 3) & ~3ull;
}

/* Looks for the notes that the instrumenter adds to every object (HD_NOTE). */
static void look_at_notes(hd_loaded_module *m, const char *at, uint64_t size)
{
    Elf64_Nhdr note;
    while (size >= sizeof note) {
        memcpy(&note, at, sizeof note);
        uint64_t all = sizeof note + rounded(note.n_namesz) + rounded(note.n_descsz);
        if (all > size)
            return;
        if (note.n_namesz == sizeof HD_NOTE && !memcmp(at + sizeof note, HD_NOTE, sizeof HD_NOTE)) {
            m->maker = HD_MADE_BY_HEDDLE;
            if (note.n_type == HD_NOTE_PLAIN)
                m->plain = at + sizeof note + rounded(sizeof HD_NOTE);
        }
        at += all;
        size -= all;
    }
}

static void look_at_segment(hd_loaded_module *m, const ElfW(Phdr) * p)
{
    uint64_t start = m->base + p->p_vaddr;
    if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
        m->text = m->text ? m->text : start;
        m->text_end = start + p->p_memsz;
    }
    if (p->p_type == PT_NOTE)
        look_at_notes(m, (const char *)start, p->p_memsz);
}

/* The program itself comes first, and has no name here. */
static int add(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (module_count == MOST) {
        fprintf(stderr, "heddle: more than %d shared libraries\n", MOST);
        exit(2);
    }
    hd_loaded_module *m = &modules[module_count++];
    *m = (hd_loaded_module) { .path = *info->dlpi_name ? info->dlpi_name : program_invocation_name,
        .base = info->dlpi_addr,
        .maker = HD_MADE_BY_OTHERS };
    if (module_count > 1 && is_of_system(hd_module_name(m)))
        m->maker = HD_MADE_BY_SYSTEM;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        look_at_segment(m, &info->dlpi_phdr[i]);
    return 0;
}

void hd_modules_init(void)
{
    dl_iterate_phdr(add, NULL);
    modules[0].maker = HD_MADE_BY_HEDDLE; /* the runtime is in it */
}

hd_loaded_module *hd_modules(size_t *count)
{
    *count = module_count;
    return modules;
}

const hd_loaded_module *hd_module_of(const void *address)
{
    for (size_t i = 0; i < module_count; i++)
        if ((uint64_t)address - modules[i].text < modules[i].text_end - modules[i].text)
            return &modules[i];
    return NULL;
}
