/* Messages in mailboxes: which of them a receive can take. Runtime and engine share this definition, so that explorers
 * know what a receive would find elsewhere.
 *
 * A *label* stands for a message: its token (the sending thread's slot, and the number of the message among all that
 * the thread has sent: hd_token), its source and its tag. It is the value of the operation that sends the message. The
 * value of an operation that receives is a *request*: the source and the tag that it asks for, and how messages are
 * delivered. */
#ifndef HD_ABI_MAIL_H
#define HD_ABI_MAIL_H

#include "abi/wire.h"

/* How messages to one mailbox are delivered: in any order; those of one thread in the order in which they were sent; or
 * in the order of their sends, whoever sent them. In the last one concurrent sends come in any order, because their
 * operations do (docs/algorithms/reach.md, "Delivery"). */
typedef enum hd_scheme { HD_SCHEME_ASYNC, HD_SCHEME_FIFO, HD_SCHEME_CAUSAL } hd_scheme;

enum {
    HD_MAIL_TAG_BITS = 21,
    HD_MAIL_SOURCE_BITS = 10,
    HD_MAILBOXES = 1 << HD_MAIL_SOURCE_BITS,
    HD_MAIL_TAGS = 1 << HD_MAIL_TAG_BITS,
    HD_MAIL_MOST = 255, /* in one mailbox: a receive has an outcome for each (hd_op.choices) */
    HD_MAIL_SCHEME_SHIFT = 62,
    HD_MAIL_WAITS = 1 /* the mask of a receive that tries again until there is a message */
};

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
    return (request & ~(3ull << HD_MAIL_SCHEME_SHIFT)) != 0;
}

static inline int hd_mail_matches(uint64_t request, uint64_t label)
{
    uint32_t source = (uint32_t)(request >> (HD_MAIL_TAG_BITS + 1)) & (2 * HD_MAILBOXES - 1);
    uint32_t tag = (uint32_t)request & (2 * HD_MAIL_TAGS - 1);
    return (!source || source == hd_mail_source(label) + 1) && (!tag || tag == hd_mail_tag(label) + 1);
}

/* Can the request take message `i` of those in the mailbox, which are in the order in which they were sent? */
static inline int hd_mail_can_take(uint64_t request, const uint64_t *labels, uint32_t count, uint32_t i)
{
    hd_scheme scheme = hd_mail_scheme(request);
    if (!hd_mail_matches(request, labels[i]))
        return 0;
    for (uint32_t k = 0; k < count && scheme != HD_SCHEME_ASYNC; k++) {
        uint32_t one = hd_mail_token(labels[k]), other = hd_mail_token(labels[i]);
        int before =
            scheme == HD_SCHEME_CAUSAL ? k < i : one >> HD_TOKEN_SHIFT == other >> HD_TOKEN_SHIFT && one < other;
        if (before && hd_mail_matches(request, labels[k]))
            return 0;
    }
    return 1;
}

/* The number of messages that it can take. */
static inline uint32_t hd_mail_outcomes(uint64_t request, const uint64_t *labels, uint32_t count)
{
    uint32_t outcomes = 0;
    for (uint32_t i = 0; i < count; i++)
        outcomes += (uint32_t)hd_mail_can_take(request, labels, count, i);
    return outcomes;
}

/* The message of outcome `choice`: they are in the order of their tokens, which does not depend on the order of sends
 * that commute. `count`: there is none. */
static inline uint32_t hd_mail_choose(uint64_t request, const uint64_t *labels, uint32_t count, uint32_t choice)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = 0;
        if (!hd_mail_can_take(request, labels, count, i))
            continue;
        for (uint32_t k = 0; k < count; k++)
            before += labels[k] < labels[i] && hd_mail_can_take(request, labels, count, k);
        if (before == choice)
            return i;
    }
    return count;
}

#endif
