/* Promela's tokens. The whole text becomes one array of tokens, because inline calls replay parts
 * of it with parameters replaced. Every token has its position in the user's files: line markers
 * (`# 12 "file"`) are interpreted and dropped. */
#ifndef HD_PROMELA_LEXER_H
#define HD_PROMELA_LEXER_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stdint.h>

/* Keywords: KEYWORD(token name, spelling). */
#define HD_PROMELA_KEYWORDS(KEYWORD) \
    KEYWORD(active, "active") KEYWORD(assert, "assert") KEYWORD(atomic, "atomic") KEYWORD(bit, "bit") \
    KEYWORD(bool, "bool") KEYWORD(break, "break") KEYWORD(byte, "byte") KEYWORD(chan, "chan") \
    KEYWORD(c_code, "c_code") KEYWORD(c_decl, "c_decl") KEYWORD(c_expr, "c_expr") KEYWORD(c_state, "c_state") \
    KEYWORD(c_track, "c_track") KEYWORD(d_step, "d_step") KEYWORD(d_proctype, "D_proctype") KEYWORD(do, "do") \
    KEYWORD(else, "else") KEYWORD(empty, "empty") KEYWORD(enabled, "enabled") KEYWORD(eval, "eval") \
    KEYWORD(false, "false") KEYWORD(fi, "fi") KEYWORD(for, "for") KEYWORD(full, "full") \
    KEYWORD(get_priority, "get_priority") KEYWORD(goto, "goto") KEYWORD(hidden, "hidden") KEYWORD(if, "if") \
    KEYWORD(init, "init") KEYWORD(inline, "inline") KEYWORD(int, "int") KEYWORD(len, "len") \
    KEYWORD(local, "local") KEYWORD(ltl, "ltl") KEYWORD(mtype, "mtype") KEYWORD(nempty, "nempty") \
    KEYWORD(never, "never") KEYWORD(nfull, "nfull") KEYWORD(notrace, "notrace") KEYWORD(np, "np_") \
    KEYWORD(od, "od") KEYWORD(of, "of") KEYWORD(pc_value, "pc_value") KEYWORD(pid, "pid") \
    KEYWORD(printf, "printf") KEYWORD(printm, "printm") KEYWORD(priority, "priority") \
    KEYWORD(proctype, "proctype") KEYWORD(provided, "provided") KEYWORD(return, "return") KEYWORD(run, "run") \
    KEYWORD(select, "select") KEYWORD(set_priority, "set_priority") KEYWORD(short, "short") KEYWORD(show, "show") \
    KEYWORD(skip, "skip") KEYWORD(timeout, "timeout") KEYWORD(trace, "trace") KEYWORD(true, "true") \
    KEYWORD(typedef, "typedef") KEYWORD(unless, "unless") KEYWORD(unsigned, "unsigned") KEYWORD(xr, "xr") \
    KEYWORD(xs, "xs")

/* A token's kind is its character, or one of these. */
typedef enum hd_promela_kind {
    HD_TK_END = 0,
    HD_TK_NAME = 256,
    HD_TK_NUMBER,
    HD_TK_STRING,
    HD_TK_ARROW, /* -> */
    HD_TK_SEP, /* :: */
    HD_TK_DOTS, /* .. */
    HD_TK_SORTED, /* !! */
    HD_TK_RANDOM, /* ?? */
    HD_TK_EQ,
    HD_TK_NE,
    HD_TK_LE,
    HD_TK_GE,
    HD_TK_AND,
    HD_TK_OR,
    HD_TK_SHL,
    HD_TK_SHR,
    HD_TK_INCR,
    HD_TK_DECR,
#define KEYWORD(name, text) HD_TK_##name,
    HD_PROMELA_KEYWORDS(KEYWORD)
#undef KEYWORD
} hd_promela_kind;

typedef struct hd_promela_location {
    const char *file;
    int line, column;
} hd_promela_location;

typedef struct hd_promela_token {
    hd_promela_kind kind;
    int32_t value; /* of a number */
    const char *text; /* as written; of a string, with its quotes */
    hd_promela_location location;
} hd_promela_token;

typedef struct hd_promela_tokens {
    hd_promela_token *items;
    size_t count, room;
    hd_memory *memory;
} hd_promela_tokens;

/* Splits `text`; the last token is HD_TK_END. Texts live in `arena`. */
bool hd_promela_lex(const char *file, const char *text, hd_arena *arena, hd_promela_tokens *tokens, hd_error *error);

#endif
