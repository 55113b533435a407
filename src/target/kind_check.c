#include "target/kind_check.h"

#include "event/mail.h"
#include "event/op.h"
#include "event/plan.h"

#include <string.h>

void hd_kind_check_start(hd_kind_check *check)
{
    memset(check, 0, sizeof *check);
}

/* --- the count -------------------------------------------------------------------------- */

/* The state of an object, as rows tell it. */
typedef struct state {
    int64_t count, waiters;
    bool done;
    uint32_t messages; /* that the operation can take from a mailbox */
    bool unknown; /* it has been destroyed */
} state;

static void apply(state *s, const hd_kind_facts *facts)
{
    s->count += facts->adds;
    s->done |= facts->role == HD_ROLE_ENDS;
    switch (facts->role) {
    case HD_ROLE_MAKES:
    case HD_ROLE_DESTROYS:
        *s = (state) { .unknown = facts->role == HD_ROLE_DESTROYS };
        break;
    case HD_ROLE_SLEEPS:
        s->waiters++;
        break;
    case HD_ROLE_WAKES_ALL:
        s->waiters = 0;
        break;
    case HD_ROLE_WAKES_ONE:
    case HD_ROLE_TIMES_OUT:
    case HD_ROLE_GIVES_UP:
        s->waiters--;
        break;
    default:
        break;
    }
}

static uint32_t messages_for(const hd_runtime *r, const hd_op *op)
{
    hd_mail_list mail = { 0 };
    for (uint32_t i = 0; i < *r->log_count; i++)
        if (hd_op_is_done(&r->log[i]) && hd_op_key(&r->log[i]) == hd_op_key(op))
            hd_mail_perform(&mail, &r->log[i]);
    hd_mail_order(&mail, op->value);
    for (uint32_t k = 0; k < mail.count && hd_mail_scheme(op->value) == HD_SCHEME_CAUSAL; k++) {
        hd_mail_after after = { .token = hd_mail_token(mail.labels[k]) };
        for (uint32_t i = 0; i < *r->log_count; i++)
            hd_mail_follow(&after, &r->log[i]);
        if (hd_mail_matches(op->value, mail.labels[k]))
            hd_mail_put_behind(&mail, &after);
    }
    return hd_mail_outcomes(op->value, &mail);
}

static state state_of(const hd_runtime *r, const hd_op *op)
{
    state s = { 0 };
    for (uint32_t i = 0; i < *r->log_count; i++)
        if (hd_op_is_done(&r->log[i]) && hd_op_key(&r->log[i]) == hd_op_key(op))
            apply(&s, &hd_kinds[r->log[i].kind]);
    if (hd_objects[hd_op_class(op->kind)].starts == HD_STARTS_VALUE)
        s.count = hd_op_count(op);
    if (hd_kinds[op->kind].decided == HD_DECIDED_MESSAGES)
        s.messages = messages_for(r, op);
    return s;
}

static bool should_be_stronger(const hd_op *op, const state *s)
{
    switch (hd_kinds[op->kind].decided) {
    case HD_DECIDED_COUNT:
        return !(op->flags & HD_OP_TRY) || hd_need_is_met(hd_kinds[hd_kind_strongest(op->kind)].need, s->count);
    case HD_DECIDED_MESSAGES:
        return !(op->flags & HD_OP_TRY) || s->messages > 0;
    case HD_DECIDED_WAITERS:
        return s->waiters > 0;
    case HD_DECIDED_DONE:
        return !s->done;
    default:
        return hd_kind_strongest(op->kind) == op->kind; /* by what rows do not tell */
    }
}

static const char *check_state(const hd_runtime *r, const hd_op *op, bool enabled)
{
    const hd_kind_facts *facts = &hd_kinds[op->kind];
    state s = state_of(r, op);
    bool should_be_enabled = (op->flags & HD_OP_TRY) || hd_need_is_met(facts->need, s.count);
    if (s.unknown || (op->flags & HD_OP_ATOMIC)) /* what decides a block is not in its row */
        return NULL;
    if (should_be_stronger(op, &s) != (op->kind == hd_kind_strongest(op->kind)))
        return "in this state it should be of its other kind";
    if (enabled != should_be_enabled)
        return enabled ? "it is enabled, and the count is not what it needs" : "it is not enabled, and should be";
    if (facts->outcomes == HD_OUTCOMES_WAITERS && op->choices != s.waiters)
        return "it has not as many outcomes as there are threads that sleep";
    if (facts->outcomes == HD_OUTCOMES_MESSAGES && op->choices != s.messages)
        return "it has not as many outcomes as there are messages that it can take";
    return NULL;
}

/* --- commuting ------------------------------------------------------------------------------ */

static bool is_same(const hd_op *a, const hd_op *b)
{
    return a->object == b->object && a->site == b->site && hd_kind_strongest(a->kind) == hd_kind_strongest(b->kind);
}

/* Could the entry of the log have changed what `op` would do? */
static bool concerns(const hd_op *entry, const hd_op *op)
{
    hd_op also = { .kind = hd_kinds[op->kind].also, .object = hd_also_object(op) };
    if (!hd_op_is_done(entry) || entry->thread == op->thread)
        return entry->thread == op->thread;
    return hd_ops_conflict(entry, op) || (also.kind && hd_ops_conflict(entry, &also));
}

static bool is_undisturbed(const hd_kind_check *check, const hd_runtime *r, const hd_op *op)
{
    for (uint32_t i = check->log_count; i < *r->log_count; i++)
        if (concerns(&r->log[i], op))
            return false;
    return true;
}

static const char *check_commuting(const hd_kind_check *check, const hd_runtime *r, const hd_op *op, bool enabled)
{
    const hd_kind_seen *seen = &check->pending[op->thread];
    if (!seen->known || !is_same(&seen->op, op) || !is_undisturbed(check, r, &seen->op))
        return NULL;
    bool same = seen->op.kind == op->kind && seen->op.choices == op->choices && seen->enabled == enabled;
    return same ? NULL : "an operation that should commute with it has changed what it does";
}

static const char *check_pending(hd_kind_check *check, hd_runtime *r, uint32_t thread)
{
    const hd_op *op = &r->threads[thread].pending;
    bool at_op = r->threads[thread].status == HD_THREAD_AT_OP, enabled = at_op && r->enabled(thread);
    const char *wrong = NULL;
    /* What a wait in a loop, or --depth, holds back is not its row's business. */
    bool known = at_op && !(op->flags & (HD_OP_SPUN | HD_OP_DEEP));
    if (known)
        wrong = check_state(r, op, enabled);
    if (known && !wrong)
        wrong = check_commuting(check, r, op, enabled);
    check->pending[thread] = (hd_kind_seen) { *op, known, enabled };
    return wrong;
}

const char *hd_kind_check_decision(hd_kind_check *check, hd_runtime *r, uint32_t *thread)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; i < *r->thread_count && !wrong; i++) {
        wrong = check_pending(check, r, i);
        *thread = i;
    }
    check->log_count = *r->log_count;
    return wrong;
}
