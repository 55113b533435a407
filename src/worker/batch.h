/* Runs many tests in one worker, at the speed of exploration: for confirming or running a whole
 * suite. If a test kills its worker, the next worker records that and continues after it. Plain data in
 * the region: the supervisor fills in the tests and reads their results. */
#ifndef HD_WORKER_BATCH_H
#define HD_WORKER_BATCH_H

#include "check/finding.h"
#include "event/plan.h"
#include "event/record.h"
#include "events/events.h"

typedef struct hd_batch_test {
    /* What to follow: a schedule or records, in the region. */
    const hd_choice *schedule;
    uint32_t schedule_count;
    const hd_step_record *records;
    uint32_t record_count;
    const hd_given *given; /* inputs */
    uint32_t given_count;

    /* The result. */
    bool ran, died;
    bool found; /* it has a finding: */
    hd_finding_kind kind;
    uint64_t key;
    const char *message; /* of the finding, or of an outcome that is no test */
    uint32_t outcome; /* hd_outcome_kind */
    uint32_t misfit; /* the first step that did not fit, or ~0 */
    const uint32_t *marks; /* if recorded: its events or, with coverage, its ways */
    uint32_t mark_count;
    const hd_step_record *steps; /* if recorded: what it did, in the form of a replay file */
    uint32_t step_count;
    const uint16_t *slots; /* if recorded: as in a replay file */
    uint32_t slot_count;
    const hd_input *inputs; /* if recorded: its inputs with their values */
    uint32_t input_count;
    double seconds;
} hd_batch_test;

typedef struct hd_batch {
    hd_batch_test *tests;
    uint32_t count;
    uint32_t next; /* the first that has not run */
} hd_batch;

/* Copies recorded steps to the region. */
const hd_step_record *hd_batch_copy(hd_memory *memory, const hd_step_record *from, uint32_t count);

/* Copies a record's inputs to the region. */
const hd_given *hd_batch_given(hd_memory *memory, const hd_input_record *from, uint32_t count);

struct hd_session;

/* Called in the worker: runs the remaining tests. */
void hd_batch_run(struct hd_session *s, hd_runtime *runtime, hd_engine **engine);

#endif
