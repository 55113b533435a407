/* Verdicts, exit statuses, JSON and the text of findings from made-up results. */
#include "unit/test.h"

#include "report/json.h"
#include "base/elf.h"
#include "report/cases.h"
#include "report/symbolise.h"
#include "report/symbols.h"
#include "report/text.h"

#include <stdlib.h>
#include <unistd.h>

static const char *verdict(const hd_report_result *r)
{
    static char text[1024];
    hd_report_verdict(r, text, sizeof text);
    return text;
}

static void check_claim(hd_report_result r, const char *claim)
{
    CHECK((strstr(verdict(&r), "no failure with") != NULL) == (claim != NULL));
    CHECK(!claim || strstr(verdict(&r), claim));
}

/* A search that is not complete makes a claim about the schedules within the bound that it has finished, unless
 * something else was left out or found. */
TEST(a_verdict_states_the_bound_that_was_finished)
{
    hd_report_result r = {
        .bound = "preemptions", .most = 2, .counts = { .tests = 9, .reached = { HD_BOUNDED_PREEMPTIONS, 3, true } }
    };
    CHECK_TEXT(verdict(&r),
        "9 executions, stopped at --preemptions=2, no failure with at most 2 preemptions, nothing found (0.00 s)");
    CHECK_INT(hd_report_status(&r), HD_EXIT_BOUND);
    r.bound = "time";
    r.counts.reached.finished = 2;
    check_claim(r, ", stopped at --time=0, no failure with at most 1 preemption, nothing found");
    r.counts.reached = (hd_bound_reached) { HD_BOUNDED_DELAYS, 1, true };
    check_claim(r, "no failure with at most 0 delays");
    r.counts.reached.finished = 0;
    check_claim(r, NULL);
    r.counts.reached.finished = 1;
    r.bound = "nondeterminism";
    check_claim(r, NULL);
    r.bound = "time";
    r.counts.deep = 1;
    check_claim(r, NULL);
    r.counts.deep = 0;
    r.counts.followed = 1;
    check_claim(r, NULL);
    r.counts.followed = 0;
    r.counts.differed = 1;
    check_claim(r, NULL);
    r.counts.differed = 0;
    hd_report_finding f = { .finding = { .kind = HD_FINDING_ASSERTION }, .confirmed = true };
    r.findings = &f;
    r.finding_count = 1;
    check_claim(r, NULL);
}

TEST(a_verdict_says_how_far_a_check_came)
{
    hd_report_result r = { .complete = true, .counts = { .tests = 256 }, .seconds = 1.5 };
    CHECK_TEXT(verdict(&r), "256 executions, everything explored, nothing found (1.50 s)");
    CHECK_INT(hd_report_status(&r), HD_EXIT_CLEAN);
    r = (hd_report_result) { .bound = "max-tests", .counts = { .tests = 1 }, .max_tests = 1 };
    CHECK_TEXT(verdict(&r), "1 execution, stopped at --max-tests=1, nothing found (0.00 s)");
    CHECK_INT(hd_report_status(&r), HD_EXIT_BOUND);
    r = (hd_report_result) { .bound = "time", .counts = { .tests = 3, .blocked = 2 }, .most_seconds = 2.5 };
    CHECK_TEXT(verdict(&r), "3 executions and 2 redundant ones, stopped at --time=2.5, nothing found (0.00 s)");
    r = (hd_report_result) { .bound = "interrupted", .counts = { .tests = 3 } };
    CHECK_TEXT(verdict(&r), "3 executions, interrupted, nothing found (0.00 s)");
    r = (hd_report_result) { .bound = "depth", .counts = { .tests = 3, .deep = 1 }, .settings = { .depth = 7 } };
    CHECK_TEXT(verdict(&r), "3 executions, not complete: 1 execution was cut off at --depth=7, nothing found (0.00 s)");
    r = (hd_report_result) { .bound = "hang", .counts = { .tests = 1, .hung = 1 }, .hang = { "a.c", "f", 0, 0 } };
    CHECK_TEXT(verdict(&r),
        "1 execution, not complete: in 1 execution a thread runs without any operation (in f), nothing found (0.00 "
        "s)");
    r = (hd_report_result) { .bound = "hang", .counts = { .tests = 3, .hung = 2 }, .hang = { "a.c", "f", 4, 0 } };
    CHECK_TEXT(verdict(&r),
        "3 executions, not complete: in 2 executions a thread runs without any operation (a.c:4 in f), nothing "
        "found (0.00 s)");
    CHECK_INT(hd_report_status(&r), HD_EXIT_BOUND);
}

static void print_limit(hd_report_finding *limit, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    hd_report_text options = hd_report_text_for(out);
    hd_report_limit(&options, limit);
    fclose(out);
}

TEST(a_limit_is_one_line_with_its_executions)
{
    char text[400];
    hd_report_finding limit = { .finding = { .kind = HD_FINDING_MODEL_LIMIT, .message = "fork is not modelled yet" } };
    print_limit(&limit, text, sizeof text);
    CHECK_TEXT(text, "heddle: fork is not modelled yet\n");
    limit.location = (hd_location) { "a.c", "f", 7, 1 };
    limit.executions = 2;
    limit.replay = "x.replay";
    print_limit(&limit, text, sizeof text);
    CHECK_TEXT(text,
        "heddle: fork is not modelled yet (a.c:7 in f): 2 executions ended there; to see one: heddle replay "
        "x.replay\n");
}

TEST(a_limit_of_heddle_is_no_bug_and_no_clean_bill)
{
    hd_report_finding limit = { .finding = { .kind = HD_FINDING_MODEL_LIMIT, .message = "fork is not modelled yet" },
        .confirmed = true,
        .location = { "a.c", "main", 12, 1 } };
    hd_report_result r = {
        .bound = "model-limit", .counts = { .tests = 1, .limited = 1 }, .findings = &limit, .finding_count = 1
    };
    CHECK_INT(hd_report_status(&r), HD_EXIT_BOUND);
    CHECK_TEXT(verdict(&r),
        "1 execution, not complete: 1 execution ended at a limit of heddle: fork is not modelled yet (a.c:12), "
        "nothing found (0.00 s)");
    limit.finding.kind = HD_FINDING_CRASH;
    limit.confirmed = false;
    CHECK_INT(hd_report_status(&r), HD_EXIT_FOUND);
    r = (hd_report_result) { .stopped = true, .counts = { .tests = 1 }, .findings = &limit, .finding_count = 1 };
    CHECK_TEXT(verdict(&r),
        "1 execution, stopped at the first finding (--stop=never continues), 1 finding (1 of them not confirmed by a "
        "replay) (0.00 s)");
}

/* --- a race between T1 and T2, without a process -------------------------------------------------- */

static hd_recorded_op op(uint16_t thread, uint8_t kind, uint64_t object, uint32_t line)
{
    return (hd_recorded_op) { .op = { .object = object, .thread = thread, .kind = kind, .mask = 0x0f },
        .location = { "no-such-file.c", "f", line, 3 } };
}

static hd_recorded_run race_run(hd_recorded_op *ops, uint32_t count, hd_recorded_thread *threads)
{
    for (int i = 0; i < 3; i++)
        threads[i] = (hd_recorded_thread) { .view = { .status = HD_THREAD_DONE },
            .location = { "?", "?", 0, 0 },
            .created = { "no-such-file.c", "main", 30u + (uint32_t)i, 5 } };
    return (hd_recorded_run) {
        .ops = ops, .op_count = count, .threads = threads, .thread_count = 3, .location = { "?", "?", 0, 0 }
    };
}

static char *text_of(const hd_report_finding *r, bool whole)
{
    static char text[20000];
    hd_report_finding named = *r;
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    hd_report_name(&named, "/no/such/program", &arena);
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    hd_report_print(&(hd_report_text) { .out = out, .whole = whole, .columns = 100 }, &named, "/no/such/program");
    fclose(out);
    hd_arena_fini(&arena);
    return text;
}

TEST(a_race_is_told_with_both_accesses_even_without_symbols)
{
    hd_recorded_op ops[] = { op(1, HD_WRITE, 0x1000, 8), op(2, HD_READ, 0x1000, 9) };
    hd_recorded_thread threads[3];
    hd_report_finding r = {
        .finding = { .kind = HD_FINDING_DATA_RACE, .message = "data race: x", .entries = { 0, 1 }, .thread = 2 },
        .run = race_run(ops, 2, threads),
        .confirmed = true,
        .replay = "a.replay"
    };
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    hd_report_symbolise(&r, "/no/such/program", &arena);
    const char *text = text_of(&r, false);
    CHECK(strstr(text, "WARNING: heddle: data race: x\n"));
    CHECK(strstr(text, "  Read of 0x1000 (4 bytes) by thread T2:\n    #0 f no-such-file.c:9:3\n"));
    CHECK(strstr(text, "  Previous write of 0x1000 (4 bytes) by thread T1:\n    #0 f no-such-file.c:8:3\n"));
    CHECK(strstr(text, "  Thread T2 (finished) created by main thread at:\n    #0 main no-such-file.c:32:5\n"));
    CHECK(strstr(text, "SUMMARY: heddle: data race no-such-file.c:9 in f\nto see it again: heddle replay a.replay\n"));
    CHECK(!hd_report_involves(&r, 0) && hd_report_involves(&r, 1) && hd_report_involves(&r, 2));
    CHECK_INT(r.location.line, 9);
    CHECK_INT(r.previous.line, 8);
    hd_arena_fini(&arena);
}

TEST(reports_read_the_symbols_of_the_result)
{
    hd_recorded_op ops[] = { op(1, HD_WRITE, 0x1000, 8), op(2, HD_READ, 0x1000, 9) };
    hd_recorded_thread threads[3];
    static const hd_report_frame frames[] = { { "inner", "a.c", 9, 3 }, { "outer", "a.c", 20, 0 } };
    static const hd_report_symbol symbols[] = { { .pc = 0x40, .frames = frames, .count = 2 } };
    hd_report_finding f = {
        .finding = { .kind = HD_FINDING_DATA_RACE, .message = "data race: x", .entries = { 0, 1 }, .thread = 2 },
        .run = race_run(ops, 2, threads),
        .confirmed = true,
        .symbols = { symbols, 1 },
        .location = { "a.c", "inner", 9, 3 },
        .previous = { "b.c", "f", 8, 3 }
    };
    ops[1].stack.pc[0] = 0x40;
    const char *text = text_of(&f, false);
    CHECK(strstr(text, "by thread T2:\n    #0 inner a.c:9:3\n    #1 outer a.c:20\n"));
    CHECK(strstr(text, "SUMMARY: heddle: data race a.c:9 in inner\n"));
}

static const char *json_of(const hd_report_result *r)
{
    static char text[20000];
    char path[] = "/tmp/heddle-json-XXXXXX";
    hd_error error = { "" };
    int fd = mkstemp(path);
    CHECK(hd_report_json(r, "0", path, &error));
    ssize_t length = read(fd, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    close(fd);
    unlink(path);
    return text;
}

TEST(json_has_the_places_of_the_result)
{
    hd_report_finding f = { .finding = { .kind = HD_FINDING_DATA_RACE, .message = "m", .thread = 2 },
        .confirmed = true,
        .location = { "a.c", "inner", 9, 3 },
        .previous = { "b.c", "f", 8, 3 } };
    hd_report_result r = {
        .given = "p", .explorer = "dpor", .counts = { .tests = 5 }, .findings = &f, .finding_count = 1
    };
    const char *text = json_of(&r);
    CHECK(strstr(text, "a.c") && strstr(text, "b.c"));
    CHECK(strstr(text, "\"tests\": 5") || strstr(text, "\"tests\":5"));
}

static const char *cases_of(const hd_report_case *cases, size_t count, int *status)
{
    static char text[2000];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    *status = hd_report_cases(cases, count, out);
    fclose(out);
    return text;
}

TEST(tests_that_do_not_pass_have_a_line_each)
{
    hd_report_case cases[] = { { "a", HD_REPORT_PASSED, NULL, NULL, 0 },
        { "b", HD_REPORT_LIMITED, "model-limit", "m", 0 }, { "c", HD_REPORT_ERROR, "misfit", "m", 0 },
        { "d", HD_REPORT_FAILED, "crash", "m", 0 } };
    int status;
    CHECK_TEXT(cases_of(cases, 1, &status), "heddle: 1 of 1 tests pass\n");
    CHECK_INT(status, HD_EXIT_CLEAN);
    CHECK_TEXT(
        cases_of(cases, 2, &status), "b: model-limit: m\nheddle: 1 of 2 tests pass, 1 ends at a limit of heddle\n");
    CHECK_INT(status, HD_EXIT_BOUND);
    CHECK(strstr(cases_of(cases, 4, &status),
        "1 of 4 tests pass, 1 fails ('heddle replay' with the name of a test shows what happens), 1 no "));
    CHECK_INT(status, HD_EXIT_FOUND);
}

TEST(a_table_keeps_what_matters)
{
    hd_recorded_op ops[103];
    hd_recorded_thread threads[3];
    for (int i = 0; i < 100; i++)
        ops[i] = op(1, HD_RMW, 0x2000, 50);
    ops[100] = op(1, HD_WRITE, 0x1000, 8);
    ops[101] = op(2, HD_READ, 0x1000, 9);
    ops[102] = op(2, HD_READ, 0x3000, 10);
    hd_report_finding r = {
        .finding = { .kind = HD_FINDING_DATA_RACE, .message = "data race", .entries = { 100, 101 }, .thread = 2 },
        .run = race_run(ops, 103, threads),
        .confirmed = true
    };
    const char *text = text_of(&r, false);
    CHECK(strstr(text, "         … T1: 100 steps in f()\n"));
    CHECK(strstr(text, "    101  write 0x1000"));
    CHECK(strstr(text, "read 0x1000"));
    CHECK(strstr(text, "… the execution continues for 1 more step …"));
    CHECK(!strstr(text, "0x3000"));
    text = text_of(&r, true);
    CHECK(!strstr(text, "steps in f()"));
    CHECK(strstr(text, "in f():"));
    CHECK(strstr(text, "T1: the same 99 more times"));
    CHECK(strstr(text, "0x3000"));
}

TEST(a_deadlock_names_holders)
{
    hd_recorded_op ops[] = { op(1, HD_LOCK, 0x1000, 8), op(2, HD_LOCK, 0x2000, 9) };
    hd_recorded_thread threads[3];
    hd_report_finding r = { .finding = { .kind = HD_FINDING_DEADLOCK,
                                .message = "deadlock: m",
                                .entries = { ~0u, ~0u },
                                .thread = 2,
                                .stuck = { { 6 } } },
        .run = race_run(ops, 2, threads),
        .confirmed = true };
    for (int i = 1; i < 3; i++) {
        threads[i].view.status = HD_THREAD_AT_OP;
        threads[i].view.pending =
            (hd_op) { .kind = HD_LOCK, .object = i == 1 ? 0x2000 : 0x1000, .thread = (uint16_t)i };
        threads[i].location = (hd_location) { "no-such-file.c", "g", 20u + (uint32_t)i, 7 };
    }
    const char *text = text_of(&r, false);
    CHECK(strstr(text,
        "  Thread T1 waits for mutex '0x2000':\n    #0 g no-such-file.c:21:7\n  mutex '0x2000' is held by "
        "thread T2, which locked it at:\n    #0 f no-such-file.c:9:3\n"));
    CHECK(strstr(text,
        "  Thread T2 waits for mutex '0x1000':\n    #0 g no-such-file.c:22:7\n  mutex '0x1000' is held by "
        "thread T1, which locked it at:\n    #0 f no-such-file.c:8:3\n"));
    CHECK(strstr(text, "*** waits for 0x2000"));
    CHECK(strstr(text, "Thread T1 (running) created by main thread at:"));
}

TEST(json_that_cannot_be_written_is_an_error)
{
    hd_error error = { "" };
    hd_report_result r = { .given = "p", .explorer = "dpor", .complete = true };
    CHECK(!hd_report_json(&r, "0", "/dev/full", &error));
    CHECK_TEXT(error.text, "/dev/full: the JSON report cannot be written: No space left on device");
    CHECK(!hd_report_json(&r, "0", "/no/such/folder/x", &error));
    CHECK_TEXT(error.text, "/no/such/folder/x: the JSON report cannot be written: No such file or directory");
    CHECK(hd_report_json(&r, "0", "/dev/null", &error));
}

static int a_function_to_be_found(void)
{
    return __LINE__;
}

/* This very program, without a base: addresses in the file. */
TEST(addresses_have_functions_and_lines)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    hd_arena arena;
    hd_elf elf;
    CHECK(length > 0);
    self[length > 0 ? length : 0] = '\0';
    CHECK(hd_elf_open(&elf, self, NULL));
    CHECK(hd_elf_has_section(&elf, ".text") && !hd_elf_has_section(&elf, "hd_text"));
    hd_elf_close(&elf);
    extern const char __executable_start[];
    uint64_t base = (uint64_t)__executable_start;
    hd_arena_init(&arena, &hd_heap);
    hd_module whole = { .path = "", .base = base, .start = 0, .end = UINT64_MAX };
    uint64_t pc = (uint64_t)a_function_to_be_found + 1;
    hd_report_symbols symbols = hd_report_symbols_resolve(self, &whole, 1, &pc, 1, &arena);
    hd_location location = hd_report_symbols_location(&symbols, pc);
    CHECK_TEXT(location.function, "a_function_to_be_found");
    CHECK(abs((int)location.line - a_function_to_be_found()) <= 2); /* its braces are near */
    symbols = hd_report_symbols_resolve("/no/such/program", &whole, 1, &pc, 1, &arena);
    location = hd_report_symbols_location(&symbols, pc);
    CHECK_INT(location.line, 0);
    hd_arena_fini(&arena);
}
