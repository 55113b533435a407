/* Messages in mailboxes: which of them a receive can take. Runtime and engine share this definition, so that explorers
 * know what a receive would find elsewhere.
 *
 * A *label* stands for a message: its token (the sending thread's slot, and the number of the message among all that
 * the thread has sent: hd_token), its source and its tag. It is the value of the operation that sends the message. The
 * value of an operation that receives is a *request*: the source and the tag that it asks for, and how messages are
 * delivered; and, when it has been performed, the token of the message that it took. */
#ifndef HD_ABI_MAIL_H
#define HD_ABI_MAIL_H

#include "abi/wire.h"

/* How messages to one mailbox are delivered: in any order; those of one thread in the order in which they were sent; or
 * none before one whose send happens before its send (docs/algorithms/reach.md, "Delivery"). */
typedef enum hd_scheme { HD_SCHEME_ASYNC, HD_SCHEME_FIFO, HD_SCHEME_CAUSAL } hd_scheme;

enum {
    HD_MAIL_TAG_BITS = 21,
    HD_MAIL_SOURCE_BITS = 10,
    HD_MAILBOXES = 1 << HD_MAIL_SOURCE_BITS,
    HD_MAIL_TAGS = 1 << HD_MAIL_TAG_BITS,
    HD_MAIL_MOST = 255, /* in one mailbox: a receive has an outcome for each (hd_op.choices) */
    HD_MAIL_NUMBER_BITS = 19,
    HD_MAIL_NUMBERS = 1 << HD_MAIL_NUMBER_BITS, /* of the messages of a thread */
    HD_MAIL_TAKEN_SHIFT = HD_MAIL_SOURCE_BITS + HD_MAIL_TAG_BITS + 2,
    HD_MAIL_SCHEME_SHIFT = 62,
    HD_MAIL_WAITS = 1 /* the mask of a receive that tries again until there is a message */
};

_Static_assert(
    HD_MAIL_TAKEN_SHIFT + HD_MAIL_NUMBER_BITS + HD_SLOT_BITS <= HD_MAIL_SCHEME_SHIFT, "a token fits beside a request");

static inline uint64_t hd_mail_label(uint32_t token, uint32_t source, uint32_t tag)
{
    return (uint64_t)token << 32 | (uint64_t)source << HD_MAIL_TAG_BITS | tag;
}

static inline uint32_t hd_mail_token(uint64_t label)
{
    return (uint32_t)(label >> 32);
}

static inline uint32_t hd_mail_source(uint64_t label)
{
    return (uint32_t)(label >> HD_MAIL_TAG_BITS) & (HD_MAILBOXES - 1);
}

static inline uint32_t hd_mail_tag(uint64_t label)
{
    return (uint32_t)label & (HD_MAIL_TAGS - 1);
}

/* Source and tag are -1 if any will do. */
static inline uint64_t hd_mail_request(int source, int tag, hd_scheme scheme)
{
    return (uint64_t)scheme << HD_MAIL_SCHEME_SHIFT | (uint64_t)(source + 1) << (HD_MAIL_TAG_BITS + 1)
        | (uint64_t)(tag + 1);
}

static inline hd_scheme hd_mail_scheme(uint64_t request)
{
    return (hd_scheme)(request >> HD_MAIL_SCHEME_SHIFT);
}

/* Does it ask for a source or a tag? */
static inline int hd_mail_is_selective(uint64_t request)
{
    return (request & ((1ull << HD_MAIL_TAKEN_SHIFT) - 1)) != 0;
}

/* The value of an operation that has received, and its parts: the token is 0 if it has found nothing. */
static inline uint64_t hd_mail_received(uint64_t request, uint64_t label)
{
    uint32_t token = hd_mail_token(label), number = token & (HD_MAIL_NUMBERS - 1), slot = token >> HD_TOKEN_SHIFT;
    return request | ((uint64_t)(slot - 1) << HD_MAIL_NUMBER_BITS | number) << HD_MAIL_TAKEN_SHIFT;
}

static inline uint32_t hd_mail_taken(uint64_t value)
{
    uint32_t taken = (uint32_t)(value << 2 >> (HD_MAIL_TAKEN_SHIFT + 2)), number = taken & (HD_MAIL_NUMBERS - 1);
    return number ? hd_token(taken >> HD_MAIL_NUMBER_BITS, number) : 0;
}

static inline uint64_t hd_mail_asked(uint64_t value)
{
    return value & (((1ull << HD_MAIL_TAKEN_SHIFT) - 1) | 3ull << HD_MAIL_SCHEME_SHIFT);
}

static inline int hd_mail_matches(uint64_t request, uint64_t label)
{
    uint32_t source = (uint32_t)(request >> (HD_MAIL_TAG_BITS + 1)) & (2 * HD_MAILBOXES - 1);
    uint32_t tag = (uint32_t)request & (2 * HD_MAIL_TAGS - 1);
    return (!source || source == hd_mail_source(label) + 1) && (!tag || tag == hd_mail_tag(label) + 1);
}

/* --- which messages are behind others ------------------------------------------------------------ */

/* What happens after a message: threads from some operation on, and their messages from some number on. It is found by
 * following the operations of an execution in their order. */
typedef struct hd_mail_after {
    uint32_t token;
    uint8_t threads[HD_MAX_THREADS];
    uint32_t from[HD_MAX_THREADS]; /* 0: none of the thread's messages */
} hd_mail_after;

static inline int hd_mail_is_after(const hd_mail_after *a, uint32_t token)
{
    uint32_t from = a->from[(token >> HD_TOKEN_SHIFT) - 1];
    return from && (token & ((1u << HD_TOKEN_SHIFT) - 1)) >= from;
}

/* An edge (HD_EDGE), or an operation on a mailbox. */
static inline void hd_mail_follow(hd_mail_after *a, const hd_op *op)
{
    uint8_t *thread = &a->threads[op->thread];
    uint32_t token = hd_mail_token(op->value), taken = hd_mail_taken(op->value);
    if (op->kind == HD_EDGE)
        *thread |= a->threads[op->object];
    else if (hd_kinds[op->kind].object != HD_OBJECT_MAIL || op->flags & HD_OP_WITHDRAWN)
        return;
    else if (hd_kinds[op->kind].adds < 0)
        *thread |= taken && (taken == a->token || hd_mail_is_after(a, taken));
    else if (hd_kinds[op->kind].adds > 0) {
        if (*thread && !a->from[op->thread])
            a->from[op->thread] = token & ((1u << HD_TOKEN_SHIFT) - 1);
        *thread |= token == a->token;
    }
}

/* The messages in a mailbox, in the order in which they were sent, and which of them are behind others that the same
 * request asks for, so that it cannot take them yet. */
typedef struct hd_mail_list {
    uint64_t labels[HD_MAIL_MOST];
    uint8_t behind[HD_MAIL_MOST];
    uint32_t count;
} hd_mail_list;

/* For causal delivery: those after message `k`. */
static inline void hd_mail_put_behind(hd_mail_list *m, const hd_mail_after *after)
{
    for (uint32_t i = 0; i < m->count; i++)
        m->behind[i] |= (uint8_t)hd_mail_is_after(after, hd_mail_token(m->labels[i]));
}

/* For FIFO delivery: those of a thread behind its first. Others: none. */
static inline void hd_mail_order(hd_mail_list *m, uint64_t request)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t token = hd_mail_token(m->labels[i]);
        m->behind[i] = 0;
        for (uint32_t k = 0; k < m->count && hd_mail_scheme(request) == HD_SCHEME_FIFO; k++) {
            uint32_t other = hd_mail_token(m->labels[k]);
            m->behind[i] |= other >> HD_TOKEN_SHIFT == token >> HD_TOKEN_SHIFT && other < token
                && hd_mail_matches(request, m->labels[k]);
        }
    }
}

static inline int hd_mail_can_take(uint64_t request, const hd_mail_list *m, uint32_t i)
{
    return !m->behind[i] && hd_mail_matches(request, m->labels[i]);
}

/* The number of messages that it can take. */
static inline uint32_t hd_mail_outcomes(uint64_t request, const hd_mail_list *m)
{
    uint32_t outcomes = 0;
    for (uint32_t i = 0; i < m->count; i++)
        outcomes += (uint32_t)hd_mail_can_take(request, m, i);
    return outcomes;
}

/* The message of outcome `choice`: they are in the order of their tokens, which does not depend on the order of sends
 * that commute. `count`: there is none. */
static inline uint32_t hd_mail_choose(uint64_t request, const hd_mail_list *m, uint32_t choice)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t before = 0;
        if (!hd_mail_can_take(request, m, i))
            continue;
        for (uint32_t k = 0; k < m->count; k++)
            before += m->labels[k] < m->labels[i] && hd_mail_can_take(request, m, k);
        if (before == choice)
            return i;
    }
    return m->count;
}

#endif
