#include "suite/suite_folder.h"

#include "abi/site.h"
#include "base/map.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "supervisor/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files ---------------------------------------------------------------------------------- */

static const char *absolute(const char *path, hd_arena *arena, hd_error *error)
{
    char *whole = realpath(path, NULL);
    if (!whole)
        hd_fail(error, "%s: %s", path, strerror(errno));
    const char *kept = whole ? hd_arena_copy(arena, whole) : NULL;
    free(whole);
    return kept;
}

/* Identifies the build in the manifest. */
static uint64_t hash_file(const char *path)
{
    uint64_t hash = 0;
    char bytes[4096];
    FILE *in = fopen(path, "r");
    for (size_t size; in && (size = fread(bytes, 1, sizeof bytes, in)) > 0;)
        hash = hd_hash_bytes(bytes, size, hash);
    if (in)
        fclose(in);
    return hash;
}

/* --- tests ------------------------------------------------------------------------------------ */

static hd_record record_of(
    const hd_suite_maker *x, const hd_suite_test *test, const char *program, char **arguments, hd_arena *arena)
{
    const hd_session *s = x->session;
    const hd_batch_test *run = &test->run;
    hd_record r = { .version = HD_VERSION,
        .program = program,
        .symbolic = x->program->symbolic,
        .kind = run->found ? hd_finding_word(run->kind) : "test",
        .message = run->found ? run->message : "ends normally",
        .key = run->found ? run->key : 0,
        .settings = s->config.settings,
        .facts = s->facts,
        .steps = (hd_step_record *)run->steps,
        .step_count = run->step_count };
    hd_record_set_arguments(&r, arguments);
    hd_record_set_inputs(&r, run->inputs, run->input_count, arena);
    return r;
}

static bool write_test(const char *folder, const hd_record *record, const char *name, hd_arena *arena, hd_error *error)
{
    const char *path = hd_arena_print(arena, "%s/%s", folder, name);
    hd_whole_file file;
    if (!hd_whole_file_open(&file, path, "", arena, error))
        return false;
    hd_record_write(record, file.out);
    return hd_whole_file_close(&file, error);
}

/* The greatest number in the names of existing tests. */
static uint32_t last_number(const hd_suite_maker *x)
{
    uint32_t last = 0, number;
    for (size_t i = 0; i < x->tests.count; i++)
        if (x->tests.items[i].file && sscanf(x->tests.items[i].file, "test-%u", &number) == 1)
            last = number > last ? number : last;
    return last;
}

static bool write_tests(
    const char *folder, hd_suite_maker *x, const hd_program *program, hd_arena *arena, hd_error *error)
{
    uint32_t last = last_number(x);
    const char *from = absolute(folder, arena, error);
    const char *path = from ? hd_suite_manifest_path(from, program->path, arena) : NULL;
    bool fine = path != NULL;
    for (size_t i = 0; i < x->tests.count && fine; i++) {
        hd_suite_test *test = &x->tests.items[i];
        if (test->fate > HD_SUITE_KEPT) {
            if (test->file)
                unlink(hd_arena_print(arena, "%s/%s", folder, test->file));
            continue;
        }
        /* New tests are numbered after the existing ones, so that file names keep their meaning. */
        if (test->fate == HD_SUITE_ADDED)
            test->file = hd_arena_print(arena, "test-%04u.replay", ++last);
        hd_record record = record_of(x, test, path, program->arguments + 1, arena);
        fine = write_test(folder, &record, test->file, arena, error);
    }
    return fine;
}

/* --- the manifest ------------------------------------------------------------------------------ */

static const char *way_text(const hd_suite_maker *x, uint32_t number, hd_arena *arena)
{
    static const char *const words[] = { "", " not taken", " taken", " default" };
    uint32_t count;
    const hd_event_site *sites = hd_events_sites(x->session->events, &count);
    hd_event_way way = hd_events_way(x->session->events, number);
    const hd_event_site *site = &sites[way.site];
    const char *text = hd_arena_print(arena, "T%u %s %s:%u:%u", way.thread,
        way.what == HD_COVER_BLOCK ? "statement" : "branch", site->file, site->line, site->column);
    if (way.ordinal)
        text = hd_arena_print(arena, "%s (%u at this place)", text, way.ordinal + 1);
    return way.what > HD_COVER_SWITCH ? hd_arena_print(arena, "%s case %u", text, way.what - HD_COVER_SWITCH)
                                      : hd_arena_print(arena, "%s%s", text, words[way.what]);
}

static const char *event_text(const hd_suite_maker *x, uint32_t event, hd_arena *arena)
{
    uint32_t count;
    const hd_event_site *sites = hd_events_sites(x->session->events, &count);
    hd_event row = { 0 };
    char text[HD_STEP_TEXT];
    hd_events_read(x->session->events, event, &row);
    const hd_event_op *op = &row.ops.items[0];
    hd_step_record step = { row.thread, op->choice, op->kind, sites[op->site].file, sites[op->site].line };
    hd_record_step_text(&step, text, sizeof text);
    hd_event_fini(&row);
    return hd_arena_copy(arena, text);
}

static const char *goal_text(const hd_suite_maker *x, const hd_suite_goal *goal, hd_arena *arena)
{
    uint32_t mark = x->goals.marks.items[goal->mark];
    return x->config.cover == HD_SUITE_EVENTS ? event_text(x, mark, arena) : way_text(x, mark, arena);
}

static void add_lost(hd_suite_manifest *m, const hd_suite_maker *x, uint32_t number, bool *listed, hd_arena *arena)
{
    const hd_suite_goal *goal = &x->goals.items.items[number];
    if (!x->lost || listed[number])
        return;
    listed[number] = true;
    hd_vec_push(&m->lost, ((hd_suite_manifest_goal) { goal->key, goal_text(x, goal, arena) }));
}

/* Lists each test with the goals that no test before it reaches, and the goals of tests that were left out. */
static void list_tests(hd_suite_manifest *m, const hd_suite_maker *x, hd_arena *arena)
{
    bool *listed = hd_alloc(&hd_heap, x->goals.items.count + 1);
    for (size_t i = 0; i < x->tests.count; i++) {
        const hd_suite_test *test = &x->tests.items[i];
        if (test->fate > HD_SUITE_KEPT)
            continue;
        hd_suite_manifest_test kept = { .file = test->file };
        for (size_t k = 0; k < test->goals.count; k++) {
            const hd_suite_goal *goal = &x->goals.items.items[test->goals.items[k]];
            if (!listed[test->goals.items[k]])
                hd_vec_push(&kept.goals, ((hd_suite_manifest_goal) { goal->key, goal_text(x, goal, arena) }));
            listed[test->goals.items[k]] = true;
        }
        hd_vec_push(&m->tests, kept);
    }
    for (size_t i = 0; i < x->tests.count; i++)
        for (size_t k = 0; k < x->tests.items[i].goals.count; k++)
            add_lost(m, x, x->tests.items[i].goals.items[k], listed, arena);
    hd_release(&hd_heap, listed, x->goals.items.count + 1);
}

static bool write_manifest(const char *folder, const hd_suite_manifest *m, hd_arena *arena, hd_error *error)
{
    const char *path = hd_arena_print(arena, "%s/%s", folder, HD_MANIFEST_FILE);
    hd_whole_file file;
    if (!hd_whole_file_open(&file, path, "", arena, error))
        return false;
    hd_suite_manifest_write(m, file.out);
    return hd_whole_file_close(&file, error);
}

static bool write_snippet(const char *folder, hd_arena *arena, hd_error *error)
{
    const char *path = hd_arena_print(arena, "%s/suite.mk", folder);
    hd_whole_file file;
    if (!hd_whole_file_open(&file, path, "", arena, error))
        return false;
    fputs("# The tests in this folder as a target of make: include this file, and let 'check' need 'check-suite'.\n"
          "HEDDLE ?= heddle\n"
          "SUITE := $(dir $(lastword $(MAKEFILE_LIST)))\n"
          ".PHONY: check-suite\n"
          "check-suite:\n"
          "\t$(HEDDLE) replay --all $(SUITE)\n",
        file.out);
    return hd_whole_file_close(&file, error);
}

static bool make_folder(const char *folder, hd_error *error)
{
    struct stat about;
    if (mkdir(folder, 0777) < 0 && errno != EEXIST)
        return hd_fail(error, "%s: the folder cannot be created: %s", folder, strerror(errno));
    if (stat(folder, &about) < 0 || !S_ISDIR(about.st_mode))
        return hd_fail(error, "%s: exists and is not a folder", folder);
    return true;
}

static bool is_new(const hd_suite_maker *x)
{
    for (size_t i = 0; i < x->tests.count; i++)
        if (x->tests.items[i].file)
            return false;
    return true;
}

/* Removes the tests of an earlier suite in the same folder. */
static void take_away_old_tests(const char *folder, hd_arena *arena)
{
    hd_suite_manifest old;
    if (hd_suite_manifest_read(&old, folder, arena, NULL))
        for (size_t i = 0; i < old.tests.count; i++)
            unlink(hd_arena_print(arena, "%s/%s", folder, old.tests.items[i].file));
    hd_suite_manifest_fini(&old);
}

bool hd_suite_folder_write(const char *folder, hd_suite_manifest *m, hd_suite_maker *x, const hd_program *program,
    hd_arena *arena, hd_error *error)
{
    if (!make_folder(folder, error))
        return false;
    const char *from = absolute(folder, arena, error);
    if (!from)
        return false;
    /* A new suite replaces the old one in the folder; an update removes files one by one. */
    if (is_new(x))
        take_away_old_tests(folder, arena);
    m->version = HD_VERSION;
    m->program = hd_suite_manifest_path(from, program->path, arena);
    for (size_t i = 0; i < m->sources.count; i++) {
        const char *source = absolute(m->sources.items[i], arena, error);
        if (!source)
            return false;
        m->sources.items[i] = hd_suite_manifest_path(from, source, arena);
    }
    for (char **a = program->arguments + 1; *a; a++)
        hd_vec_push(&m->arguments, *a);
    m->build = hash_file(program->path);
    m->goals = (uint32_t)x->goals.items.count;
    bool fine = write_tests(folder, x, program, arena, error);
    list_tests(m, x, arena);
    return fine && write_manifest(folder, m, arena, error) && write_snippet(folder, arena, error);
}

/* --- reading it again --------------------------------------------------------------------------- */

bool hd_suite_folder_read(
    const char *folder, const hd_suite_manifest *m, hd_record *records, hd_arena *arena, hd_error *error)
{
    for (size_t i = 0; i < m->tests.count; i++)
        if (!hd_record_read(&records[i], hd_arena_print(arena, "%s/%s", folder, m->tests.items[i].file), arena, error))
            return false;
    return true;
}

bool hd_suite_folder_program(
    const char *folder, const hd_suite_manifest *m, hd_program *program, hd_arena *arena, hd_error *error)
{
    hd_vec(char *) words = { 0 };
    for (size_t i = 0; i < m->sources.count; i++)
        hd_vec_push(&words,
            hd_arena_print(arena, *m->sources.items[i] == '/' ? "%.0s%s" : "%s/%s", folder, m->sources.items[i]));
    if (!m->sources.count)
        hd_vec_push(&words, hd_arena_print(arena, *m->program == '/' ? "%.0s%s" : "%s/%s", folder, m->program));
    int files = (int)words.count;
    for (size_t i = 0; i < m->arguments.count; i++)
        hd_vec_push(&words, hd_arena_copy(arena, m->arguments.items[i]));
    char **kept = hd_arena_alloc(arena, (words.count + 1) * sizeof *kept);
    memcpy(kept, words.items, words.count * sizeof *kept);
    /* Sources are built again; otherwise the program is used as it is. */
    bool found = hd_program_find(program, kept, (int)words.count, files, m->cflags, m->symbolic, arena, error);
    hd_vec_fini(&words);
    return found;
}

static void reserve(hd_suite_tests *t, const char *suite, size_t count, hd_arena *arena)
{
    *t = (hd_suite_tests) { .suite = suite };
    t->records = hd_arena_alloc(arena, (count + 1) * sizeof *t->records);
    t->names = hd_arena_alloc(arena, (count + 1) * sizeof *t->names);
}

bool hd_suite_folder_tests(const char *folder, hd_suite_tests *tests, hd_arena *arena, hd_error *error)
{
    hd_suite_manifest m;
    hd_program program;
    bool fine = hd_suite_manifest_read(&m, folder, arena, error);
    if (fine) {
        reserve(tests, NULL, m.tests.count, arena);
        fine = hd_suite_folder_read(folder, &m, tests->records, arena, error)
            && hd_suite_folder_program(folder, &m, &program, arena, error);
    }
    for (size_t i = 0; fine && i < m.tests.count; i++) {
        tests->names[i] = m.tests.items[i].file;
        tests->records[i].program = program.path;
    }
    if (fine) {
        tests->suite = program.name;
        tests->count = m.tests.count;
    }
    hd_suite_manifest_fini(&m);
    return fine;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

bool hd_suite_folder_some_tests(char **files, size_t count, hd_suite_tests *tests, hd_arena *arena, hd_error *error)
{
    reserve(tests, "heddle", count, arena);
    for (size_t i = 0; i < count; i++) {
        /* All files of a suite's folder may be named at once. */
        if (ends_with(files[i], "/" HD_MANIFEST_FILE) || ends_with(files[i], ".mk"))
            continue;
        if (!hd_replay_read(&tests->records[tests->count], files[i], arena, error))
            return false;
        tests->names[tests->count++] = files[i];
    }
    return true;
}
