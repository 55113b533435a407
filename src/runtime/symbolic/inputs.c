#include "runtime/symbolic/inputs.h"

#include "abi/eval.h"
#include "runtime/sched.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_name(char *to, const hd_input_request *r)
{
    const char *name = r->name ? r->name : "";
    if (r->element < 0)
        snprintf(to, HD_INPUT_NAME, "%s", name);
    else
        snprintf(to, HD_INPUT_NAME, "%.*s[%lld]", HD_INPUT_NAME - 12, name, (long long)r->element);
}

/* --- values ------------------------------------------------------------------- */

/* Run by hand: NAME=VALUE from the environment. */
static int from_environment(const char *name, uint64_t *value)
{
    const char *text = getenv(HD_ENV_INPUTS);
    size_t length = strlen(name);
    for (; text && *text; text += strcspn(text, " ")) {
        text += strspn(text, " ");
        if (!strncmp(text, name, length) && text[length] == '=') {
            *value = strtoull(text + length + 1, NULL, 0);
            return 1;
        }
    }
    return 0;
}

/* The engine lists values mostly in the order in which they are asked for. */
static int from_engine(uint32_t number, uint64_t *value)
{
    static uint32_t next;
    uint32_t count = *hd_rt.given_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (next + i) % count;
        if (hd_rt.given[at].thread == hd_current->id && hd_rt.given[at].number == number) {
            *value = hd_rt.given[at].value;
            next = at + 1;
            return 1;
        }
    }
    return 0;
}

static int is_range(const hd_input_request *r)
{
    return r->low <= r->high;
}

static uint64_t value_for(const hd_input_request *r, const char *name, uint32_t number)
{
    uint64_t value = 0;
    int given = hd_exploring() ? from_engine(number, &value) : from_environment(name, &value);
    if (is_range(r) && (!given || (int64_t)value < r->low || (int64_t)value > r->high))
        value = (uint64_t)r->low;
    return hd_low_bits(value, r->width);
}

/* --- drawing --------------------------------------------------------------------- */

static void assume_range(const hd_input_request *r, uint32_t a)
{
    uint32_t distance = hd_expr_binary(HD_EXPR_SUB, r->width, a, 0, 0, (uint64_t)r->low);
    uint64_t span = (uint64_t)r->high - (uint64_t)r->low;
    hd_branch_assume(hd_expr_binary(HD_EXPR_ULE, r->width, distance, (uint64_t)r->low, 0, span), 1, r->site);
}

uint64_t hd_input_draw(const hd_input_request *r, uint32_t *shadow)
{
    hd_input input = { .site = r->site, .width = r->width, .is_signed = r->is_signed };
    uint32_t at = *hd_rt.input_count;
    write_name(input.name, r);
    hd_effect();
    *shadow = 0;
    hd_start_differs();
    input.number = hd_current->inputs++;
    input.thread = (uint16_t)hd_current->id;
    input.value = value_for(r, input.name, input.number);
    if (!hd_exploring())
        return input.value;
    if (at == HD_INPUT_ROOM)
        hd_end(HD_DEPTH, r->site, "more than %d inputs", HD_INPUT_ROOM);
    input.expr = hd_expr_input(at, r->width, input.value);
    if (!input.expr)
        hd_end(HD_DEPTH, r->site, "more than %d expressions over inputs", HD_EXPR_ROOM);
    hd_rt.inputs[at] = input;
    *hd_rt.input_count = at + 1;
    hd_fast_state.expressions = 1;
    if (is_range(r))
        assume_range(r, input.expr);
    *shadow = input.expr;
    return input.value;
}

void hd_input_bytes(void *to, uint64_t bytes, const char *name, const hd_site *site)
{
    for (uint64_t i = 0; i < bytes; i++) {
        uint32_t shadow;
        hd_input_request r = { name, (int64_t)i, 8, 0, 1, 0, site };
        ((char *)to)[i] = (char)hd_input_draw(&r, &shadow);
        hd_lines_store((char *)to + i, 1, shadow);
    }
}
