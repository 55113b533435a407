/* The constraint language: IF … THEN … ELSE …; and plain predicates, by recursive descent. NOT
 * binds tighter than AND, AND tighter than OR. Comparisons with constants are evaluated here, into
 * sets of accepted values. */
#include "pairs/model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 200, MOST_NODES = 60000 };

typedef struct parser {
    hd_pairs_model *model;
    const char *text, *at;
    int depth, nodes;
    hd_error *error;
} parser;

typedef struct constant {
    char *text;
    double number;
    bool quoted;
} constant;

typedef hd_vec(constant) constant_list;
typedef const hd_pairs_expression expression;

static int line_of(const parser *p, const char *at)
{
    int line = 1;
    for (const char *c = p->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static int column_of(const parser *p, const char *at)
{
    const char *start = at;
    while (start > p->text && start[-1] != '\n')
        start--;
    return (int)(at - start) + 1;
}

/* Fails at `p->at`; NULL, so that parsing functions can return it. */
static expression *expected(parser *p, const char *what)
{
    size_t length = strcspn(p->at, "\r\n");
    const char *found = length ? "'" : "the end of the line";
    hd_fail(p->error, "%s:%d:%d: expected %s, found %s%.*s%s", p->model->name, line_of(p, p->at), column_of(p, p->at),
        what, *p->at ? found : "the end of the file", (int)(length > 40 ? 40 : length), p->at, length ? "'" : "");
    return NULL;
}

static expression *wrong(parser *p, const char *at, const char *what, const char *name)
{
    hd_fail(p->error, "%s:%d:%d: %s%s%s%s", p->model->name, line_of(p, at), column_of(p, at), *name ? "'" : "", name,
        *name ? "' " : "", what);
    return NULL;
}

/* Skips white space and lines that start with #. */
static void skip(parser *p)
{
    for (;;) {
        while (isspace((unsigned char)*p->at))
            p->at++;
        const char *c = p->at;
        while (c > p->text && (c[-1] == ' ' || c[-1] == '\t' || c[-1] == '\r'))
            c--;
        if (*p->at != '#' || (c > p->text && c[-1] != '\n'))
            return;
        p->at += strcspn(p->at, "\n");
    }
}

static bool accept(parser *p, const char *token)
{
    skip(p);
    size_t length = strlen(token);
    if (strncasecmp(p->at, token, length))
        return false;
    p->at += length;
    return true;
}

static expression *node(parser *p, hd_pairs_expression e)
{
    if (++p->nodes > MOST_NODES)
        return wrong(p, p->at, "the constraint has too many terms; split it", "");
    hd_pairs_expression *copy = hd_arena_alloc(&p->model->arena, sizeof e);
    *copy = e;
    return copy;
}

static expression *negation(parser *p, expression *e)
{
    return e ? node(p, (hd_pairs_expression) { .kind = hd_pairs_not, .left = e }) : NULL;
}

static expression *join(parser *p, hd_pairs_kind kind, expression *left, expression *right)
{
    return left && right ? node(p, (hd_pairs_expression) { .kind = kind, .left = left, .right = right }) : NULL;
}

/* Text up to `closer`, with \\ \" and \] as escapes; NULL after an error. */
static char *read_text(parser *p, char closer, const char *what)
{
    const char *start = p->at;
    size_t length = 0;
    char *text = hd_arena_alloc(&p->model->arena, strcspn(start, "\n") + 1);
    for (; *p->at != closer; p->at++) {
        if (*p->at == '\\' && p->at[1] && strchr("\\\"]", p->at[1]))
            p->at++;
        if (*p->at == '\0' || *p->at == '\n') {
            p->at = start;
            expected(p, what);
            return NULL;
        }
        text[length++] = *p->at;
    }
    p->at++;
    text[length] = '\0';
    return text;
}

static int known_parameter(parser *p, const char *at, const char *name)
{
    int found = hd_pairs_find_parameter(p->model, name, strlen(name));
    if (found < 0)
        wrong(p, at, "is not a parameter of this model", name);
    return found;
}

/* `[Name]`; -1 after an error. */
static int read_parameter(parser *p)
{
    if (!accept(p, "[")) {
        expected(p, "a term like [Parameter] = \"value\"");
        return -1;
    }
    const char *at = p->at;
    const char *name = read_text(p, ']', "a parameter's name and ']'");
    return name ? known_parameter(p, at, name) : -1;
}

static bool read_constant(parser *p, constant *c)
{
    *c = (constant) { .quoted = accept(p, "\"") };
    if (c->quoted)
        return (c->text = read_text(p, '"', "the string's end '\"' on the same line")) != NULL;
    char *end;
    size_t length = strspn(p->at, "+-.0123456789eE");
    char *copy = hd_arena_print(&p->model->arena, "%.*s", (int)length, p->at);
    c->number = strtod(copy, &end);
    if (end == copy) {
        expected(p, "a number, or a string in double quotes");
        return false;
    }
    p->at += end - copy;
    return true;
}

/* Glob matching with backtracking to the last star only, so it takes at most pattern × text steps. */
static bool matches(const char *pattern, const char *text, bool case_sensitive)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        bool same = *pattern == '?'
            || (case_sensitive ? *pattern == *text : tolower((unsigned char)*pattern) == tolower((unsigned char)*text));
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern && same) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool *no_values(parser *p, int parameter)
{
    return hd_arena_alloc(&p->model->arena, (size_t)p->model->parameters.items[parameter].value_count * sizeof(bool));
}

static expression *one_of(parser *p, int parameter, const bool *accepted)
{
    return node(p, (hd_pairs_expression) { .kind = hd_pairs_one_of, .parameter = parameter, .accepted = accepted });
}

static expression *like(parser *p, int parameter, const char *pattern)
{
    const hd_pairs_parameter *q = &p->model->parameters.items[parameter];
    bool *accepted = no_values(p, parameter);
    for (int v = 0; v < q->value_count; v++)
        accepted[v] = matches(pattern, q->values[v].names[0], p->model->syntax.case_sensitive);
    return one_of(p, parameter, accepted);
}

static expression *read_like(parser *p, int parameter)
{
    const char *at = (skip(p), p->at);
    if (p->model->parameters.items[parameter].numeric)
        return wrong(p, at, "is numeric, LIKE is for text", p->model->parameters.items[parameter].name);
    if (!accept(p, "\""))
        return expected(p, "a pattern in double quotes");
    const char *pattern = read_text(p, '"', "the pattern's end '\"' on the same line");
    return pattern ? like(p, parameter, pattern) : NULL;
}

static bool same_type(parser *p, const char *at, int parameter, const constant *c)
{
    const hd_pairs_parameter *q = &p->model->parameters.items[parameter];
    if (q->numeric != c->quoted)
        return true;
    wrong(p, at,
        q->numeric ? "is numeric: compare it with a number, without quotes"
                   : "is text: compare it with a string in double quotes",
        q->name);
    return false;
}

/* Compares by the rule for two parameters: the constant becomes the only value of an artificial parameter. */
static bool compares(const hd_pairs_model *m, int parameter, int v, hd_pairs_relation relation, const constant *c)
{
    hd_pairs_model pair = { .syntax = m->syntax };
    const char *name = c->text;
    hd_pairs_value value = { .names = &name, .number = c->number };
    hd_pairs_parameter both[2] = { m->parameters.items[parameter], { .values = &value, .numeric = !c->quoted } };
    pair.parameters.items = both;
    return hd_pairs_related(&pair, relation, 0, v, 1, 0);
}

static expression *read_set(parser *p, int parameter)
{
    bool *accepted = no_values(p, parameter);
    if (!accept(p, "{"))
        return expected(p, "'{' and the values of the set");
    do {
        constant c;
        const char *at = (skip(p), p->at);
        if (!read_constant(p, &c) || !same_type(p, at, parameter, &c))
            return NULL;
        for (int v = 0; v < p->model->parameters.items[parameter].value_count; v++)
            accepted[v] |= compares(p->model, parameter, v, hd_pairs_equal, &c);
    } while (accept(p, ","));
    return accept(p, "}") ? one_of(p, parameter, accepted) : expected(p, "',' or '}'");
}

static expression *compare_parameters(parser *p, int parameter, hd_pairs_relation relation)
{
    const char *at = p->at;
    int other = read_parameter(p);
    if (other < 0)
        return NULL;
    const hd_pairs_parameter *left = &p->model->parameters.items[parameter],
                             *right = &p->model->parameters.items[other];
    if (other == parameter)
        return wrong(p, at, "is compared with itself", left->name);
    if (left->numeric != right->numeric)
        return wrong(p, at, "is numeric and the other one is text: they cannot be compared",
            left->numeric ? left->name : right->name);
    return node(p,
        (hd_pairs_expression) {
            .kind = hd_pairs_compare, .parameter = parameter, .relation = relation, .other = other });
}

static bool read_relation(parser *p, hd_pairs_relation *relation)
{
    static const struct {
        const char *token;
        hd_pairs_relation relation;
    } relations[] = { { "=", hd_pairs_equal }, { "<>", hd_pairs_unequal }, { "<=", hd_pairs_at_most },
        { ">=", hd_pairs_at_least }, { "<", hd_pairs_less }, { ">", hd_pairs_greater } };
    /* Longer operators come before their prefixes. */
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (accept(p, relations[i].token)) {
            *relation = relations[i].relation;
            return true;
        }
    expected(p, "a relation: = <> < <= > >= LIKE or IN");
    return false;
}

static expression *read_comparison(parser *p, int parameter)
{
    hd_pairs_relation relation = hd_pairs_equal;
    constant c;
    if (!read_relation(p, &relation))
        return NULL;
    const char *at = (skip(p), p->at);
    if (*p->at == '[')
        return compare_parameters(p, parameter, relation);
    if (!read_constant(p, &c) || !same_type(p, at, parameter, &c))
        return NULL;
    bool *accepted = no_values(p, parameter);
    for (int v = 0; v < p->model->parameters.items[parameter].value_count; v++)
        accepted[v] = compares(p->model, parameter, v, relation, &c);
    return one_of(p, parameter, accepted);
}

static expression *read_term(parser *p)
{
    int parameter = read_parameter(p);
    if (parameter < 0)
        return NULL;
    bool negated = accept(p, "NOT");
    expression *e;
    if (accept(p, "IN"))
        e = read_set(p, parameter);
    else if (accept(p, "LIKE"))
        e = read_like(p, parameter);
    else
        return negated ? expected(p, "IN or LIKE") : read_comparison(p, parameter);
    return negated ? negation(p, e) : e;
}

static expression *has_negative(parser *p, int parameter)
{
    bool *accepted = no_values(p, parameter);
    for (int v = 0; v < p->model->parameters.items[parameter].value_count; v++)
        accepted[v] = p->model->parameters.items[parameter].values[v].negative;
    return one_of(p, parameter, accepted);
}

/* The part of ISNEGATIVE(Name) behind the keyword; without a name: any parameter. */
static expression *read_negative(parser *p)
{
    if (!accept(p, "("))
        return expected(p, "'(' and a parameter's name");
    skip(p);
    const char *at = p->at;
    bool bracket = accept(p, "[");
    const char *name = read_text(p, bracket ? ']' : ')', "a parameter's name and ')'");
    if (!name || (bracket && !accept(p, ")")))
        return name ? expected(p, "')'") : NULL;
    if (strspn(name, " \t") < strlen(name)) {
        int parameter = known_parameter(p, at, name);
        return parameter < 0 ? NULL : has_negative(p, parameter);
    }
    expression *any = has_negative(p, 0);
    for (size_t i = 1; i < p->model->parameters.count; i++)
        any = join(p, hd_pairs_or, any, has_negative(p, (int)i));
    return any;
}

static expression *read_or(parser *p);
static expression *read_condition(parser *p);

static expression *read_simple_condition(parser *p)
{
    if (accept(p, "(")) {
        expression *e = read_or(p);
        return !e || accept(p, ")") ? e : expected(p, "AND, OR or ')'");
    }
    if (accept(p, "NOT"))
        return negation(p, read_condition(p));
    if (accept(p, "ISNEGATIVE"))
        return read_negative(p);
    return accept(p, "ISPOSITIVE") ? negation(p, read_negative(p)) : read_term(p);
}

static expression *read_condition(parser *p)
{
    if (p->depth == DEEPEST)
        return wrong(p, p->at, "the condition is nested too deeply", "");
    p->depth++;
    expression *e = read_simple_condition(p);
    p->depth--;
    return e;
}

static expression *read_and(parser *p)
{
    expression *e = read_condition(p);
    while (e && accept(p, "AND"))
        e = join(p, hd_pairs_and, e, read_condition(p));
    return e;
}

static expression *read_or(parser *p)
{
    expression *e = read_and(p);
    while (e && accept(p, "OR"))
        e = join(p, hd_pairs_or, e, read_and(p));
    return e;
}

static expression *read_conditional(parser *p)
{
    expression *condition = read_or(p);
    if (!condition)
        return NULL;
    if (!accept(p, "THEN"))
        return expected(p, "AND, OR or THEN");
    /* IF a THEN b ELSE c is (NOT a OR b) AND (a OR c). */
    expression *e = join(p, hd_pairs_or, negation(p, condition), read_or(p));
    return e && accept(p, "ELSE") ? join(p, hd_pairs_and, e, join(p, hd_pairs_or, condition, read_or(p))) : e;
}

/* The source between two points, with white space squeezed. */
static const char *source(parser *p, const char *from, const char *to)
{
    char *text = hd_arena_alloc(&p->model->arena, (size_t)(to - from) + 1), *out = text;
    for (; from < to; from++)
        if (!isspace((unsigned char)*from))
            *out++ = *from;
        else if (out > text && out[-1] != ' ')
            *out++ = ' ';
    return text;
}

bool hd_pairs_parse_constraints(hd_pairs_model *m, const char *text, const char *at, hd_error *error)
{
    parser p = { .model = m, .text = text, .at = at, .error = error };
    for (skip(&p); *p.at; skip(&p)) {
        const char *start = p.at;
        p.nodes = 0;
        expression *e = accept(&p, "IF") ? read_conditional(&p) : read_or(&p);
        if (e && !accept(&p, ";"))
            e = expected(&p, "AND, OR or ';' at the end of the constraint");
        if (!e)
            return false;
        hd_vec_push(&m->constraints, ((hd_pairs_constraint) { e, source(&p, start, p.at), line_of(&p, start) }));
    }
    return true;
}
