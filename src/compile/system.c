#include "compile/system.h"

#include "abi/system.h"
#include "base/elf.h"
#include "base/file.h"
#include "base/library.h"
#include "compile/part.h"
#include "compile/process.h"
#include "compile/steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct linking {
    hd_cc_session session;
    hd_cc_texts files; /* of the image */
    hd_error *error;
} linking;

static bool run(linking *l, hd_cc_texts *command, const char *what)
{
    int status = 0;
    bool started = hd_cc_session_run(&l->session, command, &status, l->error);
    hd_vec_fini(command);
    return started && (!status || hd_fail(l->error, "%s cannot be linked into a system", what));
}

/* --- the processes ----------------------------------------------------------------- */

/* Adds the shared libraries of a program that are not among the image's files yet. */
static void add_libraries(linking *l, const hd_elf *elf)
{
    size_t size = 0;
    const char *list = hd_elf_section(elf, HD_LIBRARIES_SECTION, &size);
    for (const char *path = list; path && path < list + size; path += strlen(path) + 1) {
        size_t i = 0;
        while (i < l->files.count && strcmp(l->files.items[i], path) != 0)
            i++;
        if (i == l->files.count)
            hd_vec_push(&l->files, hd_arena_copy(&l->session.arena, path));
    }
}

/* Writes the part of a program to a file. */
static bool extract(linking *l, const char *program, const char *path)
{
    hd_elf elf;
    size_t size = 0;
    if (!hd_elf_open(&elf, program, l->error))
        return false;
    const char *part = hd_elf_section(&elf, HD_PART_SECTION, &size);
    FILE *out = part && size ? hd_file_create(path, l->error) : NULL;
    if (out)
        fwrite(part, size, 1, out);
    if (out)
        add_libraries(l, &elf);
    hd_elf_close(&elf);
    if (!part || !size)
        return hd_fail(l->error, "%s cannot be part of a system: link it again with heddle cc", program);
    return out && hd_file_close(out, path, l->error);
}

static void add(linking *l, hd_cc_texts *command, const char *option, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add(linking *l, hd_cc_texts *command, const char *option, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hd_vec_push(command, option);
    hd_vec_push(command, hd_arena_copy(&l->session.arena, text));
}

/* What a program registers. */
static const char *const sections[] = { "hd_data", "hd_bss", "hd_init" };

/* Makes the copy of entry `i` of the table. */
static bool rename_part(linking *l, size_t i, const char *part, const char *copy, const char *program)
{
    hd_cc_texts command = { 0 };
    hd_vec_push(&command, "objcopy");
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        const char *name = sections[k];
        add(l, &command, "--rename-section", "%s=%s_%zu", name, name, i);
        add(l, &command, "--redefine-sym", "__start_%s=__start_%s_%zu", name, name, i);
        add(l, &command, "--redefine-sym", "__stop_%s=__stop_%s_%zu", name, name, i);
    }
    add(l, &command, "--redefine-sym", "hd_user_main=hd_user_main_%zu", i);
    add(l, &command, "--keep-global-symbol", "hd_user_main_%zu", i);
    add(l, &command, "--remove-section", ".heddle.bitcode");
    hd_vec_push(&command, part);
    hd_vec_push(&command, copy);
    hd_vec_push(&command, NULL);
    return run(l, &command, program);
}

static bool add_copy(linking *l, size_t i, const char *program)
{
    const char *part, *copy;
    if (!hd_cc_session_file(&l->session, "part", ".o", &part, l->error)
        || !hd_cc_session_file(&l->session, "process", ".o", &copy, l->error) || !extract(l, program, part)
        || !rename_part(l, i, part, copy, program))
        return false;
    hd_vec_push(&l->files, copy);
    return true;
}

/* --- the table ------------------------------------------------------------------------ */

static void write_string(FILE *out, const char *text)
{
    fprintf(out, ".byte ");
    for (; *text; text++)
        fprintf(out, "%u,", (unsigned char)*text);
    fprintf(out, "0\n");
}

/* `path`: of a program for exec. */
static void write_entry(FILE *out, size_t i, const hd_cc_process *p, const char *path)
{
    size_t count = 0;
    while (p->arguments[count])
        count++;
    if (p->name) {
        fprintf(out, ".section " HD_NAMES_SECTION ",\"\",@progbits\n");
        write_string(out, p->name);
    }
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        fprintf(out, ".weak __start_%s_%zu, __stop_%s_%zu\n.hidden __start_%s_%zu, __stop_%s_%zu\n", sections[k], i,
            sections[k], i, sections[k], i, sections[k], i);
    fprintf(out, ".section " HD_SYSTEM_SECTION ",\"aw\",@progbits\n");
    fprintf(out, ".quad hd_user_main_%zu, __start_hd_init_%zu, __stop_hd_init_%zu, arguments_%zu, ", i, i, i, i);
    fprintf(out, p->has_rank ? "rank_%zu, %zu, %d, " : "0 * %zu, %zu, %d, ", i, count, p->is_main);
    fprintf(out, "__start_hd_data_%zu, __stop_hd_data_%zu, __start_hd_bss_%zu, __stop_hd_bss_%zu, %u, ", i, i, i, i,
        p->crashes);
    fprintf(out, path ? "path_%zu\n" : "0 * %zu\n", i);
    fprintf(out, ".section .rodata\nrank_%zu: .asciz \"HEDDLE_RANK=%zu\"\n", i, i);
    if (path) {
        fprintf(out, "path_%zu:\n", i);
        write_string(out, path);
    }
    fprintf(out, ".data\n.balign 8\narguments_%zu:\n", i);
    for (size_t k = 0; k < count; k++)
        fprintf(out, ".quad argument_%zu_%zu\n", i, k);
    fprintf(out, ".quad 0\n");
    for (size_t k = 0; k < count; k++) {
        fprintf(out, "argument_%zu_%zu:\n", i, k);
        write_string(out, p->arguments[k]);
    }
}

/* By the assembler itself: clang takes ten times as long to start. */
static bool assemble(linking *l, const char *source, const char *object)
{
    hd_cc_texts command = { 0 };
    hd_vec_push(&command, "as");
    hd_vec_push(&command, "-o");
    hd_vec_push(&command, object);
    hd_vec_push(&command, source);
    hd_vec_push(&command, NULL);
    return run(l, &command, "the table of processes");
}

static bool add_table(linking *l, const hd_cc_process *processes, size_t count, hd_cc_programs programs)
{
    const hd_cc_process none = { .arguments = (char *[]) { NULL } };
    const char *source, *object;
    if (!hd_cc_session_file(&l->session, "system", ".s", &source, l->error)
        || !hd_cc_session_file(&l->session, "system", ".o", &object, l->error))
        return false;
    FILE *out = hd_file_create(source, l->error);
    for (size_t i = 0; out && i < count; i++)
        write_entry(out, i, &processes[i], NULL);
    for (size_t i = 0; out && i < programs.count; i++)
        write_entry(out, count + i, &none, programs.items[i]);
    if (out)
        fprintf(out, ".section .note.GNU-stack,\"\",@progbits\n");
    hd_vec_push(&l->files, object);
    return out && hd_file_close(out, source, l->error) && assemble(l, source, object);
}

static bool link_image(linking *l, const char *output)
{
    const char *library;
    hd_cc_texts command = { 0 };
    if (!hd_library_find(&l->session.arena, &library, l->error))
        return false;
    hd_cc_image_step(&l->session.arena, &command, &l->files, output, library);
    return run(l, &command, "the programs");
}

bool hd_cc_link_system(const hd_cc_process *processes, size_t count, hd_cc_programs programs, const char *output,
    hd_cc_limits *limits, hd_error *error)
{
    linking l = { .error = error };
    bool linked = true;
    hd_cc_session_open(&l.session, limits);
    for (size_t i = 0; i < count && linked; i++)
        linked = add_copy(&l, i, processes[i].program);
    for (size_t i = 0; i < programs.count && linked; i++)
        linked = add_copy(&l, count + i, programs.items[i]);
    linked = linked && add_table(&l, processes, count, programs) && link_image(&l, output);
    if (!linked)
        unlink(output);
    hd_vec_fini(&l.files);
    hd_cc_session_close(&l.session);
    return linked;
}
