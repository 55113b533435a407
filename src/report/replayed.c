#include "report/replayed.h"

#include "base/error.h"
#include "event/plan.h"

#include <string.h>

bool hd_report_is_same_failure(const hd_record *record, const hd_recorded_run *run)
{
    const hd_finding *f = &run->finding;
    return run->reproduced
        || (*f->message && !strcmp(hd_finding_word(f->kind), record->kind) && !strcmp(f->message, record->message));
}

static bool was_followed(const hd_record *record, const hd_recorded_run *run)
{
    return run->misfit >= record->step_count;
}

void hd_report_misfit(const hd_record *record, const hd_recorded_run *run, FILE *out)
{
    char step[HD_STEP_TEXT];
    if (was_followed(record, run))
        return;
    hd_record_step_text(&record->steps[run->misfit], step, sizeof step);
    fprintf(out,
        "heddle: the program has changed since: step %u of %u of the schedule, '%s', no longer fits; "
        "it was followed as far as it did\n",
        run->misfit + 1, record->step_count, step);
}

/* A test of a suite: it records no failure. */
static int print_test(const hd_report_text *o, const hd_record *record, const hd_report_finding *again)
{
    const hd_recorded_run *run = &again->run;
    if (*run->finding.message) {
        hd_report_print(o, again, record->program);
        return HD_EXIT_FOUND;
    }
    hd_report_interleaving(o, run, record->program);
    bool passes = was_followed(record, run) && (run->outcome.kind == HD_FINISHED || run->outcome.kind == HD_DEPTH);
    fprintf(o->out, "heddle: the test %s\n", passes ? "passes" : "does not end as it should");
    return passes ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

static int print_other_end(const hd_report_text *o, const hd_record *record, const hd_report_finding *again)
{
    const hd_recorded_run *run = &again->run;
    bool ended_well = run->outcome.kind == HD_FINISHED && !*run->finding.message;
    bool is_gone = ended_well && was_followed(record, run);
    if (*run->finding.message) {
        hd_report_finding other = *again;
        other.replay = NULL; /* the file records another failure */
        fprintf(o->out, "heddle: not the recorded failure (%s), but another one:\n", record->message);
        hd_report_print(o, &other, record->program);
    } else {
        hd_report_interleaving(o, run, record->program);
        if (ended_well)
            fprintf(o->out, "heddle: the program ended normally, with exit status %u\n", run->outcome.exit_status);
        else
            fprintf(o->out, "heddle: the execution had a different outcome: %s\n", run->outcome.message);
    }
    fprintf(o->out, "heddle: the recorded failure (%s) did not happen again%s\n", record->message,
        is_gone ? "" : "; 'heddle check' can tell whether it is gone");
    return is_gone ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

int hd_report_replayed(const hd_report_text *o, const hd_record *record, const hd_report_finding *again)
{
    if (again->run.died) {
        fprintf(
            o->out, "heddle: the process was killed in the middle of the execution (recorded: %s)\n", record->message);
        return strcmp(record->kind, "crash") ? HD_EXIT_BOUND : HD_EXIT_FOUND;
    }
    hd_report_misfit(record, &again->run, o->out);
    if (!strcmp(record->kind, "test"))
        return print_test(o, record, again);
    if (!hd_report_is_same_failure(record, &again->run))
        return print_other_end(o, record, again);
    hd_report_print(o, again, record->program);
    return HD_EXIT_FOUND;
}
