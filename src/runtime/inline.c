/* The fast paths of the hooks, linked into every instrumented module as bitcode. While one thread exists, the hook of
 * an access reads its shadow; with several, also the cell's owner. Everything else is in functions that save all
 * registers (preserve_most), so the fast path needs none saved.
 *
 * With HD_APART the same hooks are functions of the runtime, with "_apart" behind their names: for large functions,
 * into which they are not inlined (compile/passes/outline.c). */
#include "abi/shadow.h"

#ifdef HD_APART
#define INLINE __attribute__((preserve_most, visibility("default")))
#define NAME(hook) hook##_apart
#else
#define INLINE __attribute__((always_inline))
#define NAME(hook) hook
#endif
#define PART static inline __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

void hd_access(const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
    __attribute__((preserve_most, cold));
void hd_range_accessed(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write)
    __attribute__((preserve_most, cold));
void hd_bad_access(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write)
    __attribute__((preserve_most, cold, noreturn));

INLINE uint32_t NAME(hd_watched)(void)
{
    return hd_fast_state.watched;
}

/* The version of the function often implies the number of threads (compile/passes/versions.c). */
PART int are_several(uint32_t info)
{
    return !(info & HD_INFO_ALONE) && (info & HD_INFO_SEVERAL || UNLIKELY(hd_fast_state.several));
}

/* The check comes before the operation: an access that is not allowed must not be performed. A cell that is not owned
 * by the current thread may be shared: hd_access decides. */
INLINE void NAME(hd_read)(void *address, uint32_t info, void *site)
{
    if (hd_is_bad(address, info))
        hd_bad_access(address, info & HD_INFO_SIZE, site, 0);
    if (are_several(info) && *hd_owner_of(address) != hd_fast_state.mark)
        hd_access(address, info, site, 0);
}

INLINE void NAME(hd_write)(void *address, uint32_t info, void *site)
{
    if (hd_is_bad(address, info))
        hd_bad_access(address, info & HD_INFO_SIZE, site, 1);
    if (are_several(info)) {
        hd_fast_state.wrote = 1;
        if (*hd_owner_of(address) != hd_fast_state.mark)
            hd_access(address, info, site, 1);
    }
}

INLINE void NAME(hd_read_range)(void *address, uint64_t bytes, void *site)
{
    if (UNLIKELY(hd_fast_state.several) || !hd_is_plain_range(address, bytes))
        hd_range_accessed(address, bytes, site, 0);
}

INLINE void NAME(hd_write_range)(void *address, uint64_t bytes, void *site)
{
    if (UNLIKELY(hd_fast_state.several) || !hd_is_plain_range(address, bytes))
        hd_range_accessed(address, bytes, site, 1);
}

/* --- shadows ------------------------------------------------------------------ */

#define SLOW __attribute__((preserve_most, cold))
/* The expression depends on the operands alone, so LLVM may remove and merge calls. */
#define PURE __attribute__((preserve_most, cold, const))

uint32_t hd_follow_unary(uint32_t a, uint32_t info) PURE;
uint32_t hd_follow_binary(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t info) PURE;
uint32_t hd_follow_select(uint32_t c, uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t width) PURE;
uint32_t hd_follow_funnel(uint32_t a, uint32_t b, uint32_t c, uint64_t x, uint64_t y, uint64_t z, uint32_t info) PURE;
uint32_t hd_follow_pointer(uint32_t base, uint32_t offset, uint64_t x, uint64_t y) PURE;
uint32_t hd_follow_load(const void *address, uint32_t bytes) SLOW;
void hd_follow_store(void *address, uint32_t bytes, uint32_t a) SLOW;
void hd_follow_copy(void *to, const void *from, uint64_t bytes) SLOW;
void hd_follow_fill(void *to, uint32_t a, uint64_t bytes) SLOW;
uint32_t hd_follow_update(void *address, uint32_t info, uint32_t a, uint64_t x, uint64_t old, const hd_site *site) SLOW;
uint32_t hd_follow_exchange(void *address, uint32_t bytes, uint32_t expected, uint32_t desired, uint64_t x, uint64_t y,
    uint64_t old, const hd_site *site) SLOW;
void hd_follow_branch(uint32_t a, uint32_t value, const hd_site *site) SLOW;
void hd_follow_switch(uint32_t a, uint64_t value, const hd_switch_table *table, const hd_site *site) SLOW;
void hd_follow_pin(uint32_t a, uint64_t value, const hd_site *site) SLOW;
void hd_follow_address(uint32_t a, const void *address, uint64_t bytes, const hd_site *site) SLOW;
void hd_follow_divide(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t info, const hd_site *site) SLOW;
void hd_follow_shift(uint32_t amount, uint64_t value, uint32_t width, const hd_site *site) SLOW;
void hd_follow_concretely(uint32_t a, uint64_t value, const hd_site *site) SLOW;
void hd_follow_memory(const void *address, uint64_t bytes, const hd_site *site) SLOW;
uint32_t hd_follow_passed(uint32_t a, uint32_t width) SLOW;
void hd_follow_block(uint32_t entered, uint32_t which, void *copy, uint64_t bytes) SLOW;
void hd_follow_variadic(uint32_t entered, void *list) SLOW;
void hd_follow_untaken(const void *callee, const hd_site *site) SLOW;

INLINE uint32_t NAME(hd_shadow_unary)(uint32_t a, uint32_t info)
{
    return UNLIKELY(a) ? hd_follow_unary(a, info) : 0;
}

INLINE uint32_t NAME(hd_shadow_binary)(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t info)
{
    return UNLIKELY(a | b) ? hd_follow_binary(a, b, x, y, info) : 0;
}

INLINE uint32_t NAME(hd_shadow_select)(
    uint32_t c, uint32_t chosen, uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t width)
{
    return UNLIKELY(c) ? hd_follow_select(c, a, b, x, y, width) : chosen;
}

INLINE uint32_t NAME(hd_shadow_funnel)(
    uint32_t a, uint32_t b, uint32_t c, uint64_t x, uint64_t y, uint64_t z, uint32_t info)
{
    return UNLIKELY(a | b | c) ? hd_follow_funnel(a, b, c, x, y, z, info) : 0;
}

INLINE uint32_t NAME(hd_shadow_pointer)(uint32_t base, uint32_t offset, uint64_t x, uint64_t y)
{
    return UNLIKELY(base | offset) ? hd_follow_pointer(base, offset, x, y) : 0;
}

PART int hd_is_shadowed(const void *address, uint32_t info)
{
    const char *last = (const char *)address + (info & HD_SHADOW_BYTES) - 1;
    return UNLIKELY(hd_fast_state.shadowed)
        && (hd_line_is_shadowed(address) || ((info & HD_SHADOW_CROSSES) && hd_line_is_shadowed(last)));
}

INLINE uint32_t NAME(hd_shadow_load)(void *address, uint32_t info)
{
    return UNLIKELY(hd_is_shadowed(address, info)) ? hd_follow_load(address, info & HD_SHADOW_BYTES) : 0;
}

INLINE void NAME(hd_shadow_store)(void *address, uint32_t info, uint32_t a)
{
    if (UNLIKELY(a) || UNLIKELY(hd_is_shadowed(address, info)))
        hd_follow_store(address, info & HD_SHADOW_BYTES, a);
}

/* For any number of bytes: up to the size of a line they are on at most two lines, those of the first and the last
 * byte. */
PART int may_be_shadowed(const char *address, uint64_t bytes)
{
    return bytes > 1u << HD_LINE_SHIFT || hd_line_is_shadowed(address)
        || (bytes && hd_line_is_shadowed(address + bytes - 1));
}

INLINE void NAME(hd_shadow_copy)(void *to, void *from, uint64_t bytes)
{
    if (UNLIKELY(hd_fast_state.shadowed) && (may_be_shadowed(from, bytes) || may_be_shadowed(to, bytes)))
        hd_follow_copy(to, from, bytes);
}

INLINE void NAME(hd_shadow_fill)(void *to, uint32_t a, uint64_t bytes)
{
    if (UNLIKELY(a) || (UNLIKELY(hd_fast_state.shadowed) && may_be_shadowed(to, bytes)))
        hd_follow_fill(to, a, bytes);
}

INLINE uint32_t NAME(hd_shadow_update)(void *address, uint32_t info, uint32_t a, uint64_t x, uint64_t old, void *site)
{
    if (UNLIKELY(a) || UNLIKELY(hd_is_shadowed(address, info)))
        return hd_follow_update(address, info, a, x, old, site);
    return 0;
}

INLINE uint32_t NAME(hd_shadow_exchange)(void *address, uint32_t bytes, uint32_t expected, uint32_t desired, uint64_t x,
    uint64_t y, uint64_t old, void *site)
{
    if (UNLIKELY(expected | desired) || UNLIKELY(hd_is_shadowed(address, bytes)))
        return hd_follow_exchange(address, bytes, expected, desired, x, y, old, site);
    return 0;
}

INLINE void NAME(hd_shadow_branch)(uint32_t a, uint32_t value, void *site)
{
    if (UNLIKELY(a))
        hd_follow_branch(a, value, site);
}

INLINE void NAME(hd_shadow_switch)(uint32_t a, uint64_t value, void *table, void *site)
{
    if (UNLIKELY(a))
        hd_follow_switch(a, value, table, site);
}

INLINE void NAME(hd_shadow_pin)(uint32_t a, uint64_t value, void *site)
{
    if (UNLIKELY(a))
        hd_follow_pin(a, value, site);
}

INLINE void NAME(hd_shadow_address)(uint32_t a, void *address, uint64_t bytes, void *site)
{
    if (UNLIKELY(a))
        hd_follow_address(a, address, bytes, site);
}

INLINE void NAME(hd_shadow_divide)(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t info, void *site)
{
    if (UNLIKELY(a | b))
        hd_follow_divide(a, b, x, y, info, site);
}

INLINE void NAME(hd_shadow_shift)(uint32_t amount, uint64_t value, uint32_t width, void *site)
{
    if (UNLIKELY(amount))
        hd_follow_shift(amount, value, width, site);
}

INLINE void NAME(hd_shadow_follow)(uint32_t a, uint64_t value, void *site)
{
    if (UNLIKELY(a))
        hd_follow_concretely(a, value, site);
}

INLINE void NAME(hd_shadow_follow_load)(void *address, uint32_t info, void *site)
{
    if (UNLIKELY(hd_is_shadowed(address, info)))
        hd_follow_memory(address, info & HD_SHADOW_BYTES, site);
}

INLINE void NAME(hd_shadow_follow_memory)(void *address, uint64_t bytes, void *site)
{
    if (UNLIKELY(hd_fast_state.shadowed))
        hd_follow_memory(address, bytes, site);
}

INLINE void *NAME(hd_shadow_variables)(void)
{
    return hd_fast_state.variable;
}

/* Without room, the variable stays unknown, and indices into it are not checked. */
INLINE void NAME(hd_shadow_variable)(void *address, uint64_t bytes)
{
    hd_bounds *new = hd_fast_state.variable;
    if (UNLIKELY(new == hd_fast_state.last_variable))
        return;
    *new = (hd_bounds) { (uint64_t)address, bytes };
    hd_fast_state.variable = new + 1;
}

INLINE void NAME(hd_shadow_forget)(void *variables)
{
    hd_fast_state.variable = variables;
}

/* --- calls -------------------------------------------------------------------- */

INLINE uint32_t NAME(hd_symbolic)(void)
{
    return hd_fast_state.symbolic;
}

/* The quiet version of a twin may run while no shadow exists anywhere: neither in memory nor in the record of a call.
 * Values of the function itself have none as long as it has never left the quiet version. */
INLINE uint32_t NAME(hd_shadow_watched)(void)
{
    if (UNLIKELY(hd_fast_state.watched != HD_WATCH_BOUNDS))
        return HD_WATCH_ALL;
    int quiet = !hd_fast_state.shadowed && !hd_call_shadows.callee && !hd_call_shadows.returner;
    return quiet ? HD_WATCH_NOTHING : HD_WATCH_BOUNDS;
}

INLINE uint32_t NAME(hd_shadow_live)(void)
{
    return hd_fast_state.expressions;
}

INLINE void NAME(hd_shadow_call)(uint32_t any, void *callee, uint32_t values)
{
    if (UNLIKELY(any)) {
        hd_call_shadows.callee = callee;
        hd_call_shadows.value_count = values;
        hd_call_shadows.variadic_count = 0;
    }
}

INLINE void NAME(hd_shadow_pass)(uint32_t any, uint32_t which, uint32_t a)
{
    if (UNLIKELY(any))
        hd_call_shadows.values[which] = a;
}

INLINE void NAME(hd_shadow_pass_block)(uint32_t any, uint32_t which, void *block)
{
    if (UNLIKELY(any))
        hd_call_shadows.blocks[which] = block;
}

INLINE void NAME(hd_shadow_pass_variadic)(uint32_t any, uint32_t a, uint32_t kind, void *block)
{
    if (UNLIKELY(any))
        hd_call_shadows.variadic[hd_call_shadows.variadic_count++] =
            (hd_variadic) { a, (uint16_t)kind, (uint16_t)(kind >> 16), block };
}

INLINE void NAME(hd_shadow_plainly)(uint32_t plainly)
{
    hd_fast_state.plainly = plainly;
}

INLINE void NAME(hd_shadow_untaken)(uint32_t any, void *callee, void *site)
{
    if (UNLIKELY(any))
        hd_follow_untaken(callee, site);
}

INLINE uint32_t NAME(hd_shadow_returned)(void *callee)
{
    uint32_t returned = UNLIKELY(hd_call_shadows.returner == callee);
    if (returned)
        hd_call_shadows.returner = 0;
    return returned;
}

INLINE uint32_t NAME(hd_shadow_result)(uint32_t returned, uint32_t which, uint32_t width)
{
    return UNLIKELY(returned) ? hd_follow_passed(hd_call_shadows.results[which], width) : 0;
}

INLINE uint32_t NAME(hd_shadow_enter)(void *callee)
{
    uint32_t entered = UNLIKELY(hd_call_shadows.callee == callee);
    if (entered)
        hd_call_shadows.callee = 0;
    return entered;
}

INLINE uint32_t NAME(hd_shadow_argument)(uint32_t entered, uint32_t which, uint32_t width)
{
    return UNLIKELY(entered) ? hd_follow_passed(hd_call_shadows.values[which], width) : 0;
}

INLINE void NAME(hd_shadow_block)(uint32_t entered, uint32_t which, void *copy, uint64_t bytes)
{
    if (UNLIKELY(hd_fast_state.expressions))
        hd_follow_block(entered, which, copy, bytes);
}

INLINE void NAME(hd_shadow_variadic)(uint32_t entered, void *list)
{
    if (UNLIKELY(hd_fast_state.expressions))
        hd_follow_variadic(entered, list);
}

INLINE void NAME(hd_shadow_return)(uint32_t any, void *callee)
{
    hd_call_shadows.returner = UNLIKELY(any) ? callee : 0;
}

INLINE void NAME(hd_shadow_return_value)(uint32_t any, uint32_t which, uint32_t a)
{
    if (UNLIKELY(any))
        hd_call_shadows.results[which] = a;
}
