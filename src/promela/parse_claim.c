/* Claims: `ltl` formulae and `never` bodies, and what only claims may contain: temporal operators,
 * labels and variables of other processes, np_, enabled, pc_value. A claim may refer to later
 * declarations, so claims are parsed last. */
#include "promela/parser_internal.h"

#include <string.h>

enum { IMPLIES_LEVEL = 1, UNTIL_LEVEL = 4 }; /* precedence among the levels of parse_expr.c: AND is 3, | is 5 */

static const struct {
    const char *name;
    hd_promela_temporal sign;
} infix[] = { { "U", HD_T_UNTIL }, { "until", HD_T_UNTIL }, { "stronguntil", HD_T_UNTIL }, { "W", HD_T_WEAK_UNTIL },
    { "weakuntil", HD_T_WEAK_UNTIL }, { "V", HD_T_RELEASE }, { "release", HD_T_RELEASE }, { "implies", HD_T_IMPLIES },
    { "equivalent", HD_T_EQUIV } },
  prefix[] = { { "X", HD_T_NEXT }, { "next", HD_T_NEXT }, { "always", HD_T_ALWAYS },
      { "eventually", HD_T_EVENTUALLY } };

/* --- temporal operators ------------------------------------------------------------------------ */

static bool next_is(hd_promela_parser *p, int first, int second)
{
    return (int)hd_promela_peek(p).kind == first && (int)hd_promela_peek_second(p).kind == second;
}

int hd_promela_temporal_infix(hd_promela_parser *p, int *level, int *tokens)
{
    hd_promela_token token = hd_promela_peek(p);
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

int hd_promela_temporal_prefix(hd_promela_parser *p, int *tokens)
{
    hd_promela_token token = hd_promela_peek(p);
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

static hd_promela_node *remote_variable(hd_promela_parser *p, const hd_promela_proctype *t)
{
    hd_promela_token name = hd_promela_expect(p, HD_TK_NAME, "the name of a variable of the process after ':'");
    for (size_t i = 0; i < t->variables.count; i++)
        if (!strcmp(t->variables.items[i]->name, name.text)) {
            p->model->has_remote_variable = true;
            return hd_promela_reference(p, t->variables.items[i], name);
        }
    hd_promela_fail(p, name.location, "'%s' has no variable '%s'", t->name, name.text);
}

hd_promela_node *hd_promela_remote(hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_location location)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_AT_LABEL, location);
    n->symbol = symbol;
    if (!p->claiming)
        hd_promela_fail(
            p, location, "labels and variables of other processes can be used in ltl formulae and never claims only");
    if (hd_promela_accept(p, '[')) {
        n->left = hd_promela_expression(p);
        hd_promela_expect(p, ']', "']' after the process's number");
    }
    if (hd_promela_accept(p, '@')) {
        n->label = hd_promela_expect(p, HD_TK_NAME, "a label after '@'").text;
        for (const hd_promela_label *l = symbol->proctype->labels; l; l = l->next)
            if (l->name && !strcmp(l->name, n->label))
                return n;
        hd_promela_fail(p, location, "proctype '%s' has no label '%s'", symbol->name, n->label);
    }
    hd_promela_expect(p, ':', "'@' and a label, or ':' and a variable");
    n->op = HD_N_REMOTE;
    n->right = remote_variable(p, symbol->proctype);
    return n;
}

/* np_, enabled(p), pc_value(p) */
hd_promela_node *hd_promela_claim_function(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_take(p);
    if (!p->claiming)
        hd_promela_fail(p, token.location, "'%s' can be used in ltl formulae and never claims only", token.text);
    if (token.kind == HD_TK_np)
        return hd_promela_node_new(p, HD_N_NO_PROGRESS, token.location);
    hd_promela_node *n =
        hd_promela_node_new(p, token.kind == HD_TK_enabled ? HD_N_ENABLED : HD_N_PC_VALUE, token.location);
    hd_promela_expect(p, '(', "'(' and the number of a process");
    n->left = hd_promela_expression(p);
    hd_promela_expect(p, ')', "')' after the number of a process");
    return n;
}

/* --- claims --------------------------------------------------------------------------------------------- */

/* Records a claim; its tokens are parsed at the end. */
void hd_promela_claim_later(hd_promela_parser *p)
{
    hd_promela_token kind = hd_promela_take(p), name = hd_promela_peek(p);
    int same = 0;
    for (size_t i = 0; i < p->model->claims.count; i++)
        same += p->model->claims.items[i].is_ltl == (kind.kind == HD_TK_ltl);
    hd_promela_claim c = { .location = kind.location, .is_ltl = kind.kind == HD_TK_ltl };
    c.name = name.kind == HD_TK_NAME ? hd_promela_take(p).text
                                     : hd_arena_print(&p->model->arena, c.is_ltl ? "ltl_%d" : "never_%d", same);
    for (size_t i = 0; i < p->model->claims.count; i++)
        if (!strcmp(p->model->claims.items[i].name, c.name))
            hd_promela_fail(p, kind.location, "there is already a claim '%s'", c.name);
    c.from = p->at;
    hd_promela_token brace = hd_promela_expect(p, '{', c.is_ltl ? "'{' and a formula" : "'{' and the claim's body");
    hd_promela_skip_braces(p, brace.location);
    c.to = p->at;
    hd_vec_push(&p->model->claims, c);
}

static void parse_formula(hd_promela_parser *p, hd_promela_claim *c)
{
    hd_promela_take(p);
    p->temporal = true;
    c->formula = hd_promela_expression(p);
    p->temporal = false;
    hd_promela_accept(p, ';');
    hd_promela_expect(p, '}', "an operator, or '}' to end the formula");
}

void hd_promela_claims(hd_promela_parser *p)
{
    p->claiming = true;
    for (size_t i = 0; i < p->model->claims.count; i++) {
        hd_promela_claim *c = &p->model->claims.items[i];
        p->at = c->from;
        p->end = c->to;
        if (c->is_ltl)
            parse_formula(p, c);
        else
            c->never = hd_promela_never(p, c->name, c->location);
    }
    p->claiming = false;
}
