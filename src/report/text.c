#include "report/text.h"

#include "report/messages.h"

#include "event/op.h"
#include "event/plan.h"
#include "report/discipline.h"
#include "report/inputs.h"
#include "report/stack.h"
#include "report/symbolise.h"
#include "report/table.h"
#include "report/view.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* As wide as the terminal. */
static int width_of(FILE *out)
{
    enum { IN_A_FILE = 100, LEAST = 60 };
    struct winsize size;
    if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col)
        return IN_A_FILE;
    return size.ws_col < LEAST ? LEAST : size.ws_col;
}

hd_report_text hd_report_text_for(FILE *out)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    /* NO_COLOR counts if it is set and not empty. */
    bool able = isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") != 0;
    return (hd_report_text) { .out = out, .colour = able && !(refused && *refused), .columns = width_of(out) };
}

typedef struct printer {
    const hd_report_text *options;
    FILE *out;
    hd_report_view view;
    const hd_recorded_run *run;
    const hd_finding *finding;
} printer;

static const char *bold(const printer *t)
{
    return t->options->colour ? "\033[1m" : "";
}

static const char *plain(const printer *t)
{
    return t->options->colour ? "\033[0m" : "";
}

/* --- data races and unprotected variables
 * ----------------------------------------------------------------------------------- */

static void print_access(printer *t, uint32_t entry, bool previous)
{
    const hd_recorded_op *o = &t->run->ops[entry];
    uint32_t size;
    const char *name = t->view.reported->accesses[entry].name;
    hd_report_view_address(&o->op, &size);
    char thread[HD_REPORT_NAME];
    hd_report_thread_name(t->run, hd_recorded_doer(t->run, entry), thread);
    char what[64];
    snprintf(what, sizeof what, "%s", hd_op_text(o->op.kind));
    if (!previous)
        what[0] = (char)toupper((unsigned char)what[0]);
    fprintf(t->out, "  %s%s%s of %s (%u byte%s) by %s:%s\n", bold(t), previous ? "Previous " : "", what,
        name ? name : "?", size, size == 1 ? "" : "s", thread, plain(t));
    hd_report_stack(&t->view, &o->stack, &o->location, t->out);
    putc('\n', t->out);
}

/* The number of the block in the run; ~0: it is not among those that operations access. */
static uint32_t number_of_block(const hd_recorded_run *run, const hd_recorded_block *b)
{
    for (uint32_t i = 0; i < run->block_count; i++)
        if (run->blocks[i].address == b->address)
            return i;
    return ~0u;
}

static void print_block(printer *t, uint64_t address)
{
    const hd_recorded_block *b = &t->run->block;
    char thread[HD_REPORT_NAME];
    uint32_t number = number_of_block(t->run, b);
    hd_report_thread_name(t->run, b->allocator, thread);
    if (number != ~0u)
        fprintf(t->out, "  Location is %s", t->view.reported->blocks[number]);
    else
        fprintf(t->out, "  Location is block of %" PRIu64 " byte%s%s%s", b->size, b->size == 1 ? "" : "s",
            b->function ? " from " : "", b->function ? b->function : "");
    if (address > b->address)
        fprintf(t->out, ", %" PRIu64 " byte%s into it", address - b->address, address - b->address == 1 ? "" : "s");
    fprintf(t->out, ", allocated by %s at:\n", thread);
    hd_report_location(&t->view, 0, &b->allocated, t->out);
    if (b->is_freed) {
        hd_report_thread_name(t->run, b->freer, thread);
        fprintf(t->out, "  freed by %s at:\n", thread);
        hd_report_location(&t->view, 0, &b->freed, t->out);
    }
    putc('\n', t->out);
}

static void print_location(printer *t, uint64_t address)
{
    hd_elf_symbol symbol;
    /* Stacks of threads lie at fixed addresses, one span each. */
    uint64_t stack = (address - HD_STACK_BASE) / HD_STACK_SPAN;
    char thread[HD_REPORT_NAME];
    if (hd_report_view_variable(&t->view, address, &symbol)) {
        fprintf(t->out, "  Location is global '%s' of %" PRIu64 " byte%s", symbol.name, symbol.size,
            symbol.size == 1 ? "" : "s");
        if (address > symbol.address)
            fprintf(t->out, ", byte %" PRIu64 " of it", address - symbol.address);
        fprintf(t->out, "\n\n");
    } else if (t->run->block.known) {
        print_block(t, address);
    } else if (address >= HD_STACK_BASE && stack < HD_MAX_THREADS) {
        hd_report_thread_name(t->run, hd_recorded_number(t->run, (uint32_t)stack), thread);
        fprintf(t->out, "  Location is stack of %s\n\n", thread);
    }
}

static void print_creation(printer *t, uint32_t thread)
{
    const hd_recorded_thread *s = &t->run->threads[thread];
    char name[HD_REPORT_NAME], creator[HD_REPORT_NAME];
    if (thread == 0 || (s->process && !s->created.line))
        return; /* the program's first thread, or a process's */
    hd_report_thread_name(t->run, thread, name);
    hd_report_thread_name(t->run, s->creator, creator);
    name[0] = 'T';
    /* A thread that failed has status DONE but did not finish. */
    bool failed =
        hd_outcome_is_finding(t->run->outcome.kind) && hd_recorded_number(t->run, t->run->outcome.thread) == thread;
    bool finished = s->view.status == HD_THREAD_DONE && !failed;
    bool forked = s->view.process != t->run->threads[s->creator].view.process;
    fprintf(t->out, "  %s (%s) %s by %s at:\n", name, finished ? "finished" : "running", forked ? "forked" : "created",
        creator);
    hd_report_stack(&t->view, &s->creation_stack, &s->created, t->out);
    putc('\n', t->out);
}

static void print_race(printer *t)
{
    const hd_finding *f = t->finding;
    uint32_t first = f->entries[0], second = f->entries[1], size;
    /* The replay may have been cut short. */
    if (first >= t->run->op_count || second >= t->run->op_count)
        return;
    /* The later access first, as the sanitizers do. */
    print_access(t, second, false);
    print_access(t, first, true);
    if (f->kind == HD_FINDING_LOCK_DISCIPLINE)
        hd_report_discipline(&t->view, t->out);
    print_location(t, hd_report_view_address(&t->run->ops[second].op, &size));
    print_creation(t, hd_recorded_doer(t->run, second));
    print_creation(t, hd_recorded_doer(t->run, first));
}

/* --- deadlocks ------------------------------------------------------------------------------------- */

/* What a deadlocked thread waits for, as the end of a sentence. */
/* Objects of the runtime are called by what they are and a number (abi/shown.def); a variable's name has no space. */
static bool says_what_it_is(const char *name, const char *what)
{
    return !strncmp(name, what, strlen(what)) && name[strlen(what)] == ' ';
}

static void wait_text(printer *t, uint32_t thread, char *text, size_t size)
{
    const hd_thread_view *v = &t->run->threads[thread].view;
    bool waits = v->status == HD_THREAD_WAITING;
    char other[HD_REPORT_NAME];
    const char *name = hd_report_view_awaited(&t->view, thread);
    if (waits && v->waits_for == HD_WAIT_JOIN) {
        hd_report_thread_name(t->run, hd_recorded_number(t->run, (uint32_t)v->wait_object), other);
        snprintf(text, size, "%s to end", other);
    } else if (waits && v->waits_for == HD_WAIT_COND) {
        snprintf(text, size, "a signal to condition variable '%s'", name);
    } else if (waits && v->waits_for == HD_WAIT_FUTEX) {
        snprintf(text, size, "a wake-up at futex '%s'", name);
    } else if (waits && v->waits_for == HD_WAIT_LOOP && !v->wait_object) {
        snprintf(text, size, "a condition that never becomes true, in a loop");
    } else if (waits && v->waits_for == HD_WAIT_SIGNAL) {
        snprintf(text, size, "a signal");
    } else if (waits && v->waits_for == HD_WAIT_BARRIER) {
        snprintf(text, size, "others at barrier '%s'", name);
    } else if (waits || (v->pending.flags & HD_OP_SPUN && !hd_report_retries(v))) {
        snprintf(text, size, "a change of '%s', in a loop", name);
    } else if (says_what_it_is(name, hd_op_object_text(v->pending.kind))) {
        snprintf(text, size, "%s", name);
    } else {
        snprintf(text, size, "%s '%s'", hd_op_object_text(v->pending.kind), name);
    }
}

static void print_holder(printer *t, uint32_t waiter)
{
    const hd_thread_view *v = &t->run->threads[waiter].view;
    uint32_t held = hd_report_obstacle(t->run, waiter);
    char name[100], thread[HD_REPORT_NAME];
    if (held == ~0u)
        return;
    const hd_recorded_op *lock = &t->run->ops[held];
    hd_report_view_name(&t->view, lock->op.object, name, sizeof name);
    uint32_t holder = hd_recorded_doer(t->run, held);
    hd_report_thread_name(t->run, holder, thread);
    if (hd_report_retries(v))
        fprintf(t->out, "  %s was changed last by %s, at:\n", name, thread);
    else
        fprintf(t->out, "  %s '%s' is held by %s%s, which locked it at:\n", hd_op_object_text(v->pending.kind), name,
            thread, holder == waiter ? " itself" : "");
    hd_report_stack(&t->view, &lock->stack, &lock->location, t->out);
}

static void print_deadlock(printer *t)
{
    for (uint32_t i = 0; i < t->run->thread_count; i++) {
        char name[HD_REPORT_NAME], what[200];
        if (!hd_recorded_is_stuck(t->run, t->finding, i))
            continue;
        hd_report_thread_name(t->run, i, name);
        /* The name begins a sentence. */
        name[0] = (char)toupper(name[0]);
        wait_text(t, i, what, sizeof what);
        fprintf(t->out, "  %s%s waits for %s:%s\n", bold(t), name, what, plain(t));
        hd_report_stack(&t->view, &t->run->threads[i].stack, &t->run->threads[i].location, t->out);
        print_holder(t, i);
        putc('\n', t->out);
    }
    for (uint32_t i = 0; i < t->run->thread_count; i++)
        if (hd_recorded_is_stuck(t->run, t->finding, i))
            print_creation(t, i);
}

/* --- the rest --------------------------------------------------------------------------------------- */

static bool is_misuse_of_heap(hd_finding_kind kind)
{
    return kind == HD_FINDING_USE_AFTER_FREE || kind == HD_FINDING_DOUBLE_FREE || kind == HD_FINDING_HEAP_OVERFLOW
        || kind == HD_FINDING_INVALID_FREE;
}

static void print_failure(printer *t)
{
    uint32_t thread = hd_recorded_number(t->run, t->finding->thread);
    char name[HD_REPORT_NAME];
    if (thread >= t->run->thread_count)
        return;
    hd_report_thread_name(t->run, thread, name);
    fprintf(t->out, "  In %s:\n", name);
    hd_report_stack(&t->view, &t->run->threads[thread].stack, &t->run->location, t->out);
    putc('\n', t->out);
    if (is_misuse_of_heap(t->finding->kind) && t->run->block.known)
        print_block(t, t->run->outcome.address);
    print_creation(t, thread);
}

static bool is_error(hd_finding_kind kind)
{
    return kind != HD_FINDING_DEADLOCK && kind != HD_FINDING_DATA_RACE && kind != HD_FINDING_LOCK_DISCIPLINE
        && kind != HD_FINDING_LEAK && kind != HD_FINDING_MODEL_LIMIT;
}

static void kind_text(const hd_finding *f, char *text, size_t size)
{
    snprintf(text, size, "%s", hd_finding_word(f->kind));
    for (char *c = text; *c; c++)
        *c = *c == '-' ? ' ' : *c;
}

/* The kind is not repeated before a message that begins with it. */
static void print_head(const hd_report_text *o, const hd_finding *f)
{
    char word[40];
    kind_text(f, word, sizeof word);
    bool led = !strncmp(f->message, word, strlen(word)) || f->kind == HD_FINDING_DEADLOCK;
    fprintf(o->out, "==================\n%s%s: heddle: %s%s%s%s\n", o->colour ? "\033[1;31m" : "",
        is_error(f->kind) ? "ERROR" : "WARNING", led ? "" : word, led ? "" : ": ", f->message,
        o->colour ? "\033[0m" : "");
}

static void print_end(const hd_report_text *o, const hd_report_finding *r, const char *summary)
{
    fprintf(o->out, "%s%s%s\n", o->colour ? "\033[1;31m" : "", summary, o->colour ? "\033[0m" : "");
    if (r->replay)
        fprintf(o->out, "to %s it again: heddle replay %s\n", r->confirmed ? "see" : "try", r->replay);
    fprintf(o->out, "==================\n");
}

static void print_summary(printer *t, const hd_report_finding *r)
{
    hd_location location = r->location;
    char kind[40];
    kind_text(t->finding, kind, sizeof kind);
    const char *summary = location.line ? hd_arena_print(&t->view.arena, "SUMMARY: heddle: %s %s:%u in %s", kind,
                              location.file, location.line, location.function)
                                        : hd_arena_print(&t->view.arena, "SUMMARY: heddle: %s", kind);
    print_end(t->options, r, summary);
}

static void print_unconfirmed(const hd_report_text *o, const hd_report_finding *r)
{
    fprintf(o->out, "  NOT CONFIRMED: %s.\n", r->unconfirmed);
    char kind[40], summary[100];
    kind_text(&r->finding, kind, sizeof kind);
    snprintf(summary, sizeof summary, "SUMMARY: heddle: %s (not confirmed)", kind);
    print_end(o, r, summary);
}

static void print_inputs(printer *t)
{
    if (!t->run->input_count)
        return;
    fprintf(t->out, "  %sWith inputs:%s ", bold(t), plain(t));
    hd_report_inputs_print(t->run->inputs, t->run->input_count, t->out);
    fputs("\n\n", t->out);
}

/* The other races on the same variable, as pairs of source positions. */
static void print_others(const printer *t, const hd_report_finding *r)
{
    enum { SHOWN = 5 };
    if (!r->other_count)
        return;
    fprintf(t->out, "  The same variable %s at %zu other pair%s of positions:\n",
        r->finding.kind == HD_FINDING_DATA_RACE ? "races" : "is not protected", r->other_count,
        r->other_count == 1 ? "" : "s");
    for (size_t i = 0; i < r->other_count && i < SHOWN; i++)
        fprintf(t->out, "    %s and %s\n", r->others[i].places[0], r->others[i].places[1]);
    fprintf(t->out, "%s\n", r->other_count > SHOWN ? "    …\n" : "");
}

/* The paragraph in words, broken at blanks. */
static void print_story(const printer *t)
{
    const char *word = t->view.reported->story;
    int column = 0;
    while (word && *word) {
        int length = (int)strcspn(word, " ");
        if (column && column + 1 + length > t->options->columns) {
            putc('\n', t->out);
            column = 0;
        }
        column += fprintf(t->out, "%s%.*s", column ? " " : "  ", length, word);
        word += length + strspn(word + length, " ");
    }
    if (column)
        fputs("\n\n", t->out);
}

void hd_report_limit(const hd_report_text *o, const hd_report_finding *r)
{
    fprintf(o->out, "heddle: %s", r->finding.message);
    if (r->location.line)
        fprintf(o->out, " (%s:%u in %s)", r->location.file, r->location.line, r->location.function);
    if (r->executions)
        fprintf(o->out, ": %" PRIu64 " execution%s ended there", r->executions, r->executions == 1 ? "" : "s");
    if (r->replay)
        fprintf(o->out, "; to see one: heddle replay %s", r->replay);
    putc('\n', o->out);
}

void hd_report_print(const hd_report_text *o, const hd_report_finding *r, const char *program)
{
    printer t = { .options = o, .out = o->out, .run = &r->run, .finding = &r->finding };
    print_head(o, &r->finding);
    if (!r->confirmed) {
        print_unconfirmed(o, r);
        return;
    }
    if (r->run.died) {
        fprintf(o->out, "  The process was killed in the middle of the execution: there is no stack to show.\n");
        print_end(o, r, "SUMMARY: heddle: crash (the process was killed)");
        return;
    }
    hd_report_view_open(&t.view, program, r);
    print_story(&t);
    if (hd_finding_has_accesses(&r->finding))
        print_race(&t);
    else if (r->finding.kind == HD_FINDING_DEADLOCK)
        print_deadlock(&t);
    else
        print_failure(&t);
    print_others(&t, r);
    print_inputs(&t);
    fprintf(
        t.out, "  How it came about%s:\n", r->cut ? " (minimising was cut off, so there may be a shorter way)" : "");
    hd_report_table(&t.view, o, t.out);
    putc('\n', t.out);
    hd_report_messages(r, t.out);
    print_summary(&t, r);
    hd_report_view_close(&t.view);
}

void hd_report_interleaving(const hd_report_text *o, const hd_recorded_run *run, const char *program)
{
    hd_report_view view;
    hd_report_finding nothing = { .finding = { .kind = HD_FINDING_MODEL_LIMIT, .entries = { ~0u, ~0u } }, .run = *run };
    hd_report_view_open(&view, program, &nothing);
    hd_report_name(&nothing, program, &view.arena);
    view.is_plain = true;
    hd_report_table(&view, o, o->out);
    hd_report_view_close(&view);
}
