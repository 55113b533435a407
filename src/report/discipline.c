#include "report/discipline.h"

#include "base/map.h"
#include "check/lockset.h"
#include "event/op.h"
#include "report/stack.h"

/* Accesses to show, beside the two of the finding. */
enum { MOST_SHOWN = 12 };

typedef struct printer {
    hd_report_view *view;
    FILE *out;
    hd_lockset *lockset;
    hd_lock_set held, candidates; /* at the last access, and after it */
    uint32_t accesses, shown;
    hd_map holders; /* a lock → the number of accesses that hold it */
} printer;

static void print_locks(const printer *p, hd_lock_set set, const char *none)
{
    uint32_t count;
    const uint64_t *locks = hd_lockset_locks(p->lockset, set, &count);
    for (uint32_t i = 0; i < count; i++) {
        char name[100];
        hd_report_view_name(p->view, locks[i], name, sizeof name);
        fprintf(p->out, "%s'%s'", i ? ", " : "", name);
    }
    if (!count)
        fputs(none, p->out);
}

static void count_holders(printer *p, hd_lock_set set)
{
    uint32_t count;
    const uint64_t *locks = hd_lockset_locks(p->lockset, set, &count);
    for (uint32_t i = 0; i < count; i++)
        ++*hd_map_put(&p->holders, locks[i]);
}

static bool is_of_finding(const printer *p, uint32_t entry)
{
    const hd_finding *f = p->view->finding;
    return entry == f->entries[0] || entry == f->entries[1];
}

/* Shows the first access, those that leave fewer candidates, and the two of the finding. */
static void print_access(void *context, const hd_lockset_access *a)
{
    printer *p = context;
    const hd_recorded_op *o = &p->view->run->ops[a->entry];
    char thread[HD_REPORT_NAME];
    bool shrinks = !p->accesses++ || a->candidates != p->candidates;
    count_holders(p, a->held);
    p->held = a->held;
    p->candidates = a->candidates;
    if (!is_of_finding(p, a->entry) && (!shrinks || p->shown++ >= MOST_SHOWN))
        return;
    hd_report_thread_name(p->view->run, hd_recorded_doer(p->view->run, a->entry), thread);
    fprintf(p->out, "    %s by %s at %s:%u holds ", hd_op_text(o->op.kind), thread,
        hd_report_view_file(p->view, o->location.file), o->location.line);
    print_locks(p, a->held, "no lock");
    fputs("; left: ", p->out);
    print_locks(p, a->candidates, "none");
    putc('\n', p->out);
}

/* The lock that most accesses hold was probably meant to protect the variable. */
static void print_usual_lock(const printer *p)
{
    uint64_t lock = 0, most = 1;
    char name[100];
    for (size_t i = 0; i < p->holders.room; i++)
        if (p->holders.slots[i].used && p->holders.slots[i].value > most) {
            most = p->holders.slots[i].value;
            lock = p->holders.slots[i].key;
        }
    if (!lock)
        return;
    hd_report_view_name(p->view, lock, name, sizeof name);
    fprintf(p->out, "    %llu of %u accesses hold '%s'%s\n", (unsigned long long)most, p->accesses, name,
        hd_lockset_has(p->lockset, p->held, lock) ? "" : "; this one does not");
}

/* Of a variable that executions protect by different locks. */
static void print_elsewhere(const printer *p)
{
    char name[100];
    if (!p->view->finding->elsewhere)
        return;
    hd_report_view_name(p->view, p->view->finding->elsewhere, name, sizeof name);
    fprintf(p->out, "    in other executions: '%s'\n", name);
}

void hd_report_discipline(hd_report_view *v, FILE *out)
{
    const hd_recorded_run *run = v->run;
    const hd_settings settings = { .discipline = 1, .eraser = v->finding->eraser };
    printer p = { .view = v, .out = out, .lockset = hd_lockset_open(&settings, &hd_heap) };
    hd_op *log = hd_arena_alloc(&v->arena, run->op_count * sizeof *log);
    for (uint32_t i = 0; i < run->op_count; i++)
        log[i] = run->ops[i].op;
    hd_map_init(&p.holders, &hd_heap);
    fprintf(out, "  Locks that protect the variable, as far as its accesses show:\n");
    hd_lockset_history(p.lockset, log, v->finding->entries[1], v->finding->variable, print_access, &p);
    print_usual_lock(&p);
    print_elsewhere(&p);
    putc('\n', out);
    hd_map_fini(&p.holders);
    hd_lockset_close(p.lockset);
}
