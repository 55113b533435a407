#include "report/suppress.h"

#include "base/file.h"
#include "base/vec.h"
#include "event/plan.h"
#include "report/view.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

/* --- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    uint32_t line;
    hd_arena *arena;
    hd_error *error;
    hd_vec(hd_report_suppression) entries;
} reader;

static bool complain(const reader *r, const char *what, const char *text)
{
    return hd_fail(r->error, "%s:%u: %s '%s'", r->path, r->line, what, text);
}

static bool is_kind(const char *glob)
{
    for (int i = 0; i < HD_FINDING_KINDS; i++)
        if (i != HD_FINDING_MODEL_LIMIT && !fnmatch(glob, hd_finding_word((hd_finding_kind)i), 0))
            return true;
    return false;
}

/* Cuts the next word off *text; a part in double quotes may have spaces. NULL: there is none. */
static char *next_word(char **text)
{
    char *from = *text + strspn(*text, " \t"), *to = from, *start = from;
    bool quoted = false;
    if (!*from)
        return NULL;
    for (; *from && (quoted || !isspace((unsigned char)*from)); from++)
        if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    *text = from + (*from != '\0');
    *to = '\0';
    return start;
}

static bool take_word(const reader *r, hd_report_suppression *s, char *word)
{
    char *equals = strchr(word, '=');
    const char **field = NULL;
    size_t length = equals ? (size_t)(equals - word) : 0;
    if (length == 8 && !strncmp(word, "function", length))
        field = &s->function;
    else if (length == 4 && !strncmp(word, "file", length))
        field = &s->file;
    else if (length == 8 && !strncmp(word, "variable", length))
        field = &s->variable;
    if (!field || !equals[1])
        return complain(r, "expected function=GLOB, file=GLOB or variable=GLOB, not", word);
    if (*field)
        return complain(r, "given twice:", word);
    *field = hd_arena_copy(r->arena, equals + 1);
    return true;
}

/* "race:name", as the sanitizers write it. */
static bool take_kind(const reader *r, hd_report_suppression *s, char *word)
{
    char *colon = strchr(word, ':');
    if (colon) {
        *colon = '\0';
        if (!colon[1])
            return complain(r, "expected KIND:GLOB, not", word);
        s->any = hd_arena_copy(r->arena, colon + 1);
    }
    s->kind = hd_arena_copy(r->arena, word);
    return is_kind(word) || complain(r, "there is no kind of finding", word);
}

static bool take_line(reader *r, char *line)
{
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n && isspace((unsigned char)line[n - 1]);)
        line[--n] = '\0';
    if (!*line || *line == '#')
        return true;
    hd_report_suppression s = { .text = hd_arena_copy(r->arena, line), .path = r->path, .line = r->line };
    char *word = next_word(&line);
    bool fine = take_kind(r, &s, word);
    while (fine && (word = next_word(&line)))
        fine = take_word(r, &s, word);
    hd_vec_push(&r->entries, s);
    return fine;
}

static bool read_one(reader *r, const char *path)
{
    size_t size;
    FILE *in = fopen(path, "r");
    if (!in)
        return hd_fail(r->error, "%s: the suppressions cannot be read: %s", path, strerror(errno));
    char *text = hd_file_read(in, r->arena, &size);
    bool fine = !ferror(in) || hd_fail(r->error, "%s: the suppressions cannot be read: %s", path, strerror(errno));
    fclose(in);
    r->path = path;
    r->line = 0;
    for (char *line = text, *end; fine && line; line = *end ? end + 1 : NULL) {
        end = strchrnul(line, '\n');
        char last = *end;
        *end = '\0';
        r->line++;
        fine = take_line(r, line);
        *end = last;
    }
    return fine;
}

bool hd_report_suppressions_read(
    hd_report_suppressions *s, const char *const *paths, size_t count, hd_arena *arena, hd_error *error)
{
    reader r = { .arena = arena, .error = error };
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++)
        fine = read_one(&r, paths[i]);
    hd_report_suppression *items = hd_arena_alloc(arena, (r.entries.count + 1) * sizeof *items);
    if (r.entries.count)
        memcpy(items, r.entries.items, r.entries.count * sizeof *items);
    *s = (hd_report_suppressions) { items, r.entries.count };
    hd_vec_fini(&r.entries);
    return fine;
}

/* --- matching ---------------------------------------------------------------------------------- */

/* Visits a name of the finding; true: it is what was looked for. */
typedef bool visitor(const void *context, const char *name);

static bool matches(const void *glob, const char *name)
{
    return strcmp(name, "?") != 0 && !fnmatch(glob, name, 0);
}

/* A path, or the last parts of one. */
static bool matches_file(const void *glob, const char *name)
{
    for (; name; name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL)
        if (matches(glob, name))
            return true;
    return false;
}

typedef enum part { FUNCTION, FILE_NAME } part;

static bool visit_location(const hd_location *l, part what, visitor *visit, const void *context)
{
    return (l->line || strcmp(l->function, "?")) && visit(context, what == FUNCTION ? l->function : l->file);
}

static bool visit_stack(
    const hd_report_finding *f, const hd_stack *stack, part what, visitor *visit, const void *context)
{
    for (uint32_t i = 0; i < HD_STACK_DEPTH && stack->pc[i]; i++) {
        const hd_report_symbol *s = hd_report_symbols_at(&f->symbols, stack->pc[i]);
        for (uint32_t k = 0; s && k < s->count; k++)
            if (visit(context, what == FUNCTION ? s->frames[k].function : s->frames[k].file))
                return true;
    }
    return false;
}

static bool visit_thread(
    const hd_report_finding *f, const hd_recorded_thread *t, part what, visitor *visit, const void *context)
{
    return visit_location(&t->location, what, visit, context) || visit_stack(f, &t->stack, what, visit, context);
}

/* The functions or files in the stacks of the finding. */
static bool visit_places(const hd_report_finding *f, part what, visitor *visit, const void *context)
{
    const hd_recorded_run *run = &f->run;
    const hd_finding *finding = &f->finding;
    if (!f->confirmed || run->died)
        return false;
    if (f->location.line && visit_location(&f->location, what, visit, context))
        return true;
    for (int i = 0; hd_finding_has_accesses(finding) && i < 2; i++) {
        const hd_recorded_op *o = finding->entries[i] < run->op_count ? &run->ops[finding->entries[i]] : NULL;
        if (o
            && (visit_location(&o->location, what, visit, context) || visit_stack(f, &o->stack, what, visit, context)))
            return true;
    }
    for (uint32_t i = 0; finding->kind == HD_FINDING_DEADLOCK && i < run->thread_count; i++)
        if (hd_recorded_is_stuck(run, finding, i) && visit_thread(f, &run->threads[i], what, visit, context))
            return true;
    uint32_t thread = hd_recorded_number(run, finding->thread);
    return !hd_finding_has_accesses(finding) && thread < run->thread_count
        && visit_thread(f, &run->threads[thread], what, visit, context);
}

/* The name of what is accessed (NULL: unknown), and of the variable at the address. */
static bool visit_access(
    const hd_report_view *v, const char *name, uint64_t address, visitor *visit, const void *context)
{
    hd_elf_symbol symbol;
    return (name && visit(context, name))
        || (address && hd_report_view_variable(v, address, &symbol) && visit(context, symbol.name));
}

/* The variables that the finding is about. */
static bool visit_variables(const hd_report_finding *f, const char *program, visitor *visit, const void *context)
{
    const hd_recorded_run *run = &f->run;
    const hd_finding *finding = &f->finding;
    hd_report_view view;
    uint32_t size;
    bool found = false;
    if (!f->confirmed || run->died)
        return false;
    hd_report_view_open(&view, program, f);
    if (hd_finding_has_accesses(finding)) {
        if (finding->entries[1] < run->op_count)
            found = visit_access(&view, f->accesses ? f->accesses[finding->entries[1]].name : NULL,
                hd_report_view_address(&run->ops[finding->entries[1]].op, &size), visit, context);
    } else if (finding->kind == HD_FINDING_DEADLOCK) {
        for (uint32_t i = 0; i < run->thread_count && !found; i++) {
            const hd_thread_view *t = &run->threads[i].view;
            bool joins = t->status == HD_THREAD_WAITING && t->waits_for == HD_WAIT_JOIN;
            uint64_t address =
                t->status == HD_THREAD_WAITING ? t->wait_object : hd_report_view_address(&t->pending, &size);
            found = hd_recorded_is_stuck(run, finding, i) && !joins
                && visit_access(&view, f->awaited ? f->awaited[i] : NULL, address, visit, context);
        }
    } else {
        found = visit_access(&view, NULL, run->outcome.address, visit, context);
    }
    hd_report_view_close(&view);
    return found;
}

static bool entry_matches(const hd_report_suppression *s, const hd_report_finding *f, const char *program)
{
    return !fnmatch(s->kind, hd_finding_word(f->finding.kind), 0)
        && (!s->function || visit_places(f, FUNCTION, matches, s->function))
        && (!s->file || visit_places(f, FILE_NAME, matches_file, s->file))
        && (!s->variable || visit_variables(f, program, matches, s->variable))
        && (!s->any || visit_places(f, FUNCTION, matches, s->any) || visit_places(f, FILE_NAME, matches_file, s->any)
            || visit_variables(f, program, matches, s->any));
}

const hd_report_suppression *hd_report_suppressions_match(
    const hd_report_suppressions *s, const hd_report_finding *f, const char *program)
{
    for (size_t i = 0; s && hd_finding_is_bug(&f->finding) && i < s->count; i++)
        if (entry_matches(&s->items[i], f, program))
            return &s->items[i];
    return NULL;
}

/* --- what was suppressed ------------------------------------------------------------------------- */

void hd_report_suppressions_list(const hd_report_suppressions *s, const hd_report_result *r, FILE *out)
{
    for (size_t i = 0; i < s->count; i++) {
        const hd_report_suppression *e = &s->items[i];
        size_t findings = 0;
        uint64_t executions = 0;
        for (size_t k = 0; k < r->finding_count; k++)
            if (r->findings[k].suppressed == e) {
                findings++;
                executions += r->findings[k].executions;
            }
        fprintf(out, "heddle: %s:%u: '%s' ", e->path, e->line, e->text);
        if (findings)
            fprintf(out, "suppressed %zu finding%s, in %" PRIu64 " execution%s\n", findings, findings == 1 ? "" : "s",
                executions, executions == 1 ? "" : "s");
        else
            fputs("matched nothing\n", out);
    }
}

/* Characters with a meaning in a glob are escaped; spaces need quotes. */
static void print_glob(FILE *out, const char *name, const char *value)
{
    bool quoted = strpbrk(value, " \t");
    fprintf(out, " %s=%s", name, quoted ? "\"" : "");
    for (; *value; value++)
        fprintf(out, strchr("*?[\\", *value) ? "\\%c" : "%c", *value);
    fputs(quoted ? "\"" : "", out);
}

typedef struct chosen {
    char *name;
    size_t size;
} chosen;

/* Takes the first name. */
static bool choose(const void *context, const char *name)
{
    const chosen *c = context;
    if (!strcmp(name, "?") || !strncmp(name, "0x", 2) || strchr(name, '"'))
        return false;
    snprintf(c->name, c->size, "%s", name);
    return true;
}

void hd_report_suppressions_print(const hd_report_result *r, FILE *out)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        const hd_report_finding *f = &r->findings[i];
        char name[200];
        chosen c = { name, sizeof name };
        if (f->suppressed || !hd_finding_is_bug(&f->finding))
            continue;
        fputs(hd_finding_word(f->finding.kind), out);
        if (visit_places(f, FUNCTION, choose, &c))
            print_glob(out, "function", name);
        if (visit_places(f, FILE_NAME, choose, &c))
            print_glob(out, "file", strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
        if (visit_variables(f, r->program, choose, &c))
            print_glob(out, "variable", name);
        putc('\n', out);
    }
}
