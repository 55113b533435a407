/* heddle.h: what a program may say to heddle. Without heddle (a plain build)
 * link nothing: every call below has a harmless meaning in <heddle.h> itself
 * when HEDDLE is not defined. `heddle cc` defines HEDDLE. */
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

/* Inputs: values that the test chooses. heddle explores all that make a
 * difference; reports and replays name them by `name`. Run by hand, a program
 * built by heddle cc takes them from the environment (HEDDLE_INPUTS="x=3 y=4")
 * or gets 0; in a plain build they are 0. */
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

#ifdef HEDDLE

/* TYPE heddle_KIND("name") for every row above: heddle_int("x"), … */
#define HEDDLE_INPUT(type, kind) type heddle_##kind(const char *name);
HEDDLE_INPUTS(HEDDLE_INPUT)
#undef HEDDLE_INPUT

/* An input with low <= input <= high. */
long heddle_range(long low, long high, const char *name);

/* `bytes` inputs of one byte each, named name[0], name[1], … */
void heddle_bytes(void *to, size_t bytes, const char *name);

/* One of 0 … n-1; every one is explored. */
unsigned heddle_choose(unsigned n);

/* Ends the execution quietly, as if it had never been, when `condition` is 0. */
void heddle_assume(int condition);

/* No other thread runs between begin and end. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

#else

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

static inline void heddle_assume(int condition)
{
    (void)condition;
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
