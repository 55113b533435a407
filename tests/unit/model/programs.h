/* Programs for tests of the searches' structures, and the paper's example of orders between messages. */
#ifndef HD_TESTS_UNIT_MODEL_PROGRAMS_H
#define HD_TESTS_UNIT_MODEL_PROGRAMS_H

#include "model/order.h"
#include "unit/test.h"

static inline hd_promela_program *program_of(const char *source, const char *invariant)
{
    hd_error error;
    hd_promela_model *m = hd_promela_parse("test.pml", source, &error);
    hd_promela_node *i = m && invariant ? hd_promela_parse_expression(m, "invariant", invariant, &error) : NULL;
    hd_promela_program *p = m ? hd_promela_compile(m, i, &error) : NULL;
    if (!p)
        hd_test_failed(__FILE__, __LINE__, "%s in:\n%s", error.text, source);
    return p;
}

__attribute__((unused)) static const char figure_2_7[] = "chan T2 = [2] of { byte }; chan T3 = [9] of { byte };\n"
                                                         "active proctype P1() { T3!11; T3!12; T2!1; T3!13; T3!14 }\n"
                                                         "active proctype P2() { T3!21; T3!22; T3!23; T2?_; T3!24 }\n"
                                                         "active proctype P3() { byte n; do :: T3?n od }\n";

/* Executes a process's only transition and keeps the order. */
static inline void step(const hd_model_order_layout *layout, hd_model_stepper *s, hd_model_order *o, int pid)
{
    hd_model_machine *m = &s->machine;
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    const hd_promela_transition *t = &code->transitions[code->first[hd_model_machine_control(m, pid)]];
    const hd_promela_channel *type;
    hd_model_machine_select(m, pid);
    CHECK(hd_model_stepper_enabled(s, pid, t, 0));
    int channel = m->matched_channel, at = m->matched_position;
    int length = t->action == HD_ACTION_RECEIVE ? hd_model_machine_channel(m, channel, &type)[1] : 0;
    hd_model_machine_run(m, t->effect);
    hd_model_machine_go(m, t->target);
    if (t->action == HD_ACTION_RECEIVE)
        hd_model_order_receive(layout, o, pid, channel, at, length);
    else
        hd_model_order_send(
            layout, o, pid, m->sent_channel, m->sent_position, hd_model_machine_channel(m, m->sent_channel, &type)[1]);
}

#endif
