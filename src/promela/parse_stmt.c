/* Statements. They are added to the open sequence in SPIN's order, because that order numbers the
 * control states and transitions. */
#include "promela/flow.h"
#include "promela/parser_internal.h"

#include <string.h>

static hd_promela_node *condition(hd_promela_parser *p, hd_promela_node *e)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_EXPRESSION, e->location);
    n->left = e;
    return n;
}

static hd_promela_node *skip(hd_promela_parser *p, hd_promela_location location)
{
    return condition(p, hd_promela_constant(p, 1, location));
}

static hd_promela_node *assign(hd_promela_parser *p, hd_promela_node *to, hd_promela_node *value)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_ASSIGN, to->location);
    n->left = to;
    n->right = value;
    return n;
}

static hd_promela_node *binary(hd_promela_parser *p, int sign, hd_promela_node *left, hd_promela_node *right)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_N_BINARY, left->location);
    n->sign = sign;
    n->left = left;
    n->right = right;
    return n;
}

static void check_assignable(hd_promela_parser *p, hd_promela_node *n)
{
    if (n->op != HD_N_NAME)
        hd_promela_fail(p, n->location, "a constant cannot be changed");
    if (n->symbol->kind != HD_SYMBOL_VARIABLE)
        hd_promela_fail(p, n->location, "'%s' is set by the system and cannot be changed", n->symbol->name);
    if (hd_promela_leaf(n)->type == HD_TYPE_STRUCT)
        hd_promela_fail(p, n->location, "'%s' has fields: assign to them one by one", n->symbol->name);
    n->symbol->written = true;
}

/* --- sends and receives ------------------------------------------------------------- */

static void check_message(hd_promela_parser *p, hd_promela_node *n)
{
    if (n->left->op != HD_N_NAME || hd_promela_leaf(n->left)->type != HD_TYPE_CHAN)
        hd_promela_fail(p, n->left->location, "expected a channel here");
    hd_promela_channel *c = hd_promela_leaf(n->left)->channel;
    int count = 0;
    for (hd_promela_node *a = n->list; a; a = a->next)
        count++;
    if (c && count != c->field_count)
        hd_promela_fail(p, n->location, "messages of '%s' have %d values, not %d", hd_promela_leaf(n->left)->name,
            c->field_count, count);
}

static hd_promela_node *send(hd_promela_parser *p, hd_promela_node *channel)
{
    hd_promela_token token = hd_promela_take(p);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_SEND, token.location);
    n->value = token.kind == HD_TK_SORTED;
    n->left = channel;
    n->list = hd_promela_send_arguments(p);
    check_message(p, n);
    return n;
}

static hd_promela_node *receive(hd_promela_parser *p, hd_promela_node *channel)
{
    hd_promela_token token = hd_promela_take(p);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_RECEIVE, token.location);
    n->value = token.kind == HD_TK_RANDOM;
    n->left = channel;
    bool keep = hd_promela_accept(p, '<');
    n->list = hd_promela_receive_arguments(p);
    if (keep) {
        hd_promela_expect(p, '>', "',' or '>' in the message");
        n->value += 2;
    }
    for (hd_promela_node *a = n->list; a; a = a->next)
        if (a->op == HD_N_NAME && a->symbol->kind != HD_SYMBOL_ANY)
            check_assignable(p, a);
    check_message(p, n);
    return n;
}

static hd_promela_node *statement(hd_promela_parser *p);

/* --- statements that start with a name ----------------------------------------------- */

static hd_promela_node *labelled(hd_promela_parser *p)
{
    hd_promela_token name = hd_promela_take(p);
    hd_promela_take(p);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_LABELLED, name.location);
    n->label = name.text;
    n->scope = p->scope;
    if (hd_promela_at_declaration(p))
        hd_promela_fail(p, name.location, "a label cannot stand before a declaration");
    int kind = (int)hd_promela_peek(p).kind;
    /* A label without a statement marks a skip. */
    bool nothing = kind == '}' || kind == ';' || kind == HD_TK_ARROW || kind == HD_TK_SEP || kind == HD_TK_fi
        || kind == HD_TK_od || kind == HD_TK_END;
    hd_promela_enter(p);
    n->left = nothing ? skip(p, name.location) : statement(p);
    hd_promela_leave(p);
    return n;
}

/* The statement turned out to be an expression: go back to its start. */
static hd_promela_node *expression_again(hd_promela_parser *p, size_t at, size_t end, int depth)
{
    p->at = at;
    p->end = end;
    p->call_depth = depth;
    return condition(p, hd_promela_expression(p));
}

static hd_promela_node *assignment(hd_promela_parser *p, hd_promela_node *to)
{
    check_assignable(p, to);
    hd_promela_token sign = hd_promela_take(p);
    if (sign.kind == HD_TK_INCR || sign.kind == HD_TK_DECR)
        return assign(
            p, to, binary(p, sign.kind == HD_TK_INCR ? '+' : '-', to, hd_promela_constant(p, 1, sign.location)));
    hd_promela_token next = hd_promela_peek(p);
    hd_promela_symbol *called = next.kind == HD_TK_NAME ? hd_promela_find(p, next.text) : NULL;
    if (called && called->kind == HD_SYMBOL_INLINE)
        hd_promela_fail(
            p, next.location, "an inline that returns a value is not supported; let '%s' set a parameter", next.text);
    return assign(p, to, hd_promela_expression(p));
}

static hd_promela_node *starts_with_name(hd_promela_parser *p)
{
    hd_promela_token name = hd_promela_peek(p);
    hd_promela_symbol *symbol = hd_promela_find(p, name.text);
    bool remote = p->claiming && symbol && symbol->kind == HD_SYMBOL_PROCTYPE; /* its variable, not a label */
    if (hd_promela_peek_second(p).kind == (hd_promela_kind)':' && !remote)
        return labelled(p);
    if (symbol && symbol->kind == HD_SYMBOL_INLINE) {
        hd_promela_take(p);
        hd_promela_call_inline(p, symbol);
        return statement(p);
    }
    /* Remembered in case the name turns out to begin an expression. */
    size_t at = p->at, end = p->end;
    int depth = p->call_depth;
    hd_promela_node *n = hd_promela_variable(p);
    switch ((int)hd_promela_peek(p).kind) {
    case '=':
    case HD_TK_INCR:
    case HD_TK_DECR:
        return assignment(p, n);
    case '!':
    case HD_TK_SORTED:
        return send(p, n);
    case '?':
    case HD_TK_RANDOM:
        if (hd_promela_peek_second(p).kind != (hd_promela_kind)'[')
            return receive(p, n);
        /* fall through */
    default:
        return expression_again(p, at, end, depth);
    }
}

/* --- blocks and choices ----------------------------------------------------------------- */

static hd_promela_scope *open_scope(hd_promela_parser *p)
{
    hd_promela_scope *outer = p->scope;
    p->scope = hd_arena_alloc(&p->model->arena, sizeof *p->scope);
    p->scope->parent = outer;
    return outer;
}

static hd_promela_node *block(hd_promela_parser *p, hd_promela_op op, hd_promela_location location)
{
    hd_promela_expect(p, '{', "'{'");
    hd_promela_named *names = p->names;
    hd_promela_scope *outer = open_scope(p);
    if (op == HD_S_D_STEP && p->d_step_depth++ == 0)
        p->d_step_count++;
    hd_promela_node *n = hd_promela_node_new(p, op, location);
    hd_promela_sequence_open(p, false);
    hd_promela_steps(p);
    hd_promela_expect(p, '}', "';' before the next statement, or '}' to end the block");
    n->options = hd_promela_sequences_new(p, hd_promela_sequence_close(p, location), NULL);
    /* Nested d_steps belong to the outermost one. */
    p->d_step_depth -= op == HD_S_D_STEP;
    p->scope = outer;
    p->names = names;
    if (op != HD_S_BLOCK)
        hd_promela_make_atomic(n->options->sequence, op == HD_S_D_STEP ? HD_D_STEP : 0);
    return n;
}

static hd_promela_sequences *options(hd_promela_parser *p, hd_promela_location location)
{
    hd_promela_sequences *list = NULL, **tail = &list;
    while (hd_promela_accept(p, HD_TK_SEP)) {
        hd_promela_sequence_open(p, false);
        hd_promela_steps(p);
        *tail = hd_promela_sequences_new(p, hd_promela_sequence_close(p, location), NULL);
        tail = &(*tail)->next;
    }
    if (!list)
        hd_promela_fail(
            p, hd_promela_peek(p).location, "expected '::' and an option, not '%s'", hd_promela_peek(p).text);
    return list;
}

static hd_promela_node *choice(hd_promela_parser *p, hd_promela_op op, int closer, const char *what)
{
    hd_promela_take(p);
    hd_promela_location location = hd_promela_peek(p).location; /* of the first option, as in SPIN's reports */
    if (op == HD_S_DO)
        hd_promela_break_push(p);
    hd_promela_sequences *list = options(p, location);
    hd_promela_expect(p, closer, what);
    hd_promela_node *n = hd_promela_node_new(p, op, location);
    n->options = list;
    hd_promela_drop_redundant_skips(p, n);
    return n;
}

/* --- for and select, expanded to the loops and choices that SPIN makes of them --------------------------- */

static hd_promela_node *goto_break(hd_promela_parser *p, hd_promela_location location)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_GOTO, location);
    n->break_target = hd_promela_break_target(p, location);
    return n;
}

/* The loop of a `for` or `select`, whose body is in the open sequence. */
static hd_promela_node *close_loop(hd_promela_parser *p, hd_promela_node *index, bool with_else)
{
    hd_promela_sequence_add(p, assign(p, index, binary(p, '+', index, hd_promela_constant(p, 1, index->location))));
    hd_promela_sequence *body = hd_promela_sequence_close(p, index->location);
    hd_promela_sequence_open(p, false);
    if (with_else)
        hd_promela_sequence_add(p, hd_promela_node_new(p, HD_S_ELSE, index->location));
    hd_promela_sequence_add(p, goto_break(p, index->location));
    hd_promela_sequence *out = hd_promela_sequence_close(p, index->location);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_DO, index->location);
    n->options = hd_promela_sequences_new(p, out, hd_promela_sequences_new(p, body, NULL));
    return n;
}

static void check_index(hd_promela_parser *p, hd_promela_node *index)
{
    check_assignable(p, index);
    index->symbol->read = true;
    hd_promela_type type = hd_promela_leaf(index)->type;
    if (type == HD_TYPE_CHAN || index->symbol->is_array)
        hd_promela_fail(p, index->location, "'%s' cannot count a loop: expected a number", index->symbol->name);
}

static void loop_range(
    hd_promela_parser *p, hd_promela_node *index, hd_promela_node *from, hd_promela_node *to, int sign)
{
    hd_promela_sequence_add(p, assign(p, index, from));
    hd_promela_sequence_open(p, false);
    hd_promela_sequence_add(p, condition(p, binary(p, sign, index, to)));
}

/* for (message in channel): each message is received and sent again, which leaves the channel as it was. */
static hd_promela_node *loop_channel(hd_promela_parser *p, hd_promela_node *index, hd_promela_node *in)
{
    hd_promela_symbol *chan = hd_promela_leaf(in);
    if (chan->type != HD_TYPE_CHAN || !chan->channel)
        hd_promela_fail(p, in->location, "expected a channel whose messages are like '%s'", index->symbol->name);
    /* A hidden counter; the token position makes its name unique. */
    hd_promela_token name = { .text = hd_arena_print(&p->model->arena, "_for_%zu", p->at), .location = in->location };
    hd_promela_symbol *counter = hd_promela_declare(p, HD_SYMBOL_VARIABLE, name);
    counter->type = HD_TYPE_BYTE;
    counter->element_size = 1;
    counter->offset = p->proctype->frame_size++;
    hd_vec_push(&p->proctype->variables, counter);
    hd_promela_node *count = hd_promela_name_node(p, counter, in->location);
    hd_promela_node *length = hd_promela_node_new(p, HD_N_LEN, in->location);
    length->left = in;
    loop_range(p, count, hd_promela_constant(p, 0, in->location), length, '<');
    for (int i = 0; i < 2; i++) {
        hd_promela_node *n = hd_promela_node_new(p, i == 0 ? HD_S_RECEIVE : HD_S_SEND, in->location);
        n->left = in;
        n->list = hd_promela_expand(p, index);
        check_message(p, n);
        hd_promela_sequence_add(p, n);
    }
    return count;
}

static hd_promela_node *loop_in(hd_promela_parser *p, hd_promela_node *index)
{
    hd_promela_node *in = hd_promela_variable_loosely(p);
    if (in->op != HD_N_NAME)
        hd_promela_fail(p, in->location, "expected an array or a channel after 'in'");
    if (hd_promela_leaf(index)->type == HD_TYPE_STRUCT)
        return loop_channel(p, index, in);
    check_index(p, index);
    if (!hd_promela_leaf(in)->is_array)
        hd_promela_fail(p, in->location, "expected an array or a channel after 'in'");
    loop_range(p, index, hd_promela_constant(p, 0, in->location),
        hd_promela_constant(p, hd_promela_leaf(in)->count - 1, in->location), HD_TK_LE);
    return index;
}

static hd_promela_node *for_loop(hd_promela_parser *p)
{
    hd_promela_take(p);
    hd_promela_expect(p, '(', "'(' after for");
    hd_promela_node *index = hd_promela_variable(p);
    hd_promela_break_push(p);
    if (hd_promela_peek(p).kind == HD_TK_NAME && !strcmp(hd_promela_peek(p).text, "in")) {
        hd_promela_take(p);
        index = loop_in(p, index);
    } else {
        check_index(p, index);
        hd_promela_expect(p, ':', "':' or 'in' after the variable of for");
        hd_promela_node *from = hd_promela_expression(p);
        hd_promela_expect(p, HD_TK_DOTS, "'..' between the bounds of for");
        loop_range(p, index, from, hd_promela_expression(p), HD_TK_LE);
    }
    hd_promela_expect(p, ')', "')' after the range of for");
    hd_promela_separator(p);
    hd_promela_expect(p, '{', "'{' to open the body of for");
    hd_promela_named *names = p->names;
    hd_promela_scope *outer = open_scope(p);
    hd_promela_steps(p);
    p->scope = outer;
    p->names = names;
    hd_promela_expect(p, '}', "';' before the next statement, or '}' to end the body of for");
    return close_loop(p, index, true);
}

/* select over a few literal values outside an inline is one choice among assignments, because
 * SPIN's lexer rewrites it so. */
static bool select_is_choice(
    const hd_promela_parser *p, const hd_promela_node *index, const hd_promela_node *from, const hd_promela_node *to)
{
    return p->call_depth == 0 && !index->left && !index->right && !strchr(index->symbol->name, '_')
        && from->op == HD_N_CONST && to->op == HD_N_CONST && !from->symbol && !to->symbol && from->value >= 0
        && from->value <= to->value;
}

static hd_promela_sequence *sequence_of(hd_promela_parser *p, hd_promela_node *first, hd_promela_node *second)
{
    hd_promela_sequence_open(p, false);
    hd_promela_sequence_add(p, first);
    if (second)
        hd_promela_sequence_add(p, second);
    return hd_promela_sequence_close(p, first->location);
}

static hd_promela_node *select_choice(hd_promela_parser *p, hd_promela_node *index, int from, int to)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_IF, index->location);
    hd_promela_sequences **tail = &n->options;
    for (int value = from; value <= to; value++) {
        hd_promela_node *set = assign(p, index, hd_promela_constant(p, value, index->location));
        *tail = hd_promela_sequences_new(p, sequence_of(p, set, NULL), NULL);
        tail = &(*tail)->next;
    }
    return n;
}

static hd_promela_node *select_loop(
    hd_promela_parser *p, hd_promela_node *index, hd_promela_node *from, hd_promela_node *to)
{
    hd_promela_sequence_add(p, assign(p, index, from));
    hd_promela_break_push(p);
    hd_promela_node *more = condition(p, binary(p, '<', index, to));
    hd_promela_node *next = assign(p, index, binary(p, '+', index, hd_promela_constant(p, 1, index->location)));
    hd_promela_sequence *on = sequence_of(p, more, next), *out = sequence_of(p, goto_break(p, index->location), NULL);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_DO, index->location);
    n->options = hd_promela_sequences_new(p, on, hd_promela_sequences_new(p, out, NULL));
    return n;
}

static hd_promela_node *select_value(hd_promela_parser *p)
{
    hd_promela_take(p);
    hd_promela_expect(p, '(', "'(' after select");
    hd_promela_node *index = hd_promela_variable(p);
    check_index(p, index);
    hd_promela_expect(p, ':', "':' after the variable of select");
    hd_promela_node *from = hd_promela_expression(p);
    hd_promela_expect(p, HD_TK_DOTS, "'..' between the bounds of select");
    hd_promela_node *to = hd_promela_expression(p);
    hd_promela_expect(p, ')', "')' after the range of select");
    if (select_is_choice(p, index, from, to))
        return to->value - from->value <= 32 ? select_choice(p, index, from->value, to->value)
                                             : select_loop(p, index, from, to);
    loop_range(p, index, from, to, '<');
    hd_promela_break_push(p);
    return close_loop(p, index, false);
}

/* --- the rest --------------------------------------------------------------------------------- */

static hd_promela_node *print(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_take(p);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_PRINT, token.location);
    hd_promela_expect(p, '(', "'(' after printf");
    p->printing = true;
    if (token.kind == HD_TK_printf) {
        n->label = hd_promela_expect(p, HD_TK_STRING, "a format string").text;
        if (hd_promela_accept(p, ','))
            n->list = hd_promela_arguments(p, ')');
    } else {
        n->list = hd_promela_expression(p);
    }
    hd_promela_expect(p, ')', "',' or ')' after a value to print");
    p->printing = false;
    return n;
}

static hd_promela_node *goto_label(hd_promela_parser *p)
{
    hd_promela_take(p);
    hd_promela_token name = hd_promela_expect(p, HD_TK_NAME, "a label after goto");
    hd_promela_node *n = hd_promela_node_new(p, HD_S_GOTO, name.location);
    n->label = name.text;
    n->scope = p->scope;
    return n;
}

static hd_promela_node *assertion(hd_promela_parser *p)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_ASSERT, hd_promela_take(p).location);
    n->left = hd_promela_expression(p);
    if (hd_promela_has_run(n->left))
        hd_promela_fail(p, n->location, "run cannot be used in an assertion");
    return n;
}

static hd_promela_node *basic(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_peek(p);
    switch ((int)token.kind) {
    case HD_TK_if:
        return choice(p, HD_S_IF, HD_TK_fi, "'::' or 'fi'");
    case HD_TK_do:
        return choice(p, HD_S_DO, HD_TK_od, "'::' or 'od'");
    case HD_TK_for:
        return for_loop(p);
    case HD_TK_select:
        return select_value(p);
    case HD_TK_atomic:
        hd_promela_take(p);
        return block(p, HD_S_ATOMIC, token.location);
    case HD_TK_d_step:
        hd_promela_take(p);
        return block(p, HD_S_D_STEP, token.location);
    case '{':
        return block(p, HD_S_BLOCK, token.location);
    case HD_TK_break:
        hd_promela_take(p);
        return goto_break(p, token.location);
    case HD_TK_goto:
        return goto_label(p);
    case HD_TK_else:
        hd_promela_take(p);
        return hd_promela_node_new(p, HD_S_ELSE, token.location);
    case HD_TK_assert:
        return assertion(p);
    case HD_TK_printf:
    case HD_TK_printm:
        return print(p);
    case HD_TK_NAME:
        return starts_with_name(p);
    case HD_TK_c_code:
    case HD_TK_c_expr:
        hd_promela_fail(p, token.location, "embedded C ('%s') is not supported", token.text);
    case HD_TK_set_priority:
    case HD_TK_return:
        hd_promela_fail(p, token.location, "'%s' is not supported", token.text);
    default:
        return condition(p, hd_promela_expression(p));
    }
}

static hd_promela_node *statement(hd_promela_parser *p)
{
    hd_promela_enter(p);
    hd_promela_node *n = basic(p);
    hd_promela_leave(p);
    p->initialising = false;
    return n;
}

static void exclusive(hd_promela_parser *p)
{
    unsigned flag = hd_promela_take(p).kind == HD_TK_xr ? HD_EXCLUSIVE_RECEIVE : HD_EXCLUSIVE_SEND;
    do {
        hd_promela_node *n = hd_promela_variable_loosely(p);
        if (n->op != HD_N_NAME || hd_promela_leaf(n)->type != HD_TYPE_CHAN)
            hd_promela_fail(p, n->location, "expected a channel after xr or xs");
        hd_promela_leaf(n)->exclusive |= flag;
    } while (hd_promela_accept(p, ','));
}

static void step(hd_promela_parser *p)
{
    int kind = (int)hd_promela_peek(p).kind;
    if (hd_promela_at_declaration(p)) {
        if (p->claiming)
            hd_promela_fail(
                p, hd_promela_peek(p).location, "a claim cannot have variables of its own; declare them outside");
        hd_promela_declaration(p, false);
    } else if (kind == HD_TK_xr || kind == HD_TK_xs) {
        exclusive(p);
    } else {
        hd_promela_node *n = statement(p);
        if (hd_promela_accept(p, HD_TK_unless)) {
            struct hd_promela_breaks *saved = p->breaks;
            /* A break in the escape belongs to the enclosing loop, not to the one that is escaped from. */
            if (n->op == HD_S_DO)
                p->breaks = p->breaks->next;
            hd_promela_node *escape = statement(p);
            p->breaks = saved;
            n = hd_promela_unless(p, n, escape);
        }
        hd_promela_sequence_add(p, n);
    }
}

static bool at_end(hd_promela_parser *p)
{
    int kind = (int)hd_promela_peek(p).kind;
    return kind == '}' || kind == HD_TK_SEP || kind == HD_TK_fi || kind == HD_TK_od || kind == HD_TK_END;
}

/* A separator may be omitted at the end of a line and after a closing bracket or keyword. */
static bool separator_implied(hd_promela_parser *p)
{
    if (p->at == 0)
        return false;
    hd_promela_token last = p->tokens.items[p->at - 1];
    int kind = (int)last.kind;
    return kind == '}' || kind == HD_TK_fi || kind == HD_TK_od || kind == HD_TK_ARROW || kind == ';'
        || hd_promela_peek(p).location.line > last.location.line;
}

void hd_promela_steps(hd_promela_parser *p)
{
    hd_promela_enter(p);
    hd_promela_separator(p);
    while (!at_end(p)) {
        step(p);
        bool implied = separator_implied(p);
        if (!hd_promela_separator(p) && !implied && !at_end(p))
            hd_promela_fail(p, hd_promela_peek(p).location, "expected ';' or '->' between statements, not '%s'",
                hd_promela_peek(p).text);
    }
    hd_promela_leave(p);
}
