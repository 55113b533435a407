/* Statements as text. */
#include "promela/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct printer {
    char *out;
    size_t room, used;
} printer;

__attribute__((format(printf, 2, 3))) static void put(printer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(p->out + p->used, p->room - p->used, format, args);
    va_end(args);
    p->used = p->used + (size_t)n < p->room ? p->used + (size_t)n : p->room - 1;
}

static void put_expression(printer *p, const hd_pml_node *n);

static void put_list(printer *p, const hd_pml_node *list)
{
    for (; list; list = list->next) {
        put_expression(p, list);
        if (list->next)
            put(p, ",");
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

static void put_name(printer *p, const hd_pml_node *n)
{
    put(p, "%s", n->symbol->name);
    if (n->left) {
        put(p, "[");
        put_expression(p, n->left);
        put(p, "]");
    }
    if (n->right) {
        put(p, ".");
        put_name(p, n->right);
    }
}

static void put_call(printer *p, const char *name, const hd_pml_node *argument)
{
    put(p, "%s(", name);
    put_expression(p, argument);
    put(p, ")");
}

static void put_expression(printer *p, const hd_pml_node *n)
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
        n->symbol ? put(p, "%s", n->symbol->name) : put(p, "%d", n->value);
        break;
    case HD_N_NAME:
        put_name(p, n);
        break;
    case HD_N_UNARY:
        put(p, "%s", sign_text(n->sign, one));
        put_expression(p, n->left);
        break;
    case HD_N_BINARY:
        put(p, "(");
        put_expression(p, n->left);
        put(p, "%s", sign_text(n->sign, one));
        put_expression(p, n->right);
        put(p, ")");
        break;
    case HD_N_CHOOSE:
        put(p, "(");
        put_expression(p, n->left);
        put(p, " -> ");
        put_expression(p, n->right);
        put(p, " : ");
        put_expression(p, n->third);
        put(p, ")");
        break;
    case HD_N_RUN:
        put(p, "run %s(", n->symbol->name);
        put_list(p, n->list);
        put(p, ")");
        break;
    case HD_N_POLL:
        put_expression(p, n->left);
        put(p, n->value ? "\?\?[" : "?[");
        put_list(p, n->list);
        put(p, "]");
        break;
    case HD_N_TIMEOUT:
        put(p, "timeout");
        break;
    default:
        put_call(p, functions[n->op], n->left);
    }
}

static void put_statement(printer *p, const hd_pml_node *n)
{
    static const char *const receives[] = { "?", "\?\?", "?<", "\?\?<" };
    switch (n->op) {
    case HD_S_EXPRESSION:
        put(p, "(");
        put_expression(p, n->left);
        put(p, ")");
        break;
    case HD_S_ASSIGN:
        put_expression(p, n->left);
        put(p, " = ");
        put_expression(p, n->right);
        break;
    case HD_S_SEND:
        put_expression(p, n->left);
        put(p, n->value ? "!!" : "!");
        put_list(p, n->list);
        break;
    case HD_S_RECEIVE:
        put_expression(p, n->left);
        put(p, "%s", receives[n->value]);
        put_list(p, n->list);
        put(p, n->value >= 2 ? ">" : "");
        break;
    case HD_S_ASSERT:
        put_call(p, "assert", n->left);
        break;
    case HD_S_PRINT:
        put(p, "printf(%s)", n->label ? n->label : "");
        break;
    case HD_S_GOTO:
        n->label ? put(p, "goto %s", n->label) : put(p, "break");
        break;
    case HD_S_ELSE:
        put(p, "else");
        break;
    case HD_S_D_STEP:
        put(p, "d_step");
        break;
    case HD_S_END:
        put(p, "-end-");
        break;
    default:
        put(p, "(goto)");
    }
}

void hd_pml_print_statement(char *out, size_t room, const hd_pml_model *m, const hd_pml_node *n)
{
    (void)m;
    printer p = { out, room, 0 };
    out[0] = '\0';
    put_statement(&p, n);
}
