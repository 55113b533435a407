#include "base/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const Elf64_Ehdr *header(const hd_elf *e)
{
    return (const Elf64_Ehdr *)e->bytes;
}

/* `size` bytes at `offset`, if the file has them. */
static const void *part(const hd_elf *e, uint64_t offset, uint64_t size)
{
    return offset <= e->size && size <= e->size - offset ? e->bytes + offset : NULL;
}

static const Elf64_Shdr *section(const hd_elf *e, uint32_t i)
{
    const Elf64_Ehdr *h = header(e);
    return i < h->e_shnum ? part(e, h->e_shoff + i * (uint64_t)sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)) : NULL;
}

/* The text at `offset` of a string section; "" if it is not there. */
static const char *text_in(const hd_elf *e, uint32_t strings, uint64_t offset)
{
    const Elf64_Shdr *s = section(e, strings);
    const char *texts = s ? part(e, s->sh_offset, s->sh_size) : NULL;
    if (!texts || offset >= s->sh_size || !memchr(texts + offset, 0, s->sh_size - offset))
        return "";
    return texts + offset;
}

bool hd_elf_open(hd_elf *e, const char *path, hd_error *error)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *e = (hd_elf) { 0 };
    if (fd < 0 || fstat(fd, &about) < 0) {
        if (fd >= 0)
            close(fd);
        return hd_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    }
    e->size = (size_t)about.st_size;
    void *bytes = e->size >= sizeof(Elf64_Ehdr) ? mmap(NULL, e->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED)
        return hd_fail(error, "%s: not a program", path);
    e->bytes = bytes;
    if (!memcmp(e->bytes, ELFMAG, SELFMAG) && e->bytes[EI_CLASS] == ELFCLASS64
        && header(e)->e_shentsize == sizeof(Elf64_Shdr))
        return true;
    hd_elf_close(e);
    return hd_fail(error, "%s: not a program", path);
}

void hd_elf_close(hd_elf *e)
{
    if (e->bytes)
        munmap((void *)e->bytes, e->size);
    *e = (hd_elf) { 0 };
}

static const Elf64_Shdr *section_named(const hd_elf *e, const char *name)
{
    const Elf64_Shdr *s;
    for (uint32_t i = 0; (s = section(e, i)); i++)
        if (!strcmp(text_in(e, header(e)->e_shstrndx, s->sh_name), name))
            return s;
    return NULL;
}

bool hd_elf_has_section(const hd_elf *e, const char *name)
{
    return section_named(e, name) != NULL;
}

const char *hd_elf_section(const hd_elf *e, const char *name, size_t *size)
{
    const Elf64_Shdr *s = section_named(e, name);
    if (!s || s->sh_type == SHT_NOBITS)
        return NULL;
    *size = s->sh_size;
    return part(e, s->sh_offset, s->sh_size);
}

bool hd_elf_is_object(const hd_elf *e)
{
    return header(e)->e_type == ET_REL;
}

/* The full symbol table; NULL: it has none. */
static const Elf64_Sym *all_symbols(const hd_elf *e, const Elf64_Shdr **table, uint64_t *count)
{
    *table = section_named(e, ".symtab");
    *count = *table ? (*table)->sh_size / sizeof(Elf64_Sym) : 0;
    return *table ? part(e, (*table)->sh_offset, (*table)->sh_size) : NULL;
}

size_t hd_elf_sources(const hd_elf *e)
{
    const Elf64_Shdr *table;
    uint64_t count;
    const Elf64_Sym *symbols = all_symbols(e, &table, &count);
    size_t sources = 0;
    for (uint64_t i = 0; symbols && i < count; i++)
        sources += ELF64_ST_TYPE(symbols[i].st_info) == STT_FILE;
    return sources;
}

bool hd_elf_defines(const hd_elf *e, const char *name)
{
    const Elf64_Shdr *table;
    uint64_t count;
    const Elf64_Sym *symbols = all_symbols(e, &table, &count);
    for (uint64_t i = 0; symbols && i < count; i++)
        if (symbols[i].st_shndx != SHN_UNDEF && !strcmp(text_in(e, table->sh_link, symbols[i].st_name), name))
            return true;
    return false;
}

static hd_elf_symbol symbol_of(const hd_elf *e, const Elf64_Shdr *table, const Elf64_Sym *s)
{
    return (hd_elf_symbol) { .name = text_in(e, table->sh_link, s->st_name),
        .address = s->st_value,
        .size = s->st_size,
        .hidden = ELF64_ST_VISIBILITY(s->st_other) != STV_DEFAULT };
}

/* `address - st_value >= st_size` is one unsigned comparison: it also rejects addresses below the symbol. */
static bool data_in_table(const hd_elf *e, const Elf64_Shdr *table, uint64_t address, hd_elf_symbol *symbol)
{
    const Elf64_Sym *symbols = part(e, table->sh_offset, table->sh_size);
    for (uint64_t i = 0; symbols && i < table->sh_size / sizeof *symbols; i++) {
        const Elf64_Sym *s = &symbols[i];
        if (ELF64_ST_TYPE(s->st_info) != STT_OBJECT || address - s->st_value >= s->st_size)
            continue;
        *symbol = symbol_of(e, table, s);
        return true;
    }
    return false;
}

/* The full table, if there is one, and the dynamic one: a stripped program has only that. */
bool hd_elf_data_at(const hd_elf *e, uint64_t address, hd_elf_symbol *symbol)
{
    const Elf64_Shdr *s;
    for (uint32_t i = 0; (s = section(e, i)); i++)
        if ((s->sh_type == SHT_SYMTAB || s->sh_type == SHT_DYNSYM) && data_in_table(e, s, address, symbol))
            return true;
    return false;
}

static bool is_function(const Elf64_Sym *symbol, const Elf64_Shdr *s)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    bool is_label = type == STT_NOTYPE && s->sh_flags & SHF_EXECINSTR && symbol->st_value - s->sh_addr < s->sh_size;
    return type == STT_FUNC || is_label;
}

/* Symbols of one source file alone stand behind one with its name; those without a
 * name of a file are what linkers have made local. */
static void visit_functions(const hd_elf *e, const Elf64_Shdr *table, hd_elf_visit *visit, void *context)
{
    const Elf64_Sym *symbols = part(e, table->sh_offset, table->sh_size);
    uint32_t unit = 0;
    for (uint64_t i = 0; symbols && i < table->sh_size / sizeof *symbols; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        const Elf64_Shdr *s = symbol->st_shndx ? section(e, symbol->st_shndx) : NULL;
        hd_elf_symbol function = symbol_of(e, table, symbol);
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FILE)
            unit = *function.name ? (uint32_t)i : 0;
        function.unit = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ? unit : 0;
        if (s && *function.name && is_function(symbol, s))
            visit(context, &function, text_in(e, header(e)->e_shstrndx, s->sh_name));
    }
}

bool hd_elf_functions(const hd_elf *e, hd_elf_visit *visit, void *context)
{
    const Elf64_Shdr *s;
    bool found = false;
    for (uint32_t i = 0; (s = section(e, i)); i++)
        if (s->sh_type == SHT_SYMTAB) {
            visit_functions(e, s, visit, context);
            found = true;
        }
    return found;
}

void hd_elf_code_sections(const hd_elf *e, hd_elf_visit_code *visit, void *context)
{
    const Elf64_Shdr *s;
    for (uint32_t i = 0; (s = section(e, i)); i++) {
        const uint8_t *bytes =
            s->sh_type == SHT_PROGBITS && s->sh_flags & SHF_EXECINSTR ? part(e, s->sh_offset, s->sh_size) : NULL;
        if (bytes)
            visit(context,
                &(hd_elf_code) { text_in(e, header(e)->e_shstrndx, s->sh_name), s->sh_addr, s->sh_size, bytes });
    }
}
