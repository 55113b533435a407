#include "worker/batch.h"

#include "abi/lives.h"
#include "base/clock.h"
#include "check/checks.h"
#include "worker/session.h"

#include <string.h>

enum { MOST_TRIES = 64 };

static const char *keep_text(hd_session *s, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(&s->region.memory, size), text, size);
}

const hd_step_record *hd_batch_copy(hd_memory *memory, const hd_step_record *from, uint32_t count)
{
    hd_step_record *to = hd_alloc(memory, (count + 1) * sizeof *to);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(from[i].file) + 1;
        to[i] = from[i];
        to[i].file = memcpy(hd_alloc(memory, size), from[i].file, size);
    }
    return to;
}

const hd_given *hd_batch_given(hd_memory *memory, const hd_input_record *from, uint32_t count)
{
    hd_given *to = hd_alloc(memory, (count + 1) * sizeof *to);
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[i].given;
    return to;
}

/* Repeats the run if it discovered a newly shared cell (HD_LEARNED), or state that cannot be
 * rewound (HD_NEEDS_FORK): then with a process per run. */
static hd_execution run(hd_session *s, const hd_plan *plan)
{
    hd_execution e;
    for (int tries = 0;; tries++) {
        e = hd_target_run(&s->target, plan);
        if (e.outcome->kind == HD_NEEDS_FORK)
            hd_target_fall_back(&s->target);
        else if (e.outcome->kind != HD_LEARNED)
            return e;
        if (tries == MOST_TRIES)
            return e;
    }
}

typedef struct first_finding {
    hd_session *session;
    hd_batch_test *test;
} first_finding;

static void note_finding(void *context, const hd_finding *f)
{
    first_finding *first = context;
    hd_batch_test *test = first->test;
    if (test->found)
        return;
    test->found = true;
    test->kind = f->kind;
    test->key = f->key;
    test->message = keep_text(first->session, f->message);
}

static void check(hd_session *s, hd_batch_test *test, const hd_execution *e)
{
    hd_trace trace;
    hd_trace_init(&trace, &s->region.memory, s->config.settings.races);
    hd_trace_extend(&trace, e);
    hd_lockset *lockset = hd_lockset_open(&s->config.settings, &s->region.memory);
    hd_check_execution(e, &trace, lockset, note_finding, &(first_finding) { s, test });
    hd_lockset_close(lockset);
    hd_trace_fini(&trace);
    if (!test->found)
        test->message = keep_text(s, e->outcome->message);
}

static void record(hd_session *s, hd_batch_test *test, const hd_execution *e)
{
    hd_memory *memory = &s->region.memory;
    hd_step_record *steps = hd_alloc(memory, (e->log_count + 1) * sizeof *steps);
    hd_events_add(s->events, e);
    const uint32_t *marks = s->config.cover ? hd_events_last_ways(s->events, &test->mark_count)
                                            : hd_events_last(s->events, &test->mark_count);
    uint32_t *kept = hd_alloc(memory, (test->mark_count + 1) * sizeof *kept);
    if (test->mark_count)
        memcpy(kept, marks, test->mark_count * sizeof *kept);
    test->marks = kept;
    hd_thread_numbers numbers;
    hd_thread_numbers_begin(&numbers, e->log, e->log_count);
    uint16_t *slots = hd_alloc(memory, numbers.reused ? (e->log_count + 1) * sizeof *slots : sizeof *slots);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        uint32_t number = hd_thread_numbers_next(&numbers, op);
        if (numbers.reused && hd_edge_starts(op))
            slots[number] = op->thread;
        /* Keep decisions only: a step's further operations and operations without a choice are not
         * part of schedules. */
        if (op->kind == HD_EDGE || op->kind == HD_BRANCH
            || (op->flags & (HD_OP_WITHDRAWN | HD_OP_CONTINUES | HD_OP_ALONE)))
            continue;
        const hd_event_site *site = hd_events_site_of(s->events, op->site);
        steps[test->step_count++] =
            (hd_step_record) { op->thread, op->choice, op->kind, site->file, site->line, number };
    }
    test->slots = numbers.reused ? slots : NULL;
    test->slot_count = numbers.reused ? numbers.created + 1 : 0;
    test->steps = steps;
    hd_input *inputs = hd_alloc(memory, (e->input_count + 1) * sizeof *inputs);
    if (e->input_count)
        memcpy(inputs, e->inputs, e->input_count * sizeof *inputs);
    test->inputs = inputs;
    test->input_count = e->input_count;
}

static void run_test(hd_session *s, hd_batch_test *test)
{
    hd_plan plan = { .prefix = test->schedule,
        .prefix_count = test->schedule_count,
        .given = test->given,
        .given_count = test->given_count,
        .forgiving = true,
        .records = test->records,
        .record_count = test->record_count,
        .tail = HD_TAIL_FIRST };
    double start = hd_now();
    hd_execution e = run(s, &plan);
    test->seconds = hd_now() - start;
    test->outcome = e.outcome->kind;
    test->misfit = s->target.misfit;
    uint32_t planned = test->records ? test->record_count : test->schedule_count;
    /* Every recorded step fitted, but not all of them were reached. */
    if (test->misfit == ~0u && e.picks < planned)
        test->misfit = e.picks; /* it ended before its schedule did */
    check(s, test, &e);
    if (s->events)
        record(s, test, &e);
    test->ran = true;
}

void hd_batch_run(hd_session *s, hd_runtime *runtime, hd_engine **engine)
{
    hd_batch *b = &s->batch;
    hd_target_init(&s->target, runtime, &s->region.memory);
    *engine = &s->target.engine; /* for fresh processes, too */
    hd_target_open_fresh(&s->target);
    s->target.phase = &s->phase;
    s->target.fork = s->config.settings.fork;
    s->target.real_files = s->config.settings.real_files;
    /* The tests were recorded with this knowledge of shared cells and thread numbers. */
    hd_target_set_facts(&s->target, &s->config.facts);
    for (; b->next < b->count && !s->stop; b->next++)
        run_test(s, &b->tests[b->next]);
}
