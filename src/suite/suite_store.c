#include "suite/suite_store.h"

#include "abi/site.h"
#include "base/file.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "supervisor/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <dirent.h>
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

/* --- tests -------------------------------------------------------------------------------------- */

static hd_record head_of(const hd_suite_maker *x, const hd_program *program, const char *path)
{
    hd_record r = { .version = HD_VERSION,
        .program = path,
        .symbolic = program->symbolic,
        .settings = x->session->config.settings,
        .facts = x->session->facts };
    hd_record_set_arguments(&r, program->arguments + 1);
    return r;
}

static hd_record record_of(const hd_suite_test *test, const hd_record *head, hd_arena *arena)
{
    const hd_batch_test *run = &test->run;
    hd_record r = *head;
    if (test->old && !run->ran) { /* it stays as it was */
        r.kind = test->old->kind;
        r.message = test->old->message;
        r.key = test->old->key;
        r.steps = test->old->steps;
        r.step_count = test->old->step_count;
        r.slots = test->old->slots;
        r.slot_count = test->old->slot_count;
        r.inputs = test->old->inputs;
        r.input_count = test->old->input_count;
        return r;
    }
    r.kind = run->found ? hd_finding_word(run->kind) : "test";
    r.message = run->found ? run->message : "ends normally";
    r.key = run->found ? run->key : 0;
    r.steps = (hd_step_record *)run->steps;
    r.step_count = run->step_count;
    r.slots = run->slots;
    r.slot_count = run->slot_count;
    hd_record_set_inputs(&r, run->inputs, run->input_count, arena);
    return r;
}

/* New tests are numbered after the existing ones, so that numbers keep their meaning. */
static void number_tests(hd_suite_maker *x)
{
    uint32_t last = 0;
    for (size_t i = 0; i < x->tests.count; i++)
        last = x->tests.items[i].number > last ? x->tests.items[i].number : last;
    for (size_t i = 0; i < x->tests.count; i++)
        if (x->tests.items[i].fate == HD_SUITE_ADDED)
            x->tests.items[i].number = ++last;
}

/* --- goals -------------------------------------------------------------------------------------- */

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
    hd_step_record step = { row.thread, op->choice, op->kind, sites[op->site].file, sites[op->site].line, row.thread };
    hd_record_step_text(&step, text, sizeof text);
    hd_event_fini(&row);
    return hd_arena_copy(arena, text);
}

static bool reuses_slots(const hd_suite_maker *x)
{
    for (size_t i = 0; i < x->tests.count; i++)
        if (x->tests.items[i].run.slots)
            return true;
    return false;
}

/* Goals on their way into the file. */
typedef struct goal_list {
    const hd_suite_maker *x;
    bool *listed; /* per goal */
    bool by_slot; /* slots are reused */
    hd_arena *arena;
} goal_list;

/* A goal is the same in all tests. If slots are reused, tests may number the goal's thread differently: then the text
 * names the slot. */
static hd_suite_file_goal file_goal(const goal_list *l, uint32_t number)
{
    const hd_suite_goal *goal = &l->x->goals.items.items[number];
    uint32_t mark = l->x->goals.marks.items[goal->mark];
    const char *text =
        l->x->config.cover == HD_SUITE_EVENTS ? event_text(l->x, mark, l->arena) : way_text(l->x, mark, l->arena);
    return (hd_suite_file_goal) { goal->key, l->by_slot ? hd_arena_print(l->arena, "slot %s", text + 1) : text };
}

/* Is it the first time that the goal is listed? */
static bool list_once(goal_list *l, uint32_t number)
{
    bool first = !l->listed[number];
    l->listed[number] = true;
    return first;
}

/* Adds each test with the goals that no test before it reaches, and the goals of tests that were left out. */
static void add_tests(hd_suite_file *f, const hd_suite_maker *x, hd_arena *arena)
{
    goal_list l = { x, hd_alloc(&hd_heap, x->goals.items.count + 1), reuses_slots(x), arena };
    for (size_t i = 0; i < x->tests.count; i++) {
        const hd_suite_test *test = &x->tests.items[i];
        if (test->fate > HD_SUITE_KEPT)
            continue;
        hd_suite_file_test kept = { .number = test->number, .record = record_of(test, &f->head, arena) };
        for (size_t k = 0; k < test->goals.count; k++)
            if (list_once(&l, test->goals.items[k]))
                hd_vec_push(&kept.goals, file_goal(&l, test->goals.items[k]));
        hd_vec_push(&f->tests, kept);
    }
    for (size_t i = 0; i < x->tests.count && x->lost; i++)
        for (size_t k = 0; k < x->tests.items[i].goals.count; k++)
            if (list_once(&l, x->tests.items[i].goals.items[k]))
                hd_vec_push(&f->lost, file_goal(&l, x->tests.items[i].goals.items[k]));
    hd_release(&hd_heap, l.listed, x->goals.items.count + 1);
}

/* --- writing ------------------------------------------------------------------------------------- */

static bool write_file(const char *path, const hd_suite_file *f, hd_arena *arena, hd_error *error)
{
    hd_whole_file file;
    if (!hd_whole_file_open(&file, path, "the suite ", arena, error))
        return false;
    hd_suite_file_write(f, file.out);
    return hd_whole_file_close(&file, error);
}

bool hd_suite_store_write(
    const char *path, hd_suite_file *f, hd_suite_maker *x, const hd_program *program, hd_arena *arena, hd_error *error)
{
    const char *from = absolute(hd_suite_file_folder(path, arena), arena, error);
    if (!from)
        return false;
    f->head = head_of(x, program, hd_suite_file_path(from, program->path, arena));
    for (size_t i = 0; i < f->sources.count; i++) {
        const char *source = absolute(f->sources.items[i], arena, error);
        if (!source)
            return false;
        f->sources.items[i] = hd_suite_file_path(from, source, arena);
    }
    if (!hd_file_hash(program->path, &f->build))
        return hd_fail(error, "%s: %s", program->path, strerror(errno));
    f->goals = (uint32_t)x->goals.items.count;
    number_tests(x);
    add_tests(f, x, arena);
    return write_file(path, f, arena, error);
}

/* --- reading ------------------------------------------------------------------------------------- */

static char *path_in(const char *folder, const char *path, hd_arena *arena)
{
    return hd_arena_print(arena, *path == '/' ? "%.0s%s" : "%s/%s", folder, path);
}

bool hd_suite_store_program(const char *path, const hd_suite_file *f, hd_program *program, hd_cc_limits *limits,
    hd_arena *arena, hd_error *error)
{
    const char *folder = hd_suite_file_folder(path, arena);
    hd_vec(char *) words = { 0 };
    for (size_t i = 0; i < f->sources.count; i++)
        hd_vec_push(&words, path_in(folder, f->sources.items[i], arena));
    if (!f->sources.count)
        hd_vec_push(&words, path_in(folder, f->head.program, arena));
    int files = (int)words.count;
    for (uint32_t i = 0; i < f->head.argument_count; i++)
        hd_vec_push(&words, hd_arena_copy(arena, f->head.arguments[i]));
    char **kept = hd_arena_alloc(arena, (words.count + 1) * sizeof *kept);
    memcpy(kept, words.items, words.count * sizeof *kept);
    /* Sources are built again; otherwise the program is used as it is. */
    hd_program_build how = { f->cflags, f->head.symbolic, limits };
    bool found = hd_program_find(program, kept, (int)words.count, files, &how, arena, error);
    hd_vec_fini(&words);
    return found;
}

typedef hd_vec(hd_record) record_list;
typedef hd_vec(const char *) name_list;

/* Adds the tests of a suite, for its program. */
static bool add_suite(const char *path, record_list *records, name_list *names, const char **suite,
    hd_cc_limits *limits, hd_arena *arena, hd_error *error)
{
    hd_suite_file f;
    hd_program program;
    bool fine =
        hd_suite_file_read(&f, path, arena, error) && hd_suite_store_program(path, &f, &program, limits, arena, error);
    for (size_t i = 0; fine && i < f.tests.count; i++) {
        f.tests.items[i].record.program = program.path;
        hd_vec_push(records, f.tests.items[i].record);
        hd_vec_push(names, hd_arena_print(arena, "%s --test=%u", path, f.tests.items[i].number));
    }
    if (fine)
        *suite = program.name;
    hd_suite_file_fini(&f);
    return fine;
}

static bool add_replay(const char *path, record_list *records, name_list *names, hd_arena *arena, hd_error *error)
{
    hd_record record;
    if (!hd_replay_read(&record, path, arena, error))
        return false;
    hd_vec_push(records, record);
    hd_vec_push(names, path);
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

bool hd_suite_store_tests(
    char **paths, size_t count, hd_suite_tests *tests, hd_cc_limits *limits, hd_arena *arena, hd_error *error)
{
    record_list records = { 0 };
    name_list names = { 0 };
    const char *suite = "heddle";
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        /* All files of a suite that is a folder may be named at once. */
        if (ends_with(paths[i], "/suite.txt") || ends_with(paths[i], ".mk"))
            continue;
        fine = hd_suite_file_is_one(paths[i]) ? add_suite(paths[i], &records, &names, &suite, limits, arena, error)
                                              : add_replay(paths[i], &records, &names, arena, error);
    }
    *tests = (hd_suite_tests) { count == 1 ? suite : "heddle",
        hd_arena_alloc(arena, (records.count + 1) * sizeof(hd_record)),
        hd_arena_alloc(arena, (records.count + 1) * sizeof(char *)), records.count };
    for (size_t i = 0; i < records.count; i++) {
        tests->records[i] = records.items[i];
        tests->names[i] = names.items[i];
    }
    hd_vec_fini(&records);
    hd_vec_fini(&names);
    return fine;
}

bool hd_suite_store_folder(const char *folder, char ***paths, size_t *count, hd_arena *arena, hd_error *error)
{
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, NULL, alphasort);
    if (found < 0)
        return hd_fail(error, "%s: the folder cannot be read: %s", folder, strerror(errno));
    *paths = hd_arena_alloc(arena, ((size_t)found + 1) * sizeof **paths);
    *count = 0;
    for (int i = 0; i < found; i++) {
        char *path = hd_arena_print(arena, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && (ends_with(path, ".replay") || hd_suite_file_is_one(path)))
            (*paths)[(*count)++] = path;
        free(entries[i]);
    }
    free(entries);
    return *count || hd_fail(error, "%s: there is no replay file and no suite in this folder", folder);
}

static const hd_suite_file_test *find_test(const hd_suite_file *f, uint32_t number)
{
    for (size_t i = 0; i < f->tests.count; i++)
        if (f->tests.items[i].number == number)
            return &f->tests.items[i];
    return NULL;
}

bool hd_suite_store_test(
    const char *path, uint32_t number, hd_record *record, hd_cc_limits *limits, hd_arena *arena, hd_error *error)
{
    hd_suite_file f;
    hd_program program;
    bool fine = hd_suite_file_read(&f, path, arena, error);
    const hd_suite_file_test *test = fine ? find_test(&f, number) : NULL;
    if (fine && !test)
        fine = hd_fail(error, "%s: there is no test %u; it has %zu, with numbers from %u to %u", path, number,
            f.tests.count, f.tests.count ? f.tests.items[0].number : 0,
            f.tests.count ? hd_vec_last(&f.tests)->number : 0);
    fine = fine && hd_suite_store_program(path, &f, &program, limits, arena, error);
    if (fine) {
        *record = test->record;
        record->program = program.path;
    }
    hd_suite_file_fini(&f);
    return fine;
}
