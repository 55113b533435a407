/* Inlines are expanded as token streams: a call appends the body, with parameters replaced, to the
 * tokens and makes it the current stretch. */
#include "promela/parse.h"

#include <string.h>

enum { MOST_EXPANDED = 2000000, MOST_PARAMETERS = 64 };

void hd_pml_skip_braces(hd_pml_parser *p, hd_pml_place opened)
{
    for (int depth = 1; depth > 0;) {
        hd_pml_token token = hd_pml_take(p);
        if (token.kind == HD_TK_END)
            hd_pml_fail(p, opened, "this '{' is never closed: expected '}'");
        depth += token.kind == (hd_pml_kind)'{' ? 1 : token.kind == (hd_pml_kind)'}' ? -1 : 0;
    }
}

void hd_pml_inline(hd_pml_parser *p)
{
    hd_pml_symbol *s = hd_pml_declare(p, HD_SYMBOL_INLINE, hd_pml_expect(p, HD_TK_NAME, "the name of the inline"));
    const char *names[MOST_PARAMETERS];
    int count = 0;
    hd_pml_expect(p, '(', "'(' after the inline's name");
    while (hd_pml_peek(p).kind == HD_TK_NAME) {
        if (count == MOST_PARAMETERS)
            hd_pml_fail(p, s->place, "inline '%s' has more than %d parameters", s->name, MOST_PARAMETERS);
        names[count++] = hd_pml_take(p).text;
        if (!hd_pml_accept(p, ','))
            break;
    }
    s->parameter_count = count;
    s->parameters = hd_arena_alloc(&p->model->arena, (size_t)(count + 1) * sizeof *s->parameters);
    memcpy(s->parameters, names, (size_t)count * sizeof *names);
    hd_pml_expect(p, ')', "',' or ')' in the inline's parameters");
    hd_pml_token brace = hd_pml_expect(p, '{', "'{' to open the inline's body");
    s->body_from = p->at - 1;
    hd_pml_skip_braces(p, brace.place);
    s->body_to = p->at;
}

typedef struct stretch {
    size_t from, to;
} stretch;

/* Copies the tokens of one argument to the end of the stream, because the call itself may cross the
 * end of a stretch. */
static stretch take_argument(hd_pml_parser *p, hd_pml_symbol *callee)
{
    stretch s = { p->tokens.count, 0 };
    for (int depth = 0;;) {
        hd_pml_token token = hd_pml_peek(p);
        hd_pml_kind k = token.kind;
        if (k == HD_TK_END || k == (hd_pml_kind)'{' || k == (hd_pml_kind)'}')
            hd_pml_fail(p, token.place, "expected ')' to end the call of inline '%s'", callee->name);
        if (depth == 0 && (k == (hd_pml_kind)',' || k == (hd_pml_kind)')'))
            break;
        depth += k == (hd_pml_kind)'(' || k == (hd_pml_kind)'[' ? 1
            : k == (hd_pml_kind)')' || k == (hd_pml_kind)']'    ? -1
                                                                : 0;
        hd_pml_take(p);
        hd_vec_push(&p->tokens, token);
    }
    s.to = p->tokens.count;
    return s;
}

static void expand_token(hd_pml_parser *p, hd_pml_symbol *callee, hd_pml_token token, const stretch *arguments)
{
    for (int i = 0; token.kind == HD_TK_NAME && i < callee->parameter_count; i++)
        if (!strcmp(token.text, callee->parameters[i])) {
            for (size_t a = arguments[i].from; a < arguments[i].to; a++) {
                hd_pml_token copy = p->tokens.items[a];
                /* An argument's tokens are reported at the place where the parameter stands. */
                copy.place = token.place;
                hd_vec_push(&p->tokens, copy);
            }
            return;
        }
    hd_vec_push(&p->tokens, token);
}

void hd_pml_call_inline(hd_pml_parser *p, hd_pml_symbol *callee)
{
    hd_pml_place place = hd_pml_peek(p).place;
    stretch arguments[MOST_PARAMETERS];
    /* Recursion would never end. */
    for (int i = 0; i < p->call_depth; i++)
        if (p->calls[i].callee == callee)
            hd_pml_fail(p, place, "inline '%s' is expanded without end: an inline cannot call itself", callee->name);
    int count = 0;
    hd_pml_expect(p, '(', "'(' to call an inline");
    while (hd_pml_peek(p).kind != (hd_pml_kind)')') {
        if (count == MOST_PARAMETERS)
            hd_pml_fail(p, place, "inline '%s' is called with more than %d arguments", callee->name, MOST_PARAMETERS);
        arguments[count++] = take_argument(p, callee);
        if (hd_pml_peek(p).kind != (hd_pml_kind)')')
            hd_pml_expect(p, ',', "',' between arguments");
    }
    hd_pml_take(p);
    if (count != callee->parameter_count)
        hd_pml_fail(p, place, "inline '%s' expects %d arguments, not %d", callee->name, callee->parameter_count, count);
    size_t from = p->tokens.count;
    for (size_t t = callee->body_from; t < callee->body_to; t++)
        expand_token(p, callee, p->tokens.items[t], arguments);
    p->expanded += p->tokens.count - from;
    if (p->call_depth == HD_PML_DEEPEST || p->expanded > MOST_EXPANDED)
        hd_pml_fail(p, place, "inline calls expand to more than %d tokens", MOST_EXPANDED);
    p->calls[p->call_depth++] = (struct hd_pml_frame) { p->at, p->end, callee };
    p->at = from;
    p->end = p->tokens.count;
}
