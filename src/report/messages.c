#include "report/messages.h"

#include "abi/mail.h"
#include "base/vec.h"

#include <errno.h>
#include <string.h>

typedef enum what { SENDS, RECEIVES, FINDS_NOTHING, WAITS } what;

enum { NOBODY = UINT32_MAX };

/* An event of a mailbox. */
typedef struct event {
    what what;
    uint32_t thread; /* its number */
    uint32_t message; /* from 1 on, in the order of sends; 0: none */
    uint32_t other; /* the thread at the other end; NOBODY: none */
    const hd_location *location;
} event;

typedef struct diagram {
    hd_vec(event) events;
    hd_vec(uint32_t) tokens; /* of the messages */
    hd_vec(uint32_t) columns; /* the threads that have events */
} diagram;

static bool is_mail(const hd_op *op)
{
    return hd_kinds[op->kind].object == HD_OBJECT_MAIL && op->kind != HD_EDGE && !(op->flags & HD_OP_WITHDRAWN);
}

static void add_column(diagram *d, uint32_t thread)
{
    size_t at = 0;
    while (at < d->columns.count && d->columns.items[at] < thread)
        at++;
    if (at < d->columns.count && d->columns.items[at] == thread)
        return;
    hd_vec_push(&d->columns, thread);
    for (size_t i = d->columns.count - 1; i > at; i--)
        d->columns.items[i] = d->columns.items[i - 1];
    d->columns.items[at] = thread;
}

static void add(diagram *d, event e)
{
    add_column(d, e.thread);
    hd_vec_push(&d->events, e);
}

static uint32_t message_of(const diagram *d, uint32_t token)
{
    uint32_t i = 0;
    while (i < d->tokens.count && d->tokens.items[i] != token)
        i++;
    return i < d->tokens.count ? i + 1 : 0;
}

static void add_op(diagram *d, const hd_recorded_op *o)
{
    int adds = hd_kinds[o->op.kind].adds;
    event e = { SENDS, o->number, 0, NOBODY, &o->location };
    if (adds > 0) {
        hd_vec_push(&d->tokens, hd_mail_token(o->op.value));
        e.message = (uint32_t)d->tokens.count;
    } else if (adds < 0) {
        e.what = RECEIVES;
        e.message = message_of(d, hd_mail_taken(o->op.value));
    } else if (o->op.mask == HD_MAIL_WAITS || (o->op.flags & HD_OP_LOOK))
        return; /* it goes on waiting */
    else
        e.what = FINDS_NOTHING;
    add(d, e);
}

static void join_ends(diagram *d)
{
    for (size_t i = 0; i < d->events.count; i++)
        for (size_t k = 0; k < d->events.count; k++)
            if (i != k && d->events.items[i].message && d->events.items[i].message == d->events.items[k].message)
                d->events.items[i].other = d->events.items[k].thread;
}

static void open(diagram *d, const hd_recorded_run *run)
{
    *d = (diagram) { 0 };
    for (uint32_t i = 0; i < run->op_count; i++)
        if (run->ops[i].op.kind != HD_EDGE && run->ops[i].op.kind != HD_BRANCH && is_mail(&run->ops[i].op))
            add_op(d, &run->ops[i]);
    for (uint32_t i = 0; i < run->thread_count; i++) {
        const hd_recorded_thread *t = &run->threads[i];
        if (t->view.status == HD_THREAD_AT_OP && is_mail(&t->view.pending) && hd_kinds[t->view.pending.kind].adds <= 0)
            add(d, (event) { WAITS, i, 0, NOBODY, &t->location });
    }
    join_ends(d);
}

static void close(diagram *d)
{
    hd_vec_fini(&d->events);
    hd_vec_fini(&d->tokens);
    hd_vec_fini(&d->columns);
}

static int column_of(const diagram *d, uint32_t thread)
{
    int at = 0;
    while ((size_t)at < d->columns.count && d->columns.items[at] != thread)
        at++;
    return at;
}

/* s1 sends message 1, r1 receives it. */
static void label_of(const event *e, char *out, size_t size)
{
    static const char *const words[] = { "s", "r", "r none", "r waits" };
    snprintf(out, size, e->message ? "%s%u" : "%s", words[e->what], e->message);
}

/* --- text ------------------------------------------------------------------------------------------------ */

enum { WIDTH = 10, MOST_COLUMNS = 8 };

/* The row of an event: where its message is received, an arrow comes from the sender's line. */
static void print_row(const diagram *d, const event *e, FILE *out)
{
    char label[24], row[MOST_COLUMNS * WIDTH + sizeof label]; /* a long label at the end is cut */
    int columns = (int)d->columns.count, at = column_of(d, e->thread) * WIDTH;
    memset(row, ' ', sizeof row);
    for (int i = 0; i < columns; i++)
        row[i * WIDTH] = '|';
    label_of(e, label, sizeof label);
    if (e->what == RECEIVES && e->other != NOBODY && e->other != e->thread) {
        int from = column_of(d, e->other) * WIDTH, step = from < at ? 1 : -1, length = (int)strlen(label);
        int end = step > 0 ? at - 1 : at + length;
        for (int i = from + step; i != end + step; i += step)
            row[i] = '-';
        row[end] = step > 0 ? '>' : '<';
    }
    if (e->what == SENDS && e->other == NOBODY)
        memcpy(row + at + strlen(label), " -->", 4);
    memcpy(row + at, label, strlen(label));
    row[columns * WIDTH] = '\0';
    const char *file = e->location->file ? e->location->file : "?", *slash = strrchr(file, '/');
    fprintf(out, "    %s%s:%u\n", row, slash ? slash + 1 : file, e->location->line);
}

void hd_report_messages(const hd_report_finding *r, FILE *out)
{
    diagram d;
    open(&d, &r->run);
    if (d.events.count && d.columns.count <= MOST_COLUMNS) {
        fprintf(out, "  Messages (time goes down, an arrow ends where the message is received):\n    ");
        for (size_t i = 0; i < d.columns.count; i++)
            fprintf(out, "T%-*u", i + 1 < d.columns.count ? WIDTH - 1 : 0, d.columns.items[i]);
        putc('\n', out);
        for (size_t i = 0; i < d.events.count; i++)
            print_row(&d, &d.events.items[i], out);
        putc('\n', out);
    }
    close(&d);
}

/* --- SVG ------------------------------------------------------------------------------------------------- */

enum { LEFT = 60, APART = 140, ROW = 28, HEAD = 50 };

static int x_of(const diagram *d, uint32_t thread)
{
    return LEFT + APART * column_of(d, thread);
}

/* The row in which the message is received or sent. */
static size_t row_of(const diagram *d, uint32_t message, what what)
{
    size_t i = 0;
    while (i < d->events.count && (d->events.items[i].message != message || d->events.items[i].what != what))
        i++;
    return i;
}

static void draw_event(const diagram *d, size_t i, int top, FILE *out)
{
    const event *e = &d->events.items[i];
    int x = x_of(d, e->thread), y = top + HEAD + ROW * (int)i;
    char label[24];
    label_of(e, label, sizeof label);
    fprintf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"4\"%s/>", x, y,
        e->what == WAITS ? " fill=\"white\" stroke=\"black\"" : "");
    fprintf(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 7, y - 5, label);
    if (e->what != SENDS)
        return;
    size_t to = row_of(d, e->message, RECEIVES);
    bool received = to < d->events.count;
    fprintf(out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" marker-end=\"url(#head)\"/>\n",
        received ? "message" : "lost", x, y, received ? x_of(d, d->events.items[to].thread) : x + APART / 3,
        received ? top + HEAD + ROW * (int)to : y + ROW / 2);
}

static void draw(const diagram *d, int top, const char *title, FILE *out)
{
    fprintf(out, "<text x=\"10\" y=\"%d\">%s</text>\n", top + 14, title);
    for (size_t i = 0; i < d->columns.count; i++) {
        int x = x_of(d, d->columns.items[i]);
        fprintf(out, "<text x=\"%d\" y=\"%d\">T%u</text>\n", x - 8, top + HEAD - 16, d->columns.items[i]);
        fprintf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", x, top + HEAD - 10, x,
            top + HEAD + ROW * (int)d->events.count);
    }
    for (size_t i = 0; i < d->events.count; i++)
        draw_event(d, i, top, out);
}

static int height_of(const diagram *d)
{
    return d->events.count ? HEAD + ROW * ((int)d->events.count + 1) : 0;
}

/* Draws all diagrams, or (`out` NULL) only finds how large they are. */
static int draw_all(const hd_report_result *r, int *width, FILE *out)
{
    int top = 0;
    for (size_t i = 0; i < r->finding_count; i++) {
        diagram d;
        char title[64];
        open(&d, &r->findings[i].run);
        snprintf(title, sizeof title, "finding %zu", i + 1);
        if (d.events.count && out)
            draw(&d, top, title, out);
        int needed = LEFT * 2 + APART * (int)d.columns.count;
        *width = *width > needed ? *width : needed;
        top += height_of(&d);
        close(&d);
    }
    return top;
}

bool hd_report_messages_svg(const hd_report_result *r, const char *path, hd_error *error)
{
    int width = 0, height = draw_all(r, &width, NULL);
    FILE *out = fopen(path, "w");
    if (!out)
        return hd_fail(error, "%s: the diagram cannot be written: %s", path, strerror(errno));
    fprintf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\" "
        "font-size=\"12\">\n"
        "<style>line { stroke: #999 } .message { stroke: black } .lost { stroke: black; stroke-dasharray: 4 }</style>\n"
        "<defs><marker id=\"head\" markerWidth=\"8\" markerHeight=\"8\" refX=\"8\" refY=\"4\" orient=\"auto\">"
        "<path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n",
        width, height);
    draw_all(r, &width, out);
    fprintf(out, "</svg>\n");
    bool written = !ferror(out);
    return (!fclose(out) && written) || hd_fail(error, "%s: the diagram cannot be written: %s", path, strerror(errno));
}
