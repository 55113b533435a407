#include "runtime/sync/gate.h"

#include "runtime/sched/objects.h"

static int is_open(hd_thread *t, hd_op *op)
{
    (void)t;
    return ((const hd_gate *)op->object)->open;
}

static int open_or_shut(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = is_open(t, op) ? HD_GATE_WAIT : HD_GATE_SHUT;
    return 1;
}

static void go_through(const hd_gate *g)
{
    if (hd_current->now < g->now)
        hd_current->now = g->now;
}

void hd_gate_pass(hd_gate *g)
{
    hd_objects_check(HD_GATE_WAIT, g, sizeof *g, hd_call_site);
    hd_perform(HD_GATE_WAIT, g, is_open);
    go_through(g);
}

int hd_gate_try(hd_gate *g)
{
    hd_objects_check(HD_GATE_WAIT, g, sizeof *g, hd_call_site);
    if (hd_perform(HD_GATE_WAIT, g, open_or_shut)->kind == HD_GATE_SHUT)
        return 0;
    go_through(g);
    return 1;
}

void hd_gate_unbar(hd_gate *g)
{
    hd_objects_check(HD_GATE_OPEN, g, sizeof *g, hd_call_site);
    hd_perform(HD_GATE_OPEN, g, NULL);
    g->open = 1;
    if (g->now < hd_current->now)
        g->now = hd_current->now;
}
