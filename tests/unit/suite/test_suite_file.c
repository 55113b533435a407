/* Suites as text: read and written back; what is damaged is refused with its line. */
#include "suite/suite_file.h"

#include "base/rng.h"
#include "unit/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "heddle suite 2\n"
                           "version 0.1.0\n"
                           "program heddle-out/p\n"
                           "argument two words\n"
                           "depth 20000\n"
                           "timeouts 1\n"
                           "options races\n"
                           "shared 1f 2a+3\n"
                           "threads 0.1 1.1\n"
                           "symbolic arg 1 8\n"
                           "symbolic env NAME 2\n"
                           "source p.c\n"
                           "source ../q.c\n"
                           "cflags -DN=4\n"
                           "build 00000000000000ff\n"
                           "net unfold\n"
                           "cover events\n"
                           "method exact\n"
                           "goals 4\n"
                           "lower 2\n"
                           "complete no\n"
                           "\n"
                           "test 1\n"
                           "goal 0000000000000001 T1 lock p.c:3\n"
                           "goal 0000000000000002 T2 lock p.c:3\n"
                           "kind test\n"
                           "message ends normally\n"
                           "slots 1 1 2\n"
                           "input T0 0 97 name\n"
                           "input T1 0 5 a\n"
                           "input T2 0 6 b\n"
                           "input T2 1 7 c\n"
                           "steps 2\n"
                           "T1 lock p.c:3\n"
                           "T2 cond-signal p.c:9 choice 1\n"
                           "end\n"
                           "\n"
                           "test 7\n"
                           "kind assertion\n"
                           "key 000000000000001f\n"
                           "message assertion failed: a\\nb\n"
                           "steps 0\n"
                           "end\n"
                           "\n"
                           "lost 0000000000000003 T2 unlock p.c:4\n"
                           "end\n";

typedef struct fixture {
    char path[40];
    hd_arena arena;
    hd_error error;
    hd_suite_file file;
    bool fine;
} fixture;

static void read_text(fixture *f, const char *what, size_t size)
{
    memset(f, 0, sizeof *f);
    strcpy(f->path, "/tmp/heddle-suite-XXXXXX");
    int descriptor = mkstemp(f->path);
    FILE *out = fdopen(descriptor, "w");
    fwrite(what, 1, size, out);
    fclose(out);
    hd_arena_init(&f->arena, &hd_heap);
    f->fine = hd_suite_file_read(&f->file, f->path, &f->arena, &f->error);
    unlink(f->path);
}

static void close_fixture(fixture *f)
{
    hd_suite_file_fini(&f->file);
    hd_arena_fini(&f->arena);
}

TEST(a_suite_is_written_as_it_was_read)
{
    fixture f;
    char *written = NULL;
    size_t size;
    read_text(&f, text, sizeof text - 1);
    CHECK_TEXT(f.error.text, "");
    FILE *out = open_memstream(&written, &size);
    hd_suite_file_write(&f.file, out);
    fclose(out);
    CHECK_TEXT(written, text);
    free(written);
    close_fixture(&f);
}

TEST(tests_have_what_the_head_says_and_their_own_steps)
{
    fixture f;
    read_text(&f, text, sizeof text - 1);
    CHECK_INT(f.file.tests.count, 2);
    const hd_suite_file_test *first = &f.file.tests.items[0], *second = &f.file.tests.items[1];
    CHECK_INT(first->number, 1);
    CHECK_INT(second->number, 7);
    for (int i = 0; i < 2; i++) {
        const hd_record *r = &f.file.tests.items[i].record;
        CHECK_TEXT(r->program, "heddle-out/p");
        CHECK_INT(r->argument_count, 1);
        CHECK_TEXT(r->arguments[0], "two words");
        CHECK_TEXT(r->symbolic, "arg 1 8\nenv NAME 2");
        CHECK_INT(r->facts.shared_count, 2);
        CHECK_INT(r->settings.depth, 20000);
        CHECK_INT(r->facts.births[2], 1 << 16 | 1);
    }
    CHECK_INT(first->goals.count, 2);
    CHECK_INT(first->record.step_count, 2);
    CHECK_INT(first->record.input_count, 4);
    CHECK_INT(second->record.step_count, 0);
    CHECK_INT(second->record.input_count, 0);
    CHECK(!second->record.slots);
    CHECK_INT(second->record.key, 0x1f);
    CHECK_TEXT(second->record.message, "assertion failed: a\nb");
    close_fixture(&f);
}

/* A text that is not read gets an error that names the file and a line of it. */
static void check_is_judged(const char *what, size_t size)
{
    fixture f;
    read_text(&f, what, size);
    uint32_t line = 0, lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += what[i] == '\n';
    if (!f.fine && !memchr(what, 0, size)) {
        CHECK(!strncmp(f.error.text, f.path, strlen(f.path)));
        CHECK(sscanf(f.error.text + strlen(f.path), ":%u: ", &line) == 1);
        CHECK(line >= 1 && line <= lines);
    }
    close_fixture(&f);
}

TEST(every_beginning_of_a_suite_is_refused)
{
    for (size_t size = 0; size < sizeof text - 1; size++) {
        fixture f;
        read_text(&f, text, size);
        CHECK(!f.fine);
        close_fixture(&f);
        check_is_judged(text, size);
    }
}

TEST(any_damage_is_read_or_refused_with_its_line)
{
    enum { ROUNDS = 4000 };
    static const char letters[] = "\n\n \\T0129:.+xa-\0end test goal steps";
    hd_rng rng;
    hd_rng_seed(&rng, 1);
    for (int round = 0; round < ROUNDS; round++) {
        char damaged[sizeof text];
        size_t size = sizeof text - 1;
        memcpy(damaged, text, size);
        for (uint64_t times = 1 + hd_rng_below(&rng, 3); times-- > 0;) {
            size_t at = hd_rng_below(&rng, size), cut = hd_rng_below(&rng, 20);
            if (hd_rng_below(&rng, 2))
                damaged[at] = letters[hd_rng_below(&rng, sizeof letters - 1)];
            else if (at + cut < size)
                memmove(damaged + at, damaged + at + cut, (size -= cut) - at);
        }
        check_is_judged(damaged, size);
    }
}

/* T1 and T2 have run in slot 1, one after the other. */
TEST(threads_are_told_apart_by_their_numbers_and_run_in_their_slots)
{
    fixture f;
    read_text(&f, text, sizeof text - 1);
    const hd_record *r = &f.file.tests.items[0].record;
    CHECK_INT(r->slot_count, 4);
    CHECK_INT(r->steps[0].number, 1);
    CHECK_INT(r->steps[0].thread, 1);
    CHECK_INT(r->steps[1].number, 2);
    CHECK_INT(r->steps[1].thread, 1);
    static const uint32_t numbers[] = { 0, 0, 1, 2 };
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(r->inputs[i].given.thread, i > 0);
        CHECK_INT(r->inputs[i].given.number, numbers[i]);
    }
    close_fixture(&f);
}
