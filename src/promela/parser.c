#include "promela/parser.h"

#include "promela/flow.h"
#include "promela/parser_internal.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_ACTIVE = 255 };

_Noreturn void hd_promela_fail(hd_promela_parser *p, hd_promela_location location, const char *format, ...)
{
    char what[700];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    hd_fail(p->error, "%s:%d:%d: %s", location.file, location.line, location.column, what);
    longjmp(p->failed, 1);
}

/* --- units ----------------------------------------------------------------------- */

/* Every body ends with an element for the closing brace: the end state. */
static void parse_body(hd_promela_parser *p, hd_promela_proctype *t)
{
    hd_promela_token brace = hd_promela_expect(p, '{', "'{' to open the body");
    hd_promela_sequence_open(p, true);
    hd_promela_steps(p);
    hd_promela_token end = hd_promela_expect(p, '}', "';' before the next statement, or '}' to end the body");
    hd_promela_sequence_add(p, hd_promela_node_new(p, HD_S_END, end.location));
    t->body = hd_promela_sequence_close(p, brace.location);
}

static hd_promela_proctype *new_body(hd_promela_parser *p, const char *name, hd_promela_location location)
{
    hd_promela_proctype *t = hd_arena_alloc(&p->model->arena, sizeof *t);
    t->name = name;
    t->location = location;
    /* Control states are numbered from 1, as in SPIN. */
    t->element_count = 1;
    return t;
}

static hd_promela_proctype *new_proctype(hd_promela_parser *p, const char *name, hd_promela_location location)
{
    hd_promela_proctype *t = new_body(p, name, location);
    /* The index is the type byte of a process in a state (program.h). */
    t->index = (int)p->model->proctypes.count;
    hd_vec_push(&p->model->proctypes, t);
    return t;
}

static void begin_proctype(hd_promela_parser *p, hd_promela_proctype *t)
{
    p->proctype = t;
    p->scope = hd_arena_alloc(&p->model->arena, sizeof *p->scope);
    p->scope->parent = &p->file_scope;
    /* Declarations before the first statement are initial values. */
    p->initialising = true;
}

/* Names of the body go out of scope. */
static void end_proctype(hd_promela_parser *p, hd_promela_named *names)
{
    p->names = names;
    p->scope = &p->file_scope;
    p->proctype = NULL;
    p->initialising = true;
}

static void refuse_priority(hd_promela_parser *p)
{
    if (hd_promela_peek(p).kind == HD_TK_priority)
        hd_promela_fail(p, hd_promela_peek(p).location, "process priorities are not supported; remove 'priority'");
}

static void parse_proctype(hd_promela_parser *p, int active)
{
    hd_promela_token name = hd_promela_expect(p, HD_TK_NAME, "the name of the proctype");
    hd_promela_symbol *symbol = hd_promela_declare(p, HD_SYMBOL_PROCTYPE, name);
    hd_promela_named *names = p->names;
    hd_promela_proctype *t = new_proctype(p, name.text, name.location);
    symbol->proctype = t;
    t->symbol = symbol;
    t->active = active;
    begin_proctype(p, t);
    hd_promela_expect(p, '(', "'(' after the proctype's name");
    while (hd_promela_peek(p).kind != (hd_promela_kind)')') {
        /* Parameters are the first variables of the frame. */
        hd_promela_declaration(p, true);
        if (!hd_promela_accept(p, ';'))
            break;
    }
    hd_promela_expect(p, ')', "';' or ')' in the parameters");
    t->parameter_count = (int)t->variables.count;
    refuse_priority(p);
    if (hd_promela_accept(p, HD_TK_provided)) {
        hd_promela_expect(p, '(', "'(' after provided");
        t->provided = hd_promela_expression(p);
        hd_promela_expect(p, ')', "')' after the condition of provided");
        p->model->has_provided = true;
    }
    parse_body(p, t);
    end_proctype(p, names);
}

static void parse_active(hd_promela_parser *p)
{
    int count = 1;
    hd_promela_location location = hd_promela_peek(p).location;
    if (hd_promela_accept(p, '[')) {
        count = hd_promela_constant_expression(p);
        hd_promela_expect(p, ']', "']' after the number of instances");
    }
    if (count < 0 || count > MOST_ACTIVE)
        hd_promela_fail(p, location, "%d instances: expected a number from 0 to %d", count, MOST_ACTIVE);
    if (hd_promela_peek(p).kind == HD_TK_d_proctype)
        hd_promela_fail(p, hd_promela_peek(p).location, "D_proctype is not supported; write proctype");
    hd_promela_expect(p, HD_TK_proctype, "'proctype' after active");
    parse_proctype(p, count);
}

static void parse_init(hd_promela_parser *p, hd_promela_location location)
{
    hd_promela_named *names = p->names;
    hd_promela_proctype *t = new_proctype(p, ":init:", location);
    t->active = 1;
    t->is_init = true;
    begin_proctype(p, t);
    refuse_priority(p);
    parse_body(p, t);
    end_proctype(p, names);
}

/* A never claim has a body like a proctype, but is no process. */
hd_promela_proctype *hd_promela_never(hd_promela_parser *p, const char *name, hd_promela_location location)
{
    hd_promela_named *names = p->names;
    hd_promela_proctype *t = new_body(p, name, location);
    begin_proctype(p, t);
    parse_body(p, t);
    end_proctype(p, names);
    return t;
}

static void parse_unit(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_peek(p);
    switch ((int)token.kind) {
    case HD_TK_ltl:
    case HD_TK_never:
        hd_promela_claim_later(p);
        return;
    case HD_TK_trace:
    case HD_TK_notrace:
        hd_promela_fail(p, token.location, "'%s' is not supported; say it with ltl or a never claim", token.text);
    case HD_TK_c_code:
    case HD_TK_c_decl:
    case HD_TK_c_expr:
    case HD_TK_c_state:
    case HD_TK_c_track:
        hd_promela_fail(p, token.location, "embedded C ('%s') is not supported", token.text);
    case HD_TK_d_proctype:
        hd_promela_fail(p, token.location, "D_proctype is not supported; write proctype");
    case HD_TK_active:
        hd_promela_take(p);
        parse_active(p);
        return;
    case HD_TK_proctype:
        hd_promela_take(p);
        parse_proctype(p, 0);
        return;
    case HD_TK_init:
        hd_promela_take(p);
        parse_init(p, token.location);
        return;
    case HD_TK_inline:
        hd_promela_take(p);
        hd_promela_inline(p);
        return;
    case HD_TK_typedef:
        hd_promela_take(p);
        hd_promela_typedef(p);
        return;
    default:
        if (!hd_promela_at_declaration(p))
            hd_promela_fail(
                p, token.location, "expected a declaration, proctype, init, inline or typedef, not '%s'", token.text);
        hd_promela_declaration(p, false);
    }
}

static void declare_built_in(hd_promela_parser *p, const char *name, hd_promela_symbol_kind kind)
{
    hd_promela_symbol *s = hd_promela_declare(p, kind, (hd_promela_token) { .text = name });
    s->type = HD_TYPE_BYTE;
}

static void declare_built_ins(hd_promela_parser *p)
{
    p->scope = NULL; /* a model may declare these names itself */
    declare_built_in(p, "_pid", HD_SYMBOL_PID);
    declare_built_in(p, "_nr_pr", HD_SYMBOL_NR_PR);
    declare_built_in(p, "_last", HD_SYMBOL_LAST);
    declare_built_in(p, "_", HD_SYMBOL_ANY);
    p->scope = &p->file_scope;
}

static void resolve_runs(hd_promela_parser *p)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        hd_promela_node *n = p->runs.items[i];
        n->symbol = hd_promela_find(p, n->label);
        if (!n->symbol || n->symbol->kind != HD_SYMBOL_PROCTYPE)
            hd_promela_fail(p, n->location, "'%s' is not a proctype", n->label);
        int count = 0, wanted = n->symbol->proctype->parameter_count;
        for (hd_promela_node *a = n->list; a; a = a->next)
            count++;
        if (count != wanted)
            hd_promela_fail(p, n->location, "'%s' expects %d arguments, not %d", n->label, wanted, count);
    }
}

static void parse_model(hd_promela_parser *p, const char *text)
{
    if (!hd_promela_lex(p->model->file, text, &p->model->arena, &p->tokens, p->error))
        longjmp(p->failed, 1);
    p->end = p->tokens.count;
    declare_built_ins(p);
    p->initialising = true;
    while (hd_promela_peek(p).kind != HD_TK_END)
        if (!hd_promela_separator(p))
            parse_unit(p);
    /* Claims move the token position; runs are resolved at the end of the file again. */
    size_t end = p->at;
    hd_promela_claims(p);
    p->at = end;
    p->end = p->tokens.count;
    resolve_runs(p);
    bool starts = false;
    for (size_t i = 0; i < p->model->proctypes.count; i++)
        starts |= p->model->proctypes.items[i]->active > 0;
    if (!starts)
        hd_promela_fail(p, hd_promela_peek(p).location, "nothing runs: expected an init or an active proctype");
    /* Last, when all labels are known. */
    hd_promela_resolve_gotos(p->model, p->error) ? (void)0 : longjmp(p->failed, 1);
}

hd_promela_model *hd_promela_parse(const char *file, const char *text, hd_error *error)
{
    hd_promela_model *m = hd_alloc(&hd_heap, sizeof *m);
    hd_arena_init(&m->arena, &hd_heap);
    m->file = hd_arena_copy(&m->arena, file);
    hd_promela_parser *p = hd_alloc(&hd_heap, sizeof *p);
    p->model = m;
    p->error = error;
    /* The parser is on the heap, so it survives a longjmp unchanged; so does the arena, which owns
     * everything else. */
    bool ok = setjmp(p->failed) == 0;
    if (ok)
        parse_model(p, text);
    hd_vec_fini(&p->tokens);
    hd_vec_fini(&p->runs);
    hd_release(&hd_heap, p, sizeof *p);
    if (ok)
        return m;
    hd_promela_model_close(m);
    return NULL;
}

hd_promela_node *hd_promela_parse_expression(hd_promela_model *m, const char *name, const char *text, hd_error *error)
{
    hd_promela_parser *p = hd_alloc(&hd_heap, sizeof *p);
    p->model = m;
    p->error = error;
    /* volatile: it is read after a longjmp. */
    hd_promela_node *volatile result = NULL;
    if (setjmp(p->failed) == 0) {
        if (!hd_promela_lex(name, text, &m->arena, &p->tokens, error))
            longjmp(p->failed, 1);
        p->end = p->tokens.count;
        declare_built_ins(p);
        hd_promela_named *entries =
            hd_arena_alloc(&m->arena, (m->globals.count + m->constants.count) * sizeof *entries);
        for (size_t i = 0; i < m->globals.count + m->constants.count; i++) {
            /* Names are looked up in globals and mtype constants only. */
            entries[i].symbol = i < m->globals.count ? m->globals.items[i] : m->constants.items[i - m->globals.count];
            entries[i].next = p->names;
            p->names = &entries[i];
        }
        hd_promela_node *n = hd_promela_expression(p);
        hd_promela_expect(p, HD_TK_END, "the end of the expression");
        result = n;
    }
    hd_vec_fini(&p->tokens);
    hd_vec_fini(&p->runs);
    hd_release(&hd_heap, p, sizeof *p);
    return result;
}

void hd_promela_model_close(hd_promela_model *m)
{
    for (size_t i = 0; i < m->proctypes.count; i++)
        hd_vec_fini(&m->proctypes.items[i]->variables);
    hd_vec_fini(&m->globals);
    hd_vec_fini(&m->constants);
    hd_vec_fini(&m->proctypes);
    hd_vec_fini(&m->claims);
    hd_arena_fini(&m->arena);
    hd_release(&hd_heap, m, sizeof *m);
}

const char *hd_promela_constant_name(const hd_promela_model *m, int value)
{
    for (size_t i = 0; i < m->constants.count; i++)
        if (m->constants.items[i]->value == value)
            return m->constants.items[i]->name;
    return NULL;
}

uint32_t hd_promela_type_size(hd_promela_type type)
{
    return type == HD_TYPE_INT || type == HD_TYPE_UNSIGNED ? 4 : type == HD_TYPE_SHORT ? 2 : 1;
}
