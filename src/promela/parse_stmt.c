/* Statements. They are added to the open sequence in the order in which SPIN
 * adds them, because that order numbers the control states and transitions. */
#include "promela/flow.h"
#include "promela/parse.h"

#include <string.h>

static hd_pml_node *expression_statement(hd_pml_parser *p, hd_pml_node *e)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_EXPRESSION, e->place);
    n->left = e;
    return n;
}

static hd_pml_node *skip(hd_pml_parser *p, hd_pml_place place)
{
    return expression_statement(p, hd_pml_constant(p, 1, place));
}

static hd_pml_node *assign(hd_pml_parser *p, hd_pml_node *to, hd_pml_node *value)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_ASSIGN, to->place);
    n->left = to;
    n->right = value;
    return n;
}

static hd_pml_node *binary(hd_pml_parser *p, int sign, hd_pml_node *left, hd_pml_node *right)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_BINARY, left->place);
    n->sign = sign;
    n->left = left;
    n->right = right;
    return n;
}

static void check_assignable(hd_pml_parser *p, hd_pml_node *n)
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

static void check_message(hd_pml_parser *p, hd_pml_node *n)
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
    check_message(p, n);
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
            check_assignable(p, a);
    check_message(p, n);
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
    bool nothing = kind == '}' || kind == ';' || kind == HD_TK_ARROW || kind == HD_TK_SEP || kind == HD_TK_fi
        || kind == HD_TK_od || kind == HD_TK_END;
    hd_pml_enter(p);
    n->left = nothing ? skip(p, name.place) : hd_pml_statement(p);
    hd_pml_leave(p);
    return n;
}

static hd_pml_node *expression_again(hd_pml_parser *p, size_t at, size_t end, int depth)
{
    p->at = at;
    p->end = end;
    p->call_depth = depth;
    return expression_statement(p, hd_pml_expression(p));
}

static hd_pml_node *assignment(hd_pml_parser *p, hd_pml_node *to)
{
    check_assignable(p, to);
    hd_pml_token sign = hd_pml_take(p);
    if (sign.kind == HD_TK_INCR || sign.kind == HD_TK_DECR)
        return assign(p, to, binary(p, sign.kind == HD_TK_INCR ? '+' : '-', to, hd_pml_constant(p, 1, sign.place)));
    hd_pml_token next = hd_pml_peek(p);
    hd_pml_symbol *called = next.kind == HD_TK_NAME ? hd_pml_find(p, next.text) : NULL;
    if (called && called->kind == HD_SYMBOL_INLINE)
        hd_pml_fail(
            p, next.place, "an inline that returns a value is not supported; let '%s' set a parameter", next.text);
    return assign(p, to, hd_pml_expression(p));
}

static hd_pml_node *starts_with_name(hd_pml_parser *p)
{
    hd_pml_token name = hd_pml_peek(p);
    if (hd_pml_peek_second(p).kind == (hd_pml_kind)':')
        return labelled(p);
    hd_pml_symbol *symbol = hd_pml_find(p, name.text);
    if (symbol && symbol->kind == HD_SYMBOL_INLINE) {
        hd_pml_take(p);
        hd_pml_call_inline(p, symbol);
        return hd_pml_statement(p);
    }
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

static hd_pml_scope *scope_open(hd_pml_parser *p)
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
    hd_pml_scope *outer = scope_open(p);
    if (op == HD_S_D_STEP && p->d_step_depth++ == 0)
        p->d_step_count++;
    hd_pml_node *n = hd_pml_node_new(p, op, place);
    hd_pml_sequence_open(p, false);
    hd_pml_steps(p);
    hd_pml_expect(p, '}', "';' before the next statement, or '}' to end the block");
    n->options = hd_pml_sequences_new(p, hd_pml_sequence_close(p, place), NULL);
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
    hd_pml_place place = hd_pml_take(p).place;
    if (op == HD_S_DO)
        hd_pml_break_push(p);
    hd_pml_sequences *list = options(p, place);
    hd_pml_expect(p, closer, what);
    hd_pml_node *n = hd_pml_node_new(p, op, place);
    n->options = list;
    hd_pml_drop_redundant_skips(p, n);
    return n;
}

/* --- for and select ----------------------------------------------------------------------- */

static hd_pml_node *goto_break(hd_pml_parser *p, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_GOTO, place);
    n->break_target = hd_pml_break_target(p, place);
    return n;
}

/* The loop of a `for` or `select`, whose body is in the open sequence. */
static hd_pml_node *close_loop(hd_pml_parser *p, hd_pml_node *index, bool with_else)
{
    hd_pml_sequence_add(p, assign(p, index, binary(p, '+', index, hd_pml_constant(p, 1, index->place))));
    hd_pml_sequence *body = hd_pml_sequence_close(p, index->place);
    hd_pml_sequence_open(p, false);
    if (with_else)
        hd_pml_sequence_add(p, hd_pml_node_new(p, HD_S_ELSE, index->place));
    hd_pml_sequence_add(p, goto_break(p, index->place));
    hd_pml_sequence *out = hd_pml_sequence_close(p, index->place);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_DO, index->place);
    n->options = hd_pml_sequences_new(p, out, hd_pml_sequences_new(p, body, NULL));
    return n;
}

static void check_index(hd_pml_parser *p, hd_pml_node *index)
{
    check_assignable(p, index);
    index->symbol->read = true;
    hd_pml_type type = hd_pml_leaf(index)->type;
    if (type == HD_TYPE_CHAN || index->symbol->is_array)
        hd_pml_fail(p, index->place, "'%s' cannot count a loop: expected a number", index->symbol->name);
}

static void loop_range(hd_pml_parser *p, hd_pml_node *index, hd_pml_node *from, hd_pml_node *to, int sign)
{
    hd_pml_sequence_add(p, assign(p, index, from));
    hd_pml_sequence_open(p, false);
    hd_pml_sequence_add(p, expression_statement(p, binary(p, sign, index, to)));
}

/* for (message in channel): each message is taken out and put back, so that the channel is as before. */
static hd_pml_node *loop_channel(hd_pml_parser *p, hd_pml_node *index, hd_pml_node *in)
{
    hd_pml_symbol *chan = hd_pml_leaf(in);
    if (chan->type != HD_TYPE_CHAN || !chan->channel)
        hd_pml_fail(p, in->place, "expected a channel whose messages are like '%s'", index->symbol->name);
    hd_pml_token name = { .text = hd_arena_print(&p->model->arena, "_for_%zu", p->at), .place = in->place };
    hd_pml_symbol *counter = hd_pml_declare(p, HD_SYMBOL_VARIABLE, name);
    counter->type = HD_TYPE_BYTE;
    counter->element_size = 1;
    counter->offset = p->proctype->frame_size++;
    hd_vec_push(&p->proctype->variables, counter);
    hd_pml_node *count = hd_pml_name_node(p, counter, in->place);
    hd_pml_node *length = hd_pml_node_new(p, HD_N_LEN, in->place);
    length->left = in;
    loop_range(p, count, hd_pml_constant(p, 0, in->place), length, '<');
    for (int i = 0; i < 2; i++) {
        hd_pml_node *n = hd_pml_node_new(p, i == 0 ? HD_S_RECEIVE : HD_S_SEND, in->place);
        n->left = in;
        n->list = hd_pml_expand(p, index);
        check_message(p, n);
        hd_pml_sequence_add(p, n);
    }
    return count;
}

static hd_pml_node *loop_in(hd_pml_parser *p, hd_pml_node *index)
{
    hd_pml_node *in = hd_pml_variable_loosely(p);
    if (in->op != HD_N_NAME)
        hd_pml_fail(p, in->place, "expected an array or a channel after 'in'");
    if (hd_pml_leaf(index)->type == HD_TYPE_STRUCT)
        return loop_channel(p, index, in);
    check_index(p, index);
    if (!hd_pml_leaf(in)->is_array)
        hd_pml_fail(p, in->place, "expected an array or a channel after 'in'");
    loop_range(p, index, hd_pml_constant(p, 0, in->place), hd_pml_constant(p, hd_pml_leaf(in)->count - 1, in->place),
        HD_TK_LE);
    return index;
}

static hd_pml_node *for_loop(hd_pml_parser *p)
{
    hd_pml_take(p);
    hd_pml_expect(p, '(', "'(' after for");
    hd_pml_node *index = hd_pml_variable(p);
    hd_pml_break_push(p);
    if (hd_pml_peek(p).kind == HD_TK_NAME && !strcmp(hd_pml_peek(p).text, "in")) {
        hd_pml_take(p);
        index = loop_in(p, index);
    } else {
        check_index(p, index);
        hd_pml_expect(p, ':', "':' or 'in' after the variable of for");
        hd_pml_node *from = hd_pml_expression(p);
        hd_pml_expect(p, HD_TK_DOTS, "'..' between the bounds of for");
        loop_range(p, index, from, hd_pml_expression(p), HD_TK_LE);
    }
    hd_pml_expect(p, ')', "')' after the range of for");
    hd_pml_separator(p);
    hd_pml_expect(p, '{', "'{' to open the body of for");
    hd_pml_named *names = p->names;
    hd_pml_scope *outer = scope_open(p);
    hd_pml_steps(p);
    p->scope = outer;
    p->names = names;
    hd_pml_expect(p, '}', "';' before the next statement, or '}' to end the body of for");
    return close_loop(p, index, true);
}

/* select over a few literal values outside an inline is one choice among assignments: SPIN's lexer rewrites it. */
static bool select_is_choice(
    const hd_pml_parser *p, const hd_pml_node *index, const hd_pml_node *from, const hd_pml_node *to)
{
    return p->call_depth == 0 && !index->left && !index->right && !strchr(index->symbol->name, '_')
        && from->op == HD_N_CONST && to->op == HD_N_CONST && !from->symbol && !to->symbol && from->value >= 0
        && from->value <= to->value;
}

static hd_pml_sequence *sequence_of(hd_pml_parser *p, hd_pml_node *first, hd_pml_node *second)
{
    hd_pml_sequence_open(p, false);
    hd_pml_sequence_add(p, first);
    if (second)
        hd_pml_sequence_add(p, second);
    return hd_pml_sequence_close(p, first->place);
}

static hd_pml_node *select_choice(hd_pml_parser *p, hd_pml_node *index, int from, int to)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_IF, index->place);
    hd_pml_sequences **tail = &n->options;
    for (int value = from; value <= to; value++) {
        hd_pml_node *set = assign(p, index, hd_pml_constant(p, value, index->place));
        *tail = hd_pml_sequences_new(p, sequence_of(p, set, NULL), NULL);
        tail = &(*tail)->next;
    }
    return n;
}

static hd_pml_node *select_loop(hd_pml_parser *p, hd_pml_node *index, hd_pml_node *from, hd_pml_node *to)
{
    hd_pml_sequence_add(p, assign(p, index, from));
    hd_pml_break_push(p);
    hd_pml_node *more = expression_statement(p, binary(p, '<', index, to));
    hd_pml_node *next = assign(p, index, binary(p, '+', index, hd_pml_constant(p, 1, index->place)));
    hd_pml_sequence *on = sequence_of(p, more, next), *out = sequence_of(p, goto_break(p, index->place), NULL);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_DO, index->place);
    n->options = hd_pml_sequences_new(p, on, hd_pml_sequences_new(p, out, NULL));
    return n;
}

static hd_pml_node *select_value(hd_pml_parser *p)
{
    hd_pml_take(p);
    hd_pml_expect(p, '(', "'(' after select");
    hd_pml_node *index = hd_pml_variable(p);
    check_index(p, index);
    hd_pml_expect(p, ':', "':' after the variable of select");
    hd_pml_node *from = hd_pml_expression(p);
    hd_pml_expect(p, HD_TK_DOTS, "'..' between the bounds of select");
    hd_pml_node *to = hd_pml_expression(p);
    hd_pml_expect(p, ')', "')' after the range of select");
    if (select_is_choice(p, index, from, to))
        return to->value - from->value <= 32 ? select_choice(p, index, from->value, to->value)
                                             : select_loop(p, index, from, to);
    loop_range(p, index, from, to, '<');
    hd_pml_break_push(p);
    return close_loop(p, index, false);
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
        return for_loop(p);
    case HD_TK_select:
        return select_value(p);
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
        return goto_break(p, token.place);
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
        return expression_statement(p, hd_pml_expression(p));
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
        hd_pml_declaration(p, false);
    } else if (kind == HD_TK_xr || kind == HD_TK_xs) {
        exclusive(p);
    } else {
        hd_pml_node *n = hd_pml_statement(p);
        if (hd_pml_accept(p, HD_TK_unless)) {
            struct hd_pml_breaks *saved = p->breaks;
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

/* A separator may be left out at the end of a line, and behind what ends in a bracket of some kind. */
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
