/* Reachability testing (docs/algorithms/reach.md): each SR-sequence of a program that passes messages is executed once.
 *
 * An execution is its SR-sequence (sequence.h). Its variants (variant.h) are taken one at a time, and a variant that is
 * no prefix of a sequence in the tree (tree.h) is executed: its events are forced, and the program goes on as it likes.
 * That gives another sequence, whose variants come first.
 *
 * Only messages are understood. If a program has other operations that threads could order differently, the search says
 * that it has left something out. */
#include "explore/explorer.h"
#include "reach/tree.h"
#include "reach/variant.h"

#include "abi/valid.h"
#include "base/error.h"

#include <string.h>

/* A sequence on the stack. */
typedef struct frame {
    hd_sr sequence;
    hd_sr_variants variants;
} frame;

/* The messages of a mailbox, while an execution is read. */
typedef struct mailbox_state {
    uint64_t mailbox;
    hd_mail mail;
} mailbox_state;

typedef struct reach {
    hd_memory *memory;
    hd_vec(frame *) stack;
    hd_sr_tree *tree;
    hd_sr_schedule prefix;
    hd_sr_decisions planned, decisions;
    hd_map receivers; /* mailbox → the thread that receives there + 1 */
    hd_vec(mailbox_state) mails;
    hd_map sends; /* label → event + 1, of the execution that is being read */
    hd_trace trace;
    hd_path path;
    const char *left_out; /* why the search is not complete */
    bool stops; /* … and cannot go on */
    bool started;
} reach;

static void *reach_open(const hd_explore_config *config, hd_memory *memory)
{
    reach *x = hd_alloc(memory, sizeof *x);
    x->memory = x->stack.memory = x->prefix.memory = x->planned.memory = x->decisions.memory = x->mails.memory = memory;
    x->tree = hd_sr_tree_open(memory);
    hd_map_init(&x->receivers, memory);
    hd_map_init(&x->sends, memory);
    hd_trace_init(&x->trace, memory, config->races);
    hd_path_init(&x->path, &config->solver, memory);
    return x;
}

static void drop(reach *x, frame *f)
{
    hd_sr_variants_fini(&f->variants);
    hd_sr_fini(&f->sequence);
    hd_release(x->memory, f, sizeof *f);
}

static void reach_close(void *self)
{
    reach *x = self;
    while (x->stack.count)
        drop(x, hd_vec_pop(&x->stack));
    hd_vec_fini(&x->stack);
    hd_sr_tree_close(x->tree);
    hd_vec_fini(&x->prefix);
    hd_vec_fini(&x->planned);
    hd_vec_fini(&x->decisions);
    hd_vec_fini(&x->mails);
    hd_map_fini(&x->receivers);
    hd_map_fini(&x->sends);
    hd_trace_fini(&x->trace);
    hd_path_fini(&x->path);
    hd_release(x->memory, x, sizeof *x);
}

/* --- the next execution ------------------------------------------------------------------------ */

static void collect(const hd_sr_variants *v, hd_sr_decisions *out)
{
    hd_vec_clear(out);
    for (uint32_t i = 0; i < v->q->events.count; i++) {
        const hd_sr_event *e = &v->q->events.items[i];
        if (!v->kept.items[i] || !hd_sr_decides(e))
            continue;
        bool changed = i == v->decision;
        hd_vec_push(out,
            ((hd_sr_decision) { changed ? hd_sr_level(v->q, i, v->to) : e->level,
                changed ? hd_sr_identity(v->q, i, v->to) : e->identity }));
    }
    hd_sr_decisions_sort(out);
}

/* Finds a variant that is no prefix of a known sequence; false: there is none left. */
static bool find_variant(reach *x)
{
    while (x->stack.count) {
        hd_sr_variants *v = &(*hd_vec_last(&x->stack))->variants;
        while (hd_sr_variants_next(v)) {
            collect(v, &x->planned);
            if (!hd_sr_tree_has_prefix(x->tree, &x->planned)) {
                hd_sr_variant_schedule(v, &x->prefix);
                return true;
            }
        }
        drop(x, hd_vec_pop(&x->stack));
    }
    return false;
}

static bool reach_next(void *self, hd_plan *plan)
{
    reach *x = self;
    if (x->started && (x->stops || !find_variant(x)))
        return false;
    x->started = true;
    *plan = (hd_plan) { .prefix = x->prefix.items,
        .prefix_count = (uint32_t)x->prefix.count,
        .tail = HD_TAIL_PATIENT,
        .forgiving = x->left_out != NULL };
    return true;
}

/* --- reading an execution ------------------------------------------------------------------------ */

static void leave_out(reach *x, const char *why)
{
    x->left_out = x->left_out ? x->left_out : why;
}

static hd_mail *mail_of(reach *x, uint64_t mailbox)
{
    for (size_t i = 0; i < x->mails.count; i++)
        if (x->mails.items[i].mailbox == mailbox)
            return &x->mails.items[i].mail;
    mailbox_state *new = hd_vec_add(&x->mails);
    new->mailbox = mailbox;
    new->mail.count = 0;
    return &new->mail;
}

/* Notes the receiver of the mailbox. */
static void note_receiver(reach *x, const hd_op *op)
{
    uint64_t *known = hd_map_put(&x->receivers, op->object);
    if (*known && *known != op->thread + 1u)
        leave_out(x, "reach does not understand mailboxes at which several threads receive");
    *known = op->thread + 1u;
}

/* Of a receive: has it found nothing, and will try again when the mailbox has changed? That is no event: it waits. */
static bool only_waits(const hd_op *op)
{
    return op->mask == HD_MAIL_WAITS && hd_kind_looks(op->kind);
}

static bool may_miss(const hd_op *op)
{
    return (op->flags & HD_OP_TRY) && op->mask != HD_MAIL_WAITS;
}

static void add_mail(reach *x, hd_sr *q, const hd_op *op)
{
    uint64_t label = hd_mail_perform(mail_of(x, op->object), op);
    if (hd_mail_sends(op)) {
        *hd_map_put(&x->sends, label) = hd_sr_send(q, op->thread, op->object, label) + 1;
        return;
    }
    note_receiver(x, op);
    if ((op->flags & HD_OP_SPUN) && may_miss(op)) {
        leave_out(x, "reach does not understand loops that wait by trying to receive");
        x->stops = true;
    }
    if (!only_waits(op))
        hd_sr_receive(q, op->thread, op->object, op->value, may_miss(op), false,
            label ? (uint32_t)*hd_map_get(&x->sends, label) - 1 : (uint32_t)HD_SR_NONE);
}

/* A step is an event of its first operation; others of it must be on the same mailbox. */
static void add_step(reach *x, hd_sr *q, const hd_op *op)
{
    bool chooses = hd_op_class(op->kind) == HD_OBJECT_NONE && hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED;
    if (hd_kind_exits(op->kind))
        return; /* an exit or a failure comes when no other thread can run (HD_TAIL_PATIENT): it cuts nothing short */
    if (hd_op_is_mail(op))
        add_mail(x, q, op);
    else if (chooses)
        hd_sr_choose(q, op->thread, op->choices, op->choice);
    else {
        leave_out(x, "reach understands messages alone, and the program has other operations");
        hd_sr_local(q, op->thread, op->choice);
    }
}

static void add_edge(reach *x, hd_sr *q, const hd_op *op)
{
    if (op->mask != HD_WAIT_NONE && op->mask != HD_WAIT_JOIN)
        leave_out(x, "reach does not understand time-outs when no thread can run, nor threads that wake others");
    hd_sr_order(q, op->thread, (uint16_t)op->object);
}

static void read_log(reach *x, hd_sr *q, const hd_execution *e)
{
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind == HD_EDGE)
            add_edge(x, q, op);
        else if (op->kind == HD_BRANCH)
            leave_out(x, "reach does not explore inputs");
        else if (op->flags & HD_OP_WITHDRAWN)
            leave_out(x, "reach does not understand operations that are withdrawn");
        else if ((op->flags & HD_OP_CONTINUES) && !hd_op_is_mail(op))
            leave_out(x, "reach does not understand steps of several operations");
        else if (!(op->flags & (HD_OP_CONTINUES | HD_OP_ALONE)))
            add_step(x, q, op);
    }
}

static void read_rest(reach *x, hd_sr *q, const hd_execution *e)
{
    for (uint16_t t = 0; t < e->thread_count; t++) {
        const hd_op *op = &e->threads[t].pending;
        if (e->threads[t].status != HD_THREAD_AT_OP)
            continue;
        if (!hd_op_is_mail(op) || hd_mail_sends(op) || e->threads[t].enabled)
            continue; /* the execution has ended before it */
        note_receiver(x, op);
        hd_sr_receive(q, t, op->object, op->value, false, true, HD_SR_NONE);
    }
}

/* Has the execution all decisions that were planned? */
static bool is_as_planned(const reach *x)
{
    size_t found = 0;
    for (size_t i = 0; i < x->decisions.count && found < x->planned.count; i++)
        found += x->decisions.items[i].identity == x->planned.items[found].identity;
    return found == x->planned.count;
}

static void clear_mails(reach *x)
{
    for (size_t i = 0; i < x->mails.count; i++)
        x->mails.items[i].mail.count = 0;
    hd_map_clear(&x->sends);
}

static void find_decisions(reach *x, const hd_sr *q)
{
    hd_vec_clear(&x->decisions);
    for (uint32_t i = 0; i < q->events.count; i++) {
        const hd_sr_event *e = &q->events.items[i];
        if (hd_sr_decides(e))
            hd_vec_push(&x->decisions, ((hd_sr_decision) { e->level, e->identity }));
    }
    hd_sr_decisions_sort(&x->decisions);
}

static bool reach_learn(void *self, const hd_execution *e)
{
    reach *x = self;
    hd_trace_cut(&x->trace, 0);
    hd_path_clear(&x->path);
    if (!hd_trace_extend(&x->trace, e) || !hd_path_extend(&x->path, e))
        return false;
    frame *f = hd_alloc(x->memory, sizeof *f);
    hd_sr_init(&f->sequence, e->thread_count, x->memory);
    clear_mails(x);
    read_log(x, &f->sequence, e);
    read_rest(x, &f->sequence, e);
    hd_sr_finish(&f->sequence);
    hd_check_valid(hd_sr_is_valid(&f->sequence), 1, 0);
    find_decisions(x, &f->sequence);
    hd_sr_variants_init(&f->variants, &f->sequence, x->memory);
    bool fits = x->left_out || is_as_planned(x), new = fits &&hd_sr_tree_add(x->tree, &x->decisions);
    hd_assert(new || x->left_out || !fits);
    if (new && !x->stops)
        hd_vec_push(&x->stack, f);
    else
        drop(x, f);
    return fits;
}

/* --- for reports ------------------------------------------------------------------------------------ */

static const hd_trace *reach_trace(void *self)
{
    return &((reach *)self)->trace;
}

static hd_path *reach_path(void *self)
{
    return &((reach *)self)->path;
}

static double reach_progress(void *self)
{
    (void)self;
    return -1;
}

static const char *reach_unfinished(void *self)
{
    return ((const reach *)self)->left_out;
}

const hd_explorer hd_explorer_reach = { .name = "reach",
    .exhaustive = true,
    .open = reach_open,
    .next = reach_next,
    .learn = reach_learn,
    .close = reach_close,
    .trace = reach_trace,
    .progress = reach_progress,
    .path = reach_path,
    .unfinished = reach_unfinished };
