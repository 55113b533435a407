/* Inputs, under the names of include/heddle.h and of SV-COMP. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/inputs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This file is linked in only if the program asks for inputs: symbolic/symbolic.c tests for the symbol. */
const char hd_asks_for_inputs[] = "inputs";

static uint64_t draw(const char *name, uint8_t width, bool is_signed, const void *function)
{
    uint32_t shadow;
    hd_input_request r = { name, -1, width, is_signed, 0, 0, hd_call_site };
    uint64_t value = hd_input_draw(&r, &shadow);
    hd_returns_from(function, shadow);
    return value;
}

/* A _Bool is a byte that is 0 or 1. */
static bool draw_bool(const char *name, const void *function)
{
    uint64_t value = draw(name, 1, false, function);
    return value;
}

#define IS_SIGNED(type) ((type)-1 < 0)

#define NAMED(type, name) \
    HD_FACE type hd_heddle_##name(const char *input) \
    { \
        return (type)draw(input, 8 * sizeof(type), IS_SIGNED(type), (const void *)hd_heddle_##name); \
    }
NAMED(char, char)
NAMED(signed char, schar)
NAMED(unsigned char, uchar)
NAMED(short, short)
NAMED(unsigned short, ushort)
NAMED(int, int)
NAMED(unsigned, uint)
NAMED(long, long)
NAMED(unsigned long, ulong)
NAMED(long long, llong)
NAMED(unsigned long long, ullong)
NAMED(size_t, size)
NAMED(int8_t, int8)
NAMED(uint8_t, uint8)
NAMED(int16_t, int16)
NAMED(uint16_t, uint16)
NAMED(int32_t, int32)
NAMED(uint32_t, uint32)
NAMED(int64_t, int64)
NAMED(uint64_t, uint64)
#undef NAMED

HD_FACE bool hd_heddle_bool(const char *input)
{
    return draw_bool(input, (const void *)hd_heddle_bool);
}

HD_FACE long hd_heddle_range(long low, long high, const char *input)
{
    const void *self = (const void *)hd_heddle_range;
    uint32_t from = hd_passed_to(self, 0), to = hd_passed_to(self, 1), shadow;
    hd_branch(from, (uint64_t)low, hd_call_site); /* bounds that depend on inputs: each pair of values is a range */
    hd_branch(to, (uint64_t)high, hd_call_site);
    hd_input_request r = { input, -1, 64, 1, (uint64_t)low, (uint64_t)high - (uint64_t)low + 1, hd_call_site };
    if (low > high)
        hd_end(
            HD_MODEL_LIMIT, hd_call_site, "heddle_range(%ld, %ld) is empty: the least number comes first", low, high);
    long value = (long)hd_input_draw(&r, &shadow);
    hd_returns_from(self, shadow);
    return value;
}

HD_FACE void hd_heddle_bytes(void *to, size_t bytes, const char *input)
{
    const hd_site *site = hd_call_site;
    SEE(site, WRITES(to, bytes));
    hd_input_bytes(to, bytes, input, site);
}

HD_FACE void hd___VERIFIER_nondet_memory(void *to, size_t bytes)
{
    hd_heddle_bytes(to, bytes, "memory");
}

/* A pointer is not below 0 either. */
#define NONDET(name, type) \
    HD_FACE type hd___VERIFIER_nondet_##name(void) \
    { \
        return (type)draw(#name, 8 * sizeof(type), IS_SIGNED(type), (const void *)hd___VERIFIER_nondet_##name); \
    }
#include "abi/nondet.def"
#undef NONDET

HD_FACE bool hd___VERIFIER_nondet_bool(void)
{
    return draw_bool("bool", (const void *)hd___VERIFIER_nondet_bool);
}

HD_FACE bool hd___VERIFIER_nondet__Bool(void)
{
    return draw_bool("bool", (const void *)hd___VERIFIER_nondet__Bool);
}

/* Inputs of floating-point types and of more than 64 bits are not explored: they are 0. */
static void unfollowed(const char *type)
{
    if (hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "inputs of type %s are not modelled", type);
}

HD_FACE float hd___VERIFIER_nondet_float(void)
{
    unfollowed("float");
    return 0;
}

HD_FACE double hd___VERIFIER_nondet_double(void)
{
    unfollowed("double");
    return 0;
}

HD_FACE __int128 hd___VERIFIER_nondet_int128(void)
{
    unfollowed("__int128");
    return 0;
}

HD_FACE unsigned __int128 hd___VERIFIER_nondet_uint128(void)
{
    unfollowed("unsigned __int128");
    return 0;
}
