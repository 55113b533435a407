#include "explore/minimise.h"

enum { MOST_RUNS = 3000 };

typedef struct search {
    hd_target *target;
    hd_memory *memory;
    uint64_t key;
    bool races, shown;
    uint32_t runs;
    hd_schedule best, tried, candidate;
} search;

void hd_schedule_of(const hd_execution *e, hd_schedule *out)
{
    hd_vec_clear(out);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES))
            hd_vec_push(out, ((hd_choice) { op->thread, op->choice }));
    }
}

static uint32_t switches(const hd_schedule *s)
{
    uint32_t count = 0;
    for (size_t i = 1; i < s->count; i++)
        count += s->items[i].thread != s->items[i - 1].thread;
    return count;
}

static void copy(hd_schedule *to, const hd_schedule *from)
{
    hd_vec_clear(to);
    for (size_t i = 0; i < from->count; i++)
        hd_vec_push(to, from->items[i]);
}

static void compare_key(void *context, const hd_finding *f)
{
    search *s = context;
    s->shown |= f->key == s->key;
}

/* Runs the candidate; keeps what it really did if that shows the finding with
 * fewer switches. */
static bool try_candidate(search *s)
{
    hd_plan plan = { .prefix = s->candidate.items,
        .prefix_count = (uint32_t)s->candidate.count,
        .tail = HD_TAIL_FIRST,
        .forgiving = true };
    hd_execution e = hd_target_run(s->target, &plan);
    hd_trace trace;
    hd_trace_init(&trace, s->memory, s->races);
    hd_trace_extend(&trace, &e);
    s->shown = false;
    s->runs++;
    hd_check_execution(&e, &trace, compare_key, s);
    hd_trace_fini(&trace);
    hd_schedule_of(&e, &s->tried);
    uint32_t now = switches(&s->tried), before = switches(&s->best);
    if (!s->shown || now > before || (now == before && s->tried.count >= s->best.count))
        return false;
    copy(&s->best, &s->tried);
    return true;
}

/* Ends of runs of steps of one thread; the next begins where one ends. */
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

/* Three neighbouring segments a b c: tries a c b, and b a c. */
static bool try_reordering(search *s, size_t a, bool later)
{
    size_t b = end_of_segment(&s->best, a), c = end_of_segment(&s->best, b), d = end_of_segment(&s->best, c);
    hd_vec_clear(&s->candidate);
    append(&s->candidate, &s->best, 0, a);
    append(&s->candidate, &s->best, later ? a : b, later ? b : c);
    append(&s->candidate, &s->best, later ? c : a, later ? d : b);
    append(&s->candidate, &s->best, later ? b : c, later ? c : d);
    append(&s->candidate, &s->best, d, s->best.count);
    return try_candidate(s);
}

/* Only the first part of the schedule, then whatever comes. */
static bool try_truncation(search *s, size_t keep)
{
    hd_vec_clear(&s->candidate);
    append(&s->candidate, &s->best, 0, keep);
    return try_candidate(s);
}

static bool improve(search *s)
{
    for (size_t keep = 0; keep < s->best.count && s->runs < MOST_RUNS; keep = end_of_segment(&s->best, keep))
        if (try_truncation(s, keep))
            return true;
    for (size_t a = 0; a < s->best.count && s->runs < MOST_RUNS; a = end_of_segment(&s->best, a))
        if (try_reordering(s, a, true) || try_reordering(s, a, false))
            return true;
    return false;
}

void hd_minimise(hd_target *target, uint64_t key, bool races, hd_schedule *schedule, hd_memory *memory)
{
    search s = { .target = target, .memory = memory, .key = key, .races = races };
    s.best.memory = s.tried.memory = s.candidate.memory = memory;
    copy(&s.best, schedule);
    while (s.runs < MOST_RUNS && improve(&s)) { }
    copy(schedule, &s.best);
    hd_vec_fini(&s.best);
    hd_vec_fini(&s.tried);
    hd_vec_fini(&s.candidate);
}
