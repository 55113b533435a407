#include "report/page_data.h"

#include "base/map.h"
#include "event/mail.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/sarif.h"
#include "report/stack.h"
#include "report/step.h"
#include "report/suppress.h"

#include <inttypes.h>
#include <string.h>

/* --- one finding -------------------------------------------------------------------------------- */

typedef struct object {
    uint64_t key;
    const char *name, *what;
} object;

/* An edge to the next step of a thread. */
typedef struct pending {
    uint32_t slot, from;
} pending;

typedef hd_vec(const char *) hd_report_files;

typedef struct steps {
    hd_json *j;
    hd_report_view *view;
    hd_report_files *files; /* of the whole result */
    hd_vec(object) objects;
    hd_vec(pending) pending;
    uint32_t last[HD_MAX_THREADS]; /* by slot: its last step + 1 */
    uint32_t *entries; /* by step: its entry of the log */
    uint32_t count;
} steps;

/* Memory is watched in the pieces that the accesses use. */
static uint64_t key_of(const hd_op *op)
{
    return hd_kind_is_memory(op->kind) ? hd_op_key(op) ^ (uint64_t)__builtin_ctz(op->mask ? op->mask : 1)
                                       : hd_op_key(op);
}

static int64_t object_of(steps *s, uint32_t entry)
{
    const hd_op *op = &s->view->run->ops[entry].op;
    hd_object_class class = hd_op_class(op->kind);
    const char *name = s->view->reported->accesses[entry].name;
    if (class == HD_OBJECT_NONE || class == HD_OBJECT_PROCESS || class == HD_OBJECT_THREAD || !op->object)
        return -1;
    for (size_t i = 0; i < s->objects.count; i++)
        if (s->objects.items[i].key == key_of(op))
            return (int64_t)i;
    hd_vec_push(&s->objects,
        ((object) { key_of(op), hd_arena_copy(&s->view->arena, name ? name : "?"),
            class == HD_OBJECT_MEMORY ? "variable" : hd_op_object_text(op->kind) }));
    return (int64_t)s->objects.count - 1;
}

static int64_t index_of(hd_report_files *files, const char *file)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->items[i], file))
            return (int64_t)i;
    hd_vec_push(files, file);
    return (int64_t)files->count - 1;
}

static int64_t file_of(steps *s, const hd_location *l)
{
    return l->line ? index_of(s->files, l->file) : -1;
}

static const char *role_text(const hd_op *op)
{
    switch (hd_kinds[op->kind].role) {
    case HD_ROLE_TAKES:
    case HD_ROLE_BEGINS:
        return "take";
    case HD_ROLE_SHARES:
        return "share";
    case HD_ROLE_GIVES:
    case HD_ROLE_UNSHARES:
    case HD_ROLE_ENDS:
        return "give";
    case HD_ROLE_SLEEPS:
        return "sleep";
    case HD_ROLE_WAKES_ONE:
    case HD_ROLE_WAKES_ALL:
        return "wake";
    default:
        return hd_kind_is_memory(op->kind) ? hd_kind_looks(op->kind) ? "look" : "change" : "";
    }
}

/* The last step before this one that conflicts with it. Each earlier one is a cause of that one, or commutes with it.
 */
static void put_conflicting(const steps *s, const hd_op *op)
{
    const hd_recorded_run *run = s->view->run;
    enum { FAR = 4096 }; /* an arrow over more steps shows nothing */
    for (uint32_t k = s->count, left = FAR; k-- > 0 && left; left--) {
        const hd_op *earlier = &run->ops[s->entries[k]].op;
        if (earlier->object != op->object || !hd_ops_conflict(earlier, op))
            continue;
        if (earlier->thread != op->thread)
            hd_json_int(s->j, NULL, k);
        return;
    }
}

static void put_earlier(steps *s, const hd_op *op)
{
    size_t kept = 0;
    hd_json_array(s->j, NULL);
    put_conflicting(s, op);
    for (size_t i = 0; i < s->pending.count; i++)
        if (s->pending.items[i].slot == op->thread)
            hd_json_int(s->j, NULL, s->pending.items[i].from);
        else
            s->pending.items[kept++] = s->pending.items[i];
    s->pending.count = kept;
    hd_json_end(s->j, ']');
}

static void note_edge(steps *s, const hd_op *op)
{
    if (op->object < HD_MAX_THREADS && s->last[op->object])
        hd_vec_push(&s->pending, ((pending) { op->thread, s->last[op->object] - 1 }));
}

static void put_step(steps *s, uint32_t entry)
{
    const hd_recorded_op *o = &s->view->run->ops[entry];
    char text[256];
    hd_report_step_text(s->view, entry, text, sizeof text);
    hd_json_array(s->j, NULL);
    hd_json_int(s->j, NULL, hd_recorded_doer(s->view->run, entry));
    hd_json_text(s->j, NULL, text);
    hd_json_int(s->j, NULL, object_of(s, entry));
    hd_json_text(s->j, NULL, role_text(&o->op));
    hd_json_text(s->j, NULL, s->view->reported->accesses[entry].value);
    hd_json_int(s->j, NULL, file_of(s, &o->location));
    hd_json_int(s->j, NULL, o->location.line);
    put_earlier(s, &o->op);
    hd_json_int(s->j, NULL, s->view->reported->accesses[entry].matters);
    hd_json_end(s->j, ']');
    s->entries[s->count++] = entry;
    s->last[o->op.thread] = s->count;
}

/* There are none of a finding that a replay has not confirmed: what they access is not known. */
static void put_steps(steps *s)
{
    const hd_recorded_run *run = s->view->run;
    uint32_t count = s->view->reported->accesses ? run->op_count : 0;
    hd_json_array(s->j, "steps");
    for (uint32_t i = 0; i < count; i++)
        if (run->ops[i].op.kind == HD_EDGE)
            note_edge(s, &run->ops[i].op);
        else if (hd_report_is_step(run, i))
            put_step(s, i);
    hd_json_end(s->j, ']');
}

/* Where a deadlocked thread waits; of another one, where the finding is. */
static void put_end(steps *s, uint32_t thread)
{
    const hd_location *l = s->view->finding->kind == HD_FINDING_DEADLOCK ? &s->view->run->threads[thread].location
                                                                         : &s->view->reported->location;
    char end[256];
    hd_report_end_text(s->view, thread, end, sizeof end);
    hd_json_text(s->j, "end", *end ? end + strspn(end, "* ") : NULL);
    hd_json_int(s->j, "source", file_of(s, l));
    hd_json_int(s->j, "line", l->line);
}

static void put_threads(steps *s)
{
    const hd_recorded_run *run = s->view->run;
    hd_json_array(s->j, "threads");
    for (uint32_t i = 0; i < run->thread_count; i++) {
        char name[HD_REPORT_NAME];
        hd_report_thread_name(run, i, name);
        hd_json_object(s->j, NULL);
        hd_json_text(s->j, "name", name);
        hd_json_text(s->j, "process", run->threads[i].process);
        put_end(s, i);
        hd_json_end(s->j, '}');
    }
    hd_json_end(s->j, ']');
}

static void put_objects(const steps *s)
{
    hd_json_array(s->j, "objects");
    for (size_t i = 0; i < s->objects.count; i++) {
        hd_json_object(s->j, NULL);
        hd_json_text(s->j, "name", s->objects.items[i].name);
        hd_json_text(s->j, "what", s->objects.items[i].what);
        hd_json_end(s->j, '}');
    }
    hd_json_end(s->j, ']');
}

/* The last step before `end` that sent the message; `end`: none did. */
static uint32_t sender_of(const steps *s, uint32_t token, uint32_t end)
{
    for (uint32_t k = end; k-- > 0;) {
        const hd_op *op = &s->view->run->ops[s->entries[k]].op;
        if (hd_mail_sends(op) && hd_mail_message(op) == token)
            return k;
    }
    return end;
}

/* Messages of mailboxes: the steps that send and receive them. */
static void put_messages(const steps *s)
{
    hd_json_array(s->j, "messages");
    for (uint32_t k = 0; k < s->count; k++) {
        const hd_op *op = &s->view->run->ops[s->entries[k]].op;
        uint32_t from = hd_mail_receives(op) ? sender_of(s, hd_mail_message(op), k) : k;
        if (from == k)
            continue;
        hd_json_array(s->j, NULL);
        hd_json_int(s->j, NULL, from);
        hd_json_int(s->j, NULL, k);
        hd_json_end(s->j, ']');
    }
    hd_json_end(s->j, ']');
}

/* The two accesses of a race, as steps. */
static void put_accesses(const steps *s)
{
    hd_json_array(s->j, "accesses");
    for (int i = 0; i < 2 && hd_finding_has_accesses(s->view->finding); i++)
        for (uint32_t k = 0; k < s->count; k++)
            if (s->entries[k] == s->view->finding->entries[i])
                hd_json_int(s->j, NULL, k);
    hd_json_end(s->j, ']');
}

static void put_finding(hd_json *j, hd_report_view *v, const char *program, hd_report_files *files)
{
    const hd_report_finding *f = v->reported;
    char fingerprint[HD_REPORT_FINGERPRINT];
    steps s = { .j = j, .view = v, .files = files };
    s.entries = hd_arena_alloc(&v->arena, (v->run->op_count + 1) * sizeof *s.entries);
    hd_json_object(j, NULL);
    hd_json_text(j, "kind", hd_finding_word(f->finding.kind));
    hd_json_text(j, "message", f->finding.message);
    hd_json_int(j, "source", file_of(&s, &f->location));
    hd_json_text(j, "file", f->location.line ? f->location.file : NULL);
    hd_json_int(j, "line", f->location.line);
    hd_json_text(j, "function", f->location.line ? f->location.function : NULL);
    hd_report_fingerprint(f, program, fingerprint);
    hd_json_text(j, "fingerprint", fingerprint);
    hd_json_text(j, "story", f->story);
    hd_json_text(j, "replay", f->replay);
    hd_json_bool(j, "confirmed", f->confirmed);
    hd_json_bool(j, "bug", hd_finding_is_bug(&f->finding));
    hd_json_int(j, "executions", (int64_t)f->executions);
    hd_json_text(j, "suppressed", f->suppressed ? f->suppressed->text : NULL);
    put_steps(&s);
    put_threads(&s);
    put_objects(&s);
    put_accesses(&s);
    put_messages(&s);
    hd_json_end(j, '}');
    hd_vec_fini(&s.objects);
    hd_vec_fini(&s.pending);
}

/* --- the rest ------------------------------------------------------------------------------------- */

static void put_lines(hd_json *j, hd_report_view *v, const char *file)
{
    hd_report_view_line(v, &(hd_location) { .file = file, .line = 1 }); /* reads the file */
    hd_json_array(j, "lines");
    for (size_t i = 0; i < v->sources.count; i++)
        for (size_t k = 0; !strcmp(v->sources.items[i].file, file) && k < v->sources.items[i].lines.count; k++)
            hd_json_text(j, NULL, v->sources.items[i].text + v->sources.items[i].lines.items[k]);
    hd_json_end(j, ']');
}

static void put_sources(hd_json *j, const hd_report_result *r, const char *const *files, size_t count)
{
    hd_report_view view;
    hd_report_finding nothing = { 0 };
    hd_report_view_open(&view, r->program, &nothing);
    hd_json_array(j, "sources");
    for (size_t i = 0; i < count; i++) {
        hd_json_object(j, NULL);
        hd_json_text(j, "name", hd_report_view_file(&view, files[i]));
        put_lines(j, &view, files[i]);
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
    hd_report_view_close(&view);
}

static void put_counts(hd_json *j, const hd_run_counts *c)
{
    hd_json_object(j, "counts");
    hd_json_int(j, "executions", (int64_t)c->tests);
    hd_json_int(j, "hunted", (int64_t)c->hunted);
    hd_json_int(j, "redundant", (int64_t)c->blocked);
    hd_json_int(j, "steps", (int64_t)c->events);
    hd_json_int(j, "restarts", (int64_t)c->restarts);
    hd_json_int(j, "queries", (int64_t)c->solver.queries);
    hd_json_end(j, '}');
}

static void put_samples(hd_json *j, const hd_report_result *r)
{
    hd_json_array(j, "samples");
    for (size_t i = 0; i < r->sample_count; i++) {
        const hd_report_sample *s = &r->samples[i];
        hd_json_array(j, NULL);
        hd_json_real(j, NULL, s->seconds);
        hd_json_int(j, NULL, (int64_t)s->tests);
        hd_json_int(j, NULL, (int64_t)s->hunted);
        hd_json_int(j, NULL, s->findings);
        hd_json_real(j, NULL, s->in_sight);
        hd_json_end(j, ']');
    }
    hd_json_end(j, ']');
}

static void put_reached(hd_json *j, const hd_report_result *r, hd_report_files *files)
{
    hd_json_array(j, "reached");
    for (size_t i = 0; i < r->line_count; i++) {
        hd_json_array(j, NULL);
        hd_json_int(j, NULL, index_of(files, r->lines[i].file));
        hd_json_int(j, NULL, r->lines[i].line);
        hd_json_int(j, NULL, (int64_t)r->lines[i].executions);
        hd_json_end(j, ']');
    }
    hd_json_end(j, ']');
}

void hd_report_page_data(const hd_report_result *r, const char *version, const char *text, FILE *out)
{
    hd_json writer, *j = &writer;
    char verdict[1024];
    hd_report_files files = { 0 };
    hd_report_verdict(r, verdict, sizeof verdict);
    hd_json_open(j, out);
    hd_json_object(j, NULL);
    hd_json_text(j, "format", HD_REPORT_RESULT_FORMAT);
    hd_json_text(j, "text", text);
    hd_json_text(j, "version", version);
    hd_json_text(j, "program", r->given);
    hd_json_text(j, "verdict", verdict);
    hd_json_int(j, "status", hd_report_status(r));
    hd_json_bool(j, "complete", r->complete);
    hd_json_text(j, "explorer", r->explorer);
    hd_json_real(j, "seconds", r->seconds);
    put_counts(j, &r->counts);
    hd_json_array(j, "notices");
    for (size_t i = 0; i < r->notice_count; i++)
        hd_json_text(j, NULL, r->notices[i]);
    hd_json_end(j, ']');
    put_samples(j, r);
    hd_json_array(j, "findings");
    for (size_t i = 0; i < r->finding_count; i++) {
        hd_report_view view;
        hd_report_view_open(&view, r->program, &r->findings[i]);
        put_finding(j, &view, r->program, &files);
        hd_report_view_close(&view);
    }
    hd_json_end(j, ']');
    hd_json_text(j, "unfolding", r->unfolding);
    put_reached(j, r, &files);
    put_sources(j, r, files.items, files.count);
    hd_json_end(j, '}');
    hd_vec_fini(&files);
}
