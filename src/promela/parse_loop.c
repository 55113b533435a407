/* for and select, expanded to the loops and choices that SPIN makes of them. */
#include "promela/flow.h"
#include "promela/parse.h"

#include <string.h>

hd_promela_node *hd_promela_goto_break(hd_promela_parser *p, hd_promela_location location)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_GOTO, location);
    n->break_target = hd_promela_break_target(p, location);
    return n;
}

/* The loop of a `for` or `select`, whose body is in the open sequence. */
static hd_promela_node *close_loop(hd_promela_parser *p, hd_promela_node *index, bool with_else)
{
    hd_promela_sequence_add(
        p, hd_promela_assign(p, index, hd_promela_binary(p, '+', index, hd_promela_constant(p, 1, index->location))));
    hd_promela_sequence *body = hd_promela_sequence_close(p, index->location);
    hd_promela_sequence_open(p, false);
    if (with_else)
        hd_promela_sequence_add(p, hd_promela_node_new(p, HD_S_ELSE, index->location));
    hd_promela_sequence_add(p, hd_promela_goto_break(p, index->location));
    hd_promela_sequence *out = hd_promela_sequence_close(p, index->location);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_DO, index->location);
    n->options = hd_promela_sequences_new(p, out, hd_promela_sequences_new(p, body, NULL));
    return n;
}

static void check_index(hd_promela_parser *p, hd_promela_node *index)
{
    hd_promela_check_assignable(p, index);
    index->symbol->read = true;
    hd_promela_type type = hd_promela_leaf(index)->type;
    if (type == HD_TYPE_CHAN || index->symbol->is_array)
        hd_promela_fail(p, index->location, "'%s' cannot count a loop: expected a number", index->symbol->name);
}

static void loop_range(
    hd_promela_parser *p, hd_promela_node *index, hd_promela_node *from, hd_promela_node *to, int sign)
{
    hd_promela_sequence_add(p, hd_promela_assign(p, index, from));
    hd_promela_sequence_open(p, false);
    hd_promela_sequence_add(p, hd_promela_condition(p, hd_promela_binary(p, sign, index, to)));
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
        hd_promela_check_message(p, n);
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

hd_promela_node *hd_promela_for(hd_promela_parser *p)
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
    hd_promela_scope *outer = hd_promela_scope_open(p);
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
        hd_promela_node *set = hd_promela_assign(p, index, hd_promela_constant(p, value, index->location));
        *tail = hd_promela_sequences_new(p, sequence_of(p, set, NULL), NULL);
        tail = &(*tail)->next;
    }
    return n;
}

static hd_promela_node *select_loop(
    hd_promela_parser *p, hd_promela_node *index, hd_promela_node *from, hd_promela_node *to)
{
    hd_promela_sequence_add(p, hd_promela_assign(p, index, from));
    hd_promela_break_push(p);
    hd_promela_node *more = hd_promela_condition(p, hd_promela_binary(p, '<', index, to));
    hd_promela_node *next =
        hd_promela_assign(p, index, hd_promela_binary(p, '+', index, hd_promela_constant(p, 1, index->location)));
    hd_promela_sequence *on = sequence_of(p, more, next),
                        *out = sequence_of(p, hd_promela_goto_break(p, index->location), NULL);
    hd_promela_node *n = hd_promela_node_new(p, HD_S_DO, index->location);
    n->options = hd_promela_sequences_new(p, on, hd_promela_sequences_new(p, out, NULL));
    return n;
}

hd_promela_node *hd_promela_select(hd_promela_parser *p)
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
