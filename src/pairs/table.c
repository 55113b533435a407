#include "pairs/table.h"

#include <string.h>

typedef struct fields {
    hd_vec(const char *) items;
} fields;

/* One field up to `separator` or the line's end; a quoted one may hold anything. */
static const char *read_field(hd_arena *arena, const char *at, char separator, const char **field)
{
    char *out = hd_arena_alloc(arena, strcspn(at, "\n") + 1), *start = out;
    bool quoted = separator == ',' && *at == '"';
    at += quoted;
    for (; *at && *at != '\n' && (quoted || *at != separator); at++) {
        bool quote = quoted && *at == '"';
        if (quote && at[1] == '"')
            at++;
        else if (quote)
            quoted = false;
        if (!quote || quoted)
            *out++ = *at;
    }
    while (out > start && out[-1] == '\r')
        out--;
    *out = '\0';
    *field = start;
    return at;
}

static const char *read_fields(hd_arena *arena, const char *at, char separator, fields *into)
{
    const char *field;
    hd_vec_clear(&into->items);
    for (;;) {
        at = read_field(arena, at, separator, &field);
        hd_vec_push(&into->items, field);
        if (*at != separator)
            return *at == '\n' ? at + 1 : at;
        at++;
    }
}

/* Finds which parameter each column of the file is. */
static bool match_columns(
    const hd_pairs_model *m, const char *file, const fields *header, int *parameter, hd_pairs_table *t, hd_error *error)
{
    bool *present = hd_arena_alloc(&t->arena, m->parameters.count);
    bool any = false;
    for (size_t i = 0; i < header->items.count; i++) {
        const char *name = header->items.items[i];
        parameter[i] = hd_pairs_find_parameter(m, name, strlen(name));
        if (parameter[i] < 0) {
            hd_vec_push(&t->unknown, name);
            continue;
        }
        if (present[parameter[i]])
            return hd_fail(error, "%s:1: column '%s' appears twice", file, name);
        any = present[parameter[i]] = true;
    }
    for (size_t p = 0; p < m->parameters.count; p++)
        if (!present[p])
            hd_vec_push(&t->absent, m->parameters.items[p].name);
    return any
        || hd_fail(
            error, "%s:1: expected a header line with the model's parameter names, separated by tabs or commas", file);
}

static void read_row(const hd_pairs_model *m, const fields *values, const int *parameter, int line, hd_pairs_table *t)
{
    hd_pairs_cell *row = hd_pairs_rows_add(&t->rows);
    int lost = 0;
    for (size_t i = 0; i < values->items.count; i++) {
        const char *text = values->items.items[i];
        if (parameter[i] < 0)
            continue;
        row[parameter[i]] = (hd_pairs_cell)hd_pairs_find_value(m, parameter[i], text, strlen(text));
        /* Text that is no value of the model; an empty cell is not lost. */
        lost += row[parameter[i]] == HD_PAIRS_ANY && text[strspn(text, " \t")] != '\0';
    }
    hd_vec_push(&t->lines, line);
    hd_vec_push(&t->lost, lost);
}

bool hd_pairs_table_read(
    const hd_pairs_model *m, const char *file, const char *text, hd_pairs_table *t, hd_error *error)
{
    *t = (hd_pairs_table) { .rows.columns = (int)m->parameters.count };
    hd_arena_init(&t->arena, &hd_heap);
    const char *at = strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
    /* A tab in the header decides. */
    char separator = memchr(at, '\t', strcspn(at, "\n")) ? '\t' : ',';
    fields header = { 0 }, values = { 0 };
    at = read_fields(&t->arena, at, separator, &header);
    int *parameter = hd_arena_alloc(&t->arena, header.items.count * sizeof *parameter);
    bool fine = match_columns(m, file, &header, parameter, t, error);
    for (int line = 2; fine && *at; line++) {
        bool empty = strspn(at, " \r") == strcspn(at, "\n");
        at = read_fields(&t->arena, at, separator, &values);
        if (empty)
            continue;
        if (values.items.count > header.items.count)
            fine = hd_fail(error, "%s:%d: expected %zu fields as in the header, found %zu", file, line,
                header.items.count, values.items.count);
        else
            read_row(m, &values, parameter, line, t);
    }
    hd_vec_fini(&header.items);
    hd_vec_fini(&values.items);
    return fine;
}

bool hd_pairs_table_open(const hd_pairs_model *m, const char *file, hd_pairs_table *t, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    const char *text = hd_pairs_read_text(file, &arena, error);
    bool fine = text && hd_pairs_table_read(m, file, text, t, error);
    hd_arena_fini(&arena);
    return fine;
}

void hd_pairs_table_fini(hd_pairs_table *t)
{
    hd_pairs_rows_fini(&t->rows);
    hd_vec_fini(&t->lines);
    hd_vec_fini(&t->lost);
    hd_vec_fini(&t->unknown);
    hd_vec_fini(&t->absent);
    hd_arena_fini(&t->arena);
}
