#include "compile/line.h"
#include "compile/steps.h"
#include "unit/test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static hd_cc_texts texts(const char *first, ...)
{
    hd_cc_texts all = { 0 };
    va_list rest;
    va_start(rest, first);
    for (const char *text = first; text; text = va_arg(rest, const char *))
        hd_vec_push(&all, text);
    va_end(rest);
    return all;
}

/* The words with blanks between; the caller's buffer. */
static const char *joined(const hd_cc_texts *all, char *buffer, size_t room)
{
    buffer[0] = '\0';
    for (size_t i = 0; i < all->count && all->items[i]; i++)
        snprintf(buffer + strlen(buffer), room - strlen(buffer), "%s%s", i ? " " : "", all->items[i]);
    return buffer;
}

static bool parse(hd_cc_line *line, hd_cc_texts arguments, hd_error *error)
{
    bool fine = hd_cc_line_parse(line, &arguments, error);
    hd_vec_fini(&arguments);
    return fine;
}

TEST(the_last_of_overriding_options_counts)
{
    hd_cc_line line;
    hd_error error;
    CHECK(parse(&line, texts("-O3", "-O0", "-Os", "-o", "a", "-ob", "-fcommon", "-fno-common", "x.c", NULL), &error));
    CHECK_INT(line.level, 's');
    CHECK_TEXT(line.level_option, "-Os");
    CHECK_TEXT(line.output, "b");
    CHECK_INT(line.common, false);
    hd_cc_line_fini(&line);
}

TEST(levels_of_every_spelling)
{
    static const struct {
        const char *text;
        char level;
    } levels[] = { { "-O", '1' }, { "-O0", '0' }, { "-O1", '1' }, { "-O2", '2' }, { "-O3", '3' }, { "-O4", '3' },
        { "-Os", 's' }, { "-Oz", 'z' }, { "-Og", '1' }, { "-Ofast", '3' } };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        hd_cc_line line;
        hd_error error;
        CHECK(parse(&line, texts(levels[i].text, NULL), &error));
        CHECK_INT(line.level, levels[i].level);
        hd_cc_line_fini(&line);
    }
}

TEST(values_are_not_taken_for_inputs)
{
    hd_cc_line line;
    hd_error error;
    CHECK(parse(&line,
        texts("-I", "a.c", "-include", "b.c", "-MF", "c.c", "-Xlinker", "d.c", "-L", "e.c", "f.c", "g.o", NULL),
        &error));
    CHECK_INT(hd_cc_line_count(&line, hd_cc_kind_c), 1);
    CHECK_INT(hd_cc_line_count(&line, hd_cc_kind_linker), 1);
    CHECK(line.dependency_file);
    hd_cc_line_fini(&line);
}

TEST(x_holds_until_none)
{
    hd_cc_line line;
    hd_error error;
    CHECK(parse(&line, texts("-x", "c", "a.txt", "-xassembler", "b", "-x", "none", "c.txt", NULL), &error));
    CHECK_INT(hd_cc_line_count(&line, hd_cc_kind_c), 1);
    CHECK_INT(hd_cc_line_count(&line, hd_cc_kind_assembly), 1);
    CHECK_INT(hd_cc_line_count(&line, hd_cc_kind_linker), 1);
    hd_cc_line_fini(&line);
}

TEST(other_languages_are_refused_by_name)
{
    hd_cc_line line;
    hd_error error;
    CHECK(!parse(&line, texts("-c", "dir.c/a.cpp", NULL), &error));
    CHECK_TEXT(error.text,
        "dir.c/a.cpp: this is C++, and heddle compiles C only; compile it with its own compiler and link the object");
    hd_cc_line_fini(&line);
    CHECK(!parse(&line, texts("-x", "nonsense", "a.c", NULL), &error));
    hd_cc_line_fini(&line);
    CHECK(!parse(&line, texts("a.c", "-o", NULL), &error));
    CHECK_TEXT(error.text, "argument to '-o' is missing");
    hd_cc_line_fini(&line);
}

TEST(sanitizers_that_need_a_runtime_are_ignored)
{
    hd_cc_line line;
    hd_error error;
    CHECK(parse(&line, texts("-fsanitize=undefined", "-fsanitize=address,undefined", "-static", "a.c", NULL), &error));
    CHECK_INT(line.items.items[0].role, hd_cc_role_both);
    CHECK_INT(line.items.items[1].role, hd_cc_role_ignored);
    CHECK_INT(line.items.items[2].role, hd_cc_role_ignored);
    hd_cc_line_fini(&line);
}

TEST(words_are_split_as_in_response_files)
{
    hd_arena arena;
    hd_cc_texts words = { 0 };
    char buffer[256];
    hd_arena_init(&arena, &hd_heap);
    hd_cc_split(&arena, &words, "  -DA=1\t'-DB=x y'\n\"-DC=\\\"z\\\"\" a\\ b '' end");
    CHECK_INT(words.count, 6);
    CHECK_TEXT(joined(&words, buffer, sizeof buffer), "-DA=1 -DB=x y -DC=\"z\" a b  end");
    hd_vec_fini(&words);
    hd_arena_fini(&arena);
}

TEST(response_files_nest_and_missing_ones_stay)
{
    hd_arena arena;
    hd_cc_texts words = { 0 };
    char name[] = "/tmp/heddle-test-XXXXXX", buffer[256];
    int file = mkstemp(name);
    CHECK(file >= 0);
    hd_arena_init(&arena, &hd_heap);
    CHECK_INT(dprintf(file, "-DX @/nowhere/file\n"), 19);
    close(file);
    const char *arguments[] = { "-c", hd_arena_print(&arena, "@%s", name), "end" };
    hd_cc_expand(&arena, &words, arguments, 3);
    CHECK_TEXT(joined(&words, buffer, sizeof buffer), "-c -DX @/nowhere/file end");
    hd_vec_fini(&words);
    hd_arena_fini(&arena);
    unlink(name);
}

TEST(a_response_file_that_names_itself_ends)
{
    hd_arena arena;
    hd_cc_texts words = { 0 };
    char name[] = "/tmp/heddle-test-XXXXXX";
    int file = mkstemp(name);
    CHECK(file >= 0);
    CHECK(dprintf(file, "x @%s", name) > 0);
    close(file);
    hd_arena_init(&arena, &hd_heap);
    const char *argument = hd_arena_print(&arena, "@%s", name);
    hd_cc_expand(&arena, &words, &argument, 1);
    CHECK(words.count > 1 && words.count < 100);
    hd_vec_fini(&words);
    hd_arena_fini(&arena);
    unlink(name);
}

TEST(a_link_keeps_the_order_of_its_inputs)
{
    hd_cc_line line;
    hd_error error;
    hd_arena arena;
    hd_cc_texts command = { 0 }, objects = texts("/t/a.o", "/t/s.o", NULL);
    char buffer[1024];
    hd_arena_init(&arena, &hd_heap);
    CHECK(parse(&line,
        texts("-Wall", "-L", "lib", "first.o", "a.c", "-Wl,--start-group", "-lx", "s.s", "last.a", "-DX", NULL),
        &error));
    hd_cc_link_step(&arena, &command, &line, &objects, NULL, "/lib");
    joined(&command, buffer, sizeof buffer);
    CHECK(strstr(buffer, "-L lib first.o /t/a.o -Wl,--start-group -lx /t/s.o last.a") != NULL);
    CHECK(strstr(buffer, "-DX") == NULL);
    CHECK(strstr(buffer, "/lib/libheddle_rt.a") != NULL);
    hd_vec_fini(&command);
    hd_vec_fini(&objects);
    hd_cc_line_fini(&line);
    hd_arena_fini(&arena);
}

TEST(shared_libraries_get_no_runtime)
{
    hd_cc_line line;
    hd_error error;
    hd_arena arena;
    hd_cc_texts command = { 0 }, objects = { 0 };
    char buffer[1024];
    hd_arena_init(&arena, &hd_heap);
    CHECK(parse(&line, texts("-shared", "a.o", NULL), &error));
    hd_cc_link_step(&arena, &command, &line, &objects, NULL, "/lib");
    CHECK(strstr(joined(&command, buffer, sizeof buffer), "libheddle_rt") == NULL);
    hd_vec_fini(&command);
    hd_cc_line_fini(&line);
    hd_arena_fini(&arena);
}
