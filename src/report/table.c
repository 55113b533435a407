#include "report/table.h"

#include "abi/fates.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/stack.h"
#include "report/step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 60,
    KEPT_AT_START = 15,
    LONGEST_ROUND = 24, /* of rows that are repeated */
    FEWEST_ROUNDS = 3,
    TEXT = 256,
    NARROWEST = 9, /* "T0 (main)" */
    WIDEST = 46,
    WIDEST_LANE = 34,
    NUMBERS = 9, /* the width of the column with the numbers of steps */
    SOURCE = 40 /* the source has at least so much room */
};

typedef enum row_kind {
    ROW_STEP,
    ROW_ENTERS, /* the thread's next steps are in another function */
    ROW_FOLDED, /* steps that are not shown */
    ROW_END /* what the thread does after its last step */
} row_kind;

typedef struct row {
    row_kind kind;
    uint32_t thread, number; /* of a step: as people count */
    const char *text;
    hd_location location; /* line 0: none */
    const char
        *enters; /* in a table of some steps: the function that the thread has entered since its last row, or NULL */
} row;

typedef struct table {
    hd_report_view *view;
    FILE *out;
    const hd_report_text *options;
    uint32_t end; /* operations from here on are not shown */
    bool *shown; /* per operation */
    hd_vec(row) rows;
    int *columns; /* of a thread, or -1 */
    int column_count, width;
    int tags; /* the width of the column with names of threads */
    bool listed; /* too many threads for a column each: one column, and the thread's name */
} table;

/* --- what is shown ----------------------------------------------------------------------------- */

/* A call that frees has one row. */
static bool has_row(const hd_recorded_run *s, uint32_t entry)
{
    return hd_report_is_step(s, entry) && !hd_report_goes_on_freeing(s, entry);
}

/* Does the step matter, or one that has its row? */
static bool matters(const table *t, uint32_t entry)
{
    const hd_report_access *accesses = t->view->reported->accesses;
    bool does = accesses[entry].matters;
    while (!does && ++entry < t->end && hd_report_goes_on_freeing(t->view->run, entry))
        does = accesses[entry].matters;
    return does;
}

static uint32_t neighbour(const table *t, uint32_t i, int direction)
{
    const hd_recorded_run *s = t->view->run;
    for (int64_t k = (int64_t)i + direction; k >= 0 && k < t->end; k += direction)
        if (has_row(s, (uint32_t)k))
            return (uint32_t)k;
    return ~0u;
}

/* Keeps only the start and the end of a long table. */
static void thin_out(table *t)
{
    uint32_t rows = 0, seen = 0;
    for (uint32_t i = 0; i < t->end; i++)
        rows += t->shown[i];
    for (uint32_t i = 0; i < t->end && rows > MOST_ROWS; i++)
        if (t->shown[i] && seen++ >= KEPT_AT_START && rows - seen >= MOST_ROWS - KEPT_AT_START)
            t->shown[i] = false;
}

static void choose_steps(table *t)
{
    const hd_recorded_run *s = t->view->run;
    const hd_finding *f = t->view->finding;
    bool whole = t->options->whole || t->view->is_plain;
    t->end = s->op_count;
    /* What comes after the second access does not matter. */
    if (!whole && hd_finding_has_accesses(f) && f->entries[1] < s->op_count)
        t->end = f->entries[1] + 1;
    for (uint32_t i = 0; i < t->end; i++)
        t->shown[i] = has_row(s, i) && (whole || matters(t, i));
    if (!t->options->whole)
        thin_out(t);
    /* A single omitted step takes no more room than the line that says so: show it. */
    for (uint32_t i = 0; i < t->end; i++) {
        uint32_t before = neighbour(t, i, -1), after = neighbour(t, i, 1);
        if (!t->shown[i] && has_row(s, i) && (before == ~0u || t->shown[before]) && (after == ~0u || t->shown[after]))
            t->shown[i] = true;
    }
}

/* --- the words of a row ------------------------------------------------------------------------- */

/* --- folded steps -------------------------------------------------------------------------------- */

/* Steps of one thread that are not shown, between two rows. */
typedef struct fold {
    uint32_t thread, first, last, count; /* entries; number of steps */
    uint32_t functions; /* in how many functions they are, one after the other */
} fold;

typedef hd_vec(fold) folds;

static const char *function_at(const table *t, uint32_t entry)
{
    return t->view->run->ops[entry].location.function;
}

static void add_to_folds(const table *t, folds *all, uint32_t entry)
{
    uint32_t thread = hd_recorded_doer(t->view->run, entry);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].thread == thread) {
            fold *f = &all->items[i];
            f->functions += strcmp(function_at(t, f->last), function_at(t, entry)) != 0;
            f->last = entry;
            f->count++;
            return;
        }
    hd_vec_push(all, ((fold) { thread, entry, entry, 1, 1 }));
}

/* Has the call that did the operation returned when its thread goes on? A later call from the same place looks the
 * same, so this says no if in doubt. */
static bool has_returned(const table *t, uint32_t entry)
{
    const hd_recorded_run *s = t->view->run;
    const hd_stack *stack = &s->ops[entry].stack;
    uint32_t thread = hd_recorded_doer(s, entry), next = entry + 1;
    while (next < s->op_count && !(has_row(s, next) && hd_recorded_doer(s, next) == thread))
        next++;
    if (!stack->frame[0])
        return false;
    if (next == s->op_count)
        return s->threads[thread].view.status == HD_THREAD_DONE && s->outcome.kind == HD_FINISHED;
    const hd_stack *later = &s->ops[next].stack;
    for (int i = 0; i + 1 < HD_STACK_DEPTH && later->pc[i]; i++)
        if (later->frame[i] == stack->frame[0] && later->pc[i + 1] == stack->pc[1])
            return false;
    return true;
}

static const char *fold_text(const table *t, const fold *f)
{
    hd_arena *arena = &t->view->arena;
    const char *plural = f->count == 1 ? "" : "s", *first = function_at(t, f->first), *last = function_at(t, f->last);
    if (f->functions == 1 && has_returned(t, f->last))
        return hd_arena_print(arena, "%s() runs to its end, %" PRIu32 " step%s", last, f->count, plural);
    if (!strcmp(first, last))
        return hd_arena_print(arena, "%" PRIu32 " step%s in %s()%s", f->count, plural, first,
            f->functions == 1 ? "" : " and other functions");
    return hd_arena_print(
        arena, "%" PRIu32 " step%s%s%s() to %s()", f->count, plural, f->functions == 2 ? ", " : ", from ", first, last);
}

/* A few steps around a row of the same thread in the same function: the numbers of the rows say that they are left out.
 */
static bool is_small(const table *t, const fold *f, uint32_t next)
{
    enum { FEW = 4 };
    const hd_recorded_run *s = t->view->run;
    const row *before = t->rows.count ? hd_vec_last(&t->rows) : NULL;
    bool follows = before && before->kind == ROW_STEP && before->thread == f->thread
        && !strcmp(before->location.function, function_at(t, f->last));
    bool precedes = next < s->op_count && hd_recorded_doer(s, next) == f->thread
        && !strcmp(function_at(t, next), function_at(t, f->first));
    return f->functions == 1 && f->count < FEW && (follows || precedes);
}

/* `next`: the entry of the row that follows. */
static void add_folds(table *t, folds *all, uint32_t next)
{
    size_t rows = 0;
    for (size_t i = 0; i < all->count; i++)
        if (!is_small(t, &all->items[i], next))
            all->items[rows++] = all->items[i];
    for (size_t i = 0; i < rows; i++)
        hd_vec_push(&t->rows,
            ((row) { .kind = ROW_FOLDED, .thread = all->items[i].thread, .text = fold_text(t, &all->items[i]) }));
    hd_vec_clear(all);
}

/* --- rows ----------------------------------------------------------------------------------------- */

/* The function that the thread has entered since its last row; NULL: it is still in the same. */
static const char *entered(const table *t, uint32_t entry, const char **functions)
{
    uint32_t thread = hd_recorded_doer(t->view->run, entry);
    const char *function = function_at(t, entry), *last = functions[thread];
    functions[thread] = function;
    return (!last || strcmp(last, function)) && *function != '?' ? function : NULL;
}

/* In the whole table a row of its own says where a thread is; otherwise the row of its first step there does. */
static void add_step(table *t, uint32_t entry, uint32_t number, const char *enters)
{
    char text[TEXT];
    const hd_recorded_run *s = t->view->run;
    uint32_t thread = hd_recorded_doer(s, entry);
    bool apart = t->options->whole && enters;
    if (apart)
        hd_vec_push(&t->rows,
            ((row) {
                .kind = ROW_ENTERS, .thread = thread, .text = hd_arena_print(&t->view->arena, "in %s():", enters) }));
    hd_report_step_text(t->view, entry, text, sizeof text);
    hd_vec_push(&t->rows,
        ((row) { ROW_STEP, thread, number, hd_arena_copy(&t->view->arena, text), s->ops[entry].location,
            apart ? NULL : enters }));
}

static bool is_same_place(const hd_location *a, const hd_location *b)
{
    return a->line == b->line && !strcmp(a->file, b->file);
}

static bool is_same(const row *a, const row *b)
{
    bool is_step = a->kind == ROW_STEP;
    return a->kind == b->kind && (is_step || a->kind == ROW_ENTERS) && a->thread == b->thread
        && !strcmp(a->text, b->text) && (!is_step || is_same_place(&a->location, &b->location));
}

/* How often the `length` rows before row `i` are repeated from there on. */
static uint32_t count_rounds(const table *t, size_t i, size_t length)
{
    size_t end = i;
    while (end < t->rows.count && is_same(&t->rows.items[end], &t->rows.items[end - length]))
        end++;
    return (uint32_t)((end - i) / length);
}

/* Rounds of a loop that do the same are shown once. */
static void fold_rounds(table *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->rows.count;) {
        uint32_t rounds = 0;
        size_t length = 1;
        for (; length <= LONGEST_ROUND && length <= i && rounds + 1 < FEWEST_ROUNDS; length++)
            rounds = count_rounds(t, i, length);
        length -= rounds + 1 >= FEWEST_ROUNDS;
        if (rounds + 1 < FEWEST_ROUNDS) {
            t->rows.items[kept++] = t->rows.items[i++];
            continue;
        }
        uint32_t thread = t->rows.items[i].thread;
        const char *text = length == 1
            ? hd_arena_print(&t->view->arena, "the same %" PRIu32 " more times", rounds)
            : hd_arena_print(&t->view->arena, "the last %zu rows %" PRIu32 " more times", length, rounds);
        i += rounds * length;
        t->rows.items[kept++] = (row) { .kind = ROW_FOLDED, .thread = thread, .text = text };
    }
    t->rows.count = kept;
}

static void add_ends(table *t)
{
    const hd_recorded_run *s = t->view->run;
    for (uint32_t i = 0; i < s->thread_count; i++) {
        char text[TEXT];
        hd_report_end_text(t->view, i, text, sizeof text);
        hd_location location =
            t->view->finding->kind == HD_FINDING_DEADLOCK ? s->threads[i].location : t->view->reported->location;
        if (*text)
            hd_vec_push(&t->rows, ((row) { ROW_END, i, 0, hd_arena_copy(&t->view->arena, text), location, NULL }));
    }
}

/* The number of steps behind the last row. */
static uint32_t add_rows(table *t)
{
    const hd_recorded_run *s = t->view->run;
    const char **functions = hd_arena_alloc(&t->view->arena, (s->thread_count + 1) * sizeof *functions);
    folds hidden = { 0 };
    uint32_t number = 0, rest = 0;
    for (uint32_t i = 0; i < s->op_count; i++) {
        if (!hd_report_is_step(s, i))
            continue;
        number++;
        if (i >= t->end) {
            rest++;
        } else if (!has_row(s, i)) {
            continue;
        } else if (!t->shown[i]) {
            add_to_folds(t, &hidden, i);
        } else {
            add_folds(t, &hidden, i);
            add_step(t, i, number, entered(t, i, functions));
        }
    }
    add_folds(t, &hidden, s->op_count);
    hd_vec_fini(&hidden);
    fold_rounds(t);
    return rest;
}

/* --- layout -------------------------------------------------------------------------------------- */

/* The number of columns that UTF-8 text takes on the screen. */
static int columns_of(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

static void lay_out(table *t)
{
    const hd_recorded_run *s = t->view->run;
    bool *used = hd_arena_alloc(&t->view->arena, s->thread_count + 1);
    int longest = NARROWEST;
    t->tags = (int)strlen("thread");
    t->columns = hd_arena_alloc(&t->view->arena, (s->thread_count + 1) * sizeof *t->columns);
    for (size_t i = 0; i < t->rows.count; i++) {
        const row *r = &t->rows.items[i];
        int length = columns_of(r->text);
        char tag[HD_REPORT_NAME];
        hd_report_thread_tag(s, r->thread, tag);
        t->tags = (int)strlen(tag) > t->tags ? (int)strlen(tag) : t->tags;
        used[r->thread] = true;
        longest = length > longest && r->kind != ROW_FOLDED ? length : longest;
    }
    /* Threads without a row get no column. */
    for (uint32_t i = 0; i < s->thread_count; i++)
        t->columns[i] = used[i] ? t->column_count++ : -1;
    t->width = longest < WIDEST_LANE ? longest : WIDEST_LANE;
    t->listed = NUMBERS + t->column_count * (t->width + 2) + SOURCE > t->options->columns;
    if (t->listed)
        t->width = longest < WIDEST ? longest : WIDEST;
}

/* Prints the text in a column: cut, or filled up with blanks. */
static void print_cell(FILE *out, const char *text, int width)
{
    int length = columns_of(text), shown = 0;
    bool is_cut = length > width;
    for (const char *c = text; *c; c++) {
        bool begins = (*c & 0xc0) != 0x80;
        if (begins && shown == width - is_cut)
            break;
        shown += begins;
        putc(*c, out);
    }
    fprintf(out, "%s%*s  ", is_cut ? "…" : "", width - shown - is_cut, "");
}

static void print_source(const table *t, const hd_location *location, const char *enters, int used)
{
    char text[TEXT];
    if (!location->line)
        return;
    const char *slash = strrchr(location->file, '/');
    int place = fprintf(t->out, "%s:%u", slash ? slash + 1 : location->file, location->line);
    /* A function whose name does not fit is left out. */
    if (enters && used + place + (int)strlen(enters) + (int)strlen(" in ()") <= t->options->columns)
        place += fprintf(t->out, " in %s()", enters);
    int room = t->options->columns - used - place - 2;
    hd_report_view_excerpt(t->view, location, room, text, sizeof text);
    if (*text)
        fprintf(t->out, "  %s", text);
}

/* A line without blanks at its end. */
static void print_row(const table *t, const row *r)
{
    char number[16] = "", tag[HD_REPORT_NAME], *line = NULL;
    size_t size = 0;
    hd_report_thread_tag(t->view->run, r->thread, tag);
    table own = *t;
    own.out = open_memstream(&line, &size);
    if (!own.out)
        return;
    if (r->kind == ROW_STEP)
        snprintf(number, sizeof number, "%u", r->number);
    fprintf(own.out, "  %5s  ", number);
    int used = NUMBERS;
    if (r->kind == ROW_FOLDED) {
        fprintf(own.out, "… %s: %s", tag, r->text);
    } else if (t->listed) {
        used += fprintf(own.out, "%-*s ", t->tags, tag);
        print_cell(own.out, r->text, t->width);
        used += t->width + 2;
    } else {
        for (int i = 0; i < t->column_count; i++)
            print_cell(own.out, i == t->columns[r->thread] ? r->text : "", t->width);
        used += t->column_count * (t->width + 2);
    }
    print_source(&own, &r->location, r->enters, used);
    fclose(own.out);
    while (size && line[size - 1] == ' ')
        size--;
    fprintf(t->out, "%.*s\n", (int)size, line);
    free(line);
}

static void print_heads(const table *t)
{
    fprintf(t->out, "  %5s  ", "step");
    if (t->listed)
        fprintf(t->out, "%-*s %-*s  ", t->tags, "thread", t->width, "does");
    for (uint32_t i = 0; i < t->view->run->thread_count; i++)
        if (!t->listed && t->columns[i] >= 0) {
            char name[HD_REPORT_NAME];
            hd_report_thread_tag(t->view->run, i, name);
            if (!strcmp(name, "T0"))
                strcat(name, " (main)");
            print_cell(t->out, name, t->width);
        }
    fprintf(t->out, "source\n");
}

/* What the numbers of blocks stand for. */
static void print_blocks(const table *t)
{
    const hd_recorded_run *s = t->view->run;
    for (uint32_t i = 0; i < s->block_count; i++) {
        char name[24];
        bool is_used = false;
        int length = snprintf(name, sizeof name, "block#%" PRIu32, i + 1);
        for (size_t k = 0; k < t->rows.count && !is_used; k++) {
            const char *found = strstr(t->rows.items[k].text, name);
            is_used = found && !(found[length] >= '0' && found[length] <= '9');
        }
        if (is_used)
            fprintf(t->out, "         %s: %s\n", name, t->view->reported->blocks[i]);
    }
}

void hd_report_table(hd_report_view *v, const hd_report_text *options, FILE *out)
{
    table t = { .view = v, .out = out, .options = options };
    t.shown = hd_arena_alloc(&v->arena, v->run->op_count + 1);
    choose_steps(&t);
    uint32_t rest = add_rows(&t);
    size_t steps = t.rows.count;
    add_ends(&t);
    lay_out(&t);
    print_heads(&t);
    for (size_t i = 0; i < steps; i++)
        print_row(&t, &t.rows.items[i]);
    if (rest)
        fprintf(out, "         … the execution continues for %u more step%s …\n", rest, rest == 1 ? "" : "s");
    for (size_t i = steps; i < t.rows.count; i++)
        print_row(&t, &t.rows.items[i]);
    print_blocks(&t);
    hd_vec_fini(&t.rows);
}
