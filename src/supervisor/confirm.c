#include "supervisor/confirm.h"

#include "base/map.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "event/record.h"
#include "report/symbolise.h"
#include "supervisor/replay.h"

#include <string.h>

/* --- the replay file ----------------------------------------------------------------------- */

static void steps_of(const hd_recorded_run *run, hd_record *record, hd_arena *arena)
{
    record->steps = hd_arena_alloc(arena, (run->op_count + 1) * sizeof *record->steps);
    for (uint32_t i = 0; i < run->op_count; i++) {
        const hd_op *op = &run->ops[i].op;
        const hd_location *location = &run->ops[i].location;
        /* A step is recorded by its first operation. */
        if (hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES))
            record->steps[record->step_count++] = (hd_step_record) { op->thread, op->choice, op->kind, location->file,
                location->line, run->ops[i].number };
    }
}

/* If the run had several threads in a slot. */
static void slots_of(const hd_recorded_run *run, hd_record *record, hd_arena *arena)
{
    uint16_t *slots = hd_arena_alloc(arena, (run->thread_count + 1) * sizeof *slots);
    for (uint32_t i = 0; i < run->thread_count; i++)
        slots[i] = (uint16_t)run->threads[i].slot;
    record->slots = run->numbers ? slots : NULL;
    record->slot_count = run->numbers ? run->thread_count : 0;
}

/* If the replay recorded nothing: the inputs that it should have had. */
static void inputs_of_test(const hd_test_case *test, hd_record *record, hd_arena *arena)
{
    record->inputs = hd_arena_alloc(arena, (test->inputs.count + 1) * sizeof *record->inputs);
    record->input_count = (uint32_t)test->inputs.count;
    for (uint32_t i = 0; i < record->input_count; i++)
        record->inputs[i] =
            (hd_input_record) { test->inputs.items[i], "", test->inputs.items[i].thread, test->inputs.items[i].number };
}

static hd_record record_of(const hd_findings_copy *h, const hd_found *found, const hd_program *program)
{
    const hd_finding *f = &found->finding;
    hd_record record = { .version = HD_VERSION,
        .program = program->path,
        .symbolic = program->symbolic,
        .kind = hd_finding_word(f->kind),
        .message = f->message,
        .key = f->key,
        .settings = h->config.settings,
        .facts = found->facts };
    hd_record_set_arguments(&record, program->arguments + 1);
    return record;
}

/* The same finding of the same program with the same arguments always has the same file name;
 * different ones have different names. */
static const char *file_name(const hd_program *program, const hd_finding *f, hd_arena *arena)
{
    uint64_t number = hd_hash_bytes(program->path, strlen(program->path), f->key);
    for (char **a = program->arguments + 1; *a; a++)
        number = hd_hash_bytes(*a, strlen(*a) + 1, number);
    if (program->symbolic)
        number = hd_hash_bytes(program->symbolic, strlen(program->symbolic), number);
    return hd_arena_print(arena, "%s/%s-%s-%08x.replay", HD_OUTPUT_FOLDER, program->name, hd_finding_word(f->kind),
        (unsigned)(number >> 32 ^ number));
}

static bool write_record(const hd_record *record, const char *path, hd_arena *arena, hd_error *error)
{
    hd_whole_file file;
    if (!hd_output_folder(error) || !hd_whole_file_open(&file, path, "the replay file ", arena, error))
        return false;
    hd_record_write(record, file.out);
    return hd_whole_file_close(&file, error);
}

/* --- confirming ---------------------------------------------------------------------------- */

static hd_replay replay_of(const hd_findings_copy *h, const hd_program *program, hd_ending *ending)
{
    return (hd_replay) { .program = program->path,
        .arguments = program->arguments,
        .symbolic = program->symbolic,
        .config = h->config,
        .ending = ending };
}

/* False: there is nothing to write to a replay file, because the test could not be run. */
static bool confirm_one(
    hd_report_finding *r, const hd_found *found, hd_replay replay, hd_record *record, hd_arena *arena)
{
    hd_error why = { "" };
    r->cut = found->cut;
    replay.config.key = found->finding.key;
    replay.config.facts = found->facts;
    replay.config.schedule = found->test.schedule.items;
    replay.config.schedule_count = (uint32_t)found->test.schedule.count;
    replay.config.given = found->test.inputs.items;
    replay.config.given_count = (uint32_t)found->test.inputs.count;
    bool ran = hd_replay_run(&replay, arena, &r->run, &why);
    inputs_of_test(&found->test, record, arena);
    if (ran && !r->run.died) {
        slots_of(&r->run, record, arena);
        steps_of(&r->run, record, arena);
        hd_record_set_inputs(record, r->run.inputs, r->run.input_count, arena);
    }
    if (ran && r->run.reproduced) {
        /* Once more from the recorded form: so the command that the report prints is known to work. */
        replay.config.schedule_count = 0;
        replay.config.records = record->steps;
        replay.config.record_count = record->step_count;
        ran = hd_replay_run(&replay, arena, &r->run, &why) || hd_ending_is_due(replay.ending, HD_LATE_REPLAYING);
    }
    r->finding = found->finding;
    /* A process that is killed again confirms a crash. */
    r->confirmed = ran && (r->run.reproduced || (r->run.died && r->finding.kind == HD_FINDING_CRASH));
    if (r->confirmed && !r->run.died)
        r->finding = r->run.finding;
    else
        r->unconfirmed = ran ? "the same schedule has a different outcome in a fresh process.\n"
                               "  The program may depend on something that heddle does not control"
                             : hd_arena_copy(arena, why.text);
    r->finding.elsewhere = found->finding.elsewhere; /* an execution on its own does not show it */
    return ran;
}

/* The other races on the variable of the finding. */
static void take_others(hd_report_finding *r, const hd_findings_copy *h, uint32_t found, hd_arena *arena)
{
    hd_report_race *others = hd_arena_alloc(arena, (h->race_count + 1) * sizeof *others);
    r->others = others;
    for (uint32_t i = 0; i < h->race_count; i++)
        if (h->races[i].found == found)
            others[r->other_count++] = (hd_report_race) { { h->races[i].places[0], h->races[i].places[1] } };
}

/* What an earlier call has confirmed; NULL: nothing. */
static const hd_report_finding *find_confirmed(const hd_report_finding *findings, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (findings[i].finding.key == key)
            return &findings[i];
    return NULL;
}

static bool confirm_and_keep(hd_report_finding *r, const hd_findings_copy *h, uint32_t found, const hd_program *program,
    hd_replay replay, hd_arena *arena, hd_error *error)
{
    hd_record record = record_of(h, &h->found[found], program);
    bool ran = confirm_one(r, &h->found[found], replay, &record, arena);
    hd_report_symbolise(r, program->path, arena);
    r->replay = ran ? file_name(program, &r->finding, arena) : NULL;
    if (ran && !write_record(&record, r->replay, arena, error)) {
        r->replay = NULL;
        return false;
    }
    return true;
}

bool hd_confirm(hd_report_result *result, const hd_findings_copy *h, const hd_program *program, hd_ending *ending,
    hd_arena *arena, hd_error *error)
{
    bool written = true;
    hd_replay replay = replay_of(h, program, ending);
    const hd_report_finding *earlier = result->findings;
    size_t earlier_count = result->finding_count;
    result->findings = hd_arena_alloc(arena, (h->found_count + 1) * sizeof *result->findings);
    result->finding_count = h->found_count;
    for (uint32_t i = 0; i < h->found_count; i++) {
        hd_report_finding *r = &result->findings[i];
        const hd_report_finding *known = find_confirmed(earlier, earlier_count, h->found[i].finding.key);
        if (known)
            *r = *known;
        else
            written &= confirm_and_keep(r, h, i, program, replay, arena, error);
        r->executions = h->met[i];
        r->other_count = 0;
        take_others(r, h, i, arena);
    }
    return written;
}
