#include "promela/parser.h"

#include "promela/flow.h"
#include "promela/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EXPANDED = 2000000, MOST_ACTIVE = 255, MOST_PARAMETERS = 64 };

_Noreturn void hd_pml_fail(hd_pml_parser *p, hd_pml_place place, const char *format, ...)
{
    char what[700];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    hd_fail(p->error, "%s:%d:%d: %s", place.file, place.line, place.column, what);
    longjmp(p->failed, 1);
}

/* --- tokens ------------------------------------------------------------------ */

static void leave_finished_calls(hd_pml_parser *p)
{
    while (p->at == p->end && p->call_depth > 0) {
        p->call_depth--;
        p->at = p->calls[p->call_depth].at;
        p->end = p->calls[p->call_depth].end;
    }
}

hd_pml_token hd_pml_peek(hd_pml_parser *p)
{
    leave_finished_calls(p);
    return p->tokens.items[p->at];
}

hd_pml_token hd_pml_peek_second(hd_pml_parser *p)
{
    leave_finished_calls(p);
    size_t at = p->at + 1, end = p->end;
    for (int depth = p->call_depth; at == end && depth > 0;) {
        depth--;
        at = p->calls[depth].at;
        end = p->calls[depth].end;
    }
    return p->tokens.items[at < p->tokens.count ? at : p->tokens.count - 1];
}

hd_pml_token hd_pml_take(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_peek(p);
    if (token.kind != HD_TK_END)
        p->at++;
    return token;
}

bool hd_pml_accept(hd_pml_parser *p, int kind)
{
    if ((int)hd_pml_peek(p).kind != kind)
        return false;
    hd_pml_take(p);
    return true;
}

hd_pml_token hd_pml_expect(hd_pml_parser *p, int kind, const char *what)
{
    hd_pml_token token = hd_pml_take(p);
    if ((int)token.kind != kind)
        hd_pml_fail(p, token.place, "expected %s, not '%s'", what, token.text);
    return token;
}

void hd_pml_enter(hd_pml_parser *p)
{
    if (++p->depth > HD_PML_DEEPEST)
        hd_pml_fail(p, hd_pml_peek(p).place, "this is nested more than %d levels deep", HD_PML_DEEPEST);
}

void hd_pml_leave(hd_pml_parser *p)
{
    p->depth--;
}

bool hd_pml_separator(hd_pml_parser *p)
{
    bool any = false;
    while (hd_pml_peek(p).kind == (hd_pml_kind)';' || hd_pml_peek(p).kind == HD_TK_ARROW) {
        hd_pml_take(p);
        any = true;
    }
    return any;
}

/* --- names and nodes ----------------------------------------------------------- */

hd_pml_symbol *hd_pml_find(hd_pml_parser *p, const char *name)
{
    for (hd_pml_named *n = p->names; n; n = n->next)
        if (!strcmp(n->symbol->name, name))
            return n->symbol;
    return NULL;
}

hd_pml_symbol *hd_pml_declare(hd_pml_parser *p, hd_pml_symbol_kind kind, hd_pml_token name)
{
    hd_pml_symbol *old = hd_pml_find(p, name.text);
    if (old && old->scope == p->scope)
        hd_pml_fail(p, name.place, "'%s' is declared twice; it was declared at line %d", name.text, old->place.line);
    hd_pml_symbol *s = hd_arena_alloc(&p->model->arena, sizeof *s);
    *s = (hd_pml_symbol) {
        .name = name.text, .kind = kind, .count = 1, .owner = p->proctype, .scope = p->scope, .place = name.place
    };
    hd_pml_named *entry = hd_arena_alloc(&p->model->arena, sizeof *entry);
    *entry = (hd_pml_named) { s, p->names };
    p->names = entry;
    return s;
}

hd_pml_node *hd_pml_node_new(hd_pml_parser *p, hd_pml_op op, hd_pml_place place)
{
    hd_pml_node *n = hd_arena_alloc(&p->model->arena, sizeof *n);
    n->op = op;
    n->place = place;
    n->in_d_step = p->d_step_depth > 0 ? p->d_step_count : 0;
    return n;
}

hd_pml_node *hd_pml_constant(hd_pml_parser *p, int value, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_CONST, place);
    n->value = value;
    return n;
}

hd_pml_node *hd_pml_name_node(hd_pml_parser *p, hd_pml_symbol *symbol, hd_pml_place place)
{
    hd_pml_node *n = hd_pml_node_new(p, HD_N_NAME, place);
    n->symbol = symbol;
    return n;
}

/* --- inlines -------------------------------------------------------------------- */

static void skip_braces(hd_pml_parser *p, hd_pml_place opened)
{
    for (int depth = 1; depth > 0;) {
        hd_pml_token token = hd_pml_take(p);
        if (token.kind == HD_TK_END)
            hd_pml_fail(p, opened, "this '{' is never closed: expected '}'");
        depth += token.kind == (hd_pml_kind)'{' ? 1 : token.kind == (hd_pml_kind)'}' ? -1 : 0;
    }
}

static void parse_inline(hd_pml_parser *p)
{
    hd_pml_symbol *s = hd_pml_declare(p, HD_SYMBOL_INLINE, hd_pml_expect(p, HD_TK_NAME, "the name of the inline"));
    const char *names[MOST_PARAMETERS];
    int count = 0;
    hd_pml_expect(p, '(', "'(' after the inline's name");
    while (hd_pml_peek(p).kind == HD_TK_NAME) {
        if (count == MOST_PARAMETERS)
            hd_pml_fail(p, s->place, "inline '%s' has more than %d parameters", s->name, MOST_PARAMETERS);
        names[count++] = hd_pml_take(p).text;
        if (!hd_pml_accept(p, ','))
            break;
    }
    s->parameter_count = count;
    s->parameters = hd_arena_alloc(&p->model->arena, (size_t)(count + 1) * sizeof *s->parameters);
    memcpy(s->parameters, names, (size_t)count * sizeof *names);
    hd_pml_expect(p, ')', "',' or ')' in the inline's parameters");
    hd_pml_token brace = hd_pml_expect(p, '{', "'{' to open the inline's body");
    s->body_from = p->at - 1;
    skip_braces(p, brace.place);
    s->body_to = p->at;
}

typedef struct stretch {
    size_t from, to;
} stretch;

/* The tokens of one argument are copied to the end of the stream, because the call may end in another stretch. */
static stretch take_argument(hd_pml_parser *p, hd_pml_symbol *callee)
{
    stretch s = { p->tokens.count, 0 };
    for (int depth = 0;;) {
        hd_pml_token token = hd_pml_peek(p);
        hd_pml_kind k = token.kind;
        if (k == HD_TK_END || k == (hd_pml_kind)'{' || k == (hd_pml_kind)'}')
            hd_pml_fail(p, token.place, "expected ')' to end the call of inline '%s'", callee->name);
        if (depth == 0 && (k == (hd_pml_kind)',' || k == (hd_pml_kind)')'))
            break;
        depth += k == (hd_pml_kind)'(' || k == (hd_pml_kind)'[' ? 1
            : k == (hd_pml_kind)')' || k == (hd_pml_kind)']'    ? -1
                                                                : 0;
        hd_pml_take(p);
        hd_vec_push(&p->tokens, token);
    }
    s.to = p->tokens.count;
    return s;
}

static void expand_token(hd_pml_parser *p, hd_pml_symbol *callee, hd_pml_token token, const stretch *arguments)
{
    for (int i = 0; token.kind == HD_TK_NAME && i < callee->parameter_count; i++)
        if (!strcmp(token.text, callee->parameters[i])) {
            for (size_t a = arguments[i].from; a < arguments[i].to; a++) {
                hd_pml_token copy = p->tokens.items[a];
                copy.place = token.place;
                hd_vec_push(&p->tokens, copy);
            }
            return;
        }
    hd_vec_push(&p->tokens, token);
}

void hd_pml_call_inline(hd_pml_parser *p, hd_pml_symbol *callee)
{
    hd_pml_place place = hd_pml_peek(p).place;
    stretch arguments[MOST_PARAMETERS];
    for (int i = 0; i < p->call_depth; i++)
        if (p->calls[i].callee == callee)
            hd_pml_fail(p, place, "inline '%s' is expanded without end: an inline cannot call itself", callee->name);
    int count = 0;
    hd_pml_expect(p, '(', "'(' to call an inline");
    while (hd_pml_peek(p).kind != (hd_pml_kind)')') {
        if (count == MOST_PARAMETERS)
            hd_pml_fail(p, place, "inline '%s' is called with more than %d arguments", callee->name, MOST_PARAMETERS);
        arguments[count++] = take_argument(p, callee);
        if (hd_pml_peek(p).kind != (hd_pml_kind)')')
            hd_pml_expect(p, ',', "',' between arguments");
    }
    hd_pml_take(p);
    if (count != callee->parameter_count)
        hd_pml_fail(p, place, "inline '%s' expects %d arguments, not %d", callee->name, callee->parameter_count, count);
    size_t from = p->tokens.count;
    for (size_t t = callee->body_from; t < callee->body_to; t++)
        expand_token(p, callee, p->tokens.items[t], arguments);
    p->expanded += p->tokens.count - from;
    if (p->call_depth == HD_PML_DEEPEST || p->expanded > MOST_EXPANDED)
        hd_pml_fail(p, place, "inline calls expand to more than %d tokens", MOST_EXPANDED);
    p->calls[p->call_depth++] = (struct hd_pml_frame) { p->at, p->end, callee };
    p->at = from;
    p->end = p->tokens.count;
}

/* --- units ----------------------------------------------------------------------- */

static void parse_body(hd_pml_parser *p, hd_pml_proctype *t)
{
    hd_pml_token brace = hd_pml_expect(p, '{', "'{' to open the body");
    hd_pml_sequence_open(p, true);
    hd_pml_steps(p);
    hd_pml_token end = hd_pml_expect(p, '}', "';' before the next statement, or '}' to end the body");
    hd_pml_sequence_add(p, hd_pml_node_new(p, HD_S_END, end.place));
    t->body = hd_pml_sequence_close(p, brace.place);
}

static hd_pml_proctype *new_proctype(hd_pml_parser *p, const char *name, hd_pml_place place)
{
    hd_pml_proctype *t = hd_arena_alloc(&p->model->arena, sizeof *t);
    t->name = name;
    t->place = place;
    t->index = (int)p->model->proctypes.count;
    t->element_count = 1;
    hd_vec_push(&p->model->proctypes, t);
    return t;
}

static void begin_proctype(hd_pml_parser *p, hd_pml_proctype *t)
{
    p->proctype = t;
    p->scope = hd_arena_alloc(&p->model->arena, sizeof *p->scope);
    p->scope->parent = &p->file_scope;
    p->initialising = true;
}

static void end_proctype(hd_pml_parser *p, hd_pml_named *names)
{
    p->names = names;
    p->scope = &p->file_scope;
    p->proctype = NULL;
    p->initialising = true;
}

static void refuse_priority(hd_pml_parser *p)
{
    if (hd_pml_peek(p).kind == HD_TK_priority)
        hd_pml_fail(p, hd_pml_peek(p).place, "process priorities are not supported; remove 'priority'");
}

static void parse_proctype(hd_pml_parser *p, int active)
{
    hd_pml_token name = hd_pml_expect(p, HD_TK_NAME, "the name of the proctype");
    hd_pml_symbol *symbol = hd_pml_declare(p, HD_SYMBOL_PROCTYPE, name);
    hd_pml_named *names = p->names;
    hd_pml_proctype *t = new_proctype(p, name.text, name.place);
    symbol->proctype = t;
    t->symbol = symbol;
    t->active = active;
    begin_proctype(p, t);
    hd_pml_expect(p, '(', "'(' after the proctype's name");
    while (hd_pml_peek(p).kind != (hd_pml_kind)')') {
        hd_pml_declaration(p, true);
        if (!hd_pml_accept(p, ';'))
            break;
    }
    hd_pml_expect(p, ')', "';' or ')' in the parameters");
    t->parameter_count = (int)t->variables.count;
    refuse_priority(p);
    if (hd_pml_accept(p, HD_TK_provided)) {
        hd_pml_expect(p, '(', "'(' after provided");
        t->provided = hd_pml_expression(p);
        hd_pml_expect(p, ')', "')' after the condition of provided");
        p->model->has_provided = true;
    }
    parse_body(p, t);
    end_proctype(p, names);
}

static void parse_active(hd_pml_parser *p)
{
    int count = 1;
    hd_pml_place place = hd_pml_peek(p).place;
    if (hd_pml_accept(p, '[')) {
        count = hd_pml_constant_expression(p);
        hd_pml_expect(p, ']', "']' after the number of instances");
    }
    if (count < 0 || count > MOST_ACTIVE)
        hd_pml_fail(p, place, "%d instances: expected a number from 0 to %d", count, MOST_ACTIVE);
    if (hd_pml_peek(p).kind == HD_TK_d_proctype)
        hd_pml_fail(p, hd_pml_peek(p).place, "D_proctype is not supported; write proctype");
    hd_pml_expect(p, HD_TK_proctype, "'proctype' after active");
    parse_proctype(p, count);
}

static void parse_init(hd_pml_parser *p, hd_pml_place place)
{
    hd_pml_named *names = p->names;
    hd_pml_proctype *t = new_proctype(p, ":init:", place);
    t->active = 1;
    t->is_init = true;
    begin_proctype(p, t);
    refuse_priority(p);
    parse_body(p, t);
    end_proctype(p, names);
}

static void parse_unit(hd_pml_parser *p)
{
    hd_pml_token token = hd_pml_peek(p);
    switch ((int)token.kind) {
    case HD_TK_ltl:
    case HD_TK_never:
    case HD_TK_trace:
    case HD_TK_notrace:
        hd_pml_fail(p, token.place,
            "'%s' needs model checking of sequences, which this version does not do; remove it, "
            "and use assert or --invariant",
            token.text);
    case HD_TK_c_code:
    case HD_TK_c_decl:
    case HD_TK_c_expr:
    case HD_TK_c_state:
    case HD_TK_c_track:
        hd_pml_fail(p, token.place, "embedded C ('%s') is not supported", token.text);
    case HD_TK_d_proctype:
        hd_pml_fail(p, token.place, "D_proctype is not supported; write proctype");
    case HD_TK_active:
        hd_pml_take(p);
        parse_active(p);
        return;
    case HD_TK_proctype:
        hd_pml_take(p);
        parse_proctype(p, 0);
        return;
    case HD_TK_init:
        hd_pml_take(p);
        parse_init(p, token.place);
        return;
    case HD_TK_inline:
        hd_pml_take(p);
        parse_inline(p);
        return;
    case HD_TK_typedef:
        hd_pml_take(p);
        hd_pml_typedef(p);
        return;
    default:
        if (!hd_pml_at_declaration(p))
            hd_pml_fail(
                p, token.place, "expected a declaration, proctype, init, inline or typedef, not '%s'", token.text);
        hd_pml_declaration(p, false);
    }
}

static void declare_built_in(hd_pml_parser *p, const char *name, hd_pml_symbol_kind kind)
{
    hd_pml_symbol *s = hd_pml_declare(p, kind, (hd_pml_token) { .text = name });
    s->type = HD_TYPE_BYTE;
}

static void declare_built_ins(hd_pml_parser *p)
{
    p->scope = NULL; /* a model may declare these names itself */
    declare_built_in(p, "_pid", HD_SYMBOL_PID);
    declare_built_in(p, "_nr_pr", HD_SYMBOL_NR_PR);
    declare_built_in(p, "_last", HD_SYMBOL_LAST);
    declare_built_in(p, "_", HD_SYMBOL_ANY);
    p->scope = &p->file_scope;
}

static void resolve_runs(hd_pml_parser *p)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        hd_pml_node *n = p->runs.items[i];
        n->symbol = hd_pml_find(p, n->label);
        if (!n->symbol || n->symbol->kind != HD_SYMBOL_PROCTYPE)
            hd_pml_fail(p, n->place, "'%s' is not a proctype", n->label);
        int count = 0, wanted = n->symbol->proctype->parameter_count;
        for (hd_pml_node *a = n->list; a; a = a->next)
            count++;
        if (count != wanted)
            hd_pml_fail(p, n->place, "'%s' expects %d arguments, not %d", n->label, wanted, count);
    }
}

static void parse_model(hd_pml_parser *p, const char *text)
{
    if (!hd_pml_lex(p->model->file, text, &p->model->arena, &p->tokens, p->error))
        longjmp(p->failed, 1);
    p->end = p->tokens.count;
    declare_built_ins(p);
    p->initialising = true;
    while (hd_pml_peek(p).kind != HD_TK_END)
        if (!hd_pml_separator(p))
            parse_unit(p);
    resolve_runs(p);
    bool starts = false;
    for (size_t i = 0; i < p->model->proctypes.count; i++)
        starts |= p->model->proctypes.items[i]->active > 0;
    if (!starts)
        hd_pml_fail(p, hd_pml_peek(p).place, "nothing runs: expected an init or an active proctype");
    hd_pml_resolve_gotos(p->model, p->error) ? (void)0 : longjmp(p->failed, 1);
}

hd_pml_model *hd_pml_parse(const char *file, const char *text, hd_error *error)
{
    hd_pml_model *m = hd_alloc(&hd_heap, sizeof *m);
    hd_arena_init(&m->arena, &hd_heap);
    m->file = hd_arena_copy(&m->arena, file);
    hd_pml_parser *p = hd_alloc(&hd_heap, sizeof *p);
    p->model = m;
    p->error = error;
    bool ok = setjmp(p->failed) == 0;
    if (ok)
        parse_model(p, text);
    hd_vec_fini(&p->tokens);
    hd_vec_fini(&p->runs);
    hd_release(&hd_heap, p, sizeof *p);
    if (ok)
        return m;
    hd_pml_model_close(m);
    return NULL;
}

hd_pml_node *hd_pml_parse_expression(hd_pml_model *m, const char *name, const char *text, hd_error *error)
{
    hd_pml_parser *p = hd_alloc(&hd_heap, sizeof *p);
    p->model = m;
    p->error = error;
    hd_pml_node *volatile result = NULL;
    if (setjmp(p->failed) == 0) {
        if (!hd_pml_lex(name, text, &m->arena, &p->tokens, error))
            longjmp(p->failed, 1);
        p->end = p->tokens.count;
        declare_built_ins(p);
        hd_pml_named *entries = hd_arena_alloc(&m->arena, (m->globals.count + m->constants.count) * sizeof *entries);
        for (size_t i = 0; i < m->globals.count + m->constants.count; i++) {
            entries[i].symbol = i < m->globals.count ? m->globals.items[i] : m->constants.items[i - m->globals.count];
            entries[i].next = p->names;
            p->names = &entries[i];
        }
        hd_pml_node *n = hd_pml_expression(p);
        hd_pml_expect(p, HD_TK_END, "the end of the expression");
        result = n;
    }
    hd_vec_fini(&p->tokens);
    hd_vec_fini(&p->runs);
    hd_release(&hd_heap, p, sizeof *p);
    return result;
}

void hd_pml_model_close(hd_pml_model *m)
{
    for (size_t i = 0; i < m->proctypes.count; i++)
        hd_vec_fini(&m->proctypes.items[i]->variables);
    hd_vec_fini(&m->globals);
    hd_vec_fini(&m->constants);
    hd_vec_fini(&m->proctypes);
    hd_arena_fini(&m->arena);
    hd_release(&hd_heap, m, sizeof *m);
}

const char *hd_pml_constant_name(const hd_pml_model *m, int value)
{
    for (size_t i = 0; i < m->constants.count; i++)
        if (m->constants.items[i]->value == value)
            return m->constants.items[i]->name;
    return NULL;
}

uint32_t hd_pml_type_size(hd_pml_type type)
{
    return type == HD_TYPE_INT || type == HD_TYPE_UNSIGNED ? 4 : type == HD_TYPE_SHORT ? 2 : 1;
}
