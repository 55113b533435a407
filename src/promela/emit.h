/* Emits a program's code (program.h), for compile.c. Code is appended to the
 * program's words; `stack` is the height of the machine's stack at that point, and the program
 * keeps its maximum. */
#ifndef HD_PROMELA_EMIT_H
#define HD_PROMELA_EMIT_H

#include "promela/program.h"

typedef struct hd_promela_emitter {
    hd_promela_program *program;
    hd_promela_proctype *proctype;
    int stack;
} hd_promela_emitter;

static inline uint32_t hd_promela_emit_here(const hd_promela_emitter *c)
{
    return (uint32_t)c->program->words.count;
}

static inline void hd_promela_emit_word(hd_promela_emitter *c, int32_t w)
{
    hd_vec_push(&c->program->words, w);
}

static inline void hd_promela_emit_op(hd_promela_emitter *c, hd_promela_opcode o)
{
    hd_promela_emit_word(c, (int32_t)o);
}

static inline void hd_promela_emit_depth(hd_promela_emitter *c, int by)
{
    c->stack += by;
    if (c->stack > c->program->deepest)
        c->program->deepest = c->stack;
}

/* Code that pushes a value, and code that pops one into a variable. */
void hd_promela_emit_expression(hd_promela_emitter *c, const hd_promela_node *n);
void hd_promela_emit_store(hd_promela_emitter *c, const hd_promela_node *n);

/* A statement's guard, if it has one, and its effect. */
bool hd_promela_emit_has_guard(const hd_promela_node *n);
void hd_promela_emit_guard(hd_promela_emitter *c, const hd_promela_node *n);
void hd_promela_emit_effect(hd_promela_emitter *c, const hd_promela_node *n);
void hd_promela_emit_reset_dead(hd_promela_emitter *c, const hd_promela_element *e); /* sets dead variables to 0 */
void hd_promela_emit_finish(hd_promela_emitter *c);

/* The same for a d_step, which is one effect with jumps; and its first statement. */
void hd_promela_emit_d_step_guard(hd_promela_emitter *c, const hd_promela_element *e);
void hd_promela_emit_d_step(hd_promela_emitter *c, const hd_promela_element *e);
const hd_promela_element *hd_promela_emit_first_of(const hd_promela_element *e);

#endif
