#include "reach/read.h"
#include "reach/cycle.h"

#include "base/error.h"

void hd_sr_reader_init(hd_sr_reader *x, hd_memory *memory)
{
    *x = (hd_sr_reader) { 0 };
    hd_map_init(&x->receivers, memory);
    hd_map_init(&x->sends, memory);
}

void hd_sr_reader_fini(hd_sr_reader *x)
{
    hd_map_fini(&x->receivers);
    hd_map_fini(&x->sends);
}

void hd_sr_leave_out(hd_sr_reader *x, const char *why)
{
    x->left_out = x->left_out ? x->left_out : why;
}

/* Notes the receiver of the mailbox. */
static void note_receiver(hd_sr_reader *x, const hd_op *op)
{
    uint64_t *known = hd_map_put(&x->receivers, op->object);
    if (*known && *known != op->thread + 1u)
        hd_sr_leave_out(x, "reach does not understand mailboxes at which several threads receive");
    *known = op->thread + 1u;
}

static bool may_miss(const hd_op *op)
{
    return (op->flags & HD_OP_TRY) && op->mask != HD_MAIL_WAITS;
}

static void add_mail(hd_sr_reader *x, hd_sr *q, const hd_op *op)
{
    uint32_t token = hd_mail_message(op);
    if (hd_mail_sends(op)) {
        *hd_map_put(&x->sends, token) = hd_sr_send(q, op->thread, op->object, op->value) + 1;
        return;
    }
    note_receiver(x, op);
    if ((op->flags & HD_OP_SPUN) && may_miss(op)) {
        hd_sr_leave_out(x, "reach does not understand loops that wait by trying to receive");
        x->stops = true;
    }
    if (!hd_sr_only_waits(op))
        hd_sr_receive(q, op->thread, op->object, hd_mail_asked(op->value), may_miss(op), false,
            token ? (uint32_t)*hd_map_get(&x->sends, token) - 1 : (uint32_t)HD_SR_NONE);
}

/* A step is an event of its first operation; others of it must be on the same mailbox. */
static void add_step(hd_sr_reader *x, hd_sr *q, const hd_op *op)
{
    bool chooses = hd_op_class(op->kind) == HD_OBJECT_NONE && hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED;
    if (hd_kind_exits(op->kind))
        return; /* an exit or a failure comes when no other thread can run (HD_TAIL_PATIENT): it cuts nothing short */
    if (hd_op_is_mail(op))
        add_mail(x, q, op);
    else if (chooses)
        hd_sr_choose(q, op->thread, op->choices, op->choice);
    else {
        hd_sr_leave_out(x, "reach understands messages alone, and the program has other operations");
        hd_sr_local(q, op->thread, op->choice);
    }
}

/* --- cycles ---------------------------------------------------------------------------------------------- */

static void predict(hd_sr_reader *x, const hd_execution *e, hd_memory *memory)
{
    for (uint16_t t = 0; t < e->thread_count; t++) {
        x->count[t] = 0;
        x->until[t] = hd_sr_predict(e, t, x->planned[t], memory);
    }
}

static bool is_dropped(const hd_sr_reader *x, uint16_t thread)
{
    return x->count[thread] >= x->until[thread];
}

/* Is the operation left out, because it comes after a predicted cycle? Then all that happens after it is, too. */
static bool is_left_out(hd_sr_reader *x, const hd_op *op)
{
    uint32_t token = hd_op_is_mail(op) && !hd_mail_sends(op) ? hd_mail_message(op) : 0;
    bool after = op->kind == HD_EDGE ? is_dropped(x, (uint16_t)op->object) : token && !hd_map_get(&x->sends, token);
    if (after || is_dropped(x, op->thread)) {
        x->until[op->thread] = x->count[op->thread];
        x->predicts = true;
        return true;
    }
    x->count[op->thread] += hd_sr_is_event(op);
    return false;
}

static void add_edge(hd_sr_reader *x, hd_sr *q, const hd_op *op)
{
    if (op->mask != HD_WAIT_NONE && op->mask != HD_WAIT_JOIN)
        hd_sr_leave_out(x, "reach does not understand time-outs when no thread can run, nor threads that wake others");
    hd_sr_order(q, op->thread, (uint16_t)op->object);
}

static void read_log(hd_sr_reader *x, hd_sr *q, const hd_execution *e)
{
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (is_left_out(x, op))
            continue;
        if (op->kind == HD_EDGE)
            add_edge(x, q, op);
        else if (op->kind == HD_BRANCH)
            hd_sr_leave_out(x, "reach does not explore inputs");
        else if (op->flags & HD_OP_WITHDRAWN)
            hd_sr_leave_out(x, "reach does not understand operations that are withdrawn");
        else if ((op->flags & HD_OP_CONTINUES) && !hd_op_is_mail(op))
            hd_sr_leave_out(x, "reach does not understand steps of several operations");
        else if (!(op->flags & (HD_OP_CONTINUES | HD_OP_ALONE)))
            add_step(x, q, op);
    }
}

static void read_rest(hd_sr_reader *x, hd_sr *q, const hd_execution *e)
{
    for (uint16_t t = 0; t < e->thread_count; t++) {
        const hd_op *op = &e->threads[t].pending;
        if (e->threads[t].status != HD_THREAD_AT_OP || is_dropped(x, t))
            continue;
        if (!hd_op_is_mail(op) || hd_mail_sends(op) || e->threads[t].enabled)
            continue; /* the execution has ended before it */
        note_receiver(x, op);
        hd_sr_receive(q, t, op->object, op->value, false, true, HD_SR_NONE);
    }
}

void hd_sr_read(hd_sr_reader *x, hd_sr *q, const hd_execution *e, hd_memory *memory)
{
    hd_sr_init(q, e->thread_count, memory);
    hd_map_clear(&x->sends);
    predict(x, e, memory);
    read_log(x, q, e);
    read_rest(x, q, e);
    hd_sr_finish(q);
}
