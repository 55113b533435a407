/* Prints statements as text, in SPIN's form. */
#include "promela/program.h"

#include "base/sentence.h"

#include <string.h>

static void put_expression(hd_sentence *p, const hd_promela_node *n);

static void put_list(hd_sentence *p, const hd_promela_node *list)
{
    for (; list; list = list->next) {
        put_expression(p, list);
        if (list->next)
            hd_sentence_add(p, ",");
    }
}

static const char *sign_text(int sign, char *one)
{
    switch (sign) {
    case HD_TK_EQ:
        return "==";
    case HD_TK_NE:
        return "!=";
    case HD_TK_LE:
        return "<=";
    case HD_TK_GE:
        return ">=";
    case HD_TK_AND:
        return "&&";
    case HD_TK_OR:
        return "||";
    case HD_TK_SHL:
        return "<<";
    case HD_TK_SHR:
        return ">>";
    default:
        one[0] = (char)sign;
        one[1] = '\0';
        return one;
    }
}

static void put_name(hd_sentence *p, const hd_promela_node *n)
{
    hd_sentence_add(p, "%s", n->symbol->name);
    if (n->left) {
        hd_sentence_add(p, "[");
        put_expression(p, n->left);
        hd_sentence_add(p, "]");
    }
    if (n->right) {
        hd_sentence_add(p, ".");
        put_name(p, n->right);
    }
}

static void put_call(hd_sentence *p, const char *name, const hd_promela_node *argument)
{
    hd_sentence_add(p, "%s(", name);
    put_expression(p, argument);
    hd_sentence_add(p, ")");
}

static void put_expression(hd_sentence *p, const hd_promela_node *n)
{
    static const char *const functions[] = { [HD_N_LEN] = "len",
        [HD_N_EMPTY] = "empty",
        [HD_N_NEMPTY] = "nempty",
        [HD_N_FULL] = "full",
        [HD_N_NFULL] = "nfull",
        [HD_N_EVAL] = "eval" };
    char one[2];
    switch (n->op) {
    case HD_N_CONST:
        n->symbol ? hd_sentence_add(p, "%s", n->symbol->name) : hd_sentence_add(p, "%d", n->value);
        break;
    case HD_N_NAME:
        put_name(p, n);
        break;
    case HD_N_UNARY:
        hd_sentence_add(p, "%s", sign_text(n->sign, one));
        put_expression(p, n->left);
        break;
    case HD_N_BINARY:
        hd_sentence_add(p, "(");
        put_expression(p, n->left);
        hd_sentence_add(p, "%s", sign_text(n->sign, one));
        put_expression(p, n->right);
        hd_sentence_add(p, ")");
        break;
    case HD_N_CHOOSE:
        hd_sentence_add(p, "(");
        put_expression(p, n->left);
        hd_sentence_add(p, " -> ");
        put_expression(p, n->right);
        hd_sentence_add(p, " : ");
        put_expression(p, n->third);
        hd_sentence_add(p, ")");
        break;
    case HD_N_RUN:
        hd_sentence_add(p, "run %s(", n->symbol->name);
        put_list(p, n->list);
        hd_sentence_add(p, ")");
        break;
    case HD_N_POLL:
        put_expression(p, n->left);
        hd_sentence_add(p, n->value ? "\?\?[" : "?[");
        put_list(p, n->list);
        hd_sentence_add(p, "]");
        break;
    case HD_N_TIMEOUT:
        hd_sentence_add(p, "timeout");
        break;
    default:
        put_call(p, functions[n->op], n->left);
    }
}

static void put_statement(hd_sentence *p, const hd_promela_node *n)
{
    static const char *const receives[] = { "?", "\?\?", "?<", "\?\?<" };
    switch (n->op) {
    case HD_S_EXPRESSION:
        hd_sentence_add(p, "(");
        put_expression(p, n->left);
        hd_sentence_add(p, ")");
        break;
    case HD_S_ASSIGN:
        put_expression(p, n->left);
        hd_sentence_add(p, " = ");
        put_expression(p, n->right);
        break;
    case HD_S_SEND:
        put_expression(p, n->left);
        hd_sentence_add(p, n->value ? "!!" : "!");
        put_list(p, n->list);
        break;
    case HD_S_RECEIVE:
        put_expression(p, n->left);
        hd_sentence_add(p, "%s", receives[n->value]);
        put_list(p, n->list);
        hd_sentence_add(p, n->value >= 2 ? ">" : "");
        break;
    case HD_S_ASSERT:
        put_call(p, "assert", n->left);
        break;
    case HD_S_PRINT:
        hd_sentence_add(p, "printf(%s)", n->label ? n->label : "");
        break;
    case HD_S_GOTO:
        n->label ? hd_sentence_add(p, "goto %s", n->label) : hd_sentence_add(p, "break");
        break;
    case HD_S_ELSE:
        hd_sentence_add(p, "else");
        break;
    case HD_S_D_STEP:
        hd_sentence_add(p, "d_step");
        break;
    case HD_S_END:
        hd_sentence_add(p, "-end-");
        break;
    default:
        hd_sentence_add(p, "(goto)");
    }
}

void hd_promela_print_statement(char *out, size_t room, const hd_promela_model *m, const hd_promela_node *n)
{
    (void)m;
    hd_sentence p = { out, room, 0 };
    out[0] = '\0';
    put_statement(&p, n);
}
