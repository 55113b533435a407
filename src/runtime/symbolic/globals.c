#include "runtime/symbolic/globals.h"

#include "abi/shadow.h"
#include "runtime/core/own.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_GLOBALS = 1 << 20 };

static struct {
    hd_bounds *of;
    size_t count;
    int known;
} globals;

static void add(uint64_t start, uint64_t size)
{
    if (globals.count < MOST_GLOBALS) /* the rest is unknown, so it is not checked */
        globals.of[globals.count++] = (hd_bounds) { start, size };
}

/* The compiler gives string literals a guard byte at their end, so that the end of a literal is not the start of the
 * next: the size in the symbol table is one too large. */
static uint64_t guard_of(const char *names, uint64_t room, const Elf64_Sym *symbol)
{
    static const char prefix[] = HD_LITERAL;
    return symbol->st_name + sizeof prefix <= room && !strncmp(names + symbol->st_name, prefix, sizeof prefix - 1);
}

static void add_symbols(const char *file, size_t size, const Elf64_Shdr *table, const Elf64_Shdr *names, uint64_t base)
{
    if (table->sh_offset + table->sh_size > size || names->sh_offset + names->sh_size > size)
        return;
    const Elf64_Sym *symbols = (const void *)(file + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT && symbols[i].st_size && symbols[i].st_shndx)
            add(base + symbols[i].st_value,
                symbols[i].st_size - guard_of(file + names->sh_offset, names->sh_size, &symbols[i]));
}

static void read_module(const char *file, size_t size, uint64_t base)
{
    const Elf64_Ehdr *header = (const void *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG)
        || header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > size)
        return;
    const Elf64_Shdr *sections = (const void *)(file + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum)
            add_symbols(file, size, &sections[i], &sections[sections[i].sh_link], base);
}

/* The program itself has an empty name. */
static int visit(struct dl_phdr_info *module, size_t size, void *context)
{
    struct stat status;
    (void)size;
    (void)context;
    int fd = open(*module->dlpi_name ? module->dlpi_name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    if (!fstat(fd, &status) && status.st_size > 0) {
        size_t length = (size_t)status.st_size;
        char *file = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            read_module(file, length, module->dlpi_addr);
            munmap(file, length);
        }
    }
    close(fd);
    return 0;
}

static int by_start(const void *a, const void *b)
{
    uint64_t x = ((const hd_bounds *)a)->start, y = ((const hd_bounds *)b)->start;
    return x < y ? -1 : x > y;
}

const hd_bounds *hd_globals(size_t *count)
{
    if (!globals.known) {
        globals.known = 1;
        globals.of = hd_own_alloc(MOST_GLOBALS * sizeof *globals.of);
        dl_iterate_phdr(visit, NULL);
        qsort(globals.of, globals.count, sizeof *globals.of, by_start);
    }
    *count = globals.count;
    return globals.of;
}
