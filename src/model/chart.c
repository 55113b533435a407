#include "model/chart.h"

#include <string.h>

enum { COLUMN = 6, MOST_COLUMNS = 24 };

/* A path being replayed; `senders` has the sender of each message that waits in a channel. */
typedef struct replay {
    hd_model_shapes shapes;
    hd_model_stepper stepper;
    uint8_t *bytes;
    uint8_t senders[HD_MODEL_MOST_CHANNELS + 1][256];
    int from; /* sender of the message received by the last move, or -1 */
    char text[160]; /* the last move's statement, with values */
} replay;

static void replay_open(replay *r, const hd_promela_program *program, hd_model_scheme scheme)
{
    memset(r, 0, sizeof *r);
    hd_model_shapes_init(&r->shapes, program, scheme != HD_MODEL_SCHEME_CAUSAL);
    hd_model_stepper_open(&r->stepper, program, &r->shapes, scheme);
    r->stepper.machine.unbounded = scheme != HD_MODEL_SCHEME_CAUSAL;
    r->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    r->stepper.machine.bytes = r->bytes;
    hd_model_machine_start(&r->stepper.machine);
}

static void replay_close(replay *r)
{
    hd_model_stepper_close(&r->stepper);
    hd_model_shapes_fini(&r->shapes);
    hd_release(&hd_heap, r->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
}

static void describe_message(replay *r, int channel, int position, char mark)
{
    const hd_model_machine *m = &r->stepper.machine;
    const hd_promela_channel *type;
    const uint8_t *c = hd_model_machine_channel(m, channel, &type);
    const uint8_t *at = c + HD_CHANNEL_HEADER + (uint32_t)position * hd_model_message_size(m, type)
        + (m->scheme != HD_MODEL_SCHEME_CAUSAL);
    int used = snprintf(r->text, sizeof r->text, "channel %d%c", channel, mark);
    for (int i = 0; i < type->field_count && used < (int)sizeof r->text - 40; i++) {
        int32_t value = hd_model_scalar_read(at, hd_promela_storage(type->fields[i].type, type->fields[i].bits));
        const char *name =
            type->fields[i].type == HD_TYPE_MTYPE ? hd_promela_constant_name(m->program->model, value) : NULL;
        used += name ? snprintf(r->text + used, 36, "%s%s", i ? "," : "", name)
                     : snprintf(r->text + used, 36, "%s%d", i ? "," : "", value);
        at += hd_promela_type_size(type->fields[i].type);
    }
}

static bool run_transition(replay *r, int pid, const hd_promela_transition *t, int choice)
{
    hd_model_machine *m = &r->stepper.machine;
    hd_model_machine_select(m, pid);
    /* The path is known to be possible, so `timeout` may be assumed. */
    m->timeout = true;
    m->choice = choice;
    m->sent_channel = 0;
    if (t->guard && !hd_model_machine_run(m, t->guard) && !t->uses_timeout)
        return false;
    m->choice = 0;
    if (t->action == HD_ACTION_RECEIVE) {
        uint8_t *queue = r->senders[m->matched_channel];
        r->from = queue[m->matched_position];
        describe_message(r, m->matched_channel, m->matched_position, '?');
        if (t->takes)
            memmove(queue + m->matched_position, queue + m->matched_position + 1, (size_t)(255 - m->matched_position));
    }
    if (t->action == HD_ACTION_END) {
        hd_model_machine_end_process(m);
        return true;
    }
    if (t->effect)
        hd_model_machine_run(m, t->effect);
    hd_model_machine_go(m, t->target);
    if (m->sent_channel) {
        uint8_t *queue = r->senders[m->sent_channel];
        memmove(queue + m->sent_position + 1, queue + m->sent_position, (size_t)(255 - m->sent_position));
        queue[m->sent_position] = (uint8_t)pid;
        if (t->action == HD_ACTION_SEND)
            describe_message(r, m->sent_channel, m->sent_position, '!');
    }
    return m->fault.kind == HD_MODEL_FAULT_NONE;
}

static bool replay_move(replay *r, const hd_model_move *move)
{
    r->from = -1;
    hd_promela_print_statement(
        r->text, sizeof r->text, r->stepper.machine.program->model, move->transition->step->element->node);
    bool ok = run_transition(r, move->pid, move->transition, move->choice);
    if (ok && move->receiving)
        ok = run_transition(r, move->receiver, move->receiving, 0);
    return ok;
}

/* --- the chart ------------------------------------------------------------------------------------- */

static void draw_row(FILE *out, int columns, int at, int from)
{
    char row[COLUMN * MOST_COLUMNS + 1];
    memset(row, ' ', sizeof row - 1);
    row[columns * COLUMN] = '\0';
    for (int i = 0; i < columns; i++)
        row[i * COLUMN + 2] = '|';
    if (from >= 0 && from < columns && at < columns && from != at) {
        int low = (from < at ? from : at) * COLUMN + 3, high = (from < at ? at : from) * COLUMN + 1;
        memset(row + low, '-', (size_t)(high - low + 1));
        row[from < at ? high : low] = from < at ? '>' : '<';
    }
    if (at < columns)
        row[at * COLUMN + 2] = 'o';
    fputs(row, out);
}

void hd_model_chart_path(
    FILE *out, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_moves *path, size_t cycle)
{
    int columns = 0;
    replay r;
    replay_open(&r, program, scheme);
    for (size_t i = 0; i < path->count; i++) {
        /* A column for every process that takes part. */
        int high = path->items[i].pid > path->items[i].receiver ? path->items[i].pid : path->items[i].receiver;
        columns = high + 1 > columns ? high + 1 : columns;
    }
    columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    fprintf(out, "  step ");
    for (int i = 0; i < columns; i++)
        fprintf(out, "%3d%*s", i, COLUMN - 3, "");
    fprintf(out, "process and statement\n");
    for (size_t i = 0; i < path->count; i++) {
        const hd_model_move *move = &path->items[i];
        if (i == cycle)
            fprintf(out, "  ---- from here on, the steps below repeat forever ----\n");
        const char *name = hd_model_machine_code(&r.stepper.machine, move->pid)->proctype->name;
        bool ok = replay_move(&r, move);
        fprintf(out, "%6zu ", i + 1);
        draw_row(out, columns, move->receiving ? move->receiver : move->pid, move->receiving ? move->pid : r.from);
        fprintf(
            out, "%s %d, line %d: %s\n", name, move->pid, move->transition->step->element->node->location.line, r.text);
        if (!ok)
            break;
    }
    if (cycle == path->count)
        fprintf(out, "  ---- the execution ends here; its last state repeats forever ----\n");
    replay_close(&r);
}

void hd_model_chart_end(
    FILE *out, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_moves *path)
{
    replay r;
    replay_open(&r, program, scheme);
    for (size_t i = 0; i < path->count; i++)
        if (!replay_move(&r, &path->items[i]))
            break;
    hd_model_machine *m = &r.stepper.machine;
    for (int pid = 0; pid < m->shape->processes; pid++) {
        const hd_promela_code *code = hd_model_machine_code(m, pid);
        const hd_promela_element *e = code->flow->elements[hd_model_machine_control(m, pid)];
        fprintf(out, "  %s %d is at line %d%s\n", code->proctype->name, pid, e->node->location.line,
            code->flow->end[e->number] ? " (a valid end)" : "");
    }
    for (int c = 1; c <= m->shape->channels; c++) {
        const hd_promela_channel *type;
        for (int i = 0; i < hd_model_machine_channel(m, c, &type)[1]; i++) {
            describe_message(&r, c, i, ':');
            fprintf(out, "  left in %s\n", r.text);
        }
    }
    replay_close(&r);
}

/* SPIN's marks: the start, and where a cycle begins. */
void hd_model_chart_trail(FILE *out, const hd_model_moves *path, size_t cycle)
{
    int step = 1;
    /* SPIN's header: statement merging was on. */
    fprintf(out, "-4:-4:-4\n");
    for (size_t i = 0; i < path->count; i++) {
        if (i == cycle)
            fprintf(out, "-1:-1:-1\n");
        fprintf(out, "%d:%d:%d\n", step++, path->items[i].pid, path->items[i].transition->id);
        if (path->items[i].receiving)
            fprintf(out, "%d:%d:%d\n", step++, path->items[i].receiver, path->items[i].receiving->id);
    }
}
