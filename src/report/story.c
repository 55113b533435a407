#include "report/story.h"

#include "base/sentence.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/stack.h"
#include "report/step.h"
#include "report/symbolise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 2000, MOST_LOCKS = 8, MOST_READS = 2, MOST_STUCK = 6 };

typedef struct teller {
    const hd_report_finding *reported;
    const hd_recorded_run *run;
    hd_sentence s;
} teller;

static const hd_recorded_op *op_at(const teller *t, uint32_t entry)
{
    return &t->run->ops[entry];
}

static const char *name_at(const teller *t, uint32_t entry)
{
    const char *name = t->reported->accesses[entry].name;
    return name ? name : "it";
}

static void add_place(teller *t, const hd_location *at)
{
    const char *slash = strrchr(at->file, '/');
    if (at->line)
        hd_sentence_add(&t->s, " at %s:%" PRIu32, slash ? slash + 1 : at->file, at->line);
}

static void add_number(teller *t, uint32_t thread)
{
    char tag[HD_REPORT_NAME];
    hd_report_thread_tag(t->run, thread, tag);
    hd_sentence_add(&t->s, "%s", tag);
}

static void add_thread(teller *t, uint32_t entry)
{
    add_number(t, hd_recorded_doer(t->run, entry));
}

/* --- locks --------------------------------------------------------------------------------------- */

/* The locks that the thread in the slot holds before the entry. */
static void add_held(teller *t, uint32_t entry, uint32_t slot)
{
    struct held {
        uint64_t object;
        uint32_t entry;
        int count;
    } held[MOST_LOCKS];
    uint32_t count = 0, shown = 0;
    for (uint32_t i = 0; i < entry; i++) {
        const hd_op *op = &op_at(t, i)->op;
        int change = op->thread == slot && hd_op_is_done(op) ? hd_report_lock_change(op->kind) : 0;
        uint32_t k = 0;
        while (k < count && held[k].object != op->object)
            k++;
        if (k == count && change > 0 && count < MOST_LOCKS)
            held[count++] = (struct held) { op->object, i, 0 };
        if (k < count)
            held[k].count += change;
    }
    for (uint32_t k = 0; k < count; k++)
        if (held[k].count > 0)
            hd_sentence_add(&t->s, "%s%s", shown++ ? " and " : ", holding ", name_at(t, held[k].entry));
    if (!shown)
        hd_sentence_add(&t->s, ", holding no lock");
}

/* --- two accesses ---------------------------------------------------------------------------------- */

static void add_access(teller *t, uint32_t entry, const char *what)
{
    add_thread(t, entry);
    hd_sentence_add(&t->s, ": %s of %s", hd_op_text(op_at(t, entry)->op.kind), what);
    add_place(t, &op_at(t, entry)->location);
    add_held(t, entry, op_at(t, entry)->op.thread);
    hd_sentence_add(&t->s, ".");
}

static void tell_accesses(teller *t)
{
    const hd_finding *f = &t->reported->finding;
    uint32_t first = f->entries[0], second = f->entries[1];
    if (first >= t->run->op_count || second >= t->run->op_count)
        return;
    add_access(t, first, name_at(t, first));
    hd_sentence_add(&t->s, " ");
    add_access(t, second, strcmp(name_at(t, first), name_at(t, second)) ? name_at(t, second) : "the same");
    bool differ = hd_kind_is_plain(op_at(t, first)->op.kind) != hd_kind_is_plain(op_at(t, second)->op.kind);
    if (f->kind == HD_FINDING_DATA_RACE)
        hd_sentence_add(&t->s, " Nothing orders the two accesses: no lock that both hold, no join, %s.",
            differ ? "and only one of them is atomic" : "no atomic operation");
    if (f->kind == HD_FINDING_LOCK_DISCIPLINE)
        hd_sentence_add(&t->s, " No lock is held at all accesses to it.");
}

/* --- data -------------------------------------------------------------------------------------------- */

static bool overlaps(const hd_op *a, const hd_op *b)
{
    return a->object == b->object && hd_kind_is_memory(a->kind) && hd_kind_is_memory(b->kind) && (a->mask & b->mask)
        && hd_op_is_done(a) && hd_op_is_done(b);
}

/* The last change of the bytes before the entry; ~0: none. */
static uint32_t last_change(const teller *t, uint32_t entry)
{
    for (uint32_t i = entry; i-- > 0;)
        if (overlaps(&op_at(t, i)->op, &op_at(t, entry)->op) && !hd_kind_looks(op_at(t, i)->op.kind))
            return i;
    return ~0u;
}

/* A write whose thread had read the bytes before another thread changed them: the update of the other is lost. */
static void add_overwritten(teller *t, uint32_t write)
{
    const hd_op *op = &op_at(t, write)->op;
    uint32_t between = last_change(t, write), read = between;
    if (between == ~0u || op_at(t, between)->op.thread == op->thread)
        return;
    while (read-- > 0)
        if (op_at(t, read)->op.thread == op->thread && overlaps(&op_at(t, read)->op, op))
            break;
    if (read == ~0u || !hd_kind_looks(op_at(t, read)->op.kind))
        return;
    hd_sentence_add(&t->s, " ");
    add_thread(t, write);
    hd_sentence_add(&t->s, " had read %s", name_at(t, write));
    add_place(t, &op_at(t, read)->location);
    hd_sentence_add(&t->s, " before ");
    add_thread(t, between);
    hd_sentence_add(&t->s, " changed it");
    add_place(t, &op_at(t, between)->location);
    hd_sentence_add(&t->s, ".");
}

static void add_read(teller *t, uint32_t read, uint32_t source, bool is_first)
{
    const char *value = t->reported->accesses[read].value;
    hd_sentence_add(&t->s, is_first ? " Before that, it read %s" : ", and %s", name_at(t, read));
    if (value)
        hd_sentence_add(&t->s, " = %s", value);
    add_place(t, &op_at(t, read)->location);
    hd_sentence_add(&t->s, ", which ");
    add_thread(t, source);
    hd_sentence_add(&t->s, " had written");
    add_place(t, &op_at(t, source)->location);
}

/* What the thread in the slot has last read from others. */
static void add_reads(teller *t, uint32_t slot)
{
    uint32_t reads[MOST_READS], sources[MOST_READS], count = 0, looked = 0;
    for (uint32_t i = t->run->op_count; i-- > 0 && count < MOST_READS && looked < 2 * MOST_READS;) {
        const hd_op *op = &op_at(t, i)->op;
        if (op->thread != slot || !hd_op_is_done(op) || !hd_kind_is_memory(op->kind))
            continue;
        looked++;
        uint32_t source = last_change(t, i);
        bool again = count && overlaps(op, &op_at(t, reads[0])->op);
        /* Memory that is freed is not written. */
        if (source == ~0u || !t->reported->accesses[source].value || op_at(t, source)->op.thread == slot || again
            || !hd_kind_looks(op->kind))
            continue;
        reads[count] = i;
        sources[count++] = source;
    }
    for (uint32_t k = count; k-- > 0;)
        add_read(t, reads[k], sources[k], k == count - 1);
    if (count)
        hd_sentence_add(&t->s, ".");
    for (uint32_t k = count; k-- > 0;)
        add_overwritten(t, sources[k]);
}

/* --- deadlocks ----------------------------------------------------------------------------------------- */

static bool wakes(uint8_t kind)
{
    uint8_t role = hd_kinds[kind].role, other = hd_kinds[hd_kinds[kind].otherwise].role;
    return role == HD_ROLE_WAKES_ONE || role == HD_ROLE_WAKES_ALL
        || (hd_kinds[kind].otherwise && (other == HD_ROLE_WAKES_ONE || other == HD_ROLE_WAKES_ALL));
}

/* The last operation by which a thread could have woken those that sleep at the object. */
static void add_last_wake(teller *t, uint64_t object, const char *what)
{
    for (uint32_t i = t->run->op_count; i-- > 0;) {
        const hd_op *op = &op_at(t, i)->op;
        if (op->object != object || !hd_op_is_done(op) || !wakes(op->kind))
            continue;
        hd_sentence_add(&t->s, "; the last %s, by ", what);
        add_thread(t, i);
        add_place(t, &op_at(t, i)->location);
        hd_sentence_add(&t->s, ", did not wake it");
        return;
    }
    hd_sentence_add(&t->s, "; there was no %s", what);
}

static void add_sleep(teller *t, uint32_t thread, const hd_thread_view *v, const char *name)
{
    const hd_location *at = &t->run->threads[thread].location;
    bool is_condition = v->waits_for == HD_WAIT_COND;
    hd_sentence_add(&t->s, " waits for a %s %s", is_condition ? "signal to" : "wake-up at", name);
    add_place(t, at);
    add_last_wake(t, v->wait_object, is_condition ? "signal" : "wake-up");
}

static void add_blocked(teller *t, uint32_t thread, const char *name)
{
    uint32_t obstacle = hd_report_obstacle(t->run, thread);
    hd_sentence_add(&t->s, " waits for %s", name);
    add_place(t, &t->run->threads[thread].location);
    if (obstacle == ~0u)
        return;
    uint32_t holder = hd_recorded_doer(t->run, obstacle);
    hd_sentence_add(&t->s, ", which ");
    if (holder == thread)
        hd_sentence_add(&t->s, "it");
    else
        add_thread(t, obstacle);
    hd_sentence_add(
        &t->s, hd_report_retries(&t->run->threads[thread].view) ? " changed last" : " has held since its lock");
    add_place(t, &op_at(t, obstacle)->location);
}

static void tell_stuck(teller *t, uint32_t thread)
{
    const hd_thread_view *v = &t->run->threads[thread].view;
    const char *name = t->reported->awaited[thread];
    bool waits = v->status == HD_THREAD_WAITING;
    hd_sentence_add(&t->s, "%s", t->s.length ? " " : "");
    add_number(t, thread);
    if (waits && v->waits_for == HD_WAIT_JOIN) {
        hd_sentence_add(&t->s, " waits for the end of ");
        add_number(t, hd_recorded_number(t->run, (uint32_t)v->wait_object));
        add_place(t, &t->run->threads[thread].location);
    } else if (waits && hd_wait_is_sleep(v->waits_for)) {
        add_sleep(t, thread, v, name ? name : "?");
    } else if (waits && v->waits_for == HD_WAIT_LOOP) {
        hd_sentence_add(&t->s, " waits in a loop");
        add_place(t, &t->run->threads[thread].location);
        if (name)
            hd_sentence_add(&t->s, " for a change of %s", name);
    } else if (waits && v->waits_for == HD_WAIT_SIGNAL) {
        hd_sentence_add(&t->s, " waits for a signal");
        add_place(t, &t->run->threads[thread].location);
    } else {
        add_blocked(t, thread, name ? name : "what never comes");
    }
    hd_sentence_add(&t->s, ".");
    if (waits && hd_wait_is_sleep(v->waits_for))
        add_reads(t, t->run->threads[thread].slot);
}

static void tell_deadlock(teller *t)
{
    uint32_t told = 0, left = 0;
    for (uint32_t i = 0; i < t->run->thread_count; i++)
        if (hd_recorded_is_stuck(t->run, &t->reported->finding, i)) {
            if (told++ < MOST_STUCK)
                tell_stuck(t, i);
            else
                left++;
        }
    if (left)
        hd_sentence_add(&t->s, " So do %" PRIu32 " more thread%s.", left, left == 1 ? "" : "s");
    hd_sentence_add(&t->s, told == 1 ? " It waits forever." : " None of them can go on.");
}

/* --- failures of one thread ------------------------------------------------------------------------------ */

static const char *description(const teller *t, const hd_recorded_block *b)
{
    for (uint32_t i = 0; i < t->run->block_count; i++)
        if (t->run->blocks[i].address == b->address)
            return t->reported->blocks[i];
    return NULL;
}

static void tell_freed(teller *t)
{
    const hd_recorded_block *b = &t->run->block;
    const char *text = b->known ? description(t, b) : NULL;
    if (!b->known || !b->is_freed)
        return;
    add_number(t, b->freer);
    if (text)
        hd_sentence_add(&t->s, " frees a %s", text);
    else
        hd_sentence_add(&t->s, " frees a block of %" PRIu64 " byte%s%s%s", b->size, b->size == 1 ? "" : "s",
            b->function ? " from " : "", b->function ? b->function : "");
    if (!text)
        add_place(t, &b->allocated);
    hd_sentence_add(&t->s, ",");
    add_place(t, &b->freed);
    hd_sentence_add(&t->s, ". ");
}

/* The last step of the thread, if the failure is in it. */
static uint32_t failing_step(const teller *t)
{
    uint32_t i = t->run->op_count;
    while (i-- > 0 && (op_at(t, i)->op.thread != t->reported->finding.thread || !hd_report_is_step(t->run, i)))
        ;
    const hd_location *failed = &t->reported->location, *at = i == ~0u ? failed : &op_at(t, i)->location;
    return i != ~0u && at->line == failed->line && !strcmp(at->file, failed->file) ? i : ~0u;
}

/* The thread has slept and was woken before it failed: how. */
static void tell_woken(teller *t)
{
    uint32_t slot = t->reported->finding.thread, sleep = t->run->op_count, wake;
    while (sleep-- > 0)
        if (op_at(t, sleep)->op.thread == slot && hd_kinds[op_at(t, sleep)->op.kind].role == HD_ROLE_SLEEPS)
            break;
    if (sleep == ~0u || !t->reported->accesses[sleep].matters)
        return;
    for (wake = sleep + 1; wake < t->run->op_count; wake++)
        if (op_at(t, wake)->op.object == op_at(t, sleep)->op.object && op_at(t, wake)->op.thread != slot
            && hd_op_is_done(&op_at(t, wake)->op) && wakes(op_at(t, wake)->op.kind))
            break;
    if (wake == t->run->op_count)
        return;
    add_number(t, hd_recorded_doer(t->run, sleep));
    hd_sentence_add(&t->s, " begins to wait for %s", name_at(t, sleep));
    add_place(t, &op_at(t, sleep)->location);
    hd_sentence_add(&t->s, "; ");
    add_thread(t, wake);
    hd_sentence_add(&t->s, " signals it");
    add_place(t, &op_at(t, wake)->location);
    hd_sentence_add(&t->s, ". ");
}

/* What the thread did that is the failure, as the predicate of a sentence. */
static const char *act_text(hd_finding_kind kind)
{
    switch (kind) {
    case HD_FINDING_ASSERTION:
        return "finds the assertion false";
    case HD_FINDING_DOUBLE_FREE:
        return "frees it again";
    case HD_FINDING_USE_AFTER_FREE:
        return "uses it";
    case HD_FINDING_CRASH:
        return "crashes";
    case HD_FINDING_ABORT:
        return "calls abort()";
    case HD_FINDING_EXIT_STATUS:
        return "ends the program";
    default:
        return "fails";
    }
}

static void tell_act(teller *t, uint32_t thread)
{
    hd_finding_kind kind = t->reported->finding.kind;
    uint32_t step = failing_step(t);
    const char *name = step == ~0u ? NULL : t->reported->accesses[step].name;
    add_number(t, thread);
    hd_sentence_add(&t->s, " %s", act_text(kind));
    add_place(t, &t->reported->location);
    if (kind == HD_FINDING_USE_AFTER_FREE && name)
        hd_sentence_add(&t->s, " (%s of %s)", hd_op_text(op_at(t, step)->op.kind), name);
    if (kind == HD_FINDING_LOCK_DISCIPLINE)
        add_held(t, t->run->op_count, t->reported->finding.thread);
    hd_sentence_add(&t->s, ".");
}

/* The last step of the slice that another thread did. */
static void add_last_step(teller *t, uint32_t slot)
{
    for (uint32_t i = t->run->op_count; i-- > 0;) {
        const hd_report_access *a = &t->reported->accesses[i];
        if (!a->matters || op_at(t, i)->op.thread == slot || hd_op_is_implied(&op_at(t, i)->op))
            continue;
        hd_sentence_add(&t->s, " The last step of another thread whose order matters is ");
        add_thread(t, i);
        hd_sentence_add(&t->s, ": %s", hd_op_text(op_at(t, i)->op.kind));
        if (a->name)
            hd_sentence_add(&t->s, " of %s", a->name);
        if (a->value)
            hd_sentence_add(&t->s, " = %s", a->value);
        add_place(t, &op_at(t, i)->location);
        hd_sentence_add(&t->s, ".");
        if (hd_kind_is_memory(op_at(t, i)->op.kind) && !hd_kind_looks(op_at(t, i)->op.kind))
            add_overwritten(t, i);
        return;
    }
}

static void tell_failure(teller *t)
{
    const hd_finding *f = &t->reported->finding;
    uint32_t thread = hd_recorded_number(t->run, f->thread);
    /* A leak is no act of a thread. */
    if (thread >= t->run->thread_count || f->kind == HD_FINDING_LEAK)
        return;
    if (f->kind == HD_FINDING_USE_AFTER_FREE || f->kind == HD_FINDING_DOUBLE_FREE)
        tell_freed(t);
    bool is_known = t->s.length > 0;
    if (!is_known)
        tell_woken(t);
    tell_act(t, thread);
    bool holds = f->kind == HD_FINDING_LOCK_DISCIPLINE; /* tell_act has said which locks */
    is_known |= holds;
    size_t said = t->s.length;
    add_reads(t, f->thread);
    if (t->s.length == said && !is_known)
        add_last_step(t, f->thread);
    /* The head of the report has said that much. */
    if (t->s.length == said && !is_known)
        t->s.text[t->s.length = 0] = '\0';
}

const char *hd_report_story(const hd_report_finding *f, hd_arena *arena)
{
    char text[ROOM] = "";
    teller t = { f, &f->run, { text, sizeof text, 0 } };
    if (hd_finding_has_accesses(&f->finding))
        tell_accesses(&t);
    else if (f->finding.kind == HD_FINDING_DEADLOCK)
        tell_deadlock(&t);
    else if (hd_outcome_is_finding(f->run.outcome.kind))
        tell_failure(&t);
    return hd_arena_copy(arena, text);
}
