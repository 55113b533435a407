/* Inlines are expanded as token streams: a call appends the body, with parameters replaced, to the
 * tokens and makes it the current stretch. */
#include "promela/parser_internal.h"

#include <string.h>

enum { MOST_EXPANDED = 2000000, MOST_PARAMETERS = 64 };

void hd_promela_skip_braces(hd_promela_parser *p, hd_promela_location opened)
{
    for (int depth = 1; depth > 0;) {
        hd_promela_token token = hd_promela_take(p);
        if (token.kind == HD_TK_END)
            hd_promela_fail(p, opened, "this '{' is never closed: expected '}'");
        depth += token.kind == (hd_promela_kind)'{' ? 1 : token.kind == (hd_promela_kind)'}' ? -1 : 0;
    }
}

void hd_promela_inline(hd_promela_parser *p)
{
    hd_promela_symbol *s =
        hd_promela_declare(p, HD_SYMBOL_INLINE, hd_promela_expect(p, HD_TK_NAME, "the name of the inline"));
    const char *names[MOST_PARAMETERS];
    int count = 0;
    hd_promela_expect(p, '(', "'(' after the inline's name");
    while (hd_promela_peek(p).kind == HD_TK_NAME) {
        if (count == MOST_PARAMETERS)
            hd_promela_fail(p, s->location, "inline '%s' has more than %d parameters", s->name, MOST_PARAMETERS);
        names[count++] = hd_promela_take(p).text;
        if (!hd_promela_accept(p, ','))
            break;
    }
    s->parameter_count = count;
    s->parameters = hd_arena_alloc(&p->model->arena, (size_t)(count + 1) * sizeof *s->parameters);
    memcpy(s->parameters, names, (size_t)count * sizeof *names);
    hd_promela_expect(p, ')', "',' or ')' in the inline's parameters");
    hd_promela_token brace = hd_promela_expect(p, '{', "'{' to open the inline's body");
    s->body_from = p->at - 1;
    hd_promela_skip_braces(p, brace.location);
    s->body_to = p->at;
}

typedef struct stretch {
    size_t from, to;
} stretch;

/* Copies the tokens of one argument to the end of the stream, because the call itself may cross the
 * end of a stretch. */
static stretch take_argument(hd_promela_parser *p, hd_promela_symbol *callee)
{
    stretch s = { p->tokens.count, 0 };
    for (int depth = 0;;) {
        hd_promela_token token = hd_promela_peek(p);
        hd_promela_kind k = token.kind;
        if (k == HD_TK_END || k == (hd_promela_kind)'{' || k == (hd_promela_kind)'}')
            hd_promela_fail(p, token.location, "expected ')' to end the call of inline '%s'", callee->name);
        if (depth == 0 && (k == (hd_promela_kind)',' || k == (hd_promela_kind)')'))
            break;
        depth += k == (hd_promela_kind)'(' || k == (hd_promela_kind)'[' ? 1
            : k == (hd_promela_kind)')' || k == (hd_promela_kind)']'    ? -1
                                                                        : 0;
        hd_promela_take(p);
        hd_vec_push(&p->tokens, token);
    }
    s.to = p->tokens.count;
    return s;
}

static void expand_token(
    hd_promela_parser *p, hd_promela_symbol *callee, hd_promela_token token, const stretch *arguments)
{
    for (int i = 0; token.kind == HD_TK_NAME && i < callee->parameter_count; i++)
        if (!strcmp(token.text, callee->parameters[i])) {
            for (size_t a = arguments[i].from; a < arguments[i].to; a++) {
                hd_promela_token copy = p->tokens.items[a];
                /* An argument's tokens are reported at the location where the parameter stands. */
                copy.location = token.location;
                hd_vec_push(&p->tokens, copy);
            }
            return;
        }
    hd_vec_push(&p->tokens, token);
}

void hd_promela_call_inline(hd_promela_parser *p, hd_promela_symbol *callee)
{
    hd_promela_location location = hd_promela_peek(p).location;
    stretch arguments[MOST_PARAMETERS];
    /* Recursion would never end. */
    for (int i = 0; i < p->call_depth; i++)
        if (p->calls[i].callee == callee)
            hd_promela_fail(
                p, location, "inline '%s' is expanded without end: an inline cannot call itself", callee->name);
    int count = 0;
    hd_promela_expect(p, '(', "'(' to call an inline");
    while (hd_promela_peek(p).kind != (hd_promela_kind)')') {
        if (count == MOST_PARAMETERS)
            hd_promela_fail(
                p, location, "inline '%s' is called with more than %d arguments", callee->name, MOST_PARAMETERS);
        arguments[count++] = take_argument(p, callee);
        if (hd_promela_peek(p).kind != (hd_promela_kind)')')
            hd_promela_expect(p, ',', "',' between arguments");
    }
    hd_promela_take(p);
    if (count != callee->parameter_count)
        hd_promela_fail(
            p, location, "inline '%s' expects %d arguments, not %d", callee->name, callee->parameter_count, count);
    size_t from = p->tokens.count;
    for (size_t t = callee->body_from; t < callee->body_to; t++)
        expand_token(p, callee, p->tokens.items[t], arguments);
    p->expanded += p->tokens.count - from;
    if (p->call_depth == HD_PROMELA_DEEPEST || p->expanded > MOST_EXPANDED)
        hd_promela_fail(p, location, "inline calls expand to more than %d tokens", MOST_EXPANDED);
    p->calls[p->call_depth++] = (struct hd_promela_frame) { p->at, p->end, callee };
    p->at = from;
    p->end = p->tokens.count;
}
