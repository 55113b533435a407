#include "dwarf/frames.h"

#include "base/memory.h"
#include "base/vec.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Code of a compilation unit. */
typedef struct span {
    uint64_t start, end;
    Dwarf_Off unit;
} span;

struct hd_frames {
    int file;
    Elf *elf;
    Dwarf *dwarf; /* NULL: there is no debug information */
    hd_vec(span) code; /* by address */
};

static int by_start(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* clang writes no table of addresses; the units say which code they have. */
static void index_units(hd_frames *f)
{
    Dwarf_Off at = 0, next;
    size_t header;
    for (; !dwarf_nextcu(f->dwarf, at, &next, &header, NULL, NULL, NULL); at = next) {
        Dwarf_Die unit;
        Dwarf_Addr base, start, end;
        ptrdiff_t range = 0;
        if (!dwarf_offdie(f->dwarf, at + header, &unit))
            continue;
        while ((range = dwarf_ranges(&unit, range, &base, &start, &end)) > 0)
            hd_vec_push(&f->code, ((span) { start, end, at + header }));
    }
    if (f->code.count)
        qsort(f->code.items, f->code.count, sizeof *f->code.items, by_start);
}

hd_frames *hd_frames_open(const char *path)
{
    elf_version(EV_CURRENT);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ_MMAP, NULL);
    if (!elf || elf_kind(elf) != ELF_K_ELF) {
        elf_end(elf);
        if (file >= 0)
            close(file);
        return NULL;
    }
    hd_frames *f = hd_alloc(&hd_heap, sizeof *f);
    *f = (hd_frames) { .file = file, .elf = elf, .dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL) };
    if (f->dwarf)
        index_units(f);
    return f;
}

void hd_frames_close(hd_frames *f)
{
    if (!f)
        return;
    hd_vec_fini(&f->code);
    dwarf_end(f->dwarf);
    elf_end(f->elf);
    close(f->file);
    hd_release(&hd_heap, f, sizeof *f);
}

/* --- debug information ----------------------------------------------------------------------- */

static bool find_unit(hd_frames *f, uint64_t pc, Dwarf_Die *unit)
{
    size_t low = 0, high = f->code.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->code.items[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low && pc < f->code.items[low - 1].end && dwarf_offdie(f->dwarf, f->code.items[low - 1].unit, unit);
}

/* Names of files are as the compiler was given them. */
static void set_file(Dwarf_Die *unit, const char *file, hd_dwarf_frame *frame)
{
    Dwarf_Attribute attribute;
    frame->file = file;
    if (file && *file != '/' && dwarf_attr(unit, DW_AT_comp_dir, &attribute))
        frame->folder = dwarf_formstring(&attribute);
}

static void read_line(Dwarf_Die *unit, uint64_t pc, hd_dwarf_frame *frame)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
    int number = 0, column = 0;
    if (!line)
        return;
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    set_file(unit, dwarf_linesrc(line, NULL, NULL), frame);
    frame->line = (uint32_t)number;
    frame->column = (uint32_t)column;
}

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_attr(die, name, &attribute) && !dwarf_formudata(&attribute, &value) ? (uint32_t)value : 0;
}

/* Where the inlined function was called. */
static hd_dwarf_frame caller_of(Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Files *files;
    hd_dwarf_frame caller = { .line = number_of(inlined, DW_AT_call_line),
        .column = number_of(inlined, DW_AT_call_column) };
    if (!dwarf_getsrcfiles(unit, &files, NULL))
        set_file(unit, dwarf_filesrc(files, number_of(inlined, DW_AT_call_file), NULL, NULL), &caller);
    return caller;
}

/* Names the functions that the innermost scope is nested in; frames[0] has the line. */
static uint32_t name_functions(Dwarf_Die *unit, Dwarf_Die *innermost, hd_dwarf_frame *frames, uint32_t most)
{
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes_die(innermost, &scopes);
    uint32_t found = 0;
    for (int i = 0; i < count && found < most; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        frames[found++].function = dwarf_diename(&scopes[i]);
        if (tag == DW_TAG_subprogram)
            break;
        if (found < most)
            frames[found] = caller_of(unit, &scopes[i]);
    }
    free(scopes);
    return found;
}

static uint32_t read_debug_information(hd_frames *f, uint64_t pc, hd_dwarf_frame *frames, uint32_t most)
{
    Dwarf_Die unit, *scopes = NULL;
    uint32_t found = 0;
    if (!find_unit(f, pc, &unit))
        return 0;
    read_line(&unit, pc, &frames[0]);
    if (dwarf_getscopes(&unit, pc, &scopes) > 0)
        found = name_functions(&unit, &scopes[0], frames, most);
    free(scopes);
    return found;
}

/* --- symbols --------------------------------------------------------------------------------- */

static bool contains(const GElf_Sym *symbol, uint64_t pc)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF && pc >= symbol->st_value
        && pc < symbol->st_value + symbol->st_size;
}

static const char *name_in_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, uint64_t pc)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol) && contains(&symbol, pc))
            return elf_strptr(elf, header->sh_link, symbol.st_name);
    }
    return NULL;
}

static const char *name_of_symbol(Elf *elf, uint64_t pc)
{
    const char *name = NULL;
    for (Elf_Scn *section = NULL; !name && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            name = name_in_table(elf, section, &header, pc);
    }
    return name;
}

uint32_t hd_frames_at(hd_frames *f, uint64_t pc, hd_dwarf_frame *frames, uint32_t most)
{
    frames[0] = (hd_dwarf_frame) { 0 };
    uint32_t found = f->dwarf ? read_debug_information(f, pc, frames, most) : 0;
    if (found)
        return found;
    frames[0].function = name_of_symbol(f->elf, pc);
    return frames[0].function || frames[0].file;
}
