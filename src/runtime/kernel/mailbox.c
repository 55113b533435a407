#include "runtime/kernel/mailbox_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/log.h"
#include "runtime/sched/spin.h"

#include <string.h>

uint64_t hd_mail_objects[HD_MAILBOXES];
hd_queue hd_mailboxes[HD_MAILBOXES];
uint32_t hd_mail_sent[HD_MAX_THREADS];
static uint32_t used; /* the mailboxes below this number may have been used in this execution */

void hd_mailboxes_reset(void)
{
    if (!used)
        return;
    memset(hd_mailboxes, 0, used * sizeof *hd_mailboxes);
    memset(hd_mail_sent, 0, sizeof hd_mail_sent);
    used = 0;
}

static void collect(const hd_queue *q, hd_mail_list *m)
{
    m->count = 0;
    for (uint16_t i = hd_queue_next(q, 0); i; i = hd_queue_next(q, i))
        m->labels[m->count++] = hd_mailbox_label(i);
}

/* Without a log, the order in which they were sent is one in which they may be received. */
static void order_causally(hd_mail_list *m, uint64_t request)
{
    for (uint32_t k = 0; k < m->count; k++) {
        hd_mail_after after = { .token = hd_mail_token(m->labels[k]) };
        if (!hd_mail_matches(request, m->labels[k]))
            continue;
        for (uint32_t i = 0; i < *hd_rt.log_count && hd_the_engine; i++)
            hd_mail_follow(&after, &hd_rt.log[i]);
        hd_mail_put_behind(m, &after);
        for (uint32_t i = k + 1; i < m->count && !hd_the_engine; i++)
            m->behind[i] = 1;
    }
}

/* The messages, and which of them are behind others. */
static void order(const hd_queue *q, uint64_t request, hd_mail_list *m)
{
    collect(q, m);
    hd_mail_order(m, request);
    if (hd_mail_scheme(request) == HD_SCHEME_CAUSAL)
        order_causally(m, request);
}

int hd_mailbox_is_valid(uint32_t mailbox)
{
    hd_mail_list m;
    if (!hd_queue_is_valid(&hd_mailboxes[mailbox]) || hd_mailboxes[mailbox].count > HD_MAIL_MOST)
        return 0;
    collect(&hd_mailboxes[mailbox], &m);
    for (uint32_t i = 0; i < m.count; i++) {
        uint32_t token = hd_mail_token(m.labels[i]), slot = (token >> HD_TOKEN_SHIFT) - 1;
        if (slot >= HD_MAX_THREADS || token > hd_token(slot, hd_mail_sent[slot]))
            return 0;
    }
    return 1;
}

static hd_scheme scheme_of_run(void)
{
    const hd_settings *s = &hd_rt.options->settings;
    return s->mail_causal ? HD_SCHEME_CAUSAL : s->mail_fifo ? HD_SCHEME_FIFO : HD_SCHEME_ASYNC;
}

void hd_mailbox_send(
    uint32_t mailbox, uint32_t source, uint32_t tag, const void *data, size_t size, const hd_site *site)
{
    uint32_t number = ++hd_mail_sent[hd_current->id];
    uint64_t label = hd_mail_label(hd_token(hd_current->id, number), source, tag);
    if (number >= HD_MAIL_NUMBERS)
        hd_end(HD_MODEL_LIMIT, site, "more than %d messages of a thread are not modelled", HD_MAIL_NUMBERS - 1);
    used = used > mailbox ? used : mailbox + 1;
    hd_call_site = site;
    hd_perform_with(HD_MAIL_SEND, &hd_mail_objects[mailbox], label, NULL);
    if (hd_mailboxes[mailbox].count == HD_MAIL_MOST)
        hd_end(HD_MODEL_LIMIT, site, "more than %d messages in a mailbox are not modelled", HD_MAIL_MOST);
    hd_queue_put(&hd_mailboxes[mailbox], data, size, (long)label, 0);
    hd_check_valid(hd_mailbox_is_valid(mailbox), 1, 0);
    hd_effect();
}

/* --- receiving --------------------------------------------------------------------------------- */

/* The request is in `operand`. */
static int has_message(hd_thread *t, hd_op *op)
{
    hd_mail_list m;
    op->value = t->update.operand;
    order(&hd_mailboxes[(uint64_t *)op->object - hd_mail_objects], op->value, &m);
    op->choices = (uint8_t)hd_mail_outcomes(op->value, &m);
    return op->choices > 0;
}

static int has_message_or_fails(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = has_message(t, op) ? HD_MAIL_TAKE : HD_MAIL_NONE;
    return 1;
}

static int has_message_or_waits(hd_thread *t, hd_op *op)
{
    op->mask = HD_MAIL_WAITS;
    return has_message_or_fails(t, op);
}

static const hd_op *await_selected(uint32_t mailbox, const hd_site *site)
{
    for (;;) {
        uint32_t from = *hd_rt.log_count;
        hd_call_site = site;
        const hd_op *op = hd_perform(HD_MAIL_TAKE, &hd_mail_objects[mailbox], has_message_or_waits);
        if (op->kind == HD_MAIL_TAKE)
            return op;
        if (!hd_exploring())
            hd_yield_by_hand();
        else if (!hd_spin_await(from))
            hd_end(HD_MODEL_LIMIT, site, "waiting for a message of a source or a tag is not modelled here");
    }
}

/* A wait that has timed out too often blocks, and explorers know of blocking only by the number of messages. */
static const hd_op *receive_until(uint32_t mailbox, uint64_t request, const struct timespec *until, const hd_site *site)
{
    const void *object = &hd_mail_objects[mailbox];
    if (hd_mail_is_selective(request) && until && hd_expiry_is_patient(HD_MAIL_NONE, object))
        hd_end(HD_MODEL_LIMIT, site,
            "receiving from a source or a tag with a time limit is modelled up to --timeouts=N times in a thread");
    return hd_perform_until(HD_MAIL_TAKE, object, until, has_message, has_message_or_fails);
}

static const hd_op *perform(
    uint32_t mailbox, uint64_t request, hd_mailbox_wait how, const struct timespec *until, const hd_site *site)
{
    hd_current->update.operand = request;
    hd_call_site = site;
    if (how != HD_MAILBOX_WAITS)
        return receive_until(mailbox, request, how == HD_MAILBOX_TRIES ? NULL : until, site);
    if (hd_mail_is_selective(request))
        return await_selected(mailbox, site);
    return hd_perform(HD_MAIL_TAKE, &hd_mail_objects[mailbox], has_message);
}

static uint16_t message_at(const hd_queue *q, uint32_t place)
{
    uint16_t message = hd_queue_next(q, 0);
    while (place--)
        message = hd_queue_next(q, message);
    return message;
}

uint16_t hd_mailbox_receive(
    uint32_t mailbox, int source, int tag, hd_mailbox_wait how, const struct timespec *until, const hd_site *site)
{
    uint64_t request = hd_mail_request(source, tag, scheme_of_run());
    const hd_op *op = perform(mailbox, request, how, until, site);
    hd_mail_list m;
    if (op->kind != HD_MAIL_TAKE)
        return 0;
    uint8_t choice = op->choice;
    order(&hd_mailboxes[mailbox], request, &m);
    uint32_t place = hd_mail_choose(request, &m, choice);
    hd_assert(place < m.count);
    hd_log_value(hd_mail_received(request, m.labels[place]));
    return message_at(&hd_mailboxes[mailbox], place);
}

uint64_t hd_mailbox_label(uint16_t message)
{
    return (uint64_t)hd_queue_tag(message);
}

size_t hd_mailbox_size(uint16_t message)
{
    return hd_queue_size(message);
}

void hd_mailbox_take(uint32_t mailbox, uint16_t message, void *to)
{
    hd_queue_take_message(&hd_mailboxes[mailbox], message, to, hd_queue_size(message));
    hd_check_valid(hd_mailbox_is_valid(mailbox), 1, 0);
    hd_effect();
}
