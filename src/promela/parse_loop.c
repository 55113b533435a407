/* for and select, expanded to the loops and choices that SPIN makes of them. */
#include "promela/flow.h"
#include "promela/parse.h"

#include <string.h>

hd_pml_node *hd_pml_goto_break(hd_pml_parser *p, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_S_GOTO, place);
    n->break_target = hd_pml_break_target(p, place);
    return n;
}

/* The loop of a `for` or `select`, whose body is in the open sequence. */
static hd_pml_node *close_loop(hd_pml_parser *p, hd_pml_node *index, bool with_else)
{
    hd_pml_sequence_add(p, hd_pml_assign(p, index, hd_pml_binary(p, '+', index, hd_pml_constant(p, 1, index->place))));
    hd_pml_sequence *body = hd_pml_sequence_close(p, index->place);
    hd_pml_sequence_open(p, false);
    if (with_else)
        hd_pml_sequence_add(p, hd_pml_node_new(p, HD_S_ELSE, index->place));
    hd_pml_sequence_add(p, hd_pml_goto_break(p, index->place));
    hd_pml_sequence *out = hd_pml_sequence_close(p, index->place);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_DO, index->place);
    n->options = hd_pml_sequences_new(p, out, hd_pml_sequences_new(p, body, NULL));
    return n;
}

static void check_index(hd_pml_parser *p, hd_pml_node *index)
{
    hd_pml_check_assignable(p, index);
    index->symbol->read = true;
    hd_pml_type type = hd_pml_leaf(index)->type;
    if (type == HD_TYPE_CHAN || index->symbol->is_array)
        hd_pml_fail(p, index->place, "'%s' cannot count a loop: expected a number", index->symbol->name);
}

static void loop_range(hd_pml_parser *p, hd_pml_node *index, hd_pml_node *from, hd_pml_node *to, int sign)
{
    hd_pml_sequence_add(p, hd_pml_assign(p, index, from));
    hd_pml_sequence_open(p, false);
    hd_pml_sequence_add(p, hd_pml_condition(p, hd_pml_binary(p, sign, index, to)));
}

/* for (message in channel): each message is received and sent again, which leaves the channel as it was. */
static hd_pml_node *loop_channel(hd_pml_parser *p, hd_pml_node *index, hd_pml_node *in)
{
    hd_pml_symbol *chan = hd_pml_leaf(in);
    if (chan->type != HD_TYPE_CHAN || !chan->channel)
        hd_pml_fail(p, in->place, "expected a channel whose messages are like '%s'", index->symbol->name);
    /* A hidden counter; the token position makes its name unique. */
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
        hd_pml_check_message(p, n);
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

hd_pml_node *hd_pml_for(hd_pml_parser *p)
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
    hd_pml_scope *outer = hd_pml_scope_open(p);
    hd_pml_steps(p);
    p->scope = outer;
    p->names = names;
    hd_pml_expect(p, '}', "';' before the next statement, or '}' to end the body of for");
    return close_loop(p, index, true);
}

/* select over a few literal values outside an inline is one choice among assignments, because
 * SPIN's lexer rewrites it so. */
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
        hd_pml_node *set = hd_pml_assign(p, index, hd_pml_constant(p, value, index->place));
        *tail = hd_pml_sequences_new(p, sequence_of(p, set, NULL), NULL);
        tail = &(*tail)->next;
    }
    return n;
}

static hd_pml_node *select_loop(hd_pml_parser *p, hd_pml_node *index, hd_pml_node *from, hd_pml_node *to)
{
    hd_pml_sequence_add(p, hd_pml_assign(p, index, from));
    hd_pml_break_push(p);
    hd_pml_node *more = hd_pml_condition(p, hd_pml_binary(p, '<', index, to));
    hd_pml_node *next = hd_pml_assign(p, index, hd_pml_binary(p, '+', index, hd_pml_constant(p, 1, index->place)));
    hd_pml_sequence *on = sequence_of(p, more, next), *out = sequence_of(p, hd_pml_goto_break(p, index->place), NULL);
    hd_pml_node *n = hd_pml_node_new(p, HD_S_DO, index->place);
    n->options = hd_pml_sequences_new(p, on, hd_pml_sequences_new(p, out, NULL));
    return n;
}

hd_pml_node *hd_pml_select(hd_pml_parser *p)
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
