/* The token stream, names and nodes. */
#include "promela/parser_internal.h"

#include <string.h>

/* --- tokens ------------------------------------------------------------------ */

/* At the end of an inline's expansion, continue after its call. */
static void leave_finished_calls(hd_promela_parser *p)
{
    while (p->at == p->end && p->call_depth > 0) {
        p->call_depth--;
        p->at = p->calls[p->call_depth].at;
        p->end = p->calls[p->call_depth].end;
    }
}

hd_promela_token hd_promela_peek(hd_promela_parser *p)
{
    leave_finished_calls(p);
    return p->tokens.items[p->at];
}

/* Looks beyond the end of inline expansions without leaving them. */
hd_promela_token hd_promela_peek_second(hd_promela_parser *p)
{
    leave_finished_calls(p);
    size_t at = p->at + 1, end = p->end;
    for (int depth = p->call_depth; at == end && depth > 0;) {
        depth--;
        at = p->calls[depth].at;
        end = p->calls[depth].end;
    }
    return p->tokens.items[at < p->tokens.count ? at : p->tokens.count - 1];
}

hd_promela_token hd_promela_take(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_peek(p);
    /* The end is never passed, so peeking is always possible. */
    if (token.kind != HD_TK_END)
        p->at++;
    return token;
}

bool hd_promela_accept(hd_promela_parser *p, int kind)
{
    if ((int)hd_promela_peek(p).kind != kind)
        return false;
    hd_promela_take(p);
    return true;
}

hd_promela_token hd_promela_expect(hd_promela_parser *p, int kind, const char *what)
{
    hd_promela_token token = hd_promela_take(p);
    if ((int)token.kind != kind)
        hd_promela_fail(p, token.location, "expected %s, not '%s'", what, token.text);
    return token;
}

void hd_promela_enter(hd_promela_parser *p)
{
    if (++p->depth > HD_PROMELA_DEEPEST)
        hd_promela_fail(p, hd_promela_peek(p).location, "this is nested more than %d levels deep", HD_PROMELA_DEEPEST);
}

void hd_promela_leave(hd_promela_parser *p)
{
    p->depth--;
}

bool hd_promela_separator(hd_promela_parser *p)
{
    bool any = false;
    while (hd_promela_peek(p).kind == (hd_promela_kind)';' || hd_promela_peek(p).kind == HD_TK_ARROW) {
        hd_promela_take(p);
        any = true;
    }
    return any;
}

/* --- names and nodes ----------------------------------------------------------- */

hd_promela_symbol *hd_promela_find(hd_promela_parser *p, const char *name)
{
    for (hd_promela_named *n = p->names; n; n = n->next)
        if (!strcmp(n->symbol->name, name))
            return n->symbol;
    return NULL;
}

hd_promela_symbol *hd_promela_declare(hd_promela_parser *p, hd_promela_symbol_kind kind, hd_promela_token name)
{
    hd_promela_symbol *old = hd_promela_find(p, name.text);
    /* An inner scope may hide a name. */
    if (old && old->scope == p->scope)
        hd_promela_fail(
            p, name.location, "'%s' is declared twice; it was declared at line %d", name.text, old->location.line);
    hd_promela_symbol *s = hd_arena_alloc(&p->model->arena, sizeof *s);
    *s = (hd_promela_symbol) {
        .name = name.text, .kind = kind, .count = 1, .owner = p->proctype, .scope = p->scope, .location = name.location
    };
    hd_promela_named *entry = hd_arena_alloc(&p->model->arena, sizeof *entry);
    *entry = (hd_promela_named) { s, p->names };
    p->names = entry;
    return s;
}

hd_promela_node *hd_promela_node_new(hd_promela_parser *p, hd_promela_op op, hd_promela_location location)
{
    hd_promela_node *n = hd_arena_alloc(&p->model->arena, sizeof *n);
    n->op = op;
    n->location = location;
    /* For the check that no goto crosses the border of a d_step (flow.c). */
    n->in_d_step = p->d_step_depth > 0 ? p->d_step_count : 0;
    return n;
}

hd_promela_node *hd_promela_constant(hd_promela_parser *p, int value, hd_promela_location location)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_CONST, location);
    n->value = value;
    return n;
}

hd_promela_node *hd_promela_name_node(hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_location location)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_NAME, location);
    n->symbol = symbol;
    return n;
}

static bool same_list(const hd_promela_node *a, const hd_promela_node *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (!hd_promela_same(a, b))
            return false;
    return !a && !b;
}

/* Two references to the same variable are equal only if their indices are the same expression. */
bool hd_promela_same(const hd_promela_node *a, const hd_promela_node *b)
{
    if (!a || !b)
        return a == b;
    bool labels = a->label && b->label ? !strcmp(a->label, b->label) : a->label == b->label;
    return a->op == b->op && a->sign == b->sign && a->value == b->value && a->symbol == b->symbol && labels
        && hd_promela_same(a->left, b->left) && hd_promela_same(a->right, b->right)
        && hd_promela_same(a->third, b->third) && same_list(a->list, b->list);
}
