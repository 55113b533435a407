/* Internal errors of the runtime. A broken invariant ends the process at once with status 70, as in the rest of
 * heddle (base/error.h): it must never become a wrong "no bug". */
#ifndef HD_RUNTIME_CORE_ASSERT_H
#define HD_RUNTIME_CORE_ASSERT_H

/* Prints where and what, in the words of hd_panic. */
_Noreturn void hd_assertion_broken(const char *file, int line, const char *condition);

#define hd_assert(condition) \
    (__builtin_expect(!(condition), 0) ? hd_assertion_broken(__FILE__, __LINE__, #condition) : (void)0)

#endif
