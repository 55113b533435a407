#include "runtime/symbolic/inputs.h"

#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/watch.h"
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

/* The engine lists the values mostly in the order of the requests, so the search starts after the last one found. A
 * value counts only if its domain is that of the request: under another path the same number may be another input. */
static int from_engine(const hd_input_request *r, uint32_t number, uint64_t *value)
{
    static uint32_t next;
    uint32_t count = *hd_rt.given_count;
    uint64_t domain = hd_domain(r->width, r->low, r->count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (next + i) % count;
        const hd_given *g = &hd_rt.given[at];
        if (g->thread == hd_current->id && g->number == number && (!g->domain || g->domain == domain)) {
            *value = g->value;
            next = at + 1;
            return 1;
        }
    }
    return 0;
}

static uint64_t value_for(const hd_input_request *r, const char *name, uint32_t number)
{
    uint64_t value = 0;
    int given = hd_exploring() ? from_engine(r, number, &value) : from_environment(name, &value);
    return hd_value_within(r->width, r->low, r->count, given ? value : r->low);
}

/* --- drawing --------------------------------------------------------------------- */

uint64_t hd_input_draw(const hd_input_request *r, uint32_t *shadow)
{
    hd_input input = {
        .site = r->site, .width = r->width, .is_signed = r->is_signed, .low = r->low, .count = r->count
    };
    uint32_t at = *hd_rt.input_count;
    write_name(input.name, r);
    hd_effect();
    *shadow = 0;
    hd_watch_start_differs();
    input.number = hd_current->slot.inputs++;
    input.thread = (uint16_t)hd_current->id;
    input.life = hd_current->view->life;
    input.value = value_for(r, input.name, input.number);
    if (!hd_exploring())
        return input.value;
    if (at == HD_INPUT_ROOM)
        hd_end(HD_DEPTH, r->site, "more than %d inputs", HD_INPUT_ROOM);
    input.expr = hd_expr_input(at, r->width, input.value);
    if (!input.expr)
        hd_end(HD_DEPTH, r->site, "more than %d expressions over inputs", HD_EXPR_ROOM);
    hd_rt.inputs[at] = input;
    hd_compose_ask();
    *hd_rt.input_count = at + 1;
    hd_fast_state.expressions = 1;
    *shadow = input.expr;
    return input.value;
}

void hd_input_bytes(void *to, uint64_t bytes, const char *name, const hd_site *site)
{
    for (uint64_t i = 0; i < bytes; i++) {
        uint32_t shadow;
        hd_input_request r = { name, (int64_t)i, 8, 0, 0, 0, site };
        ((char *)to)[i] = (char)hd_input_draw(&r, &shadow);
        hd_lines_store((char *)to + i, 1, shadow);
    }
}
