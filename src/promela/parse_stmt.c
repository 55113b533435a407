/* Statements. They are added to the open sequence in SPIN's order, because that order numbers the
 * control states and transitions. */
#include "promela/flow.h"
#include "promela/parse.h"

hd_pml_node *hd_pml_condition(hd_pml_parser *p, hd_pml_node *e)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_EXPRESSION, e->place);
    n->left = e;
    return n;
}

static hd_pml_node *skip(hd_pml_parser *p, hd_pml_place place)
{
    return hd_pml_condition(p, hd_pml_constant(p, 1, place));
}

hd_pml_node *hd_pml_assign(hd_pml_parser *p, hd_pml_node *to, hd_pml_node *value)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_ASSIGN, to->place);
    n->left = to;
    n->right = value;
    return n;
}

hd_pml_node *hd_pml_binary(hd_pml_parser *p, int sign, hd_pml_node *left, hd_pml_node *right)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_BINARY, left->place);
    n->sign = sign;
    n->left = left;
    n->right = right;
    return n;
}

void hd_pml_check_assignable(hd_pml_parser *p, hd_pml_node *n)
{
    if (n->op != HD_N_NAME)
        hd_pml_fail(p, n->place, "a constant cannot be changed");
    if (n->symbol->kind != HD_SYMBOL_VARIABLE)
        hd_pml_fail(p, n->place, "'%s' is set by the system and cannot be changed", n->symbol->name);
    if (hd_pml_leaf(n)->type == HD_TYPE_STRUCT)
        hd_pml_fail(p, n->place, "'%s' has fields: assign to them one by one", n->symbol->name);
    n->symbol->written = true;
}

/* --- sends and receives ------------------------------------------------------------- */

void hd_pml_check_message(hd_pml_parser *p, hd_pml_node *n)
{
    if (n->left->op != HD_N_NAME || hd_pml_leaf(n->left)->type != HD_TYPE_CHAN)
        hd_pml_fail(p, n->left->place, "expected a channel here");
    hd_pml_channel *c = hd_pml_leaf(n->left)->channel;
    int count = 0;
    for (hd_pml_node *a = n->list; a; a = a->next)
        count++;
    if (c && count != c->field_count)
        hd_pml_fail(
            p, n->place, "messages of '%s' have %d values, not %d", hd_pml_leaf(n->left)->name, c->field_count, count);
}

static hd_pml_node *send(hd_pml_parser *p, hd_pml_node *channel)
{
    hd_pml_token token = hd_pml_take(p);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_SEND, token.place);
    n->value = token.kind == HD_TK_SORTED;
    n->left = channel;
    n->list = hd_pml_send_arguments(p);
    hd_pml_check_message(p, n);
    return n;
}

static hd_pml_node *receive(hd_pml_parser *p, hd_pml_node *channel)
{
    hd_pml_token token = hd_pml_take(p);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_RECEIVE, token.place);
    n->value = token.kind == HD_TK_RANDOM;
    n->left = channel;
    bool keep = hd_pml_accept(p, '<');
    n->list = hd_pml_receive_arguments(p);
    if (keep) {
        hd_pml_expect(p, '>', "',' or '>' in the message");
        n->value += 2;
    }
    for (hd_pml_node *a = n->list; a; a = a->next)
        if (a->op == HD_N_NAME && a->symbol->kind != HD_SYMBOL_ANY)
            hd_pml_check_assignable(p, a);
    hd_pml_check_message(p, n);
    return n;
}

/* --- statements that start with a name ----------------------------------------------- */

static hd_pml_node *labelled(hd_pml_parser *p)
{
    hd_pml_token name = hd_pml_take(p);
    hd_pml_take(p);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_LABELLED, name.place);
    n->label = name.text;
    n->scope = p->scope;
    if (hd_pml_at_declaration(p))
        hd_pml_fail(p, name.place, "a label cannot stand before a declaration");
    int kind = (int)hd_pml_peek(p).kind;
    /* A label without a statement marks a skip. */
    bool nothing = kind == '}' || kind == ';' || kind == HD_TK_ARROW || kind == HD_TK_SEP || kind == HD_TK_fi
        || kind == HD_TK_od || kind == HD_TK_END;
    hd_pml_enter(p);
    n->left = nothing ? skip(p, name.place) : hd_pml_statement(p);
    hd_pml_leave(p);
    return n;
}

/* The statement turned out to be an expression: go back to its start. */
static hd_pml_node *expression_again(hd_pml_parser *p, size_t at, size_t end, int depth)
{
    p->at = at;
    p->end = end;
    p->call_depth = depth;
    return hd_pml_condition(p, hd_pml_expression(p));
}

static hd_pml_node *assignment(hd_pml_parser *p, hd_pml_node *to)
{
    hd_pml_check_assignable(p, to);
    hd_pml_token sign = hd_pml_take(p);
    if (sign.kind == HD_TK_INCR || sign.kind == HD_TK_DECR)
        return hd_pml_assign(
            p, to, hd_pml_binary(p, sign.kind == HD_TK_INCR ? '+' : '-', to, hd_pml_constant(p, 1, sign.place)));
    hd_pml_token next = hd_pml_peek(p);
    hd_pml_symbol *called = next.kind == HD_TK_NAME ? hd_pml_find(p, next.text) : NULL;
    if (called && called->kind == HD_SYMBOL_INLINE)
        hd_pml_fail(
            p, next.place, "an inline that returns a value is not supported; let '%s' set a parameter", next.text);
    return hd_pml_assign(p, to, hd_pml_expression(p));
}

static hd_pml_node *starts_with_name(hd_pml_parser *p)
{
    hd_pml_token name = hd_pml_peek(p);
    hd_pml_symbol *symbol = hd_pml_find(p, name.text);
    bool remote = p->claiming && symbol && symbol->kind == HD_SYMBOL_PROCTYPE; /* its variable, not a label */
    if (hd_pml_peek_second(p).kind == (hd_pml_kind)':' && !remote)
        return labelled(p);
    if (symbol && symbol->kind == HD_SYMBOL_INLINE) {
        hd_pml_take(p);
        hd_pml_call_inline(p, symbol);
        return hd_pml_statement(p);
    }
    /* Remembered in case the name turns out to begin an expression. */
    size_t at = p->at, end = p->end;
    int depth = p->call_depth;
    hd_pml_node *n = hd_pml_variable(p);
    switch ((int)hd_pml_peek(p).kind) {
    case '=':
    case HD_TK_INCR:
    case HD_TK_DECR:
        return assignment(p, n);
    case '!':
    case HD_TK_SORTED:
        return send(p, n);
    case '?':
    case HD_TK_RANDOM:
        if (hd_pml_peek_second(p).kind != (hd_pml_kind)'[')
            return receive(p, n);
        /* fall through */
    default:
        return expression_again(p, at, end, depth);
    }
}

/* --- blocks and choices ----------------------------------------------------------------- */

hd_pml_scope *hd_pml_scope_open(hd_pml_parser *p)
{
    hd_pml_scope *outer = p->scope;
    p->scope = hd_arena_alloc(&p->model->arena, sizeof *p->scope);
    p->scope->parent = outer;
    return outer;
}

static hd_pml_node *block(hd_pml_parser *p, hd_pml_op op, hd_pml_place place)
{
    hd_pml_expect(p, '{', "'{'");
    hd_pml_named *names = p->names;
    hd_pml_scope *outer = hd_pml_scope_open(p);
    if (op == HD_S_D_STEP && p->d_step_depth++ == 0)
        p->d_step_count++;
    hd_pml_node *n = hd_pml_node_new(p, op, place);
    hd_pml_sequence_open(p, false);
    hd_pml_steps(p);
    hd_pml_expect(p, '}', "';' before the next statement, or '}' to end the block");
    n->options = hd_pml_sequences_new(p, hd_pml_sequence_close(p, place), NULL);
    /* Nested d_steps belong to the outermost one. */
    p->d_step_depth -= op == HD_S_D_STEP;
    p->scope = outer;
    p->names = names;
    if (op != HD_S_BLOCK)
        hd_pml_make_atomic(n->options->sequence, op == HD_S_D_STEP ? HD_D_STEP : 0);
    return n;
}

static hd_pml_sequences *options(hd_pml_parser *p, hd_pml_place place)
{
    hd_pml_sequences *list = NULL, **tail = &list;
    while (hd_pml_accept(p, HD_TK_SEP)) {
        hd_pml_sequence_open(p, false);
        hd_pml_steps(p);
        *tail = hd_pml_sequences_new(p, hd_pml_sequence_close(p, place), NULL);
        tail = &(*tail)->next;
    }
    if (!list)
        hd_pml_fail(p, hd_pml_peek(p).place, "expected '::' and an option, not '%s'", hd_pml_peek(p).text);
    return list;
}

static hd_pml_node *choice(hd_pml_parser *p, hd_pml_op op, int closer, const char *what)
{
    hd_pml_take(p);
    hd_pml_place place = hd_pml_peek(p).place; /* of the first option, as in SPIN's reports */
    if (op == HD_S_DO)
        hd_pml_break_push(p);
    hd_pml_sequences *list = options(p, place);
    hd_pml_expect(p, closer, what);
    hd_pml_node *n = hd_pml_node_new(p, op, place);
    n->options = list;
    hd_pml_drop_redundant_skips(p, n);
    return n;
}

/* --- the rest --------------------------------------------------------------------------------- */

static hd_pml_node *print(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_take(p);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_PRINT, token.place);
    hd_pml_expect(p, '(', "'(' after printf");
    p->printing = true;
    if (token.kind == HD_TK_printf) {
        n->label = hd_pml_expect(p, HD_TK_STRING, "a format string").text;
        if (hd_pml_accept(p, ','))
            n->list = hd_pml_arguments(p, ')');
    } else {
        n->list = hd_pml_expression(p);
    }
    hd_pml_expect(p, ')', "',' or ')' after a value to print");
    p->printing = false;
    return n;
}

static hd_pml_node *goto_label(hd_pml_parser *p)
{
    hd_pml_take(p);
    hd_pml_token name = hd_pml_expect(p, HD_TK_NAME, "a label after goto");
    hd_pml_node *n = hd_pml_node_new(p, HD_S_GOTO, name.place);
    n->label = name.text;
    n->scope = p->scope;
    return n;
}

static hd_pml_node *assertion(hd_pml_parser *p)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_ASSERT, hd_pml_take(p).place);
    n->left = hd_pml_expression(p);
    if (hd_pml_has_run(n->left))
        hd_pml_fail(p, n->place, "run cannot be used in an assertion");
    return n;
}

static hd_pml_node *basic(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_peek(p);
    switch ((int)token.kind) {
    case HD_TK_if:
        return choice(p, HD_S_IF, HD_TK_fi, "'::' or 'fi'");
    case HD_TK_do:
        return choice(p, HD_S_DO, HD_TK_od, "'::' or 'od'");
    case HD_TK_for:
        return hd_pml_for(p);
    case HD_TK_select:
        return hd_pml_select(p);
    case HD_TK_atomic:
        hd_pml_take(p);
        return block(p, HD_S_ATOMIC, token.place);
    case HD_TK_d_step:
        hd_pml_take(p);
        return block(p, HD_S_D_STEP, token.place);
    case '{':
        return block(p, HD_S_BLOCK, token.place);
    case HD_TK_break:
        hd_pml_take(p);
        return hd_pml_goto_break(p, token.place);
    case HD_TK_goto:
        return goto_label(p);
    case HD_TK_else:
        hd_pml_take(p);
        return hd_pml_node_new(p, HD_S_ELSE, token.place);
    case HD_TK_assert:
        return assertion(p);
    case HD_TK_printf:
    case HD_TK_printm:
        return print(p);
    case HD_TK_NAME:
        return starts_with_name(p);
    case HD_TK_c_code:
    case HD_TK_c_expr:
        hd_pml_fail(p, token.place, "embedded C ('%s') is not supported", token.text);
    case HD_TK_set_priority:
    case HD_TK_return:
        hd_pml_fail(p, token.place, "'%s' is not supported", token.text);
    default:
        return hd_pml_condition(p, hd_pml_expression(p));
    }
}

hd_pml_node *hd_pml_statement(hd_pml_parser *p)
{
    hd_pml_enter(p);
    hd_pml_node *n = basic(p);
    hd_pml_leave(p);
    p->initialising = false;
    return n;
}

static void exclusive(hd_pml_parser *p)
{
    unsigned flag = hd_pml_take(p).kind == HD_TK_xr ? HD_EXCLUSIVE_RECEIVE : HD_EXCLUSIVE_SEND;
    do {
        hd_pml_node *n = hd_pml_variable_loosely(p);
        if (n->op != HD_N_NAME || hd_pml_leaf(n)->type != HD_TYPE_CHAN)
            hd_pml_fail(p, n->place, "expected a channel after xr or xs");
        hd_pml_leaf(n)->exclusive |= flag;
    } while (hd_pml_accept(p, ','));
}

static void step(hd_pml_parser *p)
{
    int kind = (int)hd_pml_peek(p).kind;
    if (hd_pml_at_declaration(p)) {
        if (p->claiming)
            hd_pml_fail(p, hd_pml_peek(p).place, "a claim cannot have variables of its own; declare them outside");
        hd_pml_declaration(p, false);
    } else if (kind == HD_TK_xr || kind == HD_TK_xs) {
        exclusive(p);
    } else {
        hd_pml_node *n = hd_pml_statement(p);
        if (hd_pml_accept(p, HD_TK_unless)) {
            struct hd_pml_breaks *saved = p->breaks;
            /* A break in the escape belongs to the enclosing loop, not to the one that is escaped from. */
            if (n->op == HD_S_DO)
                p->breaks = p->breaks->next;
            hd_pml_node *escape = hd_pml_statement(p);
            p->breaks = saved;
            n = hd_pml_unless(p, n, escape);
        }
        hd_pml_sequence_add(p, n);
    }
}

static bool at_end(hd_pml_parser *p)
{
    int kind = (int)hd_pml_peek(p).kind;
    return kind == '}' || kind == HD_TK_SEP || kind == HD_TK_fi || kind == HD_TK_od || kind == HD_TK_END;
}

/* A separator may be omitted at the end of a line and after a closing bracket or keyword. */
static bool separator_implied(hd_pml_parser *p)
{
    if (p->at == 0)
        return false;
    hd_pml_token last = p->tokens.items[p->at - 1];
    int kind = (int)last.kind;
    return kind == '}' || kind == HD_TK_fi || kind == HD_TK_od || kind == HD_TK_ARROW || kind == ';'
        || hd_pml_peek(p).place.line > last.place.line;
}

void hd_pml_steps(hd_pml_parser *p)
{
    hd_pml_enter(p);
    hd_pml_separator(p);
    while (!at_end(p)) {
        step(p);
        bool implied = separator_implied(p);
        if (!hd_pml_separator(p) && !implied && !at_end(p))
            hd_pml_fail(
                p, hd_pml_peek(p).place, "expected ';' or '->' between statements, not '%s'", hd_pml_peek(p).text);
    }
    hd_pml_leave(p);
}
