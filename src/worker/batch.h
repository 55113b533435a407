/* Many tests, one after the other in one worker: the way to confirm or to run a
 * whole suite at the speed of exploring. A test that kills its worker is told by
 * the next one, which goes on behind it. */
#ifndef HD_WORKER_BATCH_H
#define HD_WORKER_BATCH_H

#include "check/finding.h"
#include "event/plan.h"
#include "event/record.h"
#include "explore/gather.h"

typedef struct hd_batch_test {
    /* What to follow: one of the two, in the region. */
    const hd_choice *schedule;
    uint32_t schedule_count;
    const hd_step_record *records;
    uint32_t record_count;
    const hd_given *given; /* inputs */
    uint32_t given_count;

    /* What came of it. */
    bool ran, died;
    bool found; /* something is wrong in it: */
    hd_finding_kind kind;
    uint64_t key;
    const char *message; /* of the finding, or of an end that is no test */
    uint32_t outcome; /* hd_outcome_kind */
    uint32_t misfit; /* the first step that did not fit, or ~0 */
    const uint32_t *marks; /* if they are gathered: its events or, if statements and branches are noted, its ways */
    uint32_t mark_count;
    const hd_step_record *steps; /* likewise: what it did, as a replay file has it */
    uint32_t step_count;
    const hd_input *inputs; /* likewise: what it asked for, and got */
    uint32_t input_count;
    double seconds;
} hd_batch_test;

typedef struct hd_batch {
    hd_batch_test *tests;
    uint32_t count;
    uint32_t next; /* the first that has not been run */
} hd_batch;

/* A copy of recorded steps in the region. */
const hd_step_record *hd_batch_copy(hd_memory *memory, const hd_step_record *from, uint32_t count);

/* The inputs of a record, in the region. */
const hd_given *hd_batch_given(hd_memory *memory, const hd_input_record *from, uint32_t count);

struct hd_session;

/* In the worker: runs what is left. */
void hd_batch_run(struct hd_session *s, hd_runtime *runtime, hd_engine **engine);

#endif
