/* Shared by the parser's files: the token stream, names and scopes, and the sequences under
 * construction. The first error ends the parse with a longjmp to hd_pml_parse, so these functions
 * return only on success. */
#ifndef HD_PROMELA_PARSE_H
#define HD_PROMELA_PARSE_H

#include "promela/ast.h"

#include <setjmp.h>

enum { HD_PML_DEEPEST = 400 }; /* nesting of blocks, expressions, inline calls */

typedef struct hd_pml_named {
    hd_pml_symbol *symbol;
    struct hd_pml_named *next;
} hd_pml_named;

typedef struct hd_pml_parser {
    hd_pml_model *model;
    hd_pml_tokens tokens; /* the file's; inline calls append their expansions */
    size_t at, end; /* the next token, and where the current stretch ends */
    struct hd_pml_frame { /* of an inline call */
        size_t at, end; /* where to continue afterwards */
        const hd_pml_symbol *callee;
    } calls[HD_PML_DEEPEST];
    int call_depth, depth;
    hd_pml_named *names; /* newest first */
    hd_pml_scope *scope;
    hd_pml_scope file_scope;
    hd_pml_proctype *proctype;
    hd_pml_sequences *open; /* sequences being built, innermost first */
    struct hd_pml_breaks {
        int target;
        struct hd_pml_breaks *next;
    } * breaks;
    int break_count;
    bool initialising; /* declarations still define initial values, not assignments */
    int d_step_depth, d_step_count;
    hd_vec(hd_pml_node *) runs; /* `run` nodes whose proctypes are resolved at the end */
    bool claiming, temporal; /* inside a claim; inside an ltl formula */
    bool printing; /* inside printf, where reading a variable does not count */
    size_t expanded; /* tokens produced by inline calls; bounded */
    hd_error *error;
    jmp_buf failed;
} hd_pml_parser;

_Noreturn void hd_pml_fail(hd_pml_parser *p, hd_pml_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* tokens */
hd_pml_token hd_pml_peek(hd_pml_parser *p);
hd_pml_token hd_pml_peek_second(hd_pml_parser *p);
hd_pml_token hd_pml_take(hd_pml_parser *p);
bool hd_pml_accept(hd_pml_parser *p, int kind);
hd_pml_token hd_pml_expect(hd_pml_parser *p, int kind, const char *what);
void hd_pml_enter(hd_pml_parser *p); /* one nesting level deeper; fails if too deep */
void hd_pml_leave(hd_pml_parser *p);
bool hd_pml_separator(hd_pml_parser *p); /* skips any ; and -> */

/* names */
hd_pml_symbol *hd_pml_find(hd_pml_parser *p, const char *name);
hd_pml_symbol *hd_pml_declare(hd_pml_parser *p, hd_pml_symbol_kind kind, hd_pml_token name);

/* nodes */
hd_pml_node *hd_pml_node_new(hd_pml_parser *p, hd_pml_op op, hd_pml_place place);
hd_pml_node *hd_pml_constant(hd_pml_parser *p, int value, hd_pml_place place);
hd_pml_node *hd_pml_name_node(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_place place);

/* inline.c: a declaration; a call, whose tokens come next */
void hd_pml_inline(hd_pml_parser *p);
void hd_pml_call_inline(hd_pml_parser *p, hd_pml_symbol *callee);
void hd_pml_skip_braces(hd_pml_parser *p, hd_pml_place opened); /* skips to after the matching '}' */

/* parse_claim.c: a claim, to be parsed later, and all of them */
void hd_pml_claim_later(hd_pml_parser *p);
void hd_pml_claims(hd_pml_parser *p);

/* The next temporal operator (an hd_pml_temporal) or 0, the number of its tokens, and its precedence. */
int hd_pml_temporal_infix(hd_pml_parser *p, int *level, int *tokens);
int hd_pml_temporal_prefix(hd_pml_parser *p, int *tokens);

hd_pml_node *hd_pml_claim_function(hd_pml_parser *p);
hd_pml_node *hd_pml_remote(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_place place); /* after a proctype's name */

/* parser.c */
hd_pml_proctype *hd_pml_never(hd_pml_parser *p, const char *name, hd_pml_place place); /* the body that comes next */

/* parse_expr.c */
hd_pml_node *hd_pml_expression(hd_pml_parser *p);
hd_pml_node *hd_pml_variable(hd_pml_parser *p);
hd_pml_node *hd_pml_reference(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_token name); /* its index and fields */
hd_pml_node *hd_pml_variable_loosely(hd_pml_parser *p); /* an array's name alone is fine */
int hd_pml_constant_expression(hd_pml_parser *p);
hd_pml_node *hd_pml_arguments(hd_pml_parser *p, int closer); /* expressions until `closer`, which stays */
hd_pml_node *hd_pml_receive_arguments(hd_pml_parser *p);
hd_pml_node *hd_pml_send_arguments(hd_pml_parser *p);
hd_pml_node *hd_pml_expand(hd_pml_parser *p, hd_pml_node *argument); /* a struct is expanded to its scalars */
hd_pml_symbol *hd_pml_leaf(hd_pml_node *reference); /* the variable or field it ends in */

/* parse_decl.c */
bool hd_pml_at_declaration(hd_pml_parser *p);
void hd_pml_declaration(hd_pml_parser *p, bool parameter);
void hd_pml_typedef(hd_pml_parser *p);

/* parse_stmt.c */
hd_pml_node *hd_pml_condition(hd_pml_parser *p, hd_pml_node *e); /* an expression as a statement */
hd_pml_node *hd_pml_assign(hd_pml_parser *p, hd_pml_node *to, hd_pml_node *value);
hd_pml_node *hd_pml_binary(hd_pml_parser *p, int sign, hd_pml_node *left, hd_pml_node *right);
void hd_pml_check_assignable(hd_pml_parser *p, hd_pml_node *n);
void hd_pml_check_message(hd_pml_parser *p, hd_pml_node *n); /* of a send or receive: its number of values */
hd_pml_scope *hd_pml_scope_open(hd_pml_parser *p); /* returns the outer one */
void hd_pml_steps(hd_pml_parser *p); /* a sequence, up to } :: fi od */
hd_pml_node *hd_pml_statement(hd_pml_parser *p);

/* parse_loop.c */
hd_pml_node *hd_pml_goto_break(hd_pml_parser *p, hd_pml_place place);
hd_pml_node *hd_pml_for(hd_pml_parser *p);
hd_pml_node *hd_pml_select(hd_pml_parser *p);

/* build.c: sequences and elements */
void hd_pml_sequence_open(hd_pml_parser *p, bool body);
hd_pml_sequence *hd_pml_sequence_close(hd_pml_parser *p, hd_pml_place place);
void hd_pml_sequence_add(hd_pml_parser *p, hd_pml_node *statement);
void hd_pml_break_push(hd_pml_parser *p);
int hd_pml_break_target(hd_pml_parser *p, hd_pml_place place);
hd_pml_sequences *hd_pml_sequences_new(hd_pml_parser *p, hd_pml_sequence *s, hd_pml_sequences *rest);
void hd_pml_drop_redundant_skips(hd_pml_parser *p, hd_pml_node *choice);
void hd_pml_make_atomic(hd_pml_sequence *s, unsigned also);
hd_pml_node *hd_pml_unless(hd_pml_parser *p, hd_pml_node *normal, hd_pml_node *escape);

#endif
