/* The token stream, names and nodes. */
#include "promela/parse.h"

#include <string.h>

/* --- tokens ------------------------------------------------------------------ */

/* At the end of an inline's expansion, continue after its call. */
static void leave_finished_calls(hd_pml_parser *p)
{
    while (p->at == p->end && p->call_depth > 0) {
        p->call_depth--;
        p->at = p->calls[p->call_depth].at;
        p->end = p->calls[p->call_depth].end;
    }
}

hd_pml_token hd_pml_peek(hd_pml_parser *p)
{
    leave_finished_calls(p);
    return p->tokens.items[p->at];
}

hd_pml_token hd_pml_peek_second(hd_pml_parser *p)
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

hd_pml_token hd_pml_take(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_peek(p);
    if (token.kind != HD_TK_END)
        p->at++;
    return token;
}

bool hd_pml_accept(hd_pml_parser *p, int kind)
{
    if ((int)hd_pml_peek(p).kind != kind)
        return false;
    hd_pml_take(p);
    return true;
}

hd_pml_token hd_pml_expect(hd_pml_parser *p, int kind, const char *what)
{
    hd_pml_token token = hd_pml_take(p);
    if ((int)token.kind != kind)
        hd_pml_fail(p, token.place, "expected %s, not '%s'", what, token.text);
    return token;
}

void hd_pml_enter(hd_pml_parser *p)
{
    if (++p->depth > HD_PML_DEEPEST)
        hd_pml_fail(p, hd_pml_peek(p).place, "this is nested more than %d levels deep", HD_PML_DEEPEST);
}

void hd_pml_leave(hd_pml_parser *p)
{
    p->depth--;
}

bool hd_pml_separator(hd_pml_parser *p)
{
    bool any = false;
    while (hd_pml_peek(p).kind == (hd_pml_kind)';' || hd_pml_peek(p).kind == HD_TK_ARROW) {
        hd_pml_take(p);
        any = true;
    }
    return any;
}

/* --- names and nodes ----------------------------------------------------------- */

hd_pml_symbol *hd_pml_find(hd_pml_parser *p, const char *name)
{
    for (hd_pml_named *n = p->names; n; n = n->next)
        if (!strcmp(n->symbol->name, name))
            return n->symbol;
    return NULL;
}

hd_pml_symbol *hd_pml_declare(hd_pml_parser *p, hd_pml_symbol_kind kind, hd_pml_token name)
{
    hd_pml_symbol *old = hd_pml_find(p, name.text);
    /* An inner scope may hide a name. */
    if (old && old->scope == p->scope)
        hd_pml_fail(p, name.place, "'%s' is declared twice; it was declared at line %d", name.text, old->place.line);
    hd_pml_symbol *s = hd_arena_alloc(&p->model->arena, sizeof *s);
    *s = (hd_pml_symbol) {
        .name = name.text, .kind = kind, .count = 1, .owner = p->proctype, .scope = p->scope, .place = name.place
    };
    hd_pml_named *entry = hd_arena_alloc(&p->model->arena, sizeof *entry);
    *entry = (hd_pml_named) { s, p->names };
    p->names = entry;
    return s;
}

hd_pml_node *hd_pml_node_new(hd_pml_parser *p, hd_pml_op op, hd_pml_place place)
{
    hd_pml_node *n = hd_arena_alloc(&p->model->arena, sizeof *n);
    n->op = op;
    n->place = place;
    n->in_d_step = p->d_step_depth > 0 ? p->d_step_count : 0;
    return n;
}

hd_pml_node *hd_pml_constant(hd_pml_parser *p, int value, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_CONST, place);
    n->value = value;
    return n;
}

hd_pml_node *hd_pml_name_node(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_NAME, place);
    n->symbol = symbol;
    return n;
}

static bool same_list(const hd_pml_node *a, const hd_pml_node *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (!hd_pml_same(a, b))
            return false;
    return !a && !b;
}

bool hd_pml_same(const hd_pml_node *a, const hd_pml_node *b)
{
    if (!a || !b)
        return a == b;
    bool labels = a->label && b->label ? !strcmp(a->label, b->label) : a->label == b->label;
    return a->op == b->op && a->sign == b->sign && a->value == b->value && a->symbol == b->symbol && labels
        && hd_pml_same(a->left, b->left) && hd_pml_same(a->right, b->right) && hd_pml_same(a->third, b->third)
        && same_list(a->list, b->list);
}
