#include "promela/lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct keyword {
    const char *text;
    hd_promela_kind kind;
} keywords[] = {
#define KEYWORD(name, text) { text, HD_TK_##name },
    HD_PROMELA_KEYWORDS(KEYWORD)
#undef KEYWORD
};

static const struct keyword pairs[] = { { "->", HD_TK_ARROW }, { "::", HD_TK_SEP }, { "..", HD_TK_DOTS },
    { "!!", HD_TK_SORTED }, { "\?\?", HD_TK_RANDOM }, { "==", HD_TK_EQ }, { "!=", HD_TK_NE }, { "<=", HD_TK_LE },
    { ">=", HD_TK_GE }, { "&&", HD_TK_AND }, { "||", HD_TK_OR }, { "<<", HD_TK_SHL }, { ">>", HD_TK_SHR },
    { "++", HD_TK_INCR }, { "--", HD_TK_DECR } };

typedef struct lexer {
    const char *at, *line_start;
    hd_promela_location location;
    hd_arena *arena;
    hd_error *error;
} lexer;

static bool complain(lexer *l, const char *what)
{
    return hd_fail(
        l->error, "%s:%d:%d: %s", l->location.file, l->location.line, (int)(l->at - l->line_start) + 1, what);
}

static void newline(lexer *l)
{
    l->location.line++;
    l->line_start = l->at + 1;
}

static char *copy(lexer *l, const char *from, size_t size)
{
    char *text = hd_arena_alloc(l->arena, size + 1);
    memcpy(text, from, size);
    return text;
}

/* `# 12 "file" 1` sets the position of the next line. Other directives that the preprocessor leaves
 * are ignored. */
static void read_marker(lexer *l)
{
    const char *c = l->at + 1;
    while (*c == ' ')
        c++;
    bool numbered = isdigit((unsigned char)*c);
    int line = numbered ? atoi(c) : l->location.line + 1;
    const char *quote = strchr(c, '"'), *end = strchr(c, '\n');
    if (!end)
        end = c + strlen(c);
    const char *close = quote && quote < end ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    if (numbered && close)
        l->location.file = copy(l, quote + 1, (size_t)(close - quote - 1));
    l->location.line = line - 1;
    l->at = end;
}

static bool skip_comment(lexer *l)
{
    /* Errors are reported where the comment begins. */
    const char *opened = l->at;
    for (l->at += 2; *l->at && !(l->at[0] == '*' && l->at[1] == '/'); l->at++)
        if (*l->at == '\n')
            newline(l);
    if (!*l->at) {
        l->at = opened > l->line_start ? opened : l->line_start;
        return complain(l, "this comment is never closed: expected '*/'");
    }
    l->at += 2;
    return true;
}

static bool skip_blanks(lexer *l)
{
    for (;;) {
        char c = *l->at;
        if (c == '\n') {
            newline(l);
            l->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            l->at++;
        } else if (c == '#' && l->at[strspn(l->at, "# ")] && (l->at == l->line_start || l->at[-1] == '\n')) {
            read_marker(l);
        } else if (c == '/' && l->at[1] == '*') {
            if (!skip_comment(l))
                return false;
        } else if (c == '/' && l->at[1] == '/') {
            l->at += strcspn(l->at, "\n");
        } else {
            return true;
        }
    }
}

static bool lex_number(lexer *l, hd_promela_token *token)
{
    char *end;
    errno = 0;
    /* Base 0: hexadecimal and octal numbers as in C. */
    long long value = strtoll(l->at, &end, 0);
    if (errno || value > 4294967295LL)
        return complain(l, "this number does not fit in 32 bits");
    if (isalnum((unsigned char)*end) || *end == '_')
        return complain(l, "expected a number or a name, but this is neither");
    token->kind = HD_TK_NUMBER;
    token->value = (int32_t)(uint32_t)value;
    token->text = copy(l, l->at, (size_t)(end - l->at));
    l->at = end;
    return true;
}

static void lex_name(lexer *l, hd_promela_token *token)
{
    size_t size = 0;
    while (isalnum((unsigned char)l->at[size]) || l->at[size] == '_')
        size++;
    token->kind = HD_TK_NAME;
    token->text = copy(l, l->at, size);
    /* A keyword is a name with a kind of its own. */
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(token->text, keywords[i].text))
            token->kind = keywords[i].kind;
    l->at += size;
}

static bool lex_string(lexer *l, hd_promela_token *token)
{
    const char *end = l->at + 1;
    while (*end && *end != '"' && *end != '\n')
        end += *end == '\\' && end[1] ? 2 : 1;
    if (*end != '"')
        return complain(l, "this string is never closed: expected '\"'");
    token->kind = HD_TK_STRING;
    token->text = copy(l, l->at, (size_t)(end + 1 - l->at));
    l->at = end + 1;
    return true;
}

static bool lex_character(lexer *l, hd_promela_token *token)
{
    bool escaped = l->at[1] == '\\';
    char c = l->at[escaped ? 2 : 1];
    if (!c || l->at[escaped ? 3 : 2] != '\'')
        return complain(l, "expected a character between single quotes");
    token->kind = HD_TK_NUMBER;
    token->value = !escaped ? c : c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '0' ? 0 : c;
    token->text = copy(l, l->at, escaped ? 4 : 3);
    l->at += escaped ? 4 : 3;
    return true;
}

static bool lex_sign(lexer *l, hd_promela_token *token)
{
    /* Two-character operators before single characters. */
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (l->at[0] == pairs[i].text[0] && l->at[1] == pairs[i].text[1]) {
            token->kind = pairs[i].kind;
            token->text = pairs[i].text;
            l->at += 2;
            return true;
        }
    if (!strchr("(){}[];:,.=<>+-*/%&|^~!?@", *l->at))
        return complain(l, "this character has no meaning in Promela");
    token->kind = (hd_promela_kind)*l->at;
    token->text = copy(l, l->at, 1);
    l->at++;
    return true;
}

static bool lex_one(lexer *l, hd_promela_token *token)
{
    *token = (hd_promela_token) { .location = l->location };
    token->location.column = (int)(l->at - l->line_start) + 1;
    unsigned char c = (unsigned char)*l->at;
    if (c == '\0') {
        token->kind = HD_TK_END;
        token->text = "the end of the file";
        return true;
    }
    if (isdigit(c))
        return lex_number(l, token);
    if (isalpha(c) || c == '_') {
        lex_name(l, token);
        return true;
    }
    return c == '"' ? lex_string(l, token) : c == '\'' ? lex_character(l, token) : lex_sign(l, token);
}

bool hd_promela_lex(const char *file, const char *text, hd_arena *arena, hd_promela_tokens *tokens, hd_error *error)
{
    lexer l = { .at = text, .line_start = text, .location = { file, 1, 1 }, .arena = arena, .error = error };
    for (;;) {
        hd_promela_token token;
        if (!skip_blanks(&l) || !lex_one(&l, &token))
            return false;
        hd_vec_push(tokens, token);
        if (token.kind == HD_TK_END)
            return true;
    }
}
