/* Claims: `ltl` formulae and `never` bodies, and what only claims may contain: temporal operators,
 * labels and variables of other processes, np_, enabled, pc_value. A claim may refer to later
 * declarations, so claims are parsed last. */
#include "promela/parse.h"

#include <string.h>

enum { IMPLIES_LEVEL = 1, UNTIL_LEVEL = 4 }; /* precedence among the levels of parse_expr.c: AND is 3, | is 5 */

static const struct {
    const char *name;
    hd_pml_temporal sign;
} infix[] = { { "U", HD_T_UNTIL }, { "until", HD_T_UNTIL }, { "stronguntil", HD_T_UNTIL }, { "W", HD_T_WEAK_UNTIL },
    { "weakuntil", HD_T_WEAK_UNTIL }, { "V", HD_T_RELEASE }, { "release", HD_T_RELEASE }, { "implies", HD_T_IMPLIES },
    { "equivalent", HD_T_EQUIV } },
  prefix[] = { { "X", HD_T_NEXT }, { "next", HD_T_NEXT }, { "always", HD_T_ALWAYS },
      { "eventually", HD_T_EVENTUALLY } };

/* --- temporal operators ------------------------------------------------------------------------ */

static bool next_is(hd_pml_parser *p, int first, int second)
{
    return (int)hd_pml_peek(p).kind == first && (int)hd_pml_peek_second(p).kind == second;
}

int hd_pml_temporal_infix(hd_pml_parser *p, int *level, int *tokens)
{
    hd_pml_token token = hd_pml_peek(p);
    *tokens = 1;
    *level = IMPLIES_LEVEL;
    if (token.kind == HD_TK_ARROW)
        return HD_T_IMPLIES;
    if (next_is(p, '<', HD_TK_ARROW)) {
        *tokens = 2;
        return HD_T_EQUIV;
    }
    for (size_t i = 0; token.kind == HD_TK_NAME && i < sizeof infix / sizeof *infix; i++)
        if (!strcmp(token.text, infix[i].name)) {
            bool lowest = infix[i].sign == HD_T_IMPLIES || infix[i].sign == HD_T_EQUIV;
            *level = lowest ? IMPLIES_LEVEL : UNTIL_LEVEL;
            return (int)infix[i].sign;
        }
    return 0;
}

int hd_pml_temporal_prefix(hd_pml_parser *p, int *tokens)
{
    hd_pml_token token = hd_pml_peek(p);
    *tokens = 2;
    if (next_is(p, '[', ']'))
        return HD_T_ALWAYS;
    if (next_is(p, '<', '>'))
        return HD_T_EVENTUALLY;
    *tokens = 1;
    for (size_t i = 0; token.kind == HD_TK_NAME && i < sizeof prefix / sizeof *prefix; i++)
        if (!strcmp(token.text, prefix[i].name))
            return (int)prefix[i].sign;
    return 0;
}

/* --- other processes ------------------------------------------------------------------------------ */

static hd_pml_node *remote_variable(hd_pml_parser *p, const hd_pml_proctype *t)
{
    hd_pml_token name = hd_pml_expect(p, HD_TK_NAME, "the name of a variable of the process after ':'");
    for (size_t i = 0; i < t->variables.count; i++)
        if (!strcmp(t->variables.items[i]->name, name.text)) {
            p->model->has_remote_variable = true;
            return hd_pml_reference(p, t->variables.items[i], name);
        }
    hd_pml_fail(p, name.place, "'%s' has no variable '%s'", t->name, name.text);
}

hd_pml_node *hd_pml_remote(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_AT_LABEL, place);
    n->symbol = symbol;
    if (!p->claiming)
        hd_pml_fail(
            p, place, "labels and variables of other processes can be used in ltl formulae and never claims only");
    if (hd_pml_accept(p, '[')) {
        n->left = hd_pml_expression(p);
        hd_pml_expect(p, ']', "']' after the process's number");
    }
    if (hd_pml_accept(p, '@')) {
        n->label = hd_pml_expect(p, HD_TK_NAME, "a label after '@'").text;
        for (const hd_pml_label *l = symbol->proctype->labels; l; l = l->next)
            if (l->name && !strcmp(l->name, n->label))
                return n;
        hd_pml_fail(p, place, "proctype '%s' has no label '%s'", symbol->name, n->label);
    }
    hd_pml_expect(p, ':', "'@' and a label, or ':' and a variable");
    n->op = HD_N_REMOTE;
    n->right = remote_variable(p, symbol->proctype);
    return n;
}

/* np_, enabled(p), pc_value(p) */
hd_pml_node *hd_pml_claim_function(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_take(p);
    if (!p->claiming)
        hd_pml_fail(p, token.place, "'%s' can be used in ltl formulae and never claims only", token.text);
    if (token.kind == HD_TK_np)
        return hd_pml_node_new(p, HD_N_NO_PROGRESS, token.place);
    hd_pml_node *n = hd_pml_node_new(p, token.kind == HD_TK_enabled ? HD_N_ENABLED : HD_N_PC_VALUE, token.place);
    hd_pml_expect(p, '(', "'(' and the number of a process");
    n->left = hd_pml_expression(p);
    hd_pml_expect(p, ')', "')' after the number of a process");
    return n;
}

/* --- claims --------------------------------------------------------------------------------------------- */

/* Records a claim; its tokens are parsed at the end. */
void hd_pml_claim_later(hd_pml_parser *p)
{
    hd_pml_token kind = hd_pml_take(p), name = hd_pml_peek(p);
    int same = 0;
    for (size_t i = 0; i < p->model->claims.count; i++)
        same += p->model->claims.items[i].is_ltl == (kind.kind == HD_TK_ltl);
    hd_pml_claim c = { .place = kind.place, .is_ltl = kind.kind == HD_TK_ltl };
    c.name = name.kind == HD_TK_NAME ? hd_pml_take(p).text
                                     : hd_arena_print(&p->model->arena, c.is_ltl ? "ltl_%d" : "never_%d", same);
    for (size_t i = 0; i < p->model->claims.count; i++)
        if (!strcmp(p->model->claims.items[i].name, c.name))
            hd_pml_fail(p, kind.place, "there is already a claim '%s'", c.name);
    c.from = p->at;
    hd_pml_token brace = hd_pml_expect(p, '{', c.is_ltl ? "'{' and a formula" : "'{' and the claim's body");
    hd_pml_skip_braces(p, brace.place);
    c.to = p->at;
    hd_vec_push(&p->model->claims, c);
}

static void parse_formula(hd_pml_parser *p, hd_pml_claim *c)
{
    hd_pml_take(p);
    p->temporal = true;
    c->formula = hd_pml_expression(p);
    p->temporal = false;
    hd_pml_accept(p, ';');
    hd_pml_expect(p, '}', "an operator, or '}' to end the formula");
}

void hd_pml_claims(hd_pml_parser *p)
{
    p->claiming = true;
    for (size_t i = 0; i < p->model->claims.count; i++) {
        hd_pml_claim *c = &p->model->claims.items[i];
        p->at = c->from;
        p->end = c->to;
        if (c->is_ltl)
            parse_formula(p, c);
        else
            c->never = hd_pml_never(p, c->name, c->place);
    }
    p->claiming = false;
}
