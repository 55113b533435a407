/* Small programs without branches that pass messages: all their sequences by brute force, by the definitions of the
 * schemes alone; and an interpreter that follows schedules, as the runtime does. */
#ifndef HD_TESTS_UNIT_REACH_PROGRAMS_H
#define HD_TESTS_UNIT_REACH_PROGRAMS_H

#include "base/memory.h"
#include "base/rng.h"
#include "reach/variant.h"
#include "unit/test.h"

enum { THREADS = 4, LENGTH = 3, EVENTS = THREADS * LENGTH, BOXES = 2, MOST = 6000 };

/* Of each thread the mailboxes that it sends to, or what it does at its own, or a choice of two. */
enum { RECEIVE = 8, TRY, CHOOSE };
typedef struct program {
    int threads, boxes, length[THREADS], ops[THREADS][LENGTH];
    int tags[THREADS][LENGTH]; /* of a send; of a receive: asked for, -1: any */
    hd_scheme scheme;
} program;

/* A step of an execution: of a send and of a receive its message, of a choice its outcome. */
typedef struct step {
    int thread, op, index;
    uint64_t label; /* 0: a receive that has found nothing */
    uint32_t outcome;
    uint32_t past; /* the steps that happen before it, as bits */
} step;

/* An execution so far. */
typedef struct run {
    const program *p;
    int at[THREADS];
    step steps[EVENTS];
    int count;
} run;

static inline uint64_t request_of(const program *p, int t, int i)
{
    return hd_mail_request(-1, p->tags[t][i], p->scheme);
}

static inline int op_of(const run *r, int t)
{
    return r->at[t] < r->p->length[t] ? r->p->ops[t][r->at[t]] : -1;
}

static inline bool is_receive(int op)
{
    return op == RECEIVE || op == TRY;
}

/* The step that sent the message. */
static inline int sent_by(const run *r, uint64_t label)
{
    int i = 0;
    while (r->steps[i].label != label || r->steps[i].op >= RECEIVE)
        i++;
    return i;
}

static inline bool is_taken(const run *r, uint64_t label)
{
    for (int i = 0; i < r->count; i++)
        if (is_receive(r->steps[i].op) && r->steps[i].label == label)
            return true;
    return false;
}

/* Is step `i` a message in the mailbox of thread `t` that it asks for now? */
static inline bool is_there(const run *r, int t, int i)
{
    const step *s = &r->steps[i];
    return s->op == t && hd_mail_matches(request_of(r->p, t, r->at[t]), s->label) && !is_taken(r, s->label);
}

/* By the definition of the scheme. */
static inline bool may_take(const run *r, int t, int i)
{
    if (!is_there(r, t, i))
        return false;
    for (int k = 0; k < i && r->p->scheme != HD_SCHEME_ASYNC; k++)
        if (is_there(r, t, k) && (r->steps[i].past >> k & 1)
            && (r->p->scheme == HD_SCHEME_CAUSAL || r->steps[k].thread == r->steps[i].thread))
            return false;
    return true;
}

/* Performs the next operation of the thread; `message`: the step that sent what it receives, or -1. */
static inline void perform(run *r, int t, int message, uint32_t outcome)
{
    step *s = &r->steps[r->count];
    int i = r->at[t]++;
    *s = (step) { .thread = t, .op = r->p->ops[t][i], .index = i, .outcome = outcome };
    if (s->op < RECEIVE)
        s->label = hd_mail_label(hd_token((uint32_t)t, (uint32_t)i + 1), 0, (uint32_t)r->p->tags[t][i]);
    if (message >= 0) {
        s->label = r->steps[message].label;
        s->past = r->steps[message].past | 1u << message;
    }
    for (int k = 0; k < r->count; k++)
        s->past |= r->steps[k].thread == t ? 1u << k | r->steps[k].past : 0;
    r->count++;
}

/* The execution as a sequence. */
static inline void build(const run *r, hd_sr *q)
{
    uint32_t events[EVENTS];
    hd_sr_init(q, THREADS, &hd_heap);
    for (int i = 0; i < r->count; i++) {
        const step *s = &r->steps[i];
        uint16_t t = (uint16_t)s->thread;
        if (s->op == CHOOSE)
            events[i] = hd_sr_choose(q, t, 2, (uint8_t)s->outcome);
        else if (is_receive(s->op))
            events[i] = hd_sr_receive(q, t, t, request_of(r->p, t, s->index), s->op == TRY, false,
                s->label ? events[sent_by(r, s->label)] : (uint32_t)HD_SR_NONE);
        else
            events[i] = hd_sr_send(q, t, (uint64_t)s->op, s->label);
    }
    for (int t = 0; t < r->p->threads; t++)
        if (r->at[t] < r->p->length[t])
            hd_sr_receive(q, (uint16_t)t, (uint64_t)t, request_of(r->p, t, r->at[t]), false, true, HD_SR_NONE);
    hd_sr_finish(q);
}

/* --- all executions ------------------------------------------------------------------------------------- */

typedef struct search {
    hd_sr *found;
    int count;
    bool too_many;
} search;

static inline void walk(search *s, const run *r);

static inline void walk_on(search *s, const run *r, int t, int message, uint32_t outcome)
{
    run next = *r;
    perform(&next, t, message, outcome);
    walk(s, &next);
}

/* Every way in which the thread can go on; false: it waits, or has ended. */
static inline bool walk_thread(search *s, const run *r, int t)
{
    int op = op_of(r, t);
    bool goes_on = op >= 0 && !is_receive(op);
    if (goes_on)
        for (uint32_t outcome = 0; outcome < 1u + (op == CHOOSE); outcome++)
            walk_on(s, r, t, -1, outcome);
    for (int i = 0; i < r->count && is_receive(op); i++)
        if (may_take(r, t, i)) {
            walk_on(s, r, t, i, 0);
            goes_on = true;
        }
    if (op == TRY && !goes_on)
        walk_on(s, r, t, -1, 0);
    return goes_on || op == TRY;
}

static inline void walk(search *s, const run *r)
{
    bool ended = true;
    s->too_many |= s->count == MOST;
    for (int t = 0; t < r->p->threads && !s->too_many; t++)
        ended &= !walk_thread(s, r, t);
    if (ended && !s->too_many)
        build(r, &s->found[s->count++]);
}

static inline search find_all(const program *p, hd_sr *found)
{
    search s = { .found = found };
    run first = { .p = p };
    walk(&s, &first);
    return s;
}

static inline void forget_all(search *s)
{
    for (int i = 0; i < s->count; i++)
        hd_sr_fini(&s->found[i]);
}

/* --- one execution -------------------------------------------------------------------------------------- */

/* The message of outcome `choice` of the thread's receive, or -1. */
static inline int choose(const run *r, int t, int choice)
{
    for (int i = 0; i < r->count; i++) {
        int before = 0;
        for (int k = 0; k < r->count; k++)
            before += may_take(r, t, k) && r->steps[k].label < r->steps[i].label;
        if (may_take(r, t, i) && before == choice)
            return i;
    }
    return -1;
}

static inline bool can_go_on(const run *r, int t)
{
    int op = op_of(r, t);
    return op >= 0 && (op != RECEIVE || choose(r, t, 0) >= 0);
}

static inline void go_on(run *r, int t, uint8_t choice)
{
    int op = op_of(r, t), message = is_receive(op) ? choose(r, t, choice) : -1;
    CHECK(can_go_on(r, t) && (!is_receive(op) || message >= 0 || (op == TRY && !choice)));
    perform(r, t, message, choice);
}

/* Follows the schedule, and then lets the first thread that can go on: HD_TAIL_LOWEST. */
static inline void execute(const program *p, const hd_sr_schedule *schedule, hd_sr *q)
{
    run r = { .p = p };
    for (size_t i = 0; i < schedule->count; i++)
        go_on(&r, schedule->items[i].thread, schedule->items[i].choice);
    for (int t = 0; t < p->threads;) {
        bool goes_on = can_go_on(&r, t);
        if (goes_on)
            go_on(&r, t, 0);
        t = goes_on ? 0 : t + 1;
    }
    build(&r, q);
}

static inline program draw(hd_rng *rng, bool tries)
{
    program p = { .threads = 2 + (int)hd_rng_below(rng, 3), .boxes = 1 + (int)hd_rng_below(rng, BOXES) };
    bool tags = hd_rng_below(rng, 3) == 0, choices = hd_rng_below(rng, 3) == 0;
    p.scheme = (hd_scheme)hd_rng_below(rng, 3);
    for (int t = 0; t < p.threads; t++) {
        p.length[t] = 1 + (int)hd_rng_below(rng, LENGTH);
        for (int i = 0; i < p.length[t]; i++) {
            bool receives = t < p.boxes && hd_rng_below(rng, 2), chooses = choices && !hd_rng_below(rng, 4);
            p.ops[t][i] = chooses ? CHOOSE
                : receives        ? RECEIVE + (tries && hd_rng_below(rng, 2))
                                  : (int)hd_rng_below(rng, (uint32_t)p.boxes);
            p.tags[t][i] = receives ? (tags ? (int)hd_rng_below(rng, 3) - 1 : -1) : (int)hd_rng_below(rng, 2);
        }
    }
    return p;
}

#endif
