#include "report/symbolise.h"

#include "abi/system.h"
#include "base/elf.h"
#include "base/vec.h"
#include "event/plan.h"
#include "report/names.h"
#include "report/slice.h"
#include "report/story.h"

#include <string.h>
#include <unistd.h>

void hd_report_current_folder(char *folder, size_t size)
{
    if (getcwd(folder, size - 1))
        strcat(folder, strcmp(folder, "/") ? "/" : "");
    else
        folder[0] = '\0';
}

const char *hd_report_relative(const char *folder, const char *file)
{
    size_t length = strlen(folder);
    return length && !strncmp(file, folder, length) ? file + length : file;
}

/* --- locks ------------------------------------------------------------------------------------ */

int hd_report_lock_change(uint8_t kind)
{
    switch (hd_kinds[kind].role) {
    case HD_ROLE_TAKES:
    case HD_ROLE_SHARES:
    case HD_ROLE_BEGINS:
        return 1;
    case HD_ROLE_GIVES:
    case HD_ROLE_UNSHARES:
    case HD_ROLE_ENDS:
        return -1;
    default:
        return 0;
    }
}

static uint32_t find_holding(const hd_recorded_run *run, uint64_t object)
{
    uint32_t undone[HD_MAX_THREADS] = { 0 }; /* unlocks seen whose matching lock comes earlier in the log */
    for (uint32_t i = run->op_count; object && i-- > 0;) {
        const hd_op *op = &run->ops[i].op;
        int change = op->object == object && hd_op_is_done(op) ? hd_report_lock_change(op->kind) : 0;
        if (change < 0)
            undone[op->thread]++;
        /* Backwards, a lock without a later unlock of the same thread still holds. */
        else if (change > 0 && !undone[op->thread]--)
            return i;
    }
    return ~0u;
}

bool hd_report_retries(const hd_thread_view *v)
{
    return v->status == HD_THREAD_AT_OP && hd_objects[hd_op_class(v->pending.kind)].waits_for == HD_WAITS_RETRIES;
}

/* The last change of the object by another thread. */
static uint32_t find_change(const hd_recorded_run *run, const hd_op *waiting)
{
    for (uint32_t i = run->op_count; i-- > 0;) {
        const hd_op *op = &run->ops[i].op;
        if (hd_op_key(op) == hd_op_key(waiting) && op->thread != waiting->thread && hd_op_is_done(op)
            && !hd_kind_looks(op->kind))
            return i;
    }
    return ~0u;
}

uint32_t hd_report_obstacle(const hd_recorded_run *run, uint32_t thread)
{
    const hd_thread_view *v = &run->threads[thread].view;
    if (v->status != HD_THREAD_AT_OP)
        return ~0u;
    return hd_report_retries(v) ? find_change(run, &v->pending) : find_holding(run, v->pending.object);
}

/* --- stacks ------------------------------------------------------------------------------------ */

typedef hd_vec(uint64_t) addresses;

static void want(addresses *pcs, const hd_stack *stack)
{
    for (uint32_t i = 0; i < HD_STACK_DEPTH && stack->pc[i]; i++)
        hd_vec_push(pcs, stack->pc[i]);
}

static void want_stacks(addresses *pcs, const hd_report_finding *f)
{
    const hd_recorded_run *run = &f->run;
    for (int i = 0; i < 2; i++)
        if (f->finding.entries[i] < run->op_count)
            want(pcs, &run->ops[f->finding.entries[i]].stack);
    for (uint32_t i = 0; i < run->thread_count; i++) {
        want(pcs, &run->threads[i].stack);
        want(pcs, &run->threads[i].creation_stack);
        /* A deadlock report shows where the lock was taken that the thread waits for. */
        uint32_t held = hd_report_obstacle(run, i);
        if (held != ~0u)
            want(pcs, &run->ops[held].stack);
    }
}

/* --- locations ----------------------------------------------------------------------------------- */

static const hd_location unknown = { "?", "?", 0, 0 };

/* The innermost frame with a source line; preferably one of the program and not of a system library. */
static hd_location location_of_stack(const hd_report_finding *f, const hd_stack *stack)
{
    hd_location found = unknown;
    for (uint32_t i = 0; i < HD_STACK_DEPTH && stack->pc[i]; i++) {
        const hd_report_symbol *s = hd_report_symbols_at(&f->symbols, stack->pc[i]);
        for (uint32_t k = 0; s && k < s->count; k++) {
            const hd_report_frame *frame = &s->frames[k];
            if (!frame->line || (s->is_system && found.line))
                continue;
            found = (hd_location) { frame->file, frame->function, frame->line, frame->column };
            if (!s->is_system)
                return found;
        }
    }
    return found;
}

static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Operations name files as the compiler was given them; the stack has the full path. */
static hd_location with_path(const hd_report_finding *f, hd_location location, const hd_stack *stack)
{
    hd_location top = location_of_stack(f, stack);
    if (top.line == location.line && !strcmp(last_part(top.file), last_part(location.file)))
        location.file = top.file;
    return location;
}

/* The position of one of the two accesses of the finding. */
static hd_location location_of_access(const hd_report_finding *f, uint32_t entry)
{
    const hd_recorded_run *s = &f->run;
    return entry < s->op_count ? with_path(f, s->ops[entry].location, &s->ops[entry].stack) : unknown;
}

static hd_location previous_location(const hd_report_finding *f)
{
    return hd_finding_has_accesses(&f->finding) ? location_of_access(f, f->finding.entries[0]) : unknown;
}

static hd_location location_of(const hd_report_finding *f)
{
    const hd_recorded_run *run = &f->run;
    const hd_finding *finding = &f->finding;
    if (hd_finding_has_accesses(finding))
        return location_of_access(f, finding->entries[1]);
    uint32_t thread = hd_recorded_number(run, finding->thread);
    if (thread < run->thread_count) {
        const hd_recorded_thread *t = &run->threads[thread];
        if (finding->kind == HD_FINDING_DEADLOCK)
            return with_path(f, t->location, &t->stack);
        if (run->location.line)
            return with_path(f, run->location, &t->stack);
        hd_location top = location_of_stack(f, &t->stack);
        if (top.line)
            return top;
    }
    return finding->entries[0] < run->op_count ? run->ops[finding->entries[0]].location : unknown;
}

static hd_location kept_location(hd_location location, const char *here, hd_arena *arena)
{
    location.file = hd_arena_copy(arena, hd_report_relative(here, location.file));
    location.function = hd_arena_copy(arena, location.function);
    return location;
}

/* A process that another one has made is called by its number. */
static const char *name_of_child(const hd_recorded_thread *t, const char *parent, hd_arena *arena)
{
    unsigned number = HD_FIRST_PID + t->view.process;
    return parent ? hd_arena_print(arena, "%s.%u", parent, number) : hd_arena_print(arena, "%u", number);
}

/* A system of processes: its image has their names, in the order of their first threads. The other threads are of their
 * creator's process, or the first of a child. */
static void name_processes(hd_recorded_run *run, const char *program, hd_arena *arena)
{
    hd_elf elf;
    size_t size = 0;
    uint32_t first = 0;
    if (!hd_elf_open(&elf, program, NULL))
        return;
    const char *names = hd_elf_section(&elf, HD_NAMES_SECTION, &size);
    for (const char *name = names; name && name < names + size; name += strlen(name) + 1, first++)
        if (first < run->thread_count)
            run->threads[first].process = hd_arena_copy(arena, name);
    for (uint32_t i = first ? first : 1; i < run->thread_count; i++) {
        hd_recorded_thread *t = &run->threads[i];
        const hd_recorded_thread *creator = &run->threads[t->creator < i ? t->creator : 0];
        bool is_child = t->view.process != creator->view.process;
        t->process = is_child ? name_of_child(t, creator->process, arena) : creator->process;
    }
    hd_elf_close(&elf);
}

void hd_report_name(hd_report_finding *f, const char *program, hd_arena *arena)
{
    const hd_recorded_run *run = &f->run;
    hd_report_names *names = hd_report_names_open(run, program, arena);
    f->accesses = hd_arena_alloc(arena, (run->op_count + 1) * sizeof *f->accesses);
    f->awaited = hd_arena_alloc(arena, (run->thread_count + 1) * sizeof *f->awaited);
    f->blocks = hd_arena_alloc(arena, (run->block_count + 1) * sizeof *f->blocks);
    for (uint32_t i = 0; i < run->op_count; i++)
        f->accesses[i] = hd_report_names_access(names, i);
    for (uint32_t i = 0; i < run->thread_count; i++)
        f->awaited[i] = hd_report_names_awaited(names, i);
    for (uint32_t i = 0; i < run->block_count; i++)
        f->blocks[i] = hd_report_names_block(names, i);
    hd_report_names_close(names);
    hd_report_slice(f, arena);
}

void hd_report_symbolise(hd_report_finding *f, const char *program, hd_arena *arena)
{
    addresses pcs = { 0 };
    char here[4096];
    f->location = f->previous = unknown;
    if (!f->confirmed || f->run.died)
        return;
    name_processes(&f->run, program, arena);
    want_stacks(&pcs, f);
    f->symbols = hd_report_symbols_resolve(program, f->run.modules, f->run.module_count, pcs.items, pcs.count, arena);
    hd_vec_fini(&pcs);
    hd_report_current_folder(here, sizeof here);
    f->location = kept_location(location_of(f), here, arena);
    f->previous = kept_location(previous_location(f), here, arena);
    hd_report_name(f, program, arena);
    f->story = hd_report_story(f, arena);
}
