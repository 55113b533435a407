/* Declarations: variables, channels, mtypes, typedefs. */
#include "promela/flow.h"
#include "promela/parser_internal.h"

#include <string.h>

enum { MOST_ELEMENTS = 65535, MOST_CAPACITY = 255, MOST_CONSTANTS = 255 };

static hd_promela_type type_of(int kind)
{
    switch (kind) {
    case HD_TK_bit:
        return HD_TYPE_BIT;
    case HD_TK_bool:
        return HD_TYPE_BOOL;
    case HD_TK_byte:
        return HD_TYPE_BYTE;
    case HD_TK_mtype:
        return HD_TYPE_MTYPE;
    case HD_TK_pid:
        return HD_TYPE_PID;
    case HD_TK_chan:
        return HD_TYPE_CHAN;
    case HD_TK_short:
        return HD_TYPE_SHORT;
    case HD_TK_int:
        return HD_TYPE_INT;
    case HD_TK_unsigned:
        return HD_TYPE_UNSIGNED;
    default:
        return HD_TYPE_NONE;
    }
}

static hd_promela_symbol *typedef_named(hd_promela_parser *p, hd_promela_token token)
{
    hd_promela_symbol *s = token.kind == HD_TK_NAME ? hd_promela_find(p, token.text) : NULL;
    return s && s->kind == HD_SYMBOL_TYPEDEF ? s : NULL;
}

bool hd_promela_at_declaration(hd_promela_parser *p)
{
    hd_promela_token token = hd_promela_peek(p);
    int kind = (int)token.kind;
    return kind == HD_TK_hidden || kind == HD_TK_show || kind == HD_TK_local || type_of(kind) != HD_TYPE_NONE
        || typedef_named(p, token);
}

/* mtype = { a, b } and mtype:set = { a, b }. As in SPIN, the last name of a declaration gets the
 * lowest number of its set. */
static void parse_constants(hd_promela_parser *p, const char *set)
{
    hd_promela_token names[MOST_CONSTANTS];
    int count = 0, below = 0;
    do {
        if (count == MOST_CONSTANTS)
            hd_promela_fail(p, hd_promela_peek(p).location, "more than %d names in an mtype", MOST_CONSTANTS);
        names[count++] = hd_promela_expect(p, HD_TK_NAME, "a name in the list of the mtype");
        hd_promela_accept(p, ',');
    } while (hd_promela_peek(p).kind != (hd_promela_kind)'}');
    hd_promela_take(p);
    for (size_t i = 0; i < p->model->constants.count; i++)
        below += !strcmp(p->model->constants.items[i]->parameters[0], set);
    if (below + count > MOST_CONSTANTS)
        hd_promela_fail(p, names[0].location, "more than %d names in an mtype", MOST_CONSTANTS);
    for (int i = 0; i < count; i++) {
        hd_promela_symbol *s = hd_promela_declare(p, HD_SYMBOL_CONSTANT, names[i]);
        s->type = HD_TYPE_MTYPE;
        /* Numbers start at 1; 0 is no mtype value. */
        s->value = below + count - i;
        s->parameters = hd_arena_alloc(&p->model->arena, sizeof *s->parameters);
        s->parameters[0] = set;
        hd_vec_push(&p->model->constants, s);
    }
}

/* --- layout ---------------------------------------------------------------------- */

static uint32_t struct_size(const hd_promela_symbol *s)
{
    uint32_t size = 0;
    for (int i = 0; i < s->field_count; i++)
        size += s->fields[i]->element_size * (uint32_t)s->fields[i]->count;
    return size;
}

static void place_variable(hd_promela_parser *p, hd_promela_symbol *s)
{
    uint32_t *frame = p->proctype ? &p->proctype->frame_size : &p->model->frame_size;
    s->element_size = s->type == HD_TYPE_STRUCT ? struct_size(s) : hd_promela_type_size(s->type);
    s->offset = *frame;
    if ((uint64_t)s->element_size * (uint64_t)s->count + *frame > 60000)
        hd_promela_fail(p, s->location, "'%s' makes the state larger than 60000 bytes", s->name);
    *frame += s->element_size * (uint32_t)s->count;
    if (p->proctype)
        hd_vec_push(&p->proctype->variables, s);
    else
        hd_vec_push(&p->model->globals, s);
}

/* --- channels ---------------------------------------------------------------------- */

enum { MOST_FIELDS = 250 };

typedef struct field_list {
    hd_promela_field items[MOST_FIELDS];
    int count;
} field_list;

static void add_field(
    hd_promela_parser *p, field_list *fields, hd_promela_type type, int bits, hd_promela_location location)
{
    if (fields->count == MOST_FIELDS)
        hd_promela_fail(p, location, "a message of more than %d values", MOST_FIELDS);
    fields->items[fields->count++] = (hd_promela_field) { type, bits };
}

static void add_struct(
    hd_promela_parser *p, field_list *fields, const hd_promela_symbol *s, hd_promela_location location)
{
    for (int f = 0; f < s->field_count; f++)
        for (int i = 0; i < s->fields[f]->count; i++) {
            const hd_promela_symbol *field = s->fields[f];
            if (field->type == HD_TYPE_STRUCT)
                add_struct(p, fields, field, location);
            else
                add_field(p, fields, field->type, field->bits, location);
        }
}

static void parse_field(hd_promela_parser *p, field_list *fields)
{
    hd_promela_token token = hd_promela_take(p);
    hd_promela_type type = type_of((int)token.kind);
    hd_promela_symbol *structure = typedef_named(p, token);
    if (structure) {
        add_struct(p, fields, structure, token.location);
        return;
    }
    /* The width of an unsigned cannot be given here. */
    if (type == HD_TYPE_NONE || type == HD_TYPE_UNSIGNED)
        hd_promela_fail(p, token.location, "expected the type of a message field, not '%s'", token.text);
    if (type == HD_TYPE_MTYPE && hd_promela_accept(p, ':'))
        hd_promela_expect(p, HD_TK_NAME, "the name of an mtype set");
    add_field(p, fields, type, 0, token.location);
}

static hd_promela_channel *parse_channel(hd_promela_parser *p)
{
    hd_promela_location location = hd_promela_take(p).location;
    hd_promela_channel *c = hd_arena_alloc(&p->model->arena, sizeof *c);
    c->location = hd_promela_peek(p).location;
    c->capacity = hd_promela_constant_expression(p);
    if (c->capacity < 0 || c->capacity > MOST_CAPACITY)
        hd_promela_fail(p, location, "a channel holds from 0 to %d messages, not %d", MOST_CAPACITY, c->capacity);
    hd_promela_expect(p, ']', "']' after the channel's capacity");
    hd_promela_expect(p, HD_TK_of, "'of' and the types of a message");
    hd_promela_expect(p, '{', "'{' before the types of a message");
    field_list fields = { .count = 0 };
    do
        parse_field(p, &fields);
    while (hd_promela_accept(p, ','));
    hd_promela_expect(p, '}', "',' or '}' after a message field");
    c->field_count = fields.count;
    c->fields = hd_arena_alloc(&p->model->arena, (size_t)fields.count * sizeof *c->fields);
    memcpy(c->fields, fields.items, (size_t)fields.count * sizeof *fields.items);
    for (int i = 0; i < c->field_count; i++)
        c->message_size += hd_promela_type_size(c->fields[i].type);
    p->model->has_rendezvous |= c->capacity == 0;
    return c;
}

/* --- variables -------------------------------------------------------------------- */

static hd_promela_node *parse_list(hd_promela_parser *p, hd_promela_symbol *s)
{
    hd_promela_node *list = NULL, **tail = &list;
    int count = 0;
    hd_promela_take(p);
    do {
        hd_promela_location location = hd_promela_peek(p).location;
        *tail = hd_promela_constant(p, hd_promela_constant_expression(p), location);
        tail = &(*tail)->next;
        if (++count > s->count)
            hd_promela_fail(p, location, "'%s' has only %d elements", s->name, s->count);
    } while (hd_promela_accept(p, ','));
    hd_promela_expect(p, '}', "',' or '}' in the list of values");
    if (!s->is_array)
        hd_promela_fail(p, s->location, "'%s' is not an array: expected one value", s->name);
    return list;
}

/* A declaration after the first statement is an assignment at that point, as in SPIN. */
static void assign_later(hd_promela_parser *p, hd_promela_symbol *s, hd_promela_node *value)
{
    hd_promela_node *n = hd_promela_node_new(p, HD_S_ASSIGN, s->location);
    n->left = hd_promela_name_node(p, s, s->location);
    s->written = true;
    n->right = value;
    hd_promela_sequence_add(p, n);
}

static void parse_initial(hd_promela_parser *p, hd_promela_symbol *s)
{
    int kind = (int)hd_promela_peek(p).kind;
    if (kind == '[') {
        if (s->type != HD_TYPE_CHAN)
            hd_promela_fail(p, s->location, "'%s' is not a chan, so it cannot hold messages", s->name);
        /* Channels are created with the process, so not in the middle of its body. */
        if (!p->initialising)
            hd_promela_fail(p, s->location, "channel '%s' must be declared at the start of the proctype", s->name);
        s->channel = parse_channel(p);
    } else if (kind == '{') {
        s->initial = parse_list(p, s);
        s->initial_is_list = true;
        if (!p->initialising)
            hd_promela_fail(p, s->location, "array '%s' must be initialised at the start of the proctype", s->name);
    } else {
        hd_promela_node *value = hd_promela_expression(p);
        if (hd_promela_has_run(value))
            hd_promela_fail(p, value->location, "run cannot be used to initialise a variable");
        if (p->initialising)
            s->initial = value;
        else
            assign_later(p, s, value);
    }
}

static void parse_variable(hd_promela_parser *p, hd_promela_type type, hd_promela_symbol *structure, bool parameter)
{
    hd_promela_symbol *s =
        hd_promela_declare(p, HD_SYMBOL_VARIABLE, hd_promela_expect(p, HD_TK_NAME, "the name of a variable"));
    s->type = type;
    s->bits = 32;
    if (structure) {
        s->fields = structure->fields;
        s->field_count = structure->field_count;
    }
    if (hd_promela_accept(p, ':')) {
        s->bits = hd_promela_constant_expression(p);
        if (type != HD_TYPE_UNSIGNED || s->bits < 1 || s->bits > 32)
            hd_promela_fail(p, s->location, "a width of %d bits is for unsigned, from 1 to 32", s->bits);
    }
    if (hd_promela_accept(p, '[')) {
        s->is_array = true;
        s->count = hd_promela_constant_expression(p);
        if (parameter || s->count < 1 || s->count > MOST_ELEMENTS)
            hd_promela_fail(p, s->location, "'%s' cannot be an array of %d elements here", s->name, s->count);
        hd_promela_expect(p, ']', "']' after the array's length");
    }
    place_variable(p, s);
    if (hd_promela_peek(p).kind == (hd_promela_kind)'=') {
        if (parameter)
            hd_promela_fail(p, s->location, "a parameter cannot have an initial value");
        hd_promela_take(p);
        parse_initial(p, s);
    } else if (!p->initialising) {
        assign_later(p, s, hd_promela_constant(p, 0, s->location));
    }
}

/* After `mtype`: parses a set of names, if there is one. */
static bool parse_mtype(hd_promela_parser *p)
{
    const char *set = "";
    if (hd_promela_accept(p, ':'))
        set = hd_promela_expect(p, HD_TK_NAME, "the name of an mtype set").text;
    bool equals = hd_promela_accept(p, '=');
    if (!equals && hd_promela_peek(p).kind != (hd_promela_kind)'{')
        return false;
    hd_promela_token brace = hd_promela_expect(p, '{', "'{' and the names of the mtype");
    if (p->proctype)
        hd_promela_fail(p, brace.location, "the names of an mtype must be declared outside a process");
    parse_constants(p, set);
    return true;
}

void hd_promela_declaration(hd_promela_parser *p, bool parameter)
{
    bool hidden = false, as_local = false;
    while (hd_promela_peek(p).kind == HD_TK_hidden || hd_promela_peek(p).kind == HD_TK_show
        || hd_promela_peek(p).kind == HD_TK_local) {
        hidden |= hd_promela_peek(p).kind == HD_TK_hidden;
        as_local |= hd_promela_peek(p).kind == HD_TK_local;
        hd_promela_take(p);
    }
    hd_promela_token token = hd_promela_take(p);
    hd_promela_symbol *structure = typedef_named(p, token);
    hd_promela_type type = structure ? HD_TYPE_STRUCT : type_of((int)token.kind);
    if (type == HD_TYPE_NONE)
        hd_promela_fail(p, token.location, "expected a type, not '%s'", token.text);
    if (hidden && !p->proctype)
        hd_promela_fail(p, token.location, "hidden variables would make equal states differ; remove 'hidden'");
    if (type == HD_TYPE_MTYPE && parse_mtype(p))
        return;
    do {
        size_t before = p->model->globals.count;
        parse_variable(p, type, structure, parameter);
        if (as_local && p->model->globals.count > before)
            (*hd_vec_last(&p->model->globals))->as_local = true;
        /* After a parameter, a comma may begin another declaration with its own type. */
        if (parameter && hd_promela_peek(p).kind == (hd_promela_kind)','
            && hd_promela_peek_second(p).kind != HD_TK_NAME)
            break;
    } while (hd_promela_accept(p, ','));
}

/* Fields are declared like globals in a scope and frame of their own, and then removed from the globals. */
void hd_promela_typedef(hd_promela_parser *p)
{
    hd_promela_symbol *s =
        hd_promela_declare(p, HD_SYMBOL_TYPEDEF, hd_promela_expect(p, HD_TK_NAME, "the name of the typedef"));
    hd_promela_expect(p, '{', "'{' and the fields of the typedef");
    hd_promela_named *names = p->names;
    hd_promela_scope inside = { p->scope };
    uint32_t frame = p->model->frame_size;
    size_t first = p->model->globals.count;
    p->scope = &inside;
    p->model->frame_size = 0;
    while (hd_promela_peek(p).kind != (hd_promela_kind)'}') {
        hd_promela_declaration(p, false);
        if (!hd_promela_separator(p))
            break;
    }
    hd_promela_expect(p, '}', "';' or '}' after a field");
    p->scope = &p->file_scope;
    p->names = names;
    p->model->frame_size = frame;
    s->field_count = (int)(p->model->globals.count - first);
    s->fields = hd_arena_alloc(&p->model->arena, (size_t)(s->field_count + 1) * sizeof *s->fields);
    for (int i = 0; i < s->field_count; i++) {
        s->fields[i] = p->model->globals.items[first + (size_t)i];
        if (s->fields[i]->initial || s->fields[i]->channel)
            hd_promela_fail(p, s->fields[i]->location, "a field of a typedef cannot have an initial value");
    }
    p->model->globals.count = first;
    if (s->field_count == 0)
        hd_promela_fail(p, s->location, "typedef '%s' has no fields", s->name);
}
