#include "supervisor/replay.h"

#include "supervisor/program.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool hd_replay_read(hd_record *record, const char *path, hd_arena *arena, hd_error *error)
{
    const char *slash = strrchr(path, '/');
    if (!hd_record_read(record, path, arena, error))
        return false;
    if (*record->program != '/' && slash)
        record->program = hd_arena_print(arena, "%.*s/%s", (int)(slash - path), path, record->program);
    return true;
}

bool hd_replay_check(const hd_record *record, hd_error *error)
{
    if (access(record->program, F_OK) < 0 && errno == ENOENT)
        return hd_fail(error,
            "%s: the program that this was recorded with does not exist any more; check its source again for a new "
            "replay file",
            record->program);
    return hd_program_check(record->program, error);
}

char **hd_replay_arguments(const hd_record *record, hd_arena *arena)
{
    char **arguments = hd_arena_alloc(arena, (record->argument_count + 2) * sizeof *arguments);
    arguments[0] = (char *)record->program;
    for (uint32_t i = 0; i < record->argument_count; i++)
        arguments[i + 1] = record->arguments[i];
    return arguments;
}

hd_replay hd_replay_of(const hd_record *record, hd_arena *arena)
{
    hd_given *given = hd_arena_alloc(arena, (record->input_count + 1) * sizeof *given);
    for (uint32_t i = 0; i < record->input_count; i++)
        given[i] = record->inputs[i].given;
    return (hd_replay) { .program = record->program,
        .symbolic = record->symbolic,
        .arguments = hd_replay_arguments(record, arena),
        .config = { .settings = record->settings,
            .given = given,
            .given_count = record->input_count,
            .records = record->steps,
            .record_count = record->step_count,
            .key = record->key,
            .facts = record->facts } };
}

static void *copy_into(hd_memory *memory, const void *from, size_t size)
{
    return size ? memcpy(hd_alloc(memory, size), from, size) : NULL;
}

/* Copies everything into the region, which is all that the worker sees. */
static void configure(hd_session *s, const hd_replay *r)
{
    hd_memory *memory = &s->region.memory;
    hd_session_config *c = &s->config;
    *c = r->config;
    c->mode = HD_MODE_REPLAY;
    c->show_output = r->show_output;
    c->schedule = copy_into(memory, c->schedule, c->schedule_count * sizeof *c->schedule);
    c->given = copy_into(memory, c->given, c->given_count * sizeof *c->given);
    c->records = hd_batch_copy(memory, c->records, c->record_count);
    c->facts.shared = copy_into(memory, c->facts.shared, c->facts.shared_count * sizeof *c->facts.shared);
}

bool hd_replay_run(const hd_replay *r, hd_arena *arena, hd_recorded_run *run, hd_error *error)
{
    bool debugged = r->debugger != NULL;
    hd_supervisor_options options = { .program = debugged ? r->debugger : r->program,
        .arguments = debugged ? r->debugger_arguments : r->arguments,
        .symbolic = r->symbolic,
        .show_output = r->show_output,
        .once = true, /* a replay that dies is a result, not something to repeat */
        .ending = r->ending };
    hd_supervisor *v = hd_supervisor_open(&options, error);
    if (!v)
        return false;
    hd_session *s = hd_supervisor_session(v);
    configure(s, r);
    bool ran = hd_supervisor_run(v, error);
    bool died = !ran && s->phase == HD_PHASE_PROGRAM && !hd_supervisor_was_late(v);
    if (ran)
        hd_recorded_run_copy(run, &s->recorded, arena);
    else if (died)
        *run = (hd_recorded_run) { .died = true, .misfit = ~0u };
    hd_supervisor_close(v);
    return ran || died;
}
