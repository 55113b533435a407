/* heddle.h: what a program may say to heddle. Without heddle (a plain build)
 * link nothing: every call below has a harmless meaning in <heddle.h> itself
 * when HEDDLE is not defined. `heddle cc` defines HEDDLE. */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef HEDDLE

/* One of 0 … n-1; every one is explored. */
unsigned heddle_choose(unsigned n);

/* Ends the execution quietly, as if it had never been, when `condition` is 0. */
void heddle_assume(int condition);

/* No other thread runs between begin and end. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

#else

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

#ifdef __cplusplus
}
#endif

#endif
