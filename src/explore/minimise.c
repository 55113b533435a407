#include "explore/minimise.h"
#include "check/checks.h"

enum { MOST_RUNS = 3000, MOST_VALUES = 500 };

typedef struct search {
    hd_target *target;
    hd_memory *memory;
    uint64_t key;
    bool races, shown;
    hd_lockset *lockset;
    bool learned; /* a run has shown that another cell is shared: from now on, schedules have other steps */
    const hd_deadline *deadline;
    bool late; /* the deadline has come */
    uint32_t runs;
    hd_test_case best, tried, candidate;
} search;

void hd_test_case_init(hd_test_case *t, hd_memory *memory)
{
    *t = (hd_test_case) { .schedule = { .memory = memory }, .inputs = { .memory = memory } };
}

void hd_test_case_fini(hd_test_case *t)
{
    hd_vec_fini(&t->schedule);
    hd_vec_fini(&t->inputs);
}

void hd_schedule_of(const hd_execution *e, hd_schedule *out)
{
    hd_vec_clear(out);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        bool begins = !(op->flags & HD_OP_CONTINUES) || op->flags & HD_OP_COMPOSED;
        if (hd_op_is_done(op) && begins && !(op->flags & HD_OP_ALONE))
            hd_vec_push(out, ((hd_choice) { op->thread, op->choice }));
    }
}

void hd_test_case_of(const hd_execution *e, hd_test_case *out)
{
    hd_schedule_of(e, &out->schedule);
    hd_vec_clear(&out->inputs);
    for (uint32_t i = 0; i < e->input_count; i++) {
        const hd_input *input = &e->inputs[i];
        hd_vec_push(
            &out->inputs, ((hd_given) { .value = input->value, .number = input->number, .thread = input->thread }));
    }
}

static uint32_t switches(const hd_schedule *s)
{
    uint32_t count = 0;
    for (size_t i = 1; i < s->count; i++)
        count += s->items[i].thread != s->items[i - 1].thread;
    return count;
}

void hd_test_case_copy(hd_test_case *to, const hd_test_case *from)
{
    hd_vec_clear(&to->schedule);
    hd_vec_clear(&to->inputs);
    for (size_t i = 0; i < from->schedule.count; i++)
        hd_vec_push(&to->schedule, from->schedule.items[i]);
    for (size_t i = 0; i < from->inputs.count; i++)
        hd_vec_push(&to->inputs, from->inputs.items[i]);
}

static void compare_key(void *context, const hd_finding *f)
{
    search *s = context;
    s->shown |= f->key == s->key;
}

/* Runs the candidate, unless the search is over: does it show the finding? */
static bool shows(search *s)
{
    s->late |= hd_deadline_is_over(s->deadline);
    if (s->learned || s->late)
        return false;
    hd_plan plan = { .given = s->candidate.inputs.items,
        .given_count = (uint32_t)s->candidate.inputs.count,
        .prefix = s->candidate.schedule.items,
        .prefix_count = (uint32_t)s->candidate.schedule.count,
        .tail = HD_TAIL_FIRST,
        .forgiving = true };
    hd_execution e = hd_target_run(s->target, &plan);
    hd_trace trace;
    hd_trace_init(&trace, s->memory, s->races);
    hd_trace_extend(&trace, &e);
    s->shown = false;
    s->runs++;
    hd_check_execution(&e, &trace, s->lockset, compare_key, s);
    s->learned = e.outcome->kind == HD_LEARNED;
    hd_trace_fini(&trace);
    hd_test_case_of(&e, &s->tried);
    return s->shown && !s->learned;
}

/* Keeps what the run of the candidate really did, if it shows the finding with fewer switches. */
static bool try_candidate(search *s)
{
    if (!shows(s))
        return false;
    uint32_t now = switches(&s->tried.schedule), before = switches(&s->best.schedule);
    if (now > before || (now == before && s->tried.schedule.count >= s->best.schedule.count))
        return false;
    hd_test_case_copy(&s->best, &s->tried);
    return true;
}

/* A segment is a maximal run of steps of one thread. */
static size_t end_of_segment(const hd_schedule *s, size_t start)
{
    size_t end = start;
    while (end < s->count && s->items[end].thread == s->items[start].thread)
        end++;
    return end;
}

static void append(hd_schedule *to, const hd_schedule *from, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        hd_vec_push(to, from->items[i]);
}

/* A candidate with the same inputs and no steps yet. */
static void begin_candidate(search *s)
{
    hd_test_case_copy(&s->candidate, &s->best);
    hd_vec_clear(&s->candidate.schedule);
}

/* Three neighbouring segments a b c: tries a c b, and b a c. */
static bool try_reordering(search *s, size_t a, bool later)
{
    const hd_schedule *best = &s->best.schedule;
    size_t b = end_of_segment(best, a), c = end_of_segment(best, b), d = end_of_segment(best, c);
    begin_candidate(s);
    append(&s->candidate.schedule, best, 0, a);
    append(&s->candidate.schedule, best, later ? a : b, later ? b : c);
    append(&s->candidate.schedule, best, later ? c : a, later ? d : b);
    append(&s->candidate.schedule, best, later ? b : c, later ? c : d);
    append(&s->candidate.schedule, best, d, best->count);
    return try_candidate(s);
}

/* Keeps only the first part of the schedule; the tail policy does the rest. */
static bool try_truncation(search *s, size_t keep)
{
    begin_candidate(s);
    append(&s->candidate.schedule, &s->best.schedule, 0, keep);
    return try_candidate(s);
}

static bool goes_on(const search *s)
{
    return s->runs < MOST_RUNS && !s->learned && !s->late;
}

/* Greedy: the first variation that helps is kept, and all are tried again. */
static bool improve(search *s)
{
    const hd_schedule *best = &s->best.schedule;
    for (size_t keep = 0; keep < best->count && goes_on(s); keep = end_of_segment(best, keep))
        if (try_truncation(s, keep))
            return true;
    for (size_t a = 0; a < best->count && goes_on(s); a = end_of_segment(best, a))
        if (try_reordering(s, a, true) || try_reordering(s, a, false))
            return true;
    return false;
}

/* --- inputs ------------------------------------------------------------------------------- */

/* A smaller value must not cost context switches or further inputs. */
static bool try_value(search *s, size_t input, uint64_t value)
{
    hd_test_case_copy(&s->candidate, &s->best);
    s->candidate.inputs.items[input].value = value;
    uint32_t most = switches(&s->best.schedule);
    if (!shows(s) || switches(&s->tried.schedule) > most || s->tried.inputs.count > s->best.inputs.count)
        return false;
    hd_test_case_copy(&s->best, &s->tried);
    return true;
}

/* Sets each input to 0 if possible, otherwise to the smallest value that halving finds. */
static void shrink_inputs(search *s)
{
    uint32_t runs = s->runs;
    for (size_t i = 0; i < s->best.inputs.count && s->runs - runs < MOST_VALUES && !s->late; i++) {
        uint64_t value = s->best.inputs.items[i].value;
        if (!value || try_value(s, i, 0))
            continue;
        for (uint64_t less = value >> 1; less && i < s->best.inputs.count && try_value(s, i, less);)
            less >>= 1;
    }
}

bool hd_minimise(hd_target *target, uint64_t key, const hd_settings *settings, const hd_deadline *deadline,
    hd_test_case *test, hd_memory *memory)
{
    search s = { .target = target, .memory = memory, .key = key, .races = settings->races, .deadline = deadline };
    s.lockset = hd_lockset_open(settings, memory);
    hd_lockset_suspect(s.lockset);
    hd_test_case_init(&s.best, memory);
    hd_test_case_init(&s.tried, memory);
    hd_test_case_init(&s.candidate, memory);
    hd_test_case_copy(&s.best, test);
    while (goes_on(&s) && improve(&s)) { }
    shrink_inputs(&s);
    hd_test_case_copy(test, &s.best);
    hd_test_case_fini(&s.best);
    hd_test_case_fini(&s.tried);
    hd_test_case_fini(&s.candidate);
    hd_lockset_close(s.lockset);
    return !s.late;
}
