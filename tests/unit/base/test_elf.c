#include "base/elf.h"
#include "unit/test.h"

#include <link.h>
#include <string.h>

__attribute__((noinline, noclone, used)) static int of_this_file(int n)
{
    return n + 1;
}

int of_all_files(int n);
extern int elf_variable;
int elf_variable = 1;

__attribute__((noinline, noclone, used)) int of_all_files(int n)
{
    return n + 2;
}

__asm__(".pushsection .text\n"
        "elf_label: ret\n"
        ".popsection\n");

extern char elf_label[] __attribute__((visibility("hidden")));

typedef struct seen {
    uint64_t base;
    const void *wanted;
    const char *name;
    hd_elf_symbol symbol;
    char section[32];
    int times, code_times;
} seen;

static int note_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_addr;
    return 1;
}

static void note_symbol(void *context, const hd_elf_symbol *f, const char *section)
{
    seen *s = context;
    if (strcmp(f->name, s->name))
        return;
    s->times++;
    s->symbol = *f;
    snprintf(s->section, sizeof s->section, "%s", section);
}

static void note_code(void *context, const hd_elf_code *code)
{
    seen *s = context;
    uint64_t at = s->symbol.address - code->address;
    s->code_times += at < code->size && !memcmp(code->bytes + at, s->wanted, 1) && !strcmp(code->name, s->section);
}

/* What the file of this program says of one of its functions. */
static seen look_for(const char *name, const void *address)
{
    seen s = { .name = name, .wanted = address };
    hd_elf e;
    hd_error error;
    dl_iterate_phdr(note_base, &s.base);
    CHECK(hd_elf_open(&e, "/proc/self/exe", &error));
    CHECK(hd_elf_functions(&e, note_symbol, &s));
    hd_elf_code_sections(&e, note_code, &s);
    CHECK_INT(s.times, 1);
    CHECK_INT(s.base + s.symbol.address, (uint64_t)address);
    CHECK_INT(s.code_times, 1);
    s.symbol.name = NULL;
    hd_elf_close(&e);
    return s;
}

TEST(functions_of_one_source_file_are_told_from_others)
{
    seen s = look_for("of_this_file", (const void *)of_this_file);
    CHECK(s.symbol.unit && s.symbol.size);
    s = look_for("of_all_files", (const void *)of_all_files);
    CHECK(!s.symbol.unit && s.symbol.size && !s.symbol.hidden);
}

TEST(labels_of_code_are_functions)
{
    seen s = look_for("elf_label", elf_label);
    CHECK(s.symbol.unit && !s.symbol.size);
}

TEST(variables_are_no_functions)
{
    static const char *const names[] = { "environ", "elf_variable" };
    hd_elf e;
    hd_error error;
    CHECK(hd_elf_open(&e, "/proc/self/exe", &error));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        seen s = { .name = names[i] };
        CHECK(hd_elf_functions(&e, note_symbol, &s));
        CHECK_INT(s.times, 0);
    }
    hd_elf_close(&e);
}

TEST(what_is_no_program_is_refused)
{
    hd_elf e;
    hd_error error;
    CHECK(!hd_elf_open(&e, "/proc/self/status", &error));
    CHECK(!hd_elf_open(&e, "/nowhere", &error));
}
