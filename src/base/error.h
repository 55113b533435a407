/* Errors of two kinds. What can happen (bad input, a failing system call) is
 * returned as an hd_error: one sentence that names the file, the line and what
 * to do. What cannot happen ends the process at once with status 70, because a
 * broken invariant in a checker must never become a wrong "no bug".
 */
#ifndef HD_BASE_ERROR_H
#define HD_BASE_ERROR_H

#include <stdbool.h>

typedef struct hd_error {
    char text[1024];
} hd_error;

/* Formats the sentence into `e` (which may be NULL) and returns false, so that
 * callers can write `return hd_fail(e, "…")`. */
bool hd_fail(hd_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Internal error: prints where and what, exits with status 70. */
_Noreturn void hd_panic_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define hd_panic(...) hd_panic_at(__FILE__, __LINE__, __VA_ARGS__)

/* An assertion that stays on in release builds. */
#define hd_assert(condition) \
    (__builtin_expect(!(condition), 0) ? hd_panic("broken invariant: %s", #condition) : (void)0)

/* FULL: of a worker only, which has reached the memory limit. */
enum {
    HD_EXIT_CLEAN = 0,
    HD_EXIT_FOUND = 1,
    HD_EXIT_USAGE = 2,
    HD_EXIT_BOUND = 3,
    HD_EXIT_INTERNAL = 70,
    HD_EXIT_FULL = 71
};

#endif
