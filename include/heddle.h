/* heddle.h: what a program can tell heddle. A plain build, without heddle, needs no library: HEDDLE
 * is not defined then, and this header defines every function below with a harmless meaning.
 * `heddle cc` defines HEDDLE. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define HEDDLE_BOOL bool
#else
#define HEDDLE_BOOL _Bool
#endif

/* Inputs: values that the test chooses. heddle explores all values that make a difference; reports
 * and replay files call them by `name`. If a program built by heddle cc runs on its own, inputs
 * come from the environment (HEDDLE_INPUTS="x=3 y=4") or are 0; in a plain build they are 0. */
#define HEDDLE_INPUTS(INPUT) \
    INPUT(HEDDLE_BOOL, bool) \
    INPUT(char, char) \
    INPUT(signed char, schar) \
    INPUT(unsigned char, uchar) \
    INPUT(short, short) \
    INPUT(unsigned short, ushort) \
    INPUT(int, int) \
    INPUT(unsigned, uint) \
    INPUT(long, long) \
    INPUT(unsigned long, ulong) \
    INPUT(long long, llong) \
    INPUT(unsigned long long, ullong) \
    INPUT(size_t, size) \
    INPUT(int8_t, int8) \
    INPUT(uint8_t, uint8) \
    INPUT(int16_t, int16) \
    INPUT(uint16_t, uint16) \
    INPUT(int32_t, int32) \
    INPUT(uint32_t, uint32) \
    INPUT(int64_t, int64) \
    INPUT(uint64_t, uint64)

/* Mailboxes, for programs that pass messages: numbers from 0 to 1023, to which any thread of any process may send, and
 * at which any may receive. A message is a copy of up to 4096 bytes, with a source (0 to 1023: who the sender says that
 * it is) and a tag (0 to 2097151).
 *
 * heddle_send does not wait. heddle_receive waits for a message from that source with that tag (HEDDLE_ANY: whichever)
 * and takes it; heddle_try_receive does not wait, and heddle_receive_within waits for a limited time. They return 1, or
 * 0 without a message; `about`, if it is not NULL, tells about the message. Which of several messages is taken is
 * explored, within the order that --scheme guarantees: none (async), that of each sending thread (fifo), or that of
 * causes and effects (causal). In a plain build there are no messages. */
#define HEDDLE_ANY (-1)
typedef struct heddle_envelope {
    int source, tag;
    size_t size;
} heddle_envelope;

#ifdef HEDDLE

/* TYPE heddle_KIND("name") for every row above: int x = heddle_int("x"); */
#define HEDDLE_INPUT(type, kind) type heddle_##kind(const char *name);
HEDDLE_INPUTS(HEDDLE_INPUT)
#undef HEDDLE_INPUT

/* An input with low <= input <= high. */
long heddle_range(long low, long high, const char *name);

/* `bytes` inputs of one byte each, named name[0], name[1], … */
void heddle_bytes(void *to, size_t bytes, const char *name);

/* Returns a number from 0 to n-1; every one is explored. */
unsigned heddle_choose(unsigned n);

/* The caller may crash here; both is explored. In a system of processes its process ends, without handlers of exit, as
 * with --crash; otherwise its thread does (pthread_exit). How many crash is up to the program: call it in some of them,
 * or in those that heddle_choose names. */
void heddle_crash_point(void);

/* If `condition` is 0, the execution ends here and is discarded: it counts neither as a test nor as
 * a failure. */
void heddle_assume(int condition);

/* An atomic block: no other thread runs between begin and end. Blocks may be nested. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

/* Claims about the program, with which heddle explores less. Each is checked: a false one is a finding.
 *
 * * HEDDLE_ATOMIC, before a function: a call is an operation on the object that the first argument points to (on the
 *   program's own variables, if that is no pointer). Its accesses to memory race with nothing, so that those between
 * two of its operations on locks are one step. It performs no other operations that threads synchronise with. All that
 * it accesses is encapsulated: threads change and read it in such calls on this object only.
 * * HEDDLE_METHOD, before a function: the same of the object that the first argument points to, and of nothing else
 * that the function accesses. The type of the object is complete where the function is.
 * * HEDDLE_UNSHARED, before a variable, and heddle_unshared for a block of the heap: one thread uses it; its accesses
 * are no operations. HEDDLE_TENTATIVELY_UNSHARED, heddle_tentatively_unshared: the same, but accesses are watched.
 *
 *     HEDDLE_ATOMIC static void push(struct queue *q, int item) { … }   (docs/guide.md, "Claims") */
#define HEDDLE_ATOMIC __attribute__((annotate("heddle_atomic")))
#define HEDDLE_METHOD __attribute__((annotate("heddle_method")))
#define HEDDLE_UNSHARED __attribute__((annotate("heddle_unshared")))
#define HEDDLE_TENTATIVELY_UNSHARED __attribute__((annotate("heddle_tentatively-unshared")))
void heddle_unshared(const void *object, size_t bytes);
void heddle_tentatively_unshared(const void *object, size_t bytes);

/* The calling thread initialises the object. For the lock discipline (--discipline), its accesses to it do not count
 * until its next operation that could tell another thread of them (a release, a post, an atomic write, …), except for
 * threads that access the object without having been told. Needless for what main does before it creates a thread, and
 * for memory that the thread has allocated itself. */
void heddle_init_thread(const void *object, size_t bytes);

void heddle_send(int mailbox, int source, int tag, const void *data, size_t size);

/* A message over a link that may lose it. */
void heddle_send_lossy(int mailbox, int source, int tag, const void *data, size_t size);
int heddle_receive(int mailbox, int source, int tag, void *to, size_t room, heddle_envelope *about);
int heddle_try_receive(int mailbox, int source, int tag, void *to, size_t room, heddle_envelope *about);
int heddle_receive_within(
    int mailbox, int source, int tag, void *to, size_t room, heddle_envelope *about, long milliseconds);

#else

#define HEDDLE_ATOMIC
#define HEDDLE_METHOD
#define HEDDLE_UNSHARED
#define HEDDLE_TENTATIVELY_UNSHARED

static inline void heddle_unshared(const void *object, size_t bytes)
{
    (void)object;
    (void)bytes;
}

static inline void heddle_tentatively_unshared(const void *object, size_t bytes)
{
    (void)object;
    (void)bytes;
}

#define HEDDLE_INPUT(type, kind) \
    static inline type heddle_##kind(const char *name) \
    { \
        (void)name; \
        return 0; \
    }
HEDDLE_INPUTS(HEDDLE_INPUT)
#undef HEDDLE_INPUT

static inline long heddle_range(long low, long high, const char *name)
{
    (void)high;
    (void)name;
    return low;
}

static inline void heddle_bytes(void *to, size_t bytes, const char *name)
{
    (void)name;
    for (size_t i = 0; i < bytes; i++)
        ((char *)to)[i] = 0;
}

static inline unsigned heddle_choose(unsigned n)
{
    (void)n;
    return 0;
}

static inline void heddle_crash_point(void)
{
}

static inline void heddle_assume(int condition)
{
    (void)condition;
}

static inline void heddle_init_thread(const void *object, size_t bytes)
{
    (void)object;
    (void)bytes;
}

static inline void heddle_send(int mailbox, int source, int tag, const void *data, size_t size)
{
    (void)mailbox;
    (void)source;
    (void)tag;
    (void)data;
    (void)size;
}

static inline void heddle_send_lossy(int mailbox, int source, int tag, const void *data, size_t size)
{
    heddle_send(mailbox, source, tag, data, size);
}

static inline int heddle_receive(int mailbox, int source, int tag, void *to, size_t room, heddle_envelope *about)
{
    (void)mailbox;
    (void)source;
    (void)tag;
    (void)to;
    (void)room;
    (void)about;
    return 0;
}

static inline int heddle_try_receive(int mailbox, int source, int tag, void *to, size_t room, heddle_envelope *about)
{
    return heddle_receive(mailbox, source, tag, to, room, about);
}

static inline int heddle_receive_within(
    int mailbox, int source, int tag, void *to, size_t room, heddle_envelope *about, long milliseconds)
{
    (void)milliseconds;
    return heddle_receive(mailbox, source, tag, to, room, about);
}

static inline void heddle_atomic_begin(void)
{
}

static inline void heddle_atomic_end(void)
{
}

#endif

#undef HEDDLE_INPUTS
#undef HEDDLE_BOOL

#ifdef __cplusplus
}
#endif

#endif
