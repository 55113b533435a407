#include "explore/selfcheck.h"

#include "abi/lives.h"
#include "base/clock.h"
#include "base/sentence.h"
#include "event/op.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double allowance = 0.02 /* seconds */, share = 0.02;

struct hd_selfcheck {
    hd_memory *memory;
    uint64_t next; /* the number of the next execution to compare */
    double started; /* the time when the search started */
    double spent; /* seconds of processor time in all fresh processes */
    double last; /* in the last of them */

    /* The execution in the fresh process. */
    hd_vec(hd_op) log;
    hd_vec(uint64_t) operands;
    hd_vec(hd_thread_view) threads;
    hd_vec(hd_input) inputs;
    hd_outcome outcome;
};

hd_selfcheck *hd_selfcheck_open(hd_memory *memory)
{
    hd_selfcheck *c = hd_alloc(memory, sizeof *c);
    c->memory = c->log.memory = c->operands.memory = c->threads.memory = c->inputs.memory = memory;
    c->started = hd_now();
    hd_selfcheck_start(c);
    return c;
}

void hd_selfcheck_close(hd_selfcheck *c)
{
    hd_vec_fini(&c->log);
    hd_vec_fini(&c->operands);
    hd_vec_fini(&c->threads);
    hd_vec_fini(&c->inputs);
    hd_release(c->memory, c, sizeof *c);
}

double hd_selfcheck_spent(const hd_selfcheck *c)
{
    return c->spent;
}

void hd_selfcheck_start(hd_selfcheck *c)
{
    c->next = 1;
}

void hd_selfcheck_set_clock(hd_selfcheck *c)
{
    c->started = hd_now() - c->spent / share;
}

/* --- when ------------------------------------------------------------------------- */

static bool is_affordable(const hd_selfcheck *c)
{
    double most = share * (hd_now() - c->started);
    return c->spent + c->last <= (most > allowance ? most : allowance);
}

bool hd_selfcheck_is_due(hd_selfcheck *c, uint64_t number)
{
    if (number < c->next || (number > 1 && !is_affordable(c)))
        return false;
    c->next = 2 * number;
    return true;
}

bool hd_selfcheck_can_end(const hd_selfcheck *c)
{
    return c->last <= allowance || is_affordable(c);
}

/* --- the fresh process --------------------------------------------------------------- */

#define copy_into(v, from, n) \
    do { \
        hd_vec_clear(v); \
        hd_vec_reserve(v, n); \
        if (n) \
            memcpy((v)->items, from, (n) * sizeof *(v)->items); \
        (v)->count = n; \
    } while (0)

static void keep(hd_selfcheck *c, const hd_execution *e)
{
    copy_into(&c->log, e->log, e->log_count);
    copy_into(&c->operands, e->operands, e->log_count);
    copy_into(&c->threads, e->threads, e->thread_count);
    copy_into(&c->inputs, e->inputs, e->input_count);
    c->outcome = *e->outcome;
}

hd_execution hd_selfcheck_expect(hd_selfcheck *c, hd_target *target, const hd_plan *plan)
{
    target->values = true;
    hd_execution e = hd_target_run_fresh(target, plan);
    keep(c, &e);
    c->last = target->fresh.seconds;
    c->spent += c->last;
    return e;
}

hd_execution hd_selfcheck_kept(const hd_selfcheck *c, const hd_execution *e)
{
    hd_execution kept = *e;
    kept.log = c->log.items;
    kept.log_count = (uint32_t)c->log.count;
    kept.operands = c->operands.items;
    kept.threads = c->threads.items;
    kept.thread_count = (uint32_t)c->threads.count;
    kept.inputs = c->inputs.items;
    kept.input_count = (uint32_t)c->inputs.count;
    kept.outcome = &c->outcome;
    return kept;
}

/* --- comparing ----------------------------------------------------------------------- */

static void add_op(hd_sentence *s, const hd_op *log, uint32_t count, uint32_t entry)
{
    const hd_op *op = &log[entry];
    hd_sentence_add(
        s, "T%u: %s", hd_thread_number_at(log, count, entry), op->kind == HD_EDGE ? "an edge" : hd_op_text(op->kind));
    if (op->site)
        hd_sentence_add(s, " at %s:%u", op->site->file, op->site->line);
}

/* The value that a write leaves is the one at the end of the execution, see hd_target.values. */
static void add_how(hd_sentence *s, const hd_selfcheck *c, const hd_execution *e, uint32_t i)
{
    const hd_op *a = &e->log[i], *b = &c->log.items[i];
    uint64_t left_a = e->operands[i], left_b = c->operands.items[i];
    bool same_object = a->object == b->object;
    add_op(s, e->log, e->log_count, i);
    if (a->thread != b->thread || a->kind != b->kind || a->site != b->site) {
        hd_sentence_add(s, "; in a fresh process ");
        add_op(s, c->log.items, (uint32_t)c->log.count, i);
    } else if (!same_object || a->value != b->value) {
        const char *what = !same_object                ? "the object"
            : hd_op_class(a->kind) == HD_OBJECT_MEMORY ? "the value before"
                                                       : "the value";
        hd_sentence_add(s, ", %s is 0x%" PRIx64 ", in a fresh process 0x%" PRIx64, what,
            same_object ? a->value : a->object, same_object ? b->value : b->object);
    } else if (left_a != left_b) {
        hd_sentence_add(s, ", the value at the end is 0x%" PRIx64 ", in a fresh process 0x%" PRIx64, left_a, left_b);
    } else {
        hd_sentence_add(s, ", its bytes, outcomes or state are others in a fresh process");
    }
}

static bool same_thread(const hd_thread_view *a, const hd_thread_view *b)
{
    return a->status == b->status && a->waits_for == b->waits_for && a->enabled == b->enabled && a->life == b->life
        && a->steps == b->steps && a->creator == b->creator && a->wait_object == b->wait_object
        && (a->status != HD_THREAD_AT_OP || !memcmp(&a->pending, &b->pending, sizeof a->pending));
}

/* A loop without operations is interrupted by a timer, so its address differs. */
static bool same_outcome(const hd_outcome *a, const hd_outcome *b)
{
    if (a->kind == HD_HANG)
        return b->kind == HD_HANG && a->thread == b->thread;
    return a->kind == b->kind && a->thread == b->thread && a->exit_status == b->exit_status && a->deep == b->deep
        && a->address == b->address && a->state == b->state && a->signal == b->signal && a->site == b->site
        && !strcmp(a->message, b->message);
}

static void add_end(
    hd_sentence *s, const hd_outcome *o, const hd_op *log, uint32_t count, const hd_thread_view *threads)
{
    static const char *const words[] = { [HD_FINISHED] = "exit",
        [HD_CUT] = "a cut",
        [HD_ASSUMED] = "a failed assumption",
        [HD_NEEDS_FORK] = "an effect outside of memory",
        [HD_LEARNED] = "something learned",
        [HD_DIVERGED] = "a step that cannot be taken" };
    const char *word = o->kind < sizeof words / sizeof *words ? words[o->kind] : NULL;
    uint32_t number = hd_thread_number(log, count, hd_identity(o->thread, threads[o->thread].life));
    hd_sentence_add(s, "T%u, %s", number, word ? word : o->message);
    if (o->kind == HD_FINISHED)
        hd_sentence_add(s, " with status %u", o->exit_status);
    if (o->site)
        hd_sentence_add(s, " at %s:%u", o->site->file, o->site->line);
}

/* The value that a write overwrites does not matter; on a stack it is arbitrary. */
static bool same_op(const hd_op *a, const hd_op *b)
{
    hd_op other = *b;
    if (hd_kinds[a->kind].effect == HD_EFFECT_WRITES)
        other.value = a->value;
    return !memcmp(a, &other, sizeof *a);
}

static uint32_t first_difference(const hd_selfcheck *c, const hd_execution *e)
{
    uint32_t i = 0;
    while (i < e->log_count && i < c->log.count && same_op(&e->log[i], &c->log.items[i])
        && e->operands[i] == c->operands.items[i])
        i++;
    return i;
}

/* All operations are the same: are the ends? */
static bool same_end(const hd_selfcheck *c, const hd_execution *e, hd_sentence *s)
{
    if (!same_outcome(&c->outcome, e->outcome)) {
        hd_sentence_add(s, "it ends as ");
        add_end(s, e->outcome, e->log, e->log_count, e->threads);
        hd_sentence_add(s, "; in a fresh process as ");
        add_end(s, &c->outcome, c->log.items, (uint32_t)c->log.count, c->threads.items);
        return false;
    }
    for (uint32_t i = 0; i < e->thread_count && i < c->threads.count; i++)
        if (!same_thread(&e->threads[i], &c->threads.items[i])) {
            hd_sentence_add(
                s, "T%u ends elsewhere", hd_thread_number(e->log, e->log_count, hd_identity(i, e->threads[i].life)));
            return false;
        }
    for (uint32_t i = 0; i < e->input_count && i < c->inputs.count; i++)
        if (e->inputs[i].value != c->inputs.items[i].value || e->inputs[i].number != c->inputs.items[i].number) {
            hd_sentence_add(s, "input '%s' is %" PRIu64 ", in a fresh process %" PRIu64, e->inputs[i].name,
                e->inputs[i].value, c->inputs.items[i].value);
            return false;
        }
    hd_sentence_add(s, "another number of threads or inputs");
    return e->thread_count == c->threads.count && e->input_count == c->inputs.count;
}

bool hd_selfcheck_holds(const hd_selfcheck *c, const hd_execution *e, char *text, size_t size)
{
    hd_sentence s = { text, size, 0 };
    uint32_t i = first_difference(c, e);
    if (i == e->log_count && i == c->log.count)
        return same_end(c, e, &s);
    hd_sentence_add(&s, "operation %u, ", i + 1);
    if (i < e->log_count && i < c->log.count) {
        add_how(&s, c, e, i);
    } else if (i < e->log_count) {
        add_op(&s, e->log, e->log_count, i);
        hd_sentence_add(&s, "; a fresh process ends before it as ");
        add_end(&s, &c->outcome, c->log.items, (uint32_t)c->log.count, c->threads.items);
    } else {
        hd_sentence_add(&s, "the end: ");
        add_end(&s, e->outcome, e->log, e->log_count, e->threads);
        hd_sentence_add(&s, "; in a fresh process ");
        add_op(&s, c->log.items, (uint32_t)c->log.count, i);
    }
    return false;
}
