/* Shared by the parser's files: the token stream, names and scopes, and the sequences under
 * construction. The first error ends the parse with a longjmp to hd_promela_parse, so these functions
 * return only on success. */
#ifndef HD_PROMELA_PARSER_INTERNAL_H
#define HD_PROMELA_PARSER_INTERNAL_H

#include "promela/ast.h"

#include <setjmp.h>

enum { HD_PROMELA_DEEPEST = 400 }; /* nesting of blocks, expressions, inline calls */

typedef struct hd_promela_named {
    hd_promela_symbol *symbol;
    struct hd_promela_named *next;
} hd_promela_named;

typedef struct hd_promela_parser {
    hd_promela_model *model;
    hd_promela_tokens tokens; /* the file's; inline calls append their expansions */
    size_t at, end; /* the next token, and where the current stretch ends */
    struct hd_promela_frame { /* of an inline call */
        size_t at, end; /* where to continue afterwards */
        const hd_promela_symbol *callee;
    } calls[HD_PROMELA_DEEPEST];
    int call_depth, depth;
    hd_promela_named *names; /* newest first */
    hd_promela_scope *scope;
    hd_promela_scope file_scope;
    hd_promela_proctype *proctype;
    hd_promela_sequences *open; /* sequences being built, innermost first */
    struct hd_promela_breaks {
        int target;
        struct hd_promela_breaks *next;
    } * breaks;
    int break_count;
    bool initialising; /* declarations still define initial values, not assignments */
    int d_step_depth, d_step_count;
    hd_vec(hd_promela_node *) runs; /* `run` nodes whose proctypes are resolved at the end */
    bool claiming, temporal; /* inside a claim; inside an ltl formula */
    bool printing; /* inside printf, where reading a variable does not count */
    size_t expanded; /* tokens produced by inline calls; bounded */
    hd_error *error;
    jmp_buf failed;
} hd_promela_parser;

_Noreturn void hd_promela_fail(hd_promela_parser *p, hd_promela_location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* tokens */
hd_promela_token hd_promela_peek(hd_promela_parser *p);
hd_promela_token hd_promela_peek_second(hd_promela_parser *p);
hd_promela_token hd_promela_take(hd_promela_parser *p);
bool hd_promela_accept(hd_promela_parser *p, int kind);
hd_promela_token hd_promela_expect(hd_promela_parser *p, int kind, const char *what);
void hd_promela_enter(hd_promela_parser *p); /* one nesting level deeper; fails if too deep */
void hd_promela_leave(hd_promela_parser *p);
bool hd_promela_separator(hd_promela_parser *p); /* skips any ; and -> */

/* names */
hd_promela_symbol *hd_promela_find(hd_promela_parser *p, const char *name);
hd_promela_symbol *hd_promela_declare(hd_promela_parser *p, hd_promela_symbol_kind kind, hd_promela_token name);

/* nodes */
hd_promela_node *hd_promela_node_new(hd_promela_parser *p, hd_promela_op op, hd_promela_location location);
hd_promela_node *hd_promela_constant(hd_promela_parser *p, int value, hd_promela_location location);
hd_promela_node *hd_promela_name_node(hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_location location);

/* inline.c: a declaration; a call, whose tokens come next */
void hd_promela_inline(hd_promela_parser *p);
void hd_promela_call_inline(hd_promela_parser *p, hd_promela_symbol *callee);
void hd_promela_skip_braces(hd_promela_parser *p, hd_promela_location opened); /* skips to after the matching '}' */

/* parse_claim.c: a claim, to be parsed later, and all of them */
void hd_promela_claim_later(hd_promela_parser *p);
void hd_promela_claims(hd_promela_parser *p);

/* The next temporal operator (an hd_promela_temporal) or 0, the number of its tokens, and its precedence. */
int hd_promela_temporal_infix(hd_promela_parser *p, int *level, int *tokens);
int hd_promela_temporal_prefix(hd_promela_parser *p, int *tokens);

hd_promela_node *hd_promela_claim_function(hd_promela_parser *p);
hd_promela_node *hd_promela_remote(
    hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_location location); /* after a proctype's name */

/* parser.c */
hd_promela_proctype *hd_promela_never(
    hd_promela_parser *p, const char *name, hd_promela_location location); /* the body that comes next */

/* parse_expr.c */
hd_promela_node *hd_promela_expression(hd_promela_parser *p);
hd_promela_node *hd_promela_variable(hd_promela_parser *p);
hd_promela_node *hd_promela_reference(
    hd_promela_parser *p, hd_promela_symbol *symbol, hd_promela_token name); /* its index and fields */
hd_promela_node *hd_promela_variable_loosely(hd_promela_parser *p); /* an array's name alone is fine */
int hd_promela_constant_expression(hd_promela_parser *p);
hd_promela_node *hd_promela_arguments(hd_promela_parser *p, int closer); /* expressions until `closer`, which stays */
hd_promela_node *hd_promela_receive_arguments(hd_promela_parser *p);
hd_promela_node *hd_promela_send_arguments(hd_promela_parser *p);
hd_promela_node *hd_promela_expand(
    hd_promela_parser *p, hd_promela_node *argument); /* a struct is expanded to its scalars */
hd_promela_symbol *hd_promela_leaf(hd_promela_node *reference); /* the variable or field it ends in */

/* parse_decl.c */
bool hd_promela_at_declaration(hd_promela_parser *p);
void hd_promela_declaration(hd_promela_parser *p, bool parameter);
void hd_promela_typedef(hd_promela_parser *p);

/* parse_stmt.c: a sequence of statements, up to } :: fi od */
void hd_promela_steps(hd_promela_parser *p);

/* build.c: sequences and elements */
void hd_promela_sequence_open(hd_promela_parser *p, bool body);
hd_promela_sequence *hd_promela_sequence_close(hd_promela_parser *p, hd_promela_location location);
void hd_promela_sequence_add(hd_promela_parser *p, hd_promela_node *statement);
void hd_promela_break_push(hd_promela_parser *p);
int hd_promela_break_target(hd_promela_parser *p, hd_promela_location location);
hd_promela_sequences *hd_promela_sequences_new(
    hd_promela_parser *p, hd_promela_sequence *s, hd_promela_sequences *rest);
void hd_promela_drop_redundant_skips(hd_promela_parser *p, hd_promela_node *choice);
void hd_promela_make_atomic(hd_promela_sequence *s, unsigned also);
hd_promela_node *hd_promela_unless(hd_promela_parser *p, hd_promela_node *normal, hd_promela_node *escape);

#endif
