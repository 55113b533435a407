#include "report/step.h"

#include "abi/fates.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The end of the process, before the failure that ends it. */
static bool is_end_of_failure(const hd_recorded_run *run, uint32_t entry)
{
    const hd_op *op = &run->ops[entry].op;
    return hd_kind_exits(op->kind) && entry + 1 == run->op_count && op->thread == run->outcome.thread
        && hd_outcome_is_finding(run->outcome.kind) && run->outcome.kind != HD_DEADLOCK;
}

bool hd_report_is_step(const hd_recorded_run *run, uint32_t entry)
{
    const hd_op *op = &run->ops[entry].op;
    return hd_op_is_done(op) && !hd_op_is_implied(op) && !is_end_of_failure(run, entry);
}

bool hd_report_frees(const hd_recorded_run *run, uint32_t entry)
{
    const char *path = run->ops[entry].path;
    return path && !strncmp(path, "free:", 5);
}

static uint32_t block_of(const hd_recorded_run *run, uint32_t entry)
{
    uint32_t bytes;
    return hd_report_block_at(run, hd_report_view_address(&run->ops[entry].op, &bytes));
}

bool hd_report_goes_on_freeing(const hd_recorded_run *run, uint32_t entry)
{
    return entry && hd_report_frees(run, entry) && hd_report_frees(run, entry - 1)
        && run->ops[entry].op.thread == run->ops[entry - 1].op.thread && block_of(run, entry) != ~0u
        && block_of(run, entry) == block_of(run, entry - 1);
}

static hd_fate fate_of(const hd_op *op)
{
    return hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED ? hd_fate_of(op->value, op->choice) : HD_FATE_NONE;
}

bool hd_report_is_clock(const hd_op *op)
{
    return hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED && op->value && !fate_of(op);
}

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

void hd_report_step_text(const hd_report_view *v, uint32_t entry, char *text, size_t size)
{
    const hd_op *op = &v->run->ops[entry].op;
    const hd_report_access *a = &v->reported->accesses[entry];
    char choice[24] = "", thread[16] = "";
    if (hd_op_class(op->kind) == HD_OBJECT_THREAD)
        snprintf(thread, sizeof thread, "T%" PRIu64, op->object);
    const char *name = *thread ? thread : a->name ? a->name : "";
    hd_fate fate = fate_of(op);
    if (hd_report_is_clock(op)) {
        clock_text(op, text, size);
        return;
    }
    if (fate == HD_FATE_OVERTAKES)
        snprintf(choice, sizeof choice, " %u", op->choice);
    else if (op->choices > 1 && !fate)
        snprintf(choice, sizeof choice, " (outcome %u of %u)", op->choice + 1, op->choices);
    bool frees = hd_report_frees(v->run, entry);
    uint32_t block = frees && !hd_report_goes_on_freeing(v->run, entry) ? block_of(v->run, entry) : ~0u;
    if (block != ~0u) {
        snprintf(text, size, "free block#%" PRIu32, block + 1);
        return;
    }
    const char *does = frees ? "free" : hd_op_text(op->kind);
    snprintf(text, size, "%s%s%s%s%s%s", fate ? fate_text(fate) : does, *name ? " " : "", name, a->value ? " = " : "",
        a->value ? a->value : "", choice);
}

void hd_report_end_text(const hd_report_view *view, uint32_t thread, char *text, size_t size)
{
    const hd_recorded_run *s = view->run;
    const hd_finding *f = view->finding;
    const hd_thread_view *v = &s->threads[thread].view;
    *text = '\0';
    if (hd_recorded_is_stuck(s, f, thread)) {
        bool waits = v->status == HD_THREAD_WAITING;
        const char *name = hd_report_view_awaited(view, thread);
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
