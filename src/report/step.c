#include "report/step.h"

#include "abi/fates.h"
#include "event/op.h"
#include "event/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool hd_report_is_step(const hd_op *op)
{
    return hd_op_is_done(op) && !hd_op_is_implied(op);
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
    snprintf(text, size, "%s%s%s%s%s%s", fate ? fate_text(fate) : hd_op_text(op->kind), *name ? " " : "", name,
        a->value ? " = " : "", a->value ? a->value : "", choice);
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
