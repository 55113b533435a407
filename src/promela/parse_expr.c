/* Expressions with C's precedence (by precedence climbing), and the arguments of sends and receives. */
#include "promela/flow.h"
#include "promela/parse.h"

#include <string.h>

static const struct {
    int kind, level;
} operators[] = { { HD_TK_OR, 2 }, { HD_TK_AND, 3 }, { '|', 5 }, { '^', 6 }, { '&', 7 }, { HD_TK_EQ, 8 },
    { HD_TK_NE, 8 }, { '<', 9 }, { '>', 9 }, { HD_TK_LE, 9 }, { HD_TK_GE, 9 }, { HD_TK_SHL, 10 }, { HD_TK_SHR, 10 },
    { '+', 11 }, { '-', 11 }, { '*', 12 }, { '/', 12 }, { '%', 12 } }; /* 1 and 4: see parse_claim.c */

static int level_of(int kind)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].kind == kind)
            return operators[i].level;
    return 0;
}

hd_pml_symbol *hd_pml_leaf(hd_pml_node *reference)
{
    while (reference->right)
        reference = reference->right;
    return reference->symbol;
}

static hd_pml_symbol *find_field(hd_pml_parser *p, hd_pml_symbol *of, hd_pml_token name)
{
    for (int i = 0; i < of->field_count; i++)
        if (!strcmp(of->fields[i]->name, name.text))
            return of->fields[i];
    hd_pml_fail(p, name.place, "'%s' has no field '%s'", of->name, name.text);
}

static hd_pml_node *reference(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_token name, bool loosely)
{
    hd_pml_enter(p);
    hd_pml_node *n = hd_pml_name_node(p, symbol, name.place);
    if (hd_pml_peek(p).kind == (hd_pml_kind)'[') {
        hd_pml_place place = hd_pml_take(p).place;
        if (!symbol->is_array)
            hd_pml_fail(p, place, "'%s' is not an array, so it cannot have an index", symbol->name);
        n->left = hd_pml_expression(p);
        hd_pml_expect(p, ']', "']' after the index");
    } else if (symbol->is_array && !loosely) {
        hd_pml_fail(p, name.place, "'%s' is an array: expected an index in [ ]", symbol->name);
    }
    if (symbol->type == HD_TYPE_STRUCT && hd_pml_accept(p, '.')) {
        hd_pml_token field = hd_pml_expect(p, HD_TK_NAME, "the name of a field after '.'");
        n->right = reference(p, find_field(p, symbol, field), field, loosely);
    }
    hd_pml_leave(p);
    return n;
}

hd_pml_node *hd_pml_reference(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_token name)
{
    return reference(p, symbol, name, false);
}

static hd_pml_node *variable(hd_pml_parser *p, bool loosely)
{
    hd_pml_token name = hd_pml_expect(p, HD_TK_NAME, "the name of a variable");
    hd_pml_symbol *symbol = hd_pml_find(p, name.text);
    if (!symbol)
        hd_pml_fail(p, name.place, "'%s' is not declared", name.text);
    if (symbol->kind == HD_SYMBOL_CONSTANT) {
        hd_pml_node *n = hd_pml_constant(p, symbol->value, name.place);
        n->symbol = symbol;
        return n;
    }
    int next = (int)hd_pml_peek(p).kind;
    if (symbol->kind == HD_SYMBOL_PROCTYPE && (next == '[' || next == '@' || next == ':'))
        return hd_pml_remote(p, symbol, name.place);
    if (symbol->kind == HD_SYMBOL_PROCTYPE || symbol->kind == HD_SYMBOL_INLINE || symbol->kind == HD_SYMBOL_TYPEDEF)
        hd_pml_fail(p, name.place, "expected a variable, but '%s' is not one", name.text);
    if (symbol->kind == HD_SYMBOL_PID && p->claiming)
        hd_pml_fail(p, name.place, "a claim is no process and has no _pid");
    if (symbol->kind == HD_SYMBOL_LAST)
        p->model->has_last = true;
    return reference(p, symbol, name, loosely);
}

hd_pml_node *hd_pml_variable(hd_pml_parser *p)
{
    return variable(p, false);
}

hd_pml_node *hd_pml_variable_loosely(hd_pml_parser *p)
{
    return variable(p, true);
}

static void check_channel(hd_pml_parser *p, hd_pml_node *n)
{
    if (n->op != HD_N_NAME || hd_pml_leaf(n)->type != HD_TYPE_CHAN)
        hd_pml_fail(p, n->place, "expected a channel here");
}

static hd_pml_node *channel_function(hd_pml_parser *p, hd_pml_op op)
{
    hd_pml_node *n = hd_pml_node_new(p, op, hd_pml_take(p).place);
    hd_pml_expect(p, '(', "'(' and a channel");
    n->left = hd_pml_variable(p);
    check_channel(p, n->left);
    hd_pml_expect(p, ')', "')' after the channel");
    return n;
}

static hd_pml_node *run_expression(hd_pml_parser *p)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_RUN, hd_pml_take(p).place);
    hd_pml_token name = hd_pml_expect(p, HD_TK_NAME, "the name of a proctype after run");
    if (!p->proctype)
        hd_pml_fail(p, n->place, "run is only possible inside a process");
    n->label = name.text; /* the proctype may come later: see resolve_runs */
    hd_pml_expect(p, '(', "'(' and the arguments of run");
    n->list = hd_pml_arguments(p, ')');
    hd_pml_expect(p, ')', "',' or ')' in the arguments of run");
    if (hd_pml_peek(p).kind == HD_TK_priority)
        hd_pml_fail(p, hd_pml_peek(p).place, "process priorities are not supported; remove 'priority'");
    hd_vec_push(&p->runs, n);
    return n;
}

/* ( a ) or ( a -> b : c ) */
static hd_pml_node *parenthesised(hd_pml_parser *p)
{
    hd_pml_place place = hd_pml_take(p).place;
    hd_pml_node *n = hd_pml_expression(p);
    if (hd_pml_accept(p, HD_TK_ARROW)) {
        hd_pml_node *choose = hd_pml_node_new(p, HD_N_CHOOSE, place);
        choose->left = n;
        choose->right = hd_pml_expression(p);
        hd_pml_expect(p, ':', "':' in a conditional expression");
        choose->third = hd_pml_expression(p);
        n = choose;
    }
    hd_pml_expect(p, ')', "an operator or ')'");
    return n;
}

static hd_pml_node *variable_or_poll(hd_pml_parser *p)
{
    hd_pml_node *n = variable(p, false);
    /* Globals that are never read are left out of states. */
    if (n->op == HD_N_NAME && !p->printing)
        n->symbol->read = true;
    int kind = (int)hd_pml_peek(p).kind;
    if ((kind != '?' && kind != HD_TK_RANDOM) || hd_pml_peek_second(p).kind != (hd_pml_kind)'[')
        return n;
    check_channel(p, n);
    hd_pml_node *poll = hd_pml_node_new(p, HD_N_POLL, hd_pml_take(p).place);
    hd_pml_take(p);
    poll->value = kind == HD_TK_RANDOM;
    poll->left = n;
    poll->list = hd_pml_receive_arguments(p);
    hd_pml_expect(p, ']', "',' or ']' in the message polled for");
    return poll;
}

static hd_pml_node *unary(hd_pml_parser *p, int sign, hd_pml_node *operand, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_UNARY, place);
    n->sign = sign;
    n->left = operand;
    return n;
}

static hd_pml_node *primary(hd_pml_parser *p);

static hd_pml_node *prefixed(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_take(p);
    hd_pml_enter(p);
    hd_pml_node *operand = primary(p);
    hd_pml_leave(p);
    /* `!!` is one token, but in an expression it is two negations. */
    if (token.kind == HD_TK_SORTED)
        return unary(p, '!', unary(p, '!', operand, token.place), token.place);
    return unary(p, (int)token.kind, operand, token.place);
}

static hd_pml_node *temporal(hd_pml_parser *p, int sign, int tokens)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_TEMPORAL, hd_pml_peek(p).place);
    n->sign = sign;
    while (tokens-- > 0)
        hd_pml_take(p);
    return n;
}

static hd_pml_node *primary(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_peek(p);
    int tokens, prefix = p->temporal ? hd_pml_temporal_prefix(p, &tokens) : 0;
    if (prefix) {
        hd_pml_node *n = temporal(p, prefix, tokens);
        hd_pml_enter(p);
        n->left = primary(p);
        hd_pml_leave(p);
        return n;
    }
    switch ((int)token.kind) {
    case HD_TK_NUMBER:
        return hd_pml_constant(p, hd_pml_take(p).value, token.place);
    case HD_TK_true:
    case HD_TK_skip:
        hd_pml_take(p);
        return hd_pml_constant(p, 1, token.place);
    case HD_TK_false:
        hd_pml_take(p);
        return hd_pml_constant(p, 0, token.place);
    case HD_TK_timeout:
        hd_pml_take(p);
        p->model->has_timeout = true;
        return hd_pml_node_new(p, HD_N_TIMEOUT, token.place);
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
        return hd_pml_claim_function(p);
    case HD_TK_get_priority:
    case HD_TK_c_expr:
        hd_pml_fail(p, token.place, "'%s' is not supported", token.text);
    default:
        hd_pml_fail(p, token.place, "expected an expression, not '%s'", token.text);
    }
}

static hd_pml_node *binary(hd_pml_parser *p, int level)
{
    hd_pml_enter(p);
    hd_pml_node *left = primary(p);
    for (;;) {
        int here, tokens, sign = p->temporal ? hd_pml_temporal_infix(p, &here, &tokens) : 0;
        hd_pml_op op = sign ? HD_N_TEMPORAL : HD_N_BINARY;
        if (!sign) {
            sign = (int)hd_pml_peek(p).kind;
            here = level_of(sign);
            tokens = 1;
        }
        if (here == 0 || here < level)
            break;
        hd_pml_node *n = temporal(p, sign, tokens);
        n->op = op;
        n->left = left;
        /* Left-associative: the right operand binds more tightly. */
        n->right = binary(p, here + 1);
        left = n;
    }
    hd_pml_leave(p);
    return left;
}

hd_pml_node *hd_pml_expression(hd_pml_parser *p)
{
    return binary(p, 1);
}

/* Constant folding for array lengths, capacities and the like; a variable counts with its initial
 * value, as in SPIN. */
static bool fold(const hd_pml_node *n, int *value)
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

int hd_pml_constant_expression(hd_pml_parser *p)
{
    hd_pml_node *n = hd_pml_expression(p);
    int value;
    if (!fold(n, &value))
        hd_pml_fail(p, n->place, "expected a constant expression");
    return value;
}

/* --- arguments -------------------------------------------------------------------- */

static hd_pml_node *copy_reference(hd_pml_parser *p, const hd_pml_node *n)
{
    hd_pml_node *c = hd_pml_node_new(p, HD_N_NAME, n->place);
    c->symbol = n->symbol;
    c->left = n->left;
    c->right = n->right ? copy_reference(p, n->right) : NULL;
    return c;
}

static hd_pml_node **expand_into(hd_pml_parser *p, hd_pml_node *n, hd_pml_node **tail);

/* `n` with its last part, a struct, followed by field `f` (element `index` of it). */
static hd_pml_node *with_field(hd_pml_parser *p, hd_pml_node *n, hd_pml_symbol *f, int index)
{
    hd_pml_node *c = copy_reference(p, n), *last = c;
    while (last->right)
        last = last->right;
    last->right = hd_pml_name_node(p, f, n->place);
    if (f->is_array)
        last->right->left = hd_pml_constant(p, index, n->place);
    return c;
}

static hd_pml_node **expand_into(hd_pml_parser *p, hd_pml_node *n, hd_pml_node **tail)
{
    hd_pml_symbol *leaf = n->op == HD_N_NAME ? hd_pml_leaf(n) : NULL;
    if (!leaf || leaf->type != HD_TYPE_STRUCT) {
        *tail = n;
        return &n->next;
    }
    for (int f = 0; f < leaf->field_count; f++)
        for (int i = 0; i < leaf->fields[f]->count; i++)
            tail = expand_into(p, with_field(p, n, leaf->fields[f], i), tail);
    return tail;
}

hd_pml_node *hd_pml_expand(hd_pml_parser *p, hd_pml_node *argument)
{
    hd_pml_node *list = NULL;
    expand_into(p, argument, &list);
    return list;
}

hd_pml_node *hd_pml_arguments(hd_pml_parser *p, int closer)
{
    hd_pml_node *list = NULL, **tail = &list;
    if ((int)hd_pml_peek(p).kind == closer)
        return NULL;
    do
        tail = expand_into(p, hd_pml_expression(p), tail);
    while (hd_pml_accept(p, ','));
    return list;
}

hd_pml_node *hd_pml_send_arguments(hd_pml_parser *p)
{
    hd_pml_node *list = NULL, **tail = &list;
    tail = expand_into(p, hd_pml_expression(p), tail);
    /* `ch!type(a, b)` is the same as `ch!type,a,b`. */
    if (hd_pml_accept(p, '(')) {
        *tail = hd_pml_arguments(p, ')');
        hd_pml_expect(p, ')', "',' or ')' in the message");
        return list;
    }
    while (hd_pml_accept(p, ','))
        tail = expand_into(p, hd_pml_expression(p), tail);
    return list;
}

static hd_pml_node *receive_argument(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_peek(p);
    if (hd_pml_accept(p, HD_TK_eval)) {
        hd_pml_node *n = hd_pml_node_new(p, HD_N_EVAL, token.place);
        hd_pml_expect(p, '(', "'(' after eval");
        n->left = hd_pml_expression(p);
        hd_pml_expect(p, ')', "')' after the expression of eval");
        return n;
    }
    if (hd_pml_accept(p, '-'))
        return hd_pml_constant(p, -hd_pml_expect(p, HD_TK_NUMBER, "a number after '-'").value, token.place);
    if (token.kind == HD_TK_NUMBER || token.kind == HD_TK_true || token.kind == HD_TK_false || token.kind == HD_TK_skip)
        return primary(p);
    hd_pml_node *n = hd_pml_variable(p);
    if (n->op == HD_N_NAME)
        n->symbol->read = true;
    return n;
}

hd_pml_node *hd_pml_receive_arguments(hd_pml_parser *p)
{
    hd_pml_node *list = NULL, **tail = &list;
    bool nested = false;
    for (;;) {
        tail = expand_into(p, receive_argument(p), tail);
        if (!nested && hd_pml_peek(p).kind == (hd_pml_kind)'(') {
            hd_pml_take(p);
            nested = true;
        } else if (!hd_pml_accept(p, ',')) {
            break;
        }
    }
    if (nested)
        hd_pml_expect(p, ')', "',' or ')' in the message");
    return list;
}

bool hd_pml_has_run(const hd_pml_node *n)
{
    if (!n)
        return false;
    return n->op == HD_N_RUN || hd_pml_has_run(n->left) || hd_pml_has_run(n->right) || hd_pml_has_run(n->third);
}
