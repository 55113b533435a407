#include "report/sarif.h"

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "report/stack.h"
#include "report/step.h"
#include "report/suppress.h"
#include "report/symbolise.h"

#include <ctype.h>
#include <string.h>

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* --- locations ------------------------------------------------------------------------------- */

/* A path as a URI: what has a meaning there is escaped. */
static void put_uri(hd_json *j, const char *key, const char *scheme, const char *path)
{
    char uri[3 * 4096 + 16];
    size_t length = (size_t)snprintf(uri, sizeof uri, "%s", scheme);
    for (; *path && length + 4 < sizeof uri; path++) {
        bool plain = isalnum((unsigned char)*path) || strchr("/._-~", *path);
        length += (size_t)snprintf(uri + length, sizeof uri - length, plain ? "%c" : "%%%02X", (unsigned char)*path);
    }
    hd_json_text(j, key, uri);
}

static void put_message(hd_json *j, const char *text)
{
    hd_json_object(j, "message");
    hd_json_text(j, "text", text);
    hd_json_end(j, '}');
}

/* The inside of a location object. A position that is not known has only its function and its message. */
static void put_position(hd_json *j, const hd_report_view *v, const hd_location *l, const char *message)
{
    if (l->line) {
        const char *file = hd_report_view_file(v, l->file);
        hd_json_object(j, "physicalLocation");
        hd_json_object(j, "artifactLocation");
        put_uri(j, "uri", *file == '/' ? "file://" : "", file);
        if (*file != '/')
            hd_json_text(j, "uriBaseId", "SRCROOT");
        hd_json_end(j, '}');
        hd_json_object(j, "region");
        hd_json_int(j, "startLine", l->line);
        if (l->column)
            hd_json_int(j, "startColumn", l->column);
        hd_json_end(j, '}');
        hd_json_end(j, '}');
    }
    if (strcmp(l->function, "?")) {
        hd_json_array(j, "logicalLocations");
        hd_json_object(j, NULL);
        hd_json_text(j, "name", l->function);
        hd_json_text(j, "kind", "function");
        hd_json_end(j, '}');
        hd_json_end(j, ']');
    }
    if (message)
        put_message(j, message);
}

static void put_location(
    hd_json *j, const char *key, const hd_report_view *v, const hd_location *l, const char *message)
{
    hd_json_object(j, key);
    put_position(j, v, l, message);
    hd_json_end(j, '}');
}

/* --- the positions of a finding ------------------------------------------------------------------ */

/* Calls `visit` for every position besides the finding's own. */
typedef void visitor(void *context, const hd_location *l, const char *what);

static void visit_deadlock(const hd_report_view *v, visitor *visit, void *context)
{
    const hd_recorded_run *run = v->run;
    char name[HD_REPORT_NAME], text[400];
    for (uint32_t i = 0; i < run->thread_count; i++) {
        if (!hd_recorded_is_stuck(run, v->finding, i))
            continue;
        hd_report_thread_name(run, i, name);
        const char *awaited = hd_report_view_awaited(v, i);
        snprintf(text, sizeof text, "%s waits for %s", name, awaited);
        visit(context, &run->threads[i].location, text);
        uint32_t held = hd_report_obstacle(run, i);
        if (held == ~0u)
            continue;
        hd_report_thread_name(run, hd_recorded_doer(run, held), name);
        snprintf(text, sizeof text, "%s took %s", name, awaited);
        visit(context, &run->ops[held].location, text);
    }
}

static void visit_related(const hd_report_view *v, visitor *visit, void *context)
{
    const hd_report_finding *f = v->reported;
    const hd_recorded_block *b = &v->run->block;
    if (f->previous.line)
        visit(context, &f->previous, "the earlier access");
    if (v->finding->kind == HD_FINDING_DEADLOCK)
        visit_deadlock(v, visit, context);
    if (b->known && b->allocated.line)
        visit(context, &b->allocated, "the block was allocated here");
    if (b->known && b->is_freed && b->freed.line)
        visit(context, &b->freed, "the block was freed here");
}

/* --- fingerprints --------------------------------------------------------------------------------- */

typedef struct print {
    hd_report_view *view;
    uint64_t sum;
} print;

static uint64_t hash_text(const char *text, uint64_t seed)
{
    return hd_hash_bytes(text, strlen(text) + 1, seed);
}

/* A sum: the order of threads and accesses differs between schedules. */
static void add_position(void *context, const hd_location *l, const char *what)
{
    print *p = context;
    const char *slash = strrchr(l->file, '/');
    (void)what;
    uint64_t hash = hash_text(slash ? slash + 1 : l->file, 1);
    hash = hash_text(l->function, hash);
    p->sum += hash_text(hd_report_view_line(p->view, l), hash);
}

void hd_report_fingerprint(const hd_report_finding *f, const char *program, char text[static HD_REPORT_FINGERPRINT])
{
    hd_report_view view;
    print p = { &view, 0 };
    hd_report_view_open(&view, program, f);
    if (f->location.line)
        add_position(&p, &f->location, NULL);
    visit_related(&view, add_position, &p);
    /* Without a position the message is all that tells findings apart. */
    if (!p.sum)
        p.sum = hash_text(f->finding.message, 2);
    hd_report_view_close(&view);
    snprintf(
        text, HD_REPORT_FINGERPRINT, "%016llx", (unsigned long long)hash_text(hd_finding_word(f->finding.kind), p.sum));
}

/* --- results ---------------------------------------------------------------------------------------- */

typedef struct related {
    hd_json *j;
    const hd_report_view *view;
    int count;
} related;

static void put_related(void *context, const hd_location *l, const char *what)
{
    related *r = context;
    hd_json_object(r->j, NULL);
    hd_json_int(r->j, "id", r->count++);
    put_position(r->j, r->view, l, what);
    hd_json_end(r->j, '}');
}

static bool has_step(const hd_recorded_run *run, uint32_t thread)
{
    for (uint32_t i = 0; i < run->op_count; i++)
        if (hd_report_is_step(run, i) && hd_recorded_doer(run, i) == thread)
            return true;
    return false;
}

static void put_flow_step(
    hd_json *j, const hd_report_view *v, const hd_location *l, const char *text, int64_t order, bool is_essential)
{
    hd_json_object(j, NULL);
    hd_json_int(j, "executionOrder", order);
    hd_json_text(j, "importance", is_essential ? "essential" : "important");
    put_location(j, "location", v, l, text);
    hd_json_end(j, '}');
}

static bool is_essential(const hd_report_view *v, uint32_t entry)
{
    return v->finding->entries[0] == entry || v->finding->entries[1] == entry;
}

static void put_thread_flow(hd_json *j, const hd_report_view *v, uint32_t thread)
{
    const hd_recorded_run *run = v->run;
    char name[HD_REPORT_NAME], text[256], id[16];
    int64_t number = 0;
    hd_report_thread_name(run, thread, name);
    snprintf(id, sizeof id, "T%u", thread);
    hd_json_object(j, NULL);
    hd_json_text(j, "id", id);
    put_message(j, name);
    hd_json_array(j, "locations");
    for (uint32_t i = 0; i < run->op_count; i++) {
        number += hd_report_is_step(run, i);
        if (!hd_report_is_step(run, i) || hd_recorded_doer(run, i) != thread)
            continue;
        hd_report_step_text(v, i, text, sizeof text);
        put_flow_step(j, v, &run->ops[i].location, text, number, is_essential(v, i));
    }
    hd_report_end_text(v, thread, text, sizeof text);
    if (*text)
        put_flow_step(j, v,
            v->finding->kind == HD_FINDING_DEADLOCK ? &run->threads[thread].location : &v->reported->location,
            text + strspn(text, "* "), number + 1, true);
    hd_json_end(j, ']');
    hd_json_end(j, '}');
}

static void put_flows(hd_json *j, const hd_report_view *v)
{
    char text[256];
    hd_json_array(j, "codeFlows");
    hd_json_object(j, NULL);
    put_message(j, "how it came about");
    hd_json_array(j, "threadFlows");
    for (uint32_t i = 0; i < v->run->thread_count; i++) {
        hd_report_end_text(v, i, text, sizeof text);
        if (has_step(v->run, i) || *text)
            put_thread_flow(j, v, i);
    }
    hd_json_end(j, ']');
    hd_json_end(j, '}');
    hd_json_end(j, ']');
}

static bool has_flow(const hd_recorded_run *run)
{
    for (uint32_t i = 0; i < run->thread_count; i++)
        if (has_step(run, i))
            return true;
    return false;
}

static void put_properties(hd_json *j, const hd_report_finding *f)
{
    hd_json_object(j, "properties");
    hd_json_bool(j, "confirmed", f->confirmed);
    if (f->replay)
        hd_json_text(j, "replay", f->replay);
    hd_json_end(j, '}');
}

static void put_suppressions(hd_json *j, const hd_report_finding *f)
{
    hd_json_array(j, "suppressions");
    if (f->suppressed) {
        hd_json_object(j, NULL);
        hd_json_text(j, "kind", "external");
        hd_json_text(j, "status", "accepted");
        hd_json_text(j, "justification", f->suppressed->text);
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
}

/* Data races and violations of a discipline are warnings: not every one leads to a failure. */
static const char *level_of(const hd_finding *f)
{
    return hd_finding_has_accesses(f) || f->kind == HD_FINDING_LEAK ? "warning" : "error";
}

static void put_result(hd_json *j, const hd_report_finding *f, const char *program)
{
    hd_report_view view;
    char fingerprint[HD_REPORT_FINGERPRINT];
    hd_report_fingerprint(f, program, fingerprint);
    hd_report_view_open(&view, program, f);
    hd_json_object(j, NULL);
    hd_json_text(j, "ruleId", hd_finding_word(f->finding.kind));
    hd_json_int(j, "ruleIndex", f->finding.kind);
    hd_json_text(j, "level", level_of(&f->finding));
    put_message(j, f->finding.message);
    hd_json_array(j, "locations");
    if (f->location.line)
        put_location(j, NULL, &view, &f->location, NULL);
    hd_json_end(j, ']');
    hd_json_array(j, "relatedLocations");
    visit_related(&view, put_related, &(related) { j, &view, 0 });
    hd_json_end(j, ']');
    hd_json_object(j, "partialFingerprints");
    hd_json_text(j, "heddle/v1", fingerprint);
    hd_json_end(j, '}');
    if (has_flow(&f->run))
        put_flows(j, &view);
    put_suppressions(j, f);
    put_properties(j, f);
    hd_json_end(j, '}');
    hd_report_view_close(&view);
}

/* --- the file ------------------------------------------------------------------------------------------ */

static void put_driver(hd_json *j, const char *version)
{
    hd_json_object(j, "tool");
    hd_json_object(j, "driver");
    hd_json_text(j, "name", "heddle");
    hd_json_text(j, "version", version);
    hd_json_array(j, "rules");
    for (int i = 0; i < HD_FINDING_KINDS; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", hd_finding_word((hd_finding_kind)i));
        hd_json_object(j, NULL);
        hd_json_text(j, "id", text);
        for (char *c = text; *c; c++)
            *c = *c == '-' ? ' ' : *c;
        hd_json_object(j, "shortDescription");
        hd_json_text(j, "text", text);
        hd_json_end(j, '}');
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
    hd_json_end(j, '}');
    hd_json_end(j, '}');
}

static void put_invocation(hd_json *j, const hd_report_result *r)
{
    char verdict[1024];
    hd_report_verdict(r, verdict, sizeof verdict);
    hd_json_array(j, "invocations");
    hd_json_object(j, NULL);
    hd_json_bool(j, "executionSuccessful", !r->failure);
    hd_json_int(j, "exitCode", hd_report_status(r));
    hd_json_array(j, "toolExecutionNotifications");
    hd_json_object(j, NULL);
    hd_json_text(j, "level", r->complete ? "note" : "warning");
    put_message(j, verdict);
    hd_json_end(j, '}');
    hd_json_end(j, ']');
    hd_json_end(j, '}');
    hd_json_end(j, ']');
}

static void put_run(hd_json *j, const hd_report_result *r, const char *version)
{
    char here[4096];
    hd_report_current_folder(here, sizeof here);
    hd_json_object(j, NULL);
    put_driver(j, version);
    put_invocation(j, r);
    hd_json_object(j, "originalUriBaseIds");
    hd_json_object(j, "SRCROOT");
    put_uri(j, "uri", "file://", *here ? here : "/");
    hd_json_end(j, '}');
    hd_json_end(j, '}');
    hd_json_text(j, "columnKind", "utf16CodeUnits");
    hd_json_array(j, "results");
    for (size_t i = 0; i < r->finding_count; i++)
        if (hd_finding_is_bug(&r->findings[i].finding))
            put_result(j, &r->findings[i], r->program);
    hd_json_end(j, ']');
    hd_json_end(j, '}');
}

bool hd_report_sarif(const hd_report_result *r, const char *version, const char *path, hd_error *error)
{
    hd_json j;
    FILE *out = hd_file_create(path, error);
    if (!out)
        return false;
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "$schema", SCHEMA);
    hd_json_text(&j, "version", "2.1.0");
    hd_json_array(&j, "runs");
    put_run(&j, r, version);
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
    return hd_file_close(out, path, error);
}
