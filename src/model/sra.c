/* Simultaneous reachability analysis: the options of a process in one state. */
#include "model/bsra_internal.h"

/* May another process, from its current control state on, send to one of the ports? */
static bool others_may_send(hd_model_expander *e, int pid, hd_model_ports ports)
{
    const hd_model_machine *m = &e->stepper.machine;
    const hd_model_system *s = &e->b->system;
    for (int other = 0; other < s->processes; other++)
        if (other != pid && (s->sends[other][hd_model_machine_control(m, other)] & ports))
            return true;
    return false;
}

/* A potentially executable transition: a receive from an empty port to which a message may still be sent. */
static bool may_become_executable(hd_model_expander *e, int pid, hd_model_ports ports)
{
    for (; ports; ports &= ports - 1)
        if (hd_model_channel_length(&e->stepper.machine, __builtin_ctzll(ports) + 1) == 0
            && others_may_send(e, pid, ports & -ports))
            return true;
    return false;
}

static hd_model_ports port_of(hd_model_expander *e, int pid, const hd_promela_transition *t)
{
    hd_model_machine_select(&e->stepper.machine, pid);
    return 1ull << (hd_model_machine_run(&e->stepper.machine, t->channel) - 1);
}

/* Why the sets suffice: every path from here to a deadlock begins, up to the order of its steps,
 * with one of them. Take each process's first transition on the path, if it is executable here and
 * no other process sends to its port before it. Together these can be moved to the front. A process
 * that is left out has a first transition that is not executable yet, or is a send that another's
 * to the same port precedes; or it has none, which is impossible where it has an executable one. */
void hd_model_expander_collect_steps(hd_model_expander *e, hd_model_position *p, int pid)
{
    hd_model_machine *m = &e->stepper.machine;
    hd_model_position_use(e, p);
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    int control = hd_model_machine_control(m, pid);
    bool may_wait = false, moved = false;
    hd_vec_clear(&e->options[pid]);
    for (int i = code->first[control]; i < code->first[control + 1]; i++) {
        const hd_promela_transition *t = &code->transitions[i];
        hd_model_choice o = { .transition = t, .visible = hd_model_expander_visible(e->b, code, t) };
        may_wait |= o.visible;
        if (t->action == HD_ACTION_RECEIVE)
            may_wait |= may_become_executable(e, pid, e->b->system.channel_of[pid][i]);
        if ((t->is_else && moved) || hd_model_expander_enabled(e, p, pid, t, 0) != 1) {
            if (m->fault.kind != HD_MODEL_FAULT_NONE)
                hd_model_expander_fault(e, &e->moves);
            continue;
        }
        moved = true;
        if (t->action == HD_ACTION_SEND)
            o.sends = port_of(e, pid, t);
        may_wait |= others_may_send(e, pid, o.sends);
        hd_vec_push(&e->options[pid], o);
    }
    if (may_wait && e->options[pid].count)
        hd_vec_push(&e->options[pid], ((hd_model_choice) { .transition = NULL }));
}
