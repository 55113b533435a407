/* Expressions with C's precedence (by precedence climbing), and the arguments of sends and receives. */
#include "promela/flow.h"
#include "promela/parser_internal.h"

#include <string.h>

static const struct {
    int kind, level;
} operators[] = { { HD_TK_OR, 2 }, { HD_TK_AND, 3 }, { '|', 5 }, { '^', 6 }, { '&', 7 }, { HD_TK_EQ, 8 },
    { HD_TK_NE, 8 }, { '<', 9 }, { '>', 9 }, { HD_TK_LE, 9 }, { HD_TK_GE, 9 }, { HD_TK_SHL, 10 }, { HD_TK_SHR, 10 },
    { '+', 11 }, { '-', 11 }, { '*', 12 }, { '/', 12 }, { '%', 12 } }; /* 1 and 4: see parse_claim.c */

/* 0: not an operator, so the expression ends. */
static int level_of(int kind)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].kind == kind)
            return operators[i].level;
    return 0;
}

hd_promela_symbol *hd_promela_leaf(hd_promela_node *reference)
{
    while (reference->right)
        reference = reference->right;
    return reference->symbol;
}

static hd_promela_symbol *find_field(hd_promela_parser *p, hd_promela_symbol *of, hd_promela_token name)
{
    for (int i = 0; i < of->field_count; i++)
        if (!strcmp(of->fields[i]->name, name.text))
            return of->fields[i];
    hd_promela_fail(p, name.location, "'%s' has no field '%s'", of->name, name.text);
}

static hd_promela_node *reference(hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_token name, bool loosely)
{
    hd_promela_enter(p);
    hd_promela_node *n = hd_promela_name_node(p, symbol, name.location);
    if (hd_promela_peek(p).kind == (hd_promela_kind)'[') {
        hd_promela_location location = hd_promela_take(p).location;
        if (!symbol->is_array)
            hd_promela_fail(p, location, "'%s' is not an array, so it cannot have an index", symbol->name);
        n->left = hd_promela_expression(p);
        hd_promela_expect(p, ']', "']' after the index");
    } else if (symbol->is_array && !loosely) {
        hd_promela_fail(p, name.location, "'%s' is an array: expected an index in [ ]", symbol->name);
    }
    if (symbol->type == HD_TYPE_STRUCT && hd_promela_accept(p, '.')) {
        hd_promela_token field = hd_promela_expect(p, HD_TK_NAME, "the name of a field after '.'");
        n->right = reference(p, find_field(p, symbol, field), field, loosely);
    }
    hd_promela_leave(p);
    return n;
}

hd_promela_node *hd_promela_reference(hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_token name)
{
    return reference(p, symbol, name, false);
}

static hd_promela_node *variable(hd_promela_parser *p, bool loosely)
{
    hd_promela_token name = hd_promela_expect(p, HD_TK_NAME, "the name of a variable");
    hd_promela_symbol *symbol = hd_promela_find(p, name.text);
    if (!symbol)
        hd_promela_fail(p, name.location, "'%s' is not declared", name.text);
    if (symbol->kind == HD_SYMBOL_CONSTANT) {
        hd_promela_node *n = hd_promela_constant(p, symbol->value, name.location);
        n->symbol = symbol;
        return n;
    }
    /* P@label, P[1]@label and P[1]:variable, in claims. */
    int next = (int)hd_promela_peek(p).kind;
    if (symbol->kind == HD_SYMBOL_PROCTYPE && (next == '[' || next == '@' || next == ':'))
        return hd_promela_remote(p, symbol, name.location);
    if (symbol->kind == HD_SYMBOL_PROCTYPE || symbol->kind == HD_SYMBOL_INLINE || symbol->kind == HD_SYMBOL_TYPEDEF)
        hd_promela_fail(p, name.location, "expected a variable, but '%s' is not one", name.text);
    if (symbol->kind == HD_SYMBOL_PID && p->claiming)
        hd_promela_fail(p, name.location, "a claim is no process and has no _pid");
    if (symbol->kind == HD_SYMBOL_LAST)
        p->model->has_last = true;
    return reference(p, symbol, name, loosely);
}

hd_promela_node *hd_promela_variable(hd_promela_parser *p)
{
    return variable(p, false);
}

hd_promela_node *hd_promela_variable_loosely(hd_promela_parser *p)
{
    return variable(p, true);
}

static void check_channel(hd_promela_parser *p, hd_promela_node *n)
{
    if (n->op != HD_N_NAME || hd_promela_leaf(n)->type != HD_TYPE_CHAN)
        hd_promela_fail(p, n->location, "expected a channel here");
}

static hd_promela_node *channel_function(hd_promela_parser *p, hd_promela_op op)
{
    hd_promela_node *n = hd_promela_node_new(p, op, hd_promela_take(p).location);
    hd_promela_expect(p, '(', "'(' and a channel");
    n->left = hd_promela_variable(p);
    check_channel(p, n->left);
    hd_promela_expect(p, ')', "')' after the channel");
    return n;
}

static hd_promela_node *run_expression(hd_promela_parser *p)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_RUN, hd_promela_take(p).location);
    hd_promela_token name = hd_promela_expect(p, HD_TK_NAME, "the name of a proctype after run");
    if (!p->proctype)
        hd_promela_fail(p, n->location, "run is only possible inside a process");
    n->label = name.text; /* the proctype may come later: see resolve_runs */
    hd_promela_expect(p, '(', "'(' and the arguments of run");
    n->list = hd_promela_arguments(p, ')');
    hd_promela_expect(p, ')', "',' or ')' in the arguments of run");
    if (hd_promela_peek(p).kind == HD_TK_priority)
        hd_promela_fail(p, hd_promela_peek(p).location, "process priorities are not supported; remove 'priority'");
    hd_vec_push(&p->runs, n);
    return n;
}

/* ( a ) or ( a -> b : c ) */
static hd_promela_node *parenthesised(hd_promela_parser *p)
{
    hd_promela_location location = hd_promela_take(p).location;
    hd_promela_node *n = hd_promela_expression(p);
    if (hd_promela_accept(p, HD_TK_ARROW)) {
        hd_promela_node *choose = hd_promela_node_new(p, HD_N_CHOOSE, location);
        choose->left = n;
        choose->right = hd_promela_expression(p);
        hd_promela_expect(p, ':', "':' in a conditional expression");
        choose->third = hd_promela_expression(p);
        n = choose;
    }
    hd_promela_expect(p, ')', "an operator or ')'");
    return n;
}

static hd_promela_node *variable_or_poll(hd_promela_parser *p)
{
    hd_promela_node *n = variable(p, false);
    /* Globals that are never read are left out of states. */
    if (n->op == HD_N_NAME && !p->printing)
        n->symbol->read = true;
    int kind = (int)hd_promela_peek(p).kind;
    if ((kind != '?' && kind != HD_TK_RANDOM) || hd_promela_peek_second(p).kind != (hd_promela_kind)'[')
        return n;
    check_channel(p, n);
    hd_promela_node *poll = hd_promela_node_new(p, HD_N_POLL, hd_promela_take(p).location);
    hd_promela_take(p);
    poll->value = kind == HD_TK_RANDOM;
    poll->left = n;
    poll->list = hd_promela_receive_arguments(p);
    hd_promela_expect(p, ']', "',' or ']' in the message polled for");
    return poll;
}

static hd_promela_node *unary(hd_promela_parser *p, int sign, hd_promela_node *operand, hd_promela_location location)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_UNARY, location);
    n->sign = sign;
    n->left = operand;
    return n;
}

static hd_promela_node *primary(hd_promela_parser *p);

static hd_promela_node *prefixed(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_take(p);
    hd_promela_enter(p);
    hd_promela_node *operand = primary(p);
    hd_promela_leave(p);
    /* `!!` is one token, but in an expression it is two negations. */
    if (token.kind == HD_TK_SORTED)
        return unary(p, '!', unary(p, '!', operand, token.location), token.location);
    return unary(p, (int)token.kind, operand, token.location);
}

static hd_promela_node *temporal(hd_promela_parser *p, int sign, int tokens)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_TEMPORAL, hd_promela_peek(p).location);
    n->sign = sign;
    while (tokens-- > 0)
        hd_promela_take(p);
    return n;
}

static hd_promela_node *primary(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_peek(p);
    int tokens, prefix = p->temporal ? hd_promela_temporal_prefix(p, &tokens) : 0;
    if (prefix) {
        hd_promela_node *n = temporal(p, prefix, tokens);
        hd_promela_enter(p);
        n->left = primary(p);
        hd_promela_leave(p);
        return n;
    }
    switch ((int)token.kind) {
    case HD_TK_NUMBER:
        return hd_promela_constant(p, hd_promela_take(p).value, token.location);
    case HD_TK_true:
    case HD_TK_skip:
        hd_promela_take(p);
        return hd_promela_constant(p, 1, token.location);
    case HD_TK_false:
        hd_promela_take(p);
        return hd_promela_constant(p, 0, token.location);
    case HD_TK_timeout:
        hd_promela_take(p);
        p->model->has_timeout = true;
        return hd_promela_node_new(p, HD_N_TIMEOUT, token.location);
    case '(':
        return parenthesised(p);
    case '!':
    case '~':
    case '-':
    case HD_TK_SORTED:
        return prefixed(p);
    case HD_TK_run:
        return run_expression(p);
    case HD_TK_len:
        return channel_function(p, HD_N_LEN);
    case HD_TK_empty:
        return channel_function(p, HD_N_EMPTY);
    case HD_TK_nempty:
        return channel_function(p, HD_N_NEMPTY);
    case HD_TK_full:
        return channel_function(p, HD_N_FULL);
    case HD_TK_nfull:
        return channel_function(p, HD_N_NFULL);
    case HD_TK_NAME:
        return variable_or_poll(p);
    case HD_TK_enabled:
    case HD_TK_pc_value:
    case HD_TK_np:
        return hd_promela_claim_function(p);
    case HD_TK_get_priority:
    case HD_TK_c_expr:
        hd_promela_fail(p, token.location, "'%s' is not supported", token.text);
    default:
        hd_promela_fail(p, token.location, "expected an expression, not '%s'", token.text);
    }
}

static hd_promela_node *binary(hd_promela_parser *p, int level)
{
    hd_promela_enter(p);
    hd_promela_node *left = primary(p);
    for (;;) {
        int here, tokens, sign = p->temporal ? hd_promela_temporal_infix(p, &here, &tokens) : 0;
        hd_promela_op op = sign ? HD_N_TEMPORAL : HD_N_BINARY;
        if (!sign) {
            sign = (int)hd_promela_peek(p).kind;
            here = level_of(sign);
            tokens = 1;
        }
        if (here == 0 || here < level)
            break;
        hd_promela_node *n = temporal(p, sign, tokens);
        n->op = op;
        n->left = left;
        /* Left-associative: the right operand binds more tightly. */
        n->right = binary(p, here + 1);
        left = n;
    }
    hd_promela_leave(p);
    return left;
}

hd_promela_node *hd_promela_expression(hd_promela_parser *p)
{
    return binary(p, 1);
}

/* Constant folding for array lengths, capacities and the like; a variable counts with its initial
 * value, as in SPIN. */
static bool fold(const hd_promela_node *n, int *value)
{
    int a, b = 0;
    if (n->op == HD_N_CONST) {
        *value = n->value;
        return true;
    }
    if (n->op == HD_N_NAME && n->symbol->initial && n->symbol->initial->op == HD_N_CONST && !n->right) {
        *value = n->symbol->initial->value;
        return true;
    }
    if ((n->op != HD_N_BINARY && n->op != HD_N_UNARY) || !fold(n->left, &a)
        || (n->op == HD_N_BINARY && !fold(n->right, &b)))
        return false;
    if (n->op == HD_N_UNARY) {
        *value = n->sign == '-' ? (int)(0u - (unsigned)a) : n->sign == '!' ? !a : ~a;
        return true;
    }
    /* Division by 0, and INT_MIN / -1, are not folded. */
    if ((n->sign == '/' || n->sign == '%') && (b == 0 || b == -1))
        return false;
    switch (n->sign) {
    case '+':
        *value = (int)((unsigned)a + (unsigned)b);
        return true;
    case '-':
        *value = (int)((unsigned)a - (unsigned)b);
        return true;
    case '*':
        *value = (int)((unsigned)a * (unsigned)b);
        return true;
    case '/':
        *value = a / b;
        return true;
    case '%':
        *value = a % b;
        return true;
    default:
        return false;
    }
}

int hd_promela_constant_expression(hd_promela_parser *p)
{
    hd_promela_node *n = hd_promela_expression(p);
    int value;
    if (!fold(n, &value))
        hd_promela_fail(p, n->location, "expected a constant expression");
    return value;
}

/* --- arguments -------------------------------------------------------------------- */

static hd_promela_node *copy_reference(hd_promela_parser *p, const hd_promela_node *n)
{
    hd_promela_node *c = hd_promela_node_new(p, HD_N_NAME, n->location);
    c->symbol = n->symbol;
    c->left = n->left;
    c->right = n->right ? copy_reference(p, n->right) : NULL;
    return c;
}

static hd_promela_node **expand_into(hd_promela_parser *p, hd_promela_node *n, hd_promela_node **tail);

/* `n` with its last part, a struct, followed by field `f` (element `index` of it). */
static hd_promela_node *with_field(hd_promela_parser *p, hd_promela_node *n, hd_promela_symbol *f, int index)
{
    hd_promela_node *c = copy_reference(p, n), *last = c;
    while (last->right)
        last = last->right;
    last->right = hd_promela_name_node(p, f, n->location);
    if (f->is_array)
        last->right->left = hd_promela_constant(p, index, n->location);
    return c;
}

static hd_promela_node **expand_into(hd_promela_parser *p, hd_promela_node *n, hd_promela_node **tail)
{
    hd_promela_symbol *leaf = n->op == HD_N_NAME ? hd_promela_leaf(n) : NULL;
    if (!leaf || leaf->type != HD_TYPE_STRUCT) {
        *tail = n;
        return &n->next;
    }
    for (int f = 0; f < leaf->field_count; f++)
        for (int i = 0; i < leaf->fields[f]->count; i++)
            tail = expand_into(p, with_field(p, n, leaf->fields[f], i), tail);
    return tail;
}

hd_promela_node *hd_promela_expand(hd_promela_parser *p, hd_promela_node *argument)
{
    hd_promela_node *list = NULL;
    expand_into(p, argument, &list);
    return list;
}

hd_promela_node *hd_promela_arguments(hd_promela_parser *p, int closer)
{
    hd_promela_node *list = NULL, **tail = &list;
    if ((int)hd_promela_peek(p).kind == closer)
        return NULL;
    do
        tail = expand_into(p, hd_promela_expression(p), tail);
    while (hd_promela_accept(p, ','));
    return list;
}

hd_promela_node *hd_promela_send_arguments(hd_promela_parser *p)
{
    hd_promela_node *list = NULL, **tail = &list;
    tail = expand_into(p, hd_promela_expression(p), tail);
    /* `ch!type(a, b)` is the same as `ch!type,a,b`. */
    if (hd_promela_accept(p, '(')) {
        *tail = hd_promela_arguments(p, ')');
        hd_promela_expect(p, ')', "',' or ')' in the message");
        return list;
    }
    while (hd_promela_accept(p, ','))
        tail = expand_into(p, hd_promela_expression(p), tail);
    return list;
}

static hd_promela_node *receive_argument(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_peek(p);
    if (hd_promela_accept(p, HD_TK_eval)) {
        hd_promela_node *n = hd_promela_node_new(p, HD_N_EVAL, token.location);
        hd_promela_expect(p, '(', "'(' after eval");
        n->left = hd_promela_expression(p);
        hd_promela_expect(p, ')', "')' after the expression of eval");
        return n;
    }
    if (hd_promela_accept(p, '-'))
        return hd_promela_constant(p, -hd_promela_expect(p, HD_TK_NUMBER, "a number after '-'").value, token.location);
    if (token.kind == HD_TK_NUMBER || token.kind == HD_TK_true || token.kind == HD_TK_false || token.kind == HD_TK_skip)
        return primary(p);
    hd_promela_node *n = hd_promela_variable(p);
    if (n->op == HD_N_NAME)
        n->symbol->read = true;
    return n;
}

hd_promela_node *hd_promela_receive_arguments(hd_promela_parser *p)
{
    hd_promela_node *list = NULL, **tail = &list;
    bool nested = false;
    for (;;) {
        tail = expand_into(p, receive_argument(p), tail);
        if (!nested && hd_promela_peek(p).kind == (hd_promela_kind)'(') {
            hd_promela_take(p);
            nested = true;
        } else if (!hd_promela_accept(p, ',')) {
            break;
        }
    }
    if (nested)
        hd_promela_expect(p, ')', "',' or ')' in the message");
    return list;
}

bool hd_promela_has_run(const hd_promela_node *n)
{
    if (!n)
        return false;
    return n->op == HD_N_RUN || hd_promela_has_run(n->left) || hd_promela_has_run(n->right)
        || hd_promela_has_run(n->third);
}
