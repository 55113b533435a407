#include "runtime/symbolic/lines.h"

#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/exprs.h"

#include <string.h>

enum { LINE = 1 << HD_LINE_SHIFT, MOST_LINES = 1 << 18, SLOTS = 2 * MOST_LINES, MANY = 255 };

typedef struct line {
    uint64_t number; /* its address, divided by its size */
    uint32_t slot; /* in the hash table */
    uint64_t bytes[LINE]; /* an expression, and in the low 8 bits which byte of it; 0: none */
} line;

/* A filter for the hooks: for each hash of a line, the number of bytes with shadows; it stays at MANY. */
uint8_t hd_shadow_lines[HD_LINES];

static line *lines; /* from 1 */
static uint32_t *slots; /* a hash table */
static uint32_t count = 1;

void hd_lines_init(void)
{
    lines = hd_own_alloc(MOST_LINES * sizeof *lines);
    slots = hd_own_alloc(SLOTS * sizeof *slots);
}

void hd_lines_reset(void)
{
    for (uint32_t i = 1; i < count; i++) {
        slots[lines[i].slot] = 0;
        hd_shadow_lines[lines[i].number & (HD_LINES - 1)] = 0;
        memset(lines[i].bytes, 0, sizeof lines[i].bytes);
    }
    count = 1;
    hd_fast_state.shadowed = 0;
}

static uint64_t number_of(uint64_t address)
{
    return address >> HD_LINE_SHIFT;
}

/* The line with this address, created if `make`. NULL: there is none, or no room. */
static line *find(uint64_t address, int make)
{
    uint64_t number = number_of(address);
    uint32_t at = (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
    for (; slots[at]; at = (at + 1) % SLOTS)
        if (lines[slots[at]].number == number)
            return &lines[slots[at]];
    if (!make || count == MOST_LINES)
        return NULL;
    lines[count].number = number;
    lines[count].slot = at;
    slots[at] = count;
    return &lines[count++];
}

static uint64_t *byte_of(line *l, uint64_t address)
{
    return &l->bytes[address % LINE];
}

static uint8_t *filter_of(uint64_t address)
{
    return &hd_shadow_lines[hd_line_index((const void *)address)];
}

/* --- one byte ------------------------------------------------------------------- */

static uint8_t value_of(uint64_t byte)
{
    return (uint8_t)(hd_expr_value((uint32_t)(byte >> 8)) >> 8 * (byte & 0xff));
}

/* The shadow of a byte, if the byte still has the value of the expression. */
static uint64_t get(uint64_t address, uint8_t held)
{
    line *l = *filter_of(address) ? find(address, 0) : NULL;
    uint64_t byte = l ? *byte_of(l, address) : 0;
    return byte && value_of(byte) == held ? byte : 0;
}

static void count_change(uint64_t address, int change)
{
    hd_fast_state.shadowed += (uint32_t)change;
    uint8_t *filter = filter_of(address);
    if (*filter != MANY)
        *filter = (uint8_t)(*filter + change);
}

/* If there is no room for the shadow, the expression is followed. */
static void set(uint64_t address, uint64_t byte)
{
    if (!byte && !*filter_of(address))
        return;
    line *l = find(address, byte != 0);
    if (!l && byte)
        hd_branch_follow((uint32_t)(byte >> 8), hd_call_site);
    if (!l)
        return;
    uint64_t *old = byte_of(l, address);
    count_change(address, (byte != 0) - (*old != 0));
    *old = byte;
}

/* --- values -------------------------------------------------------------------------- */

static uint32_t byte_shadow(uint64_t byte)
{
    return byte ? hd_expr_unary(HD_EXPR_EXTRACT, 8, 8 * (uint32_t)(byte & 0xff), (uint32_t)(byte >> 8)) : 0;
}

/* Bytes that were stored together, and are loaded together, are the expression that was stored; 0: they are not. */
static uint32_t whole(const uint64_t *bytes, uint32_t n)
{
    uint32_t a = (uint32_t)(bytes[0] >> 8);
    if (!bytes[0] || (bytes[0] & 0xff) || hd_expr_width(a) != 8 * n)
        return 0;
    for (uint32_t i = 1; i < n; i++)
        if (bytes[i] != bytes[0] + i)
            return 0;
    return a;
}

uint32_t hd_lines_load(const void *address, uint32_t n, const void *held)
{
    uint64_t bytes[8], any = 0;
    const uint8_t *values = held ? held : address;
    if (!hd_fast_state.shadowed)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        any |= bytes[i] = get((uint64_t)address + i, values[i]);
    if (!any)
        return 0;
    uint32_t stored = whole(bytes, n);
    if (stored)
        return stored;
    uint32_t result = byte_shadow(bytes[0]);
    uint64_t value = values[0];
    for (uint32_t i = 1; i < n; i++) {
        result = hd_expr_concat(byte_shadow(bytes[i]), values[i], 8, result, value, 8 * i);
        value |= (uint64_t)values[i] << 8 * i;
    }
    return result;
}

void hd_lines_store(void *address, uint32_t n, uint32_t a)
{
    for (uint32_t i = 0; (a || hd_fast_state.shadowed) && i < n; i++)
        set((uint64_t)address + i, a ? (uint64_t)a << 8 | i : 0);
}

/* --- blocks ---------------------------------------------------------------------------- */

static int is_clear(uint64_t from, uint64_t bytes)
{
    for (uint64_t at = from & ~(uint64_t)(LINE - 1); at < from + bytes; at += LINE)
        if (*filter_of(at))
            return 0;
    return 1;
}

int hd_lines_hold(const void *address, uint64_t bytes)
{
    uint64_t from = (uint64_t)address;
    if (is_clear(from, bytes))
        return 0;
    for (uint64_t i = 0; i < bytes; i++)
        if (*filter_of(from + i) && get(from + i, ((const uint8_t *)address)[i]))
            return 1;
    return 0;
}

/* The bytes have been copied already, so `to` has their values. The direction is that of memmove. */
void hd_lines_copy(void *to, const void *from, uint64_t bytes)
{
    uint64_t t = (uint64_t)to, f = (uint64_t)from;
    if (is_clear(f, bytes) && is_clear(t, bytes))
        return;
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t at = t <= f ? i : bytes - 1 - i;
        set(t + at, get(f + at, ((const uint8_t *)to)[at]));
    }
}

void hd_lines_fill(void *to, uint32_t a, uint64_t bytes)
{
    uint64_t t = (uint64_t)to;
    if (!a && is_clear(t, bytes))
        return;
    for (uint64_t i = 0; i < bytes; i++)
        set(t + i, (uint64_t)a << 8);
}

void hd_lines_clear(void *to, uint64_t bytes)
{
    hd_lines_fill(to, 0, bytes);
}

void hd_lines_clear_region(uint64_t from, uint64_t bytes)
{
    for (uint32_t i = 1; i < count && hd_fast_state.shadowed; i++) {
        uint64_t address = lines[i].number << HD_LINE_SHIFT;
        if (address - from < bytes)
            hd_lines_clear((void *)address, LINE);
    }
}

void hd_lines_follow(const void *address, uint64_t bytes, const hd_site *site)
{
    uint64_t from = (uint64_t)address, last = 0;
    if (is_clear(from, bytes))
        return;
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t byte = *filter_of(from + i) ? get(from + i, ((const uint8_t *)address)[i]) : 0;
        if (byte >> 8 != last)
            hd_branch_follow((uint32_t)(byte >> 8), site);
        last = byte >> 8;
    }
}
