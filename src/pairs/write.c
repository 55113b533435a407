#include "base/json.h"
#include "base/version.h"
#include "pairs/table.h"

#include <ctype.h>
#include <string.h>

typedef struct writer {
    const hd_pairs_model *model;
    const hd_pairs_rows *rows;
    const hd_pairs_summary *summary;
    FILE *out;
    int **turns; /* per column and value: how often it was shown */
    hd_arena arena;
} writer;

const char *hd_pairs_cell_text(const hd_pairs_model *m, int column, int value, int turn, hd_arena *arena)
{
    const hd_pairs_value *v = &m->parameters.items[column].values[value];
    const char *name = v->names[turn % v->name_count];
    return v->negative ? hd_arena_print(arena, "%c%s", m->syntax.negative_prefix, name) : name;
}

static const char *text_of(writer *w, const hd_pairs_cell *row, int column)
{
    /* Aliases of a value alternate. */
    return hd_pairs_cell_text(w->model, column, row[column], w->turns[column][row[column]]++, &w->arena);
}

/* --- lines of text ---------------------------------------------------------- */

static void put_plain(const char *text, FILE *out)
{
    fputs(text, out);
}

static void put_csv(const char *text, FILE *out)
{
    bool quote = text[strcspn(text, ",\"\r\n")] || *text == ' ' || (*text && text[strlen(text) - 1] == ' ');
    if (quote)
        putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    if (quote)
        putc('"', out);
}

static void put_markdown(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '|' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
}

typedef struct line_style {
    const char *open, *between, *close;
    void (*put)(const char *text, FILE *out);
} line_style;

static const line_style tsv = { "", "\t", "\n", put_plain }, csv = { "", ",", "\n", put_csv },
                        markdown = { "| ", " | ", " |\n", put_markdown };

static void write_header(writer *w, const line_style *style)
{
    fputs(style->open, w->out);
    for (int c = 0; c < w->rows->columns; c++) {
        fputs(c ? style->between : "", w->out);
        style->put(w->model->parameters.items[c].name, w->out);
    }
    fputs(style->close, w->out);
}

static void write_rows(writer *w, const line_style *style)
{
    for (size_t i = 0; i < w->rows->count; i++) {
        fputs(style->open, w->out);
        for (int c = 0; c < w->rows->columns; c++) {
            fputs(c ? style->between : "", w->out);
            style->put(text_of(w, hd_pairs_row(w->rows, i), c), w->out);
        }
        fputs(style->close, w->out);
    }
}

static void write_markdown(writer *w)
{
    write_header(w, &markdown);
    for (int c = 0; c < w->rows->columns; c++)
        fputs(c ? "---|" : "|---|", w->out);
    putc('\n', w->out);
    write_rows(w, &markdown);
}

/* --- JSON --------------------------------------------------------------------- */

static void write_json(writer *w)
{
    hd_json j;
    hd_json_open(&j, w->out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "model", w->model->name);
    if (w->summary->strength)
        hd_json_int(&j, "strength", w->summary->strength);
    else
        hd_json_text(&j, "strength", "full");
    hd_json_text(&j, "method", w->summary->how);
    hd_json_int(&j, "tests", (int64_t)w->rows->count);
    hd_json_bool(&j, "smallest", w->summary->smallest);
    hd_json_real(&j, "seconds", w->summary->seconds);
    hd_json_array(&j, "parameters");
    for (int c = 0; c < w->rows->columns; c++)
        hd_json_text(&j, NULL, w->model->parameters.items[c].name);
    hd_json_end(&j, ']');
    hd_json_array(&j, "rows");
    for (size_t i = 0; i < w->rows->count; i++) {
        hd_json_array(&j, NULL);
        for (int c = 0; c < w->rows->columns; c++)
            hd_json_text(&j, NULL, text_of(w, hd_pairs_row(w->rows, i), c));
        hd_json_end(&j, ']');
    }
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
}

/* --- C header ------------------------------------------------------------------ */

/* A parameter's name as a C identifier, unlike those of the columns before it. */
static const char *identifier(writer *w, const char **taken, int column)
{
    char *name =
        hd_arena_print(&w->arena, "%s%s", isdigit((unsigned char)*w->model->parameters.items[column].name) ? "p" : "",
            w->model->parameters.items[column].name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '_';
    /* Two names may become the same identifier: the column's number tells them apart. */
    for (int other = 0; other < column; other++)
        if (!strcmp(taken[other], name) || !*name)
            return hd_arena_print(&w->arena, "%s_%d", name, column + 1);
    return *name ? name : "p_1";
}

static void put_c_string(const char *text, FILE *out)
{
    putc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\' || *c == '?')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(out, "\\%03o", *c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

static bool has_keyword_name(const char *name)
{
    static const char *const keywords[] = { "auto", "break", "case", "char", "const", "continue", "default", "do",
        "double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned",
        "void", "volatile", "while", "bool", "true", "false", "class", "new", "delete", "this", "template", "private",
        "public", "try", "catch", "throw", "operator", "namespace", "using", "virtual", "friend", "typename", "asm" };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(name, keywords[i]))
            return true;
    return false;
}

static void write_c_type(writer *w, const char **names)
{
    fprintf(w->out, "typedef struct heddle_pairs_row {\n");
    for (int c = 0; c < w->rows->columns; c++) {
        names[c] = identifier(w, names, c);
        if (has_keyword_name(names[c]))
            names[c] = hd_arena_print(&w->arena, "%s_", names[c]);
        fprintf(w->out, "    %s%s;\n", w->model->parameters.items[c].numeric ? "double " : "const char *", names[c]);
    }
    fprintf(w->out, "} heddle_pairs_row;\n\n");
}

static void write_c_rows(writer *w)
{
    fprintf(w->out, "static const heddle_pairs_row heddle_pairs_rows[] = {\n");
    for (size_t i = 0; i < w->rows->count; i++) {
        const hd_pairs_cell *row = hd_pairs_row(w->rows, i);
        fputs("    { ", w->out);
        for (int c = 0; c < w->rows->columns; c++) {
            fputs(c ? ", " : "", w->out);
            if (w->model->parameters.items[c].numeric)
                fprintf(w->out, "%.17g", w->model->parameters.items[c].values[row[c]].number);
            else
                put_c_string(text_of(w, row, c), w->out);
        }
        fputs(" },\n", w->out);
    }
    fprintf(w->out, "};\n\n");
}

static void write_c_header(writer *w)
{
    const char **names = hd_arena_alloc(&w->arena, (size_t)w->rows->columns * sizeof *names);
    fprintf(w->out,
        "/* %zu test rows, made by 'heddle pairs'. Numeric parameters are double, others text. */\n"
        "#ifndef HEDDLE_PAIRS_ROWS_H\n#define HEDDLE_PAIRS_ROWS_H\n\n",
        w->rows->count);
    write_c_type(w, names);
    write_c_rows(w);
    fprintf(w->out, "enum { heddle_pairs_row_count = %zu };\n\n#endif\n", w->rows->count);
}

/* --- all -------------------------------------------------------------------- */

bool hd_pairs_format_named(const char *name, hd_pairs_format *format)
{
    static const char *const names[] = { "tsv", "csv", "json", "markdown", "c" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) {
            *format = (hd_pairs_format)i;
            return true;
        }
    return false;
}

void hd_pairs_write(const hd_pairs_model *m, const hd_pairs_rows *rows, hd_pairs_format format,
    const hd_pairs_summary *summary, FILE *out)
{
    writer w = { .model = m, .rows = rows, .summary = summary, .out = out };
    hd_arena_init(&w.arena, &hd_heap);
    w.turns = hd_arena_alloc(&w.arena, m->parameters.count * sizeof *w.turns);
    for (size_t p = 0; p < m->parameters.count; p++)
        w.turns[p] = hd_arena_alloc(&w.arena, (size_t)hd_pairs_levels(m, (int)p) * sizeof **w.turns);
    switch (format) {
    case hd_pairs_tsv:
    case hd_pairs_csv:
        write_header(&w, format == hd_pairs_tsv ? &tsv : &csv);
        write_rows(&w, format == hd_pairs_tsv ? &tsv : &csv);
        break;
    case hd_pairs_json:
        write_json(&w);
        break;
    case hd_pairs_markdown:
        write_markdown(&w);
        break;
    case hd_pairs_c_header:
        write_c_header(&w);
        break;
    }
    hd_arena_fini(&w.arena);
}
