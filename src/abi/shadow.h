/* Shadows: how the compiled program carries expressions over inputs beside its values.
 *
 * Every function has a twin, which runs instead if the program has inputs
 * (hd_fast_state.symbolic, fixed when the process starts). In a twin each integer and
 * each pointer has a shadow: the number of its expression, 0 for a plain number. Memory
 * has a shadow per byte; hd_shadow_lines tells quickly that a line of memory has none.
 *
 * Calls pass shadows in one record. It names its `callee`, so code without shadows in
 * between (a library, the caller of a callback) cannot cause a mix-up: a twin takes only
 * a record for itself, and a caller only the results of its callee. A callee is
 * identified by the address of the original function, not of its twin.
 */
#ifndef HD_ABI_SHADOW_H
#define HD_ABI_SHADOW_H

#include "abi/fast.h"

/* The prefix of the symbols of string literals. A literal has an additional guard byte, so that a pointer to its end is
 * not the start of another one. */
#define HD_LITERAL "hd.literal"

/* Operations of twins that are not expression kinds, but are built from them. */
enum {
    HD_MADE_NE = HD_EXPR_KINDS,
    HD_MADE_SMIN,
    HD_MADE_SMAX,
    HD_MADE_UMIN,
    HD_MADE_UMAX,
    HD_MADE_UADD_SAT,
    HD_MADE_SADD_SAT,
    HD_MADE_USUB_SAT,
    HD_MADE_SSUB_SAT,
    HD_MADE_ABS,
    HD_MADE_BSWAP,
    HD_MADE_BITREVERSE
};

/* The info word of the hooks of computations: the kind, the width of the operands (for ZEXT, SEXT and EXTRACT that of
 * the result), and for EXTRACT the lowest bit. */
static inline uint32_t hd_shadow_info(uint32_t kind, uint32_t width, uint32_t low)
{
    return kind | width << 8 | low << 16;
}

/* The info word of loads and stores: the number of bytes, and whether they may be on two lines. */
enum { HD_SHADOW_BYTES = 0xff, HD_SHADOW_CROSSES = 0x100 };

#define HD_LINE_SHIFT 6
#define HD_LINES (1u << 20)

/* By a hash of the line's address: the number of its shadows; 255 means "many". */
extern uint8_t hd_shadow_lines[HD_LINES] __attribute__((visibility("default")));

static inline uint32_t hd_line_index(const void *address)
{
    return (uint32_t)((uintptr_t)address >> HD_LINE_SHIFT) & (HD_LINES - 1);
}

static inline int hd_line_is_shadowed(const void *address)
{
    return hd_shadow_lines[hd_line_index(address)] != 0;
}

enum { HD_PASSED_VALUES = 32, HD_PASSED_BLOCKS = 8, HD_PASSED_RESULTS = 16 };

/* Where the ABI passes a variadic argument. */
typedef enum hd_variadic_kind { HD_VARIADIC_GENERAL, HD_VARIADIC_FLOATING, HD_VARIADIC_STACK } hd_variadic_kind;

typedef struct hd_variadic {
    uint32_t shadow;
    uint16_t kind;
    uint16_t words; /* of 8 bytes */
    const void *block; /* HD_VARIADIC_STACK: the address of a copy of it */
} hd_variadic;

typedef struct hd_call_record {
    const void *callee; /* the function whose arguments these are; NULL: none */
    const void *returner; /* the function whose result this is; NULL: it has no shadow */
    uint32_t value_count;
    uint32_t values[HD_PASSED_VALUES];
    const void *blocks[HD_PASSED_BLOCKS]; /* structures passed by value on the stack: the addresses of the originals */
    uint32_t variadic_count;
    hd_variadic variadic[HD_PASSED_VALUES];
    uint32_t results[HD_PASSED_RESULTS];
} hd_call_record;

extern hd_call_record hd_call_shadows __attribute__((visibility("default")));

/* The targets of a switch, for hd_shadow_switch: `cases` pairs of a value and the number of its target. Targets are
 * numbered from 1 in the order of their first case; 0 is the default. */
typedef struct hd_switch_table {
    uint32_t width, cases;
    struct {
        uint64_t value;
        uint64_t target;
    } of[];
} hd_switch_table;

#endif
