/* The text form of a test: what is written is read back, and what is not such a
 * file, or not a whole one, is refused with its line. */
#include "unit/test.h"

#include "event/record.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct fixture {
    char path[64];
    hd_arena arena;
    hd_error error;
    hd_record record;
} fixture;

static void open_fixture(fixture *f, const char *text)
{
    strcpy(f->path, "/tmp/heddle-record-XXXXXX");
    int fd = mkstemp(f->path);
    CHECK(fd >= 0);
    if (text)
        CHECK_INT(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    hd_arena_init(&f->arena, &hd_heap);
    f->error.text[0] = '\0';
}

static void close_fixture(fixture *f)
{
    unlink(f->path);
    hd_arena_fini(&f->arena);
}

/* Reads `text` as a file; the error without the file's name, or "". */
static const char *error_of(const char *text)
{
    static char sentence[1100];
    fixture f;
    open_fixture(&f, text);
    bool fine = hd_record_read(&f.record, f.path, &f.arena, &f.error);
    const char *rest = f.error.text + (strncmp(f.error.text, f.path, strlen(f.path)) ? 0 : strlen(f.path));
    snprintf(sentence, sizeof sentence, "%s", fine ? "" : rest);
    close_fixture(&f);
    return sentence;
}

#define HEAD "heddle replay 1\nversion 0.1.0\nprogram /p\nkind crash\nkey 1f\nmessage m\ndepth 9\noptions\n"

TEST(a_record_is_read_back_as_it_was_written)
{
    fixture f;
    char *arguments[] = { "plain", "two words", "back\\slash", "line\nfeed\rand return", "", NULL };
    hd_shared_block cells[40];
    for (uint32_t i = 0; i < 40; i++)
        cells[i] = (hd_shared_block) { i * 1000003, i % 3 ? 1 : 1 + i * 17 };
    hd_step_record steps[] = { { 0, 0, HD_LOCK, "a.c", 12, 0 },
        { 127, 3, HD_COND_SIGNAL, "dir with blanks/b:c.c", 4000000, 127 },
        { 5, 0, HD_RMW_SAME, "x choice 7.c", 1, 5 } };
    hd_record written = { .version = "0.1.0",
        .program = "/a path/with\nodd\\things",
        .arguments = arguments,
        .argument_count = 5,
        .kind = "deadlock",
        .message = "two\nlines",
        .key = 0xfedcba9876543210,
        .settings = { .depth = 20000, .timeouts = 2, .races = true, .spurious = true },
        .facts = { .shared = cells, .shared_count = 40, .births = { 0, 1, 1 << 16 | 1, 2, 2 << 16 | 7 } },
        .steps = steps,
        .step_count = 3 };
    open_fixture(&f, NULL);
    FILE *out = fopen(f.path, "w");
    hd_record_write(&written, out);
    fclose(out);
    CHECK(hd_record_read(&f.record, f.path, &f.arena, &f.error));
    CHECK_TEXT(f.error.text, "");
    CHECK_TEXT(f.record.program, written.program);
    CHECK_TEXT(f.record.kind, "deadlock");
    CHECK_TEXT(f.record.message, "two\nlines");
    CHECK(f.record.key == written.key);
    CHECK_INT(f.record.settings.depth, 20000);
    CHECK_INT(f.record.settings.timeouts, 2);
    const hd_settings *s = &f.record.settings;
    CHECK(s->races && s->spurious && !s->leaks && !s->fork);
    CHECK_INT(f.record.argument_count, 5);
    for (int i = 0; i < 5; i++)
        CHECK_TEXT(f.record.arguments[i], arguments[i]);
    CHECK(!f.record.arguments[5]);
    CHECK_INT(f.record.facts.shared_count, 40);
    for (int i = 0; i < 40; i++)
        CHECK(f.record.facts.shared[i].first == cells[i].first && f.record.facts.shared[i].cells == cells[i].cells);
    for (int i = 0; i < HD_MAX_THREADS; i++)
        CHECK_INT(f.record.facts.births[i], written.facts.births[i]);
    CHECK_INT(f.record.step_count, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(f.record.steps[i].thread, steps[i].thread);
        CHECK_INT(f.record.steps[i].choice, steps[i].choice);
        CHECK_INT(f.record.steps[i].kind, steps[i].kind);
        CHECK_INT(f.record.steps[i].line, steps[i].line);
        CHECK_TEXT(f.record.steps[i].file, steps[i].file);
    }
    close_fixture(&f);
}

TEST(every_kind_of_operation_has_a_name_that_is_read_back)
{
    for (uint8_t kind = HD_NONE + 1; kind < HD_OP_KINDS; kind++) {
        char text[HD_STEP_TEXT + 300];
        char step[HD_STEP_TEXT];
        fixture f;
        hd_record_step_text(&(hd_step_record) { 1, 0, kind, "a.c", 2, 1 }, step, sizeof step);
        snprintf(text, sizeof text, HEAD "steps 1\n%s\nend\n", step);
        open_fixture(&f, text);
        CHECK(hd_record_read(&f.record, f.path, &f.arena, &f.error));
        CHECK_TEXT(f.error.text, "");
        CHECK(f.record.step_count == 1 && f.record.steps[0].kind == kind);
        close_fixture(&f);
    }
}

TEST(what_is_wrong_with_a_file_is_said_with_its_line)
{
    CHECK_TEXT(error_of(HEAD "steps 1\nT1 lock a.c:3\nend\n"), "");
    CHECK_TEXT(error_of(HEAD "steps 0\nend\n"), "");
    CHECK_TEXT(error_of(""), ":1: this is not a heddle replay file (it should begin with 'heddle replay 1')");
    CHECK_TEXT(
        error_of("heddle replay\n"), ":1: this is not a heddle replay file (it should begin with 'heddle replay 1')");
    CHECK_TEXT(error_of("heddle replay 2\n"), ":1: the replay file has format 2; this heddle reads format 1");
    CHECK_TEXT(error_of(HEAD "steps 1\nT1 lock a.c:3\n"),
        ":11: the replay file is damaged: it is cut off (there is no 'end')");
    CHECK_TEXT(error_of(HEAD "steps 1\nT1 lock a.c:3\nen"),
        ":11: the replay file is damaged: it is cut off (there is no 'end')");
    CHECK_TEXT(error_of(HEAD "steps 2\nT1 lock a.c:3\nend\n"),
        ":11: the replay file is damaged: there are fewer or more steps than it says");
    CHECK_TEXT(error_of(HEAD "steps 1\nT768 lock a.c:3\nend\n"),
        ":10: the replay file is damaged: this is not the number of a thread");
    CHECK_TEXT(error_of(HEAD "steps 1\nT-1 lock a.c:3\nend\n"),
        ":10: the replay file is damaged: this is not the number of a thread");
    CHECK_TEXT(
        error_of(HEAD "steps 1\nT1 none a.c:3\nend\n"), ":10: the replay file is damaged: there is no such operation");
    CHECK_TEXT(
        error_of(HEAD "steps 1\nT1 lock a.c:\nend\n"), ":10: the replay file is damaged: the step has no line number");
    CHECK_TEXT(error_of(HEAD "steps 1\nT1 lock\nend\n"),
        ":10: the replay file is damaged: a step like 'T1 lock file.c:13' is expected here");
    CHECK_TEXT(error_of(HEAD "steps many\nend\n"), ":9: the replay file is damaged: a number is expected here");
    CHECK_TEXT(error_of(HEAD "shared 12 zz\nsteps 0\nend\n"),
        ":9: the replay file is damaged: 'shared' expects hexadecimal numbers, as in '1a2 1b0+3f'");
    CHECK_TEXT(error_of(HEAD "shared 12+\nsteps 0\nend\n"),
        ":9: the replay file is damaged: 'shared' expects hexadecimal numbers, as in '1a2 1b0+3f'");
    CHECK_TEXT(error_of(HEAD "shared 12+400000\nsteps 0\nend\n"),
        ":9: the replay file is damaged: 'shared' expects hexadecimal numbers, as in '1a2 1b0+3f'");
    const char *births =
        ":9: the replay file is damaged: 'threads' expects for each thread who creates it and which of its threads it "
        "is, as in '0.1 0.2 1.1'";
    CHECK_TEXT(error_of(HEAD "threads 0.1 2\nsteps 0\nend\n"), births);
    CHECK_TEXT(error_of(HEAD "threads 0.1 0.0\nsteps 0\nend\n"), births);
    CHECK_TEXT(error_of(HEAD "threads 0.1 2.1\nsteps 0\nend\n"), births);
    CHECK_TEXT(
        error_of(HEAD "options wings\nsteps 0\nend\n"), ":9: the replay file is damaged: an unknown option is set");
    CHECK_TEXT(error_of(HEAD "argument a\\qb\nsteps 0\nend\n"),
        ":9: the replay file is damaged: a backslash stands before something that is not n, r or another one");
    CHECK_TEXT(error_of("heddle replay 1\nsteps 0\nend\n"),
        ":3: the replay file is damaged: program, version, kind, message or depth is missing");
}

/* Whatever is cut off or changed, reading ends with a sentence or a record. */
TEST(damage_of_any_kind_is_survived)
{
    static const char whole[] = HEAD "argument x\nshared 1 2\nsteps 2\nT1 lock a.c:3\nT2 choose b.c:4 choice 1\nend\n";
    char text[sizeof whole];
    for (size_t cut = 0; cut < sizeof whole - 1; cut++) {
        memcpy(text, whole, sizeof whole);
        text[cut] = '\0';
        CHECK(*error_of(text));
    }
    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (int flip = 1; flip < 128; flip += 31) {
            memcpy(text, whole, sizeof whole);
            text[at] = (char)((text[at] ^ flip) ? (text[at] ^ flip) : 'x');
            error_of(text);
        }
}
