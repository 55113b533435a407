#include "report/table.h"

#include "abi/fates.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/stack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 60,
    KEPT_AT_START = 15,
    MOST_OBJECTS = 16,
    WIDEST = 40,
    NARROWEST = 14,
    SOURCE = 60,
    ROOM = 150 /* for all columns */
};

typedef struct table {
    hd_report_view *view;
    FILE *out;
    bool whole;
    struct object {
        uint64_t at;
        uint8_t mask; /* of memory: the bytes of the cell; else 0 */
    } objects[MOST_OBJECTS]; /* involved in the finding */
    uint32_t object_count;
    uint32_t end; /* operations from here on are not shown */
    bool *shown; /* per operation */
    int *columns; /* of a thread, or -1 */
    int column_count, width;
    bool listed; /* too many threads for a column each: one column, and the thread's name */
} table;

/* Is it a row of the table? */
static bool is_told(const hd_op *op)
{
    return hd_op_is_done(op) && !hd_op_is_implied(op);
}

/* --- what matters ------------------------------------------------------------------------------ */

static bool is_involved(const table *t, const hd_op *op)
{
    for (uint32_t i = 0; i < t->object_count; i++)
        if (t->objects[i].at == op->object && (t->objects[i].mask == op->mask || (t->objects[i].mask & op->mask)))
            return true;
    return false;
}

static void involve(table *t, const hd_op *op)
{
    if (op->object && t->object_count < MOST_OBJECTS && !is_involved(t, op))
        t->objects[t->object_count++] = (struct object) { op->object, op->mask };
}

static void involve_awaited(table *t, const hd_thread_view *v)
{
    if (v->status == HD_THREAD_AT_OP)
        involve(t, &v->pending);
    else if (v->waits_for != HD_WAIT_JOIN)
        involve(t, &(hd_op) { .object = v->wait_object });
    if (v->waits_for == HD_WAIT_LOOP) /* a lock, or memory */
        involve(t, &(hd_op) { .object = v->wait_object & ~7ull, .mask = 0xff });
}

/* The objects involved: for a race, the location; for a deadlock, what threads wait for; otherwise,
 * what the failing thread accessed last. */
static void find_objects(table *t)
{
    const hd_recorded_run *s = t->view->run;
    const hd_finding *f = t->view->finding;
    if (hd_finding_has_accesses(f)) {
        if (f->entries[1] < s->op_count)
            involve(t, &s->ops[f->entries[1]].op);
    } else if (f->kind == HD_FINDING_DEADLOCK) {
        for (uint32_t i = 0; i < s->thread_count; i++)
            if (hd_recorded_is_stuck(s, f, i))
                involve_awaited(t, &s->threads[i].view);
    } else {
        for (uint32_t i = s->op_count, left = 4; i-- > 0 && left;)
            if (hd_recorded_doer(s, i) == hd_recorded_number(s, f->thread) && is_told(&s->ops[i].op)) {
                involve(t, &s->ops[i].op);
                left--;
            }
    }
}

static uint32_t neighbour(const table *t, uint32_t i, int direction)
{
    const hd_recorded_run *s = t->view->run;
    for (int64_t k = (int64_t)i + direction; k >= 0 && k < t->end; k += direction)
        if (is_told(&s->ops[k].op))
            return (uint32_t)k;
    return ~0u;
}

/* Steps next to a context switch matter, besides those on involved objects and those with a choice. */
static bool matters(const table *t, uint32_t i)
{
    const hd_recorded_run *s = t->view->run;
    const hd_op *op = &s->ops[i].op;
    uint32_t before = neighbour(t, i, -1), after = neighbour(t, i, 1);
    if (t->whole || is_involved(t, op) || op->choices > 1 || after == ~0u)
        return true;
    uint32_t doer = hd_recorded_doer(s, i);
    return (before != ~0u && hd_recorded_doer(s, before) != doer) || hd_recorded_doer(s, after) != doer;
}

/* Keeps only the start and the end of a long table. */
static void thin_out(table *t)
{
    uint32_t rows = 0, seen = 0;
    for (uint32_t i = 0; i < t->end; i++)
        rows += t->shown[i];
    if (t->whole || rows <= MOST_ROWS)
        return;
    for (uint32_t i = 0; i < t->end; i++)
        if (t->shown[i] && seen++ >= KEPT_AT_START && rows - seen >= MOST_ROWS - KEPT_AT_START)
            t->shown[i] = false;
}

static void choose_rows(table *t)
{
    const hd_recorded_run *s = t->view->run;
    t->end = s->op_count;
    /* What comes after the second access does not matter. */
    if (!t->whole && hd_finding_has_accesses(t->view->finding) && t->view->finding->entries[1] < s->op_count)
        t->end = t->view->finding->entries[1] + 1;
    for (uint32_t i = 0; i < t->end; i++)
        t->shown[i] = is_told(&s->ops[i].op) && matters(t, i);
    thin_out(t);
    /* A single omitted step takes no more room than the line that says so: show it. */
    for (uint32_t i = 0; i < t->end; i++) {
        uint32_t before = neighbour(t, i, -1), after = neighbour(t, i, 1);
        if (!t->shown[i] && is_told(&s->ops[i].op) && (before == ~0u || t->shown[before])
            && (after == ~0u || t->shown[after]))
            t->shown[i] = true;
    }
}

/* --- layout -------------------------------------------------------------------------------------- */

static void clock_text(const hd_op *op, char *text, size_t size)
{
    if (op->choice)
        snprintf(text, size, "read clock, %.2f s later", (double)op->value * 1e-9);
    else
        snprintf(text, size, "read clock");
}

static const char *fate_text(hd_fate fate)
{
    static const char *const texts[] = {
        "",
#define FATE(name, text) text,
#include "abi/fates.def"
#undef FATE
    };
    return texts[fate];
}

static void cell_text(const table *t, const hd_recorded_op *o, char *text, size_t size)
{
    const hd_op *op = &o->op;
    char name[100] = "", value[40] = "", choice[24] = "";
    uint32_t bytes;
    uint64_t address = hd_report_view_address(op, &bytes);
    hd_object_class class = hd_op_class(op->kind);
    bool is_known = true;
    if (class == HD_OBJECT_THREAD)
        snprintf(name, sizeof name, " T%" PRIu64, op->object);
    else if (class != HD_OBJECT_NONE && class != HD_OBJECT_PROCESS) {
        name[0] = ' ';
        is_known = hd_report_view_name(t->view, address, name + 1, sizeof name - 1);
    }
    if (o->has_value && is_known)
        snprintf(value, sizeof value, " = %" PRId64,
            bytes == 4       ? (int64_t)(int32_t)o->value
                : bytes == 2 ? (int64_t)(int16_t)o->value
                : bytes == 1 ? (int64_t)(int8_t)o->value
                             : (int64_t)o->value);
    bool is_fixed = hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED;
    hd_fate fate = is_fixed ? hd_fate_of(op->value, op->choice) : HD_FATE_NONE;
    if (is_fixed && op->value && !fate) {
        clock_text(op, text, size);
        return;
    }
    if (fate == HD_FATE_OVERTAKES)
        snprintf(choice, sizeof choice, " %u", op->choice);
    else if (op->choices > 1 && !fate)
        snprintf(choice, sizeof choice, " (outcome %u of %u)", op->choice + 1, op->choices);
    snprintf(text, size, "%s%s%s%s", fate ? fate_text(fate) : hd_op_text(op->kind), name, value, choice);
}

static void widen(table *t, const char *text)
{
    int length = (int)strlen(text);
    t->width = length > t->width ? length : t->width;
}

/* What a thread does at the end, after its last step. */
static void final_text(const table *t, uint32_t thread, char *text, size_t size)
{
    const hd_recorded_run *s = t->view->run;
    const hd_finding *f = t->view->finding;
    const hd_thread_view *v = &s->threads[thread].view;
    char name[100];
    *text = '\0';
    if (hd_recorded_is_stuck(s, f, thread)) {
        bool waits = v->status == HD_THREAD_WAITING;
        hd_report_view_name_awaited(t->view, v, name, sizeof name);
        if (waits && v->waits_for == HD_WAIT_JOIN)
            snprintf(text, size, "*** waits for T%" PRIu32, hd_recorded_number(s, (uint32_t)v->wait_object));
        else if (waits && v->waits_for == HD_WAIT_LOOP && !v->wait_object)
            snprintf(text, size, "*** waits in a loop");
        else if (waits && v->waits_for == HD_WAIT_SIGNAL)
            snprintf(text, size, "*** waits for a signal");
        else
            snprintf(text, size, "*** waits for %s", name);
    } else if (f->kind != HD_FINDING_DEADLOCK && !hd_finding_has_accesses(f)
        && hd_recorded_number(s, f->thread) == thread && hd_outcome_is_finding(s->outcome.kind)) {
        snprintf(text, size, "*** %s", hd_finding_word(f->kind));
    }
}

static void lay_out(table *t)
{
    const hd_recorded_run *s = t->view->run;
    char text[256];
    bool *used = hd_arena_alloc(&t->view->arena, s->thread_count * sizeof *used);
    t->columns = hd_arena_alloc(&t->view->arena, s->thread_count * sizeof *t->columns);
    t->width = NARROWEST;
    for (uint32_t i = 0; i < t->end; i++)
        if (t->shown[i]) {
            /* Threads without a shown step get no column. */
            used[hd_recorded_doer(s, i)] = true;
            cell_text(t, &s->ops[i], text, sizeof text);
            widen(t, text);
        }
    for (uint32_t i = 0; i < s->thread_count; i++) {
        final_text(t, i, text, sizeof text);
        used[i] |= *text != '\0';
        widen(t, text);
        t->columns[i] = used[i] ? t->column_count++ : -1;
    }
    t->listed = t->column_count > ROOM / NARROWEST;
    /* All columns together must fit a page. */
    int most = t->listed || !t->column_count ? WIDEST : ROOM / t->column_count;
    most = most > WIDEST ? WIDEST : most < NARROWEST ? NARROWEST : most;
    t->width = t->width > most ? most : t->width;
}

/* The number of bytes of UTF-8 text to show: at most `most`, without cutting a character. */
static int whole_characters(const char *text, int most)
{
    int length = (int)strnlen(text, (size_t)most + 1);
    if (length <= most)
        return length;
    while (most > 0 && (text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

static void print_cells(const table *t, uint32_t thread, const char *text)
{
    if (t->listed)
        fprintf(t->out, "T%-6u  %-*.*s  ", thread, t->width, t->width, text);
    else
        for (int i = 0; i < t->column_count; i++)
            fprintf(t->out, "%-*.*s  ", t->width, t->width, i == t->columns[thread] ? text : "");
}

static void print_row(
    const table *t, const char *number, uint32_t thread, const char *text, const hd_location *location)
{
    fprintf(t->out, "  %5s  ", number);
    print_cells(t, thread, text);
    if (location && location->line) {
        const char *slash = strrchr(location->file, '/');
        fprintf(t->out, "%s:%u", slash ? slash + 1 : location->file, location->line);
        const char *source = hd_report_view_source(t->view, location);
        if (*source)
            fprintf(t->out, "  %.*s", whole_characters(source, SOURCE), source);
    }
    putc('\n', t->out);
}

static void print_heads(const table *t)
{
    fprintf(t->out, "  %5s  ", "step");
    if (t->listed)
        fprintf(t->out, "thread   %-*s  ", t->width, "does");
    for (uint32_t i = 0; i < t->view->run->thread_count; i++)
        if (!t->listed && t->columns[i] >= 0) {
            char name[HD_REPORT_NAME];
            const char *process = t->view->run->threads[i].process;
            snprintf(name, sizeof name, process ? "%s/T%u" : "%sT%u%s", process ? process : "", i, i ? "" : " (main)");
            fprintf(t->out, "%-*s  ", t->width, name);
        }
    fprintf(t->out, "source\n");
}

static void print_ends(const table *t)
{
    const hd_recorded_run *s = t->view->run;
    for (uint32_t i = 0; i < s->thread_count; i++) {
        char text[256];
        final_text(t, i, text, sizeof text);
        hd_location location =
            t->view->finding->kind == HD_FINDING_DEADLOCK ? s->threads[i].location : t->view->reported->location;
        if (*text)
            print_row(t, "", i, text, &location);
    }
}

static void print_gap(const table *t, uint32_t count)
{
    if (count)
        fprintf(t->out, "         … %u more step%s …\n", count, count == 1 ? "" : "s");
}

void hd_report_table(hd_report_view *v, bool whole, FILE *out)
{
    const hd_recorded_run *s = v->run;
    table t = { .view = v, .out = out, .whole = whole };
    uint32_t number = 0, gap = 0, rest = 0;
    t.shown = hd_arena_alloc(&v->arena, s->op_count + 1);
    find_objects(&t);
    choose_rows(&t);
    lay_out(&t);
    print_heads(&t);
    for (uint32_t i = 0; i < s->op_count; i++) {
        if (!is_told(&s->ops[i].op))
            continue;
        number++;
        rest += i >= t.end;
        if (i >= t.end || !t.shown[i]) {
            gap += i < t.end;
            continue;
        }
        print_gap(&t, gap);
        gap = 0;
        char text[256], count[16];
        cell_text(&t, &s->ops[i], text, sizeof text);
        snprintf(count, sizeof count, "%u", number);
        print_row(&t, count, hd_recorded_doer(s, i), text, &s->ops[i].location);
    }
    print_gap(&t, gap);
    if (rest)
        fprintf(out, "         … the execution continues for %u more step%s …\n", rest, rest == 1 ? "" : "s");
    print_ends(&t);
}
