/* SR-sequences: an execution of a program that passes messages, as its send and receive events and the pairs of them
 * that synchronise (docs/algorithms/reach.md; Lei, chapter 3).
 *
 * The paper's descriptors: a send is (i, j, k), the j-th event of thread i, to mailbox k; a receive is (u, v); a pair
 * is (i, j, u, v). Here an event has its thread and its index there, and a receive knows its send. Choices of the
 * program and receives that may find nothing are events with several outcomes, too: what they found belongs to the
 * sequence. Other operations are *local* events: they are part of the schedule and nothing else.
 *
 * Events are added in an order in which they can be executed. `a → b` (happens before) is the order of each thread, of
 * pairs, and of the creation and joining of threads. An event's *identity* stands for it with all that happens before
 * it, so that equal identities mean equivalent events (definition 16); its *level* is the length of the longest chain
 * of decisions (receives and choices) up to it. Both depend on its past alone.
 *
 * A mailbox has one receiver: two threads that receive at one are not understood (hd_reach). */
#ifndef HD_REACH_SEQUENCE_H
#define HD_REACH_SEQUENCE_H

#include "base/vec.h"
#include "event/mail.h"

enum { HD_SR_NONE = UINT32_MAX };

typedef enum hd_sr_kind { HD_SR_LOCAL, HD_SR_SEND, HD_SR_RECEIVE, HD_SR_CHOICE } hd_sr_kind;

/* Plain data: explorer, tree and tests read it. */
typedef struct hd_sr_event {
    uint16_t thread;
    uint8_t kind; /* hd_sr_kind */
    uint8_t outcome, outcomes; /* of a choice, and of a local event */
    bool tries; /* of a receive: it may find nothing */
    bool pending; /* of a receive: it was still waiting at the end */
    uint32_t index; /* in its thread, from 1 */
    uint32_t partner; /* of a send: its receive; of a receive: its send; HD_SR_NONE: none */
    uint32_t level;
    uint64_t mailbox;
    uint64_t value; /* of a send: its label; of a receive: its request (abi/mail.h) */
    uint64_t identity, past; /* `past`: the identity of what happens before it, without its send */
} hd_sr_event;

typedef struct hd_sr {
    hd_memory *memory;
    uint32_t threads;
    hd_vec(hd_sr_event) events;
    hd_vec(uint32_t) clocks; /* of each event two rows of `threads`: before its send is counted, and after */
    uint32_t *now; /* of each thread, until it is finished: the clock after its last event, … */
    uint64_t *past;
    uint32_t *levels;
} hd_sr;

void hd_sr_init(hd_sr *q, uint32_t threads, hd_memory *memory);
void hd_sr_fini(hd_sr *q);

/* The thread's next event comes after all of `from` so far. */
void hd_sr_order(hd_sr *q, uint16_t thread, uint16_t from);

/* Adds an event and returns its number. */
uint32_t hd_sr_local(hd_sr *q, uint16_t thread, uint8_t outcome);
uint32_t hd_sr_send(hd_sr *q, uint16_t thread, uint64_t mailbox, uint64_t label);
uint32_t hd_sr_choose(hd_sr *q, uint16_t thread, uint8_t outcomes, uint8_t outcome);

/* `send` HD_SR_NONE: it has found nothing, or (`pending`) waits. */
uint32_t hd_sr_receive(
    hd_sr *q, uint16_t thread, uint64_t mailbox, uint64_t request, bool tries, bool pending, uint32_t send);

/* No event follows: releases what only adding needs. */
void hd_sr_finish(hd_sr *q);

/* Is it a → b, or the same? */
static inline bool hd_sr_before(const hd_sr *q, uint32_t a, uint32_t b)
{
    const hd_sr_event *e = &q->events.items[a];
    return q->clocks.items[(2 * (size_t)b + 1) * q->threads + e->thread] >= e->index;
}

/* Is it a → r without r's message? */
static inline bool hd_sr_before_receiving(const hd_sr *q, uint32_t a, uint32_t r)
{
    const hd_sr_event *e = &q->events.items[a];
    return q->clocks.items[2 * (size_t)r * q->threads + e->thread] >= e->index;
}

/* A receive that has ended, or a choice. */
static inline bool hd_sr_decides(const hd_sr_event *e)
{
    return e->kind == HD_SR_CHOICE || (e->kind == HD_SR_RECEIVE && !e->pending);
}

/* The outcome of an event: of a receive its send or HD_SR_NONE, of others a number. */
static inline uint32_t hd_sr_outcome(const hd_sr_event *e)
{
    return e->kind == HD_SR_RECEIVE ? e->partner : e->outcome;
}

/* Is `s` a send to the receive's mailbox of a message that the receive asks for? */
static inline bool hd_sr_fits(const hd_sr_event *receive, const hd_sr_event *s)
{
    return s->kind == HD_SR_SEND && s->mailbox == receive->mailbox && hd_mail_matches(receive->value, s->value);
}

/* Must the message of `m` be received before that of `s`, if both are there and both are asked for? */
bool hd_sr_is_ahead(const hd_sr *q, hd_scheme scheme, uint32_t m, uint32_t s);

/* A decision by its descriptor: the v-th event of thread u, and what it took: the j-th event of thread i, or, of a
 * choice, outcome j. */
typedef struct hd_sr_decision {
    uint32_t level; /* from 1 */
    uint64_t identity;
    uint16_t u, i;
    uint8_t kind; /* hd_sr_kind */
    bool misses; /* a receive that finds nothing */
    uint32_t v, j;
} hd_sr_decision;

/* With this outcome, which may be another than its own. */
hd_sr_decision hd_sr_decision_of(const hd_sr *q, uint32_t event, uint32_t outcome);

/* Could the receive take the message of the send `s`, which it has not taken, in another execution (race sets:
 * definition 17, Theorem 3.3.1, and those for FIFO and causal delivery in docs/algorithms/reach.md)? */
bool hd_sr_races(const hd_sr *q, uint32_t receive, uint32_t s);

/* Could the receive, which tries, find nothing? */
bool hd_sr_may_miss(const hd_sr *q, uint32_t receive);

/* The outcomes that a decision could have instead of its own, one after the other: `next` is 0 at first. */
bool hd_sr_next_outcome(const hd_sr *q, uint32_t decision, uint32_t *next, uint32_t *outcome);

/* Is it well-formatted? Indices of each thread have no gaps; nothing follows a pending receive; pairs are mutual, of
 * one mailbox, with a message that is asked for; and no thread receives its own message only because of itself:
 * a send comes before its receive. */
bool hd_sr_is_valid(const hd_sr *q);

#endif
