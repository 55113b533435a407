/* A d_step becomes one effect: its control flow is compiled to jumps. */
#include "promela/emit.h"

typedef struct d_step {
    hd_promela_emitter *c;
    uint32_t *placed; /* per element number: its code, 0: not yet */
    hd_vec(uint32_t) jumps; /* jump operands to be patched with the address of … */
    hd_vec(const hd_promela_element *) targets; /* … these; NULL: the end */

} d_step;

static void jump_to(d_step *d, const hd_promela_element *e)
{
    hd_promela_emit_op(d->c, HD_OP_JUMP);
    hd_vec_push(&d->jumps, hd_promela_emit_here(d->c));
    hd_vec_push(&d->targets, e);
    hd_promela_emit_word(d->c, 0);
}

static void d_sequence(d_step *d, hd_promela_sequence *s, uint32_t *blocked);

static void fill(d_step *d, uint32_t at)
{
    if (at)
        d->c->program->words.items[at] = (int32_t)hd_promela_emit_here(d->c);
}

/* An option whose first statement blocks is skipped, and the next one is tried; the first that is
 * executable is taken, as d_step is deterministic. A statement that blocks elsewhere is a fault. */
static void d_choice(d_step *d, const hd_promela_element *e)
{
    for (hd_promela_sequences *o = e->options; o; o = o->next) {
        uint32_t blocked = 0;
        d_sequence(d, o->sequence, &blocked);
        jump_to(d, e->node->op == HD_S_DO ? e : e->next);
        fill(d, blocked);
    }
    hd_promela_emit_op(d->c, HD_OP_BLOCKED);
    hd_promela_emit_word(d->c, e->node->location.line);
}

static void d_basic(d_step *d, const hd_promela_element *e, uint32_t *blocked)
{
    const hd_promela_node *n = e->node;
    if (hd_promela_emit_has_guard(n)) {
        hd_promela_emit_guard(d->c, n);
        hd_promela_emit_op(d->c, HD_OP_JUMP_IF_ZERO);
        hd_promela_emit_depth(d->c, -1);
        uint32_t at = hd_promela_emit_here(d->c);
        hd_promela_emit_word(d->c, 0);
        if (blocked) {
            *blocked = at;
        } else {
            hd_promela_emit_op(d->c, HD_OP_JUMP);
            uint32_t over = hd_promela_emit_here(d->c);
            hd_promela_emit_word(d->c, 0);
            fill(d, at);
            hd_promela_emit_op(d->c, HD_OP_BLOCKED);
            hd_promela_emit_word(d->c, n->location.line);
            fill(d, over);
        }
    }
    hd_promela_emit_effect(d->c, n);
}

static void d_element(d_step *d, hd_promela_element *e, uint32_t *blocked)
{
    switch (e->node->op) {
    case HD_S_GOTO:
        jump_to(d, hd_promela_goto_target(d->c->proctype, e->node));
        break;
    case HD_S_JOIN:
    case HD_S_BREAK_TARGET:
        if (e->next && (e->next->status & HD_D_STEP))
            jump_to(d, e->next);
        else
            jump_to(d, NULL);
        break;
    case HD_S_IF:
    case HD_S_DO:
        d_choice(d, e);
        break;
    case HD_S_BLOCK:
    case HD_S_ATOMIC:
    case HD_S_D_STEP:
        d_sequence(d, e->node->options->sequence, blocked);
        break;
    default:
        d_basic(d, e, blocked);
    }
}

static void d_sequence(d_step *d, hd_promela_sequence *s, uint32_t *blocked)
{
    for (hd_promela_element *e = s->first; e; e = e->next, blocked = NULL) {
        /* A statement is compiled once; jumps lead to it. */
        if (d->placed[e->number]) {
            jump_to(d, e);
            return;
        }
        d->placed[e->number] = hd_promela_emit_here(d->c);
        d_element(d, e, e == s->first ? blocked : NULL);
        if (e == s->extent || e == s->last)
            break;
    }
}

void hd_promela_emit_d_step(hd_promela_emitter *c, const hd_promela_element *e)
{
    d_step d = { .c = c };
    size_t count = (size_t)c->proctype->element_count;
    d.placed = hd_alloc(&hd_heap, count * sizeof *d.placed);
    d_sequence(&d, e->node->options->sequence, NULL);
    uint32_t end = hd_promela_emit_here(c);
    hd_promela_emit_finish(c);
    for (size_t i = 0; i < d.jumps.count; i++) {
        const hd_promela_element *to = d.targets.items[i];
        /* A jump to a statement outside of the d_step ends it. */
        uint32_t at = to && d.placed[to->number] ? d.placed[to->number] : end;
        c->program->words.items[d.jumps.items[i]] = (int32_t)at;
    }
    hd_release(&hd_heap, d.placed, count * sizeof *d.placed);
    hd_vec_fini(&d.jumps);
    hd_vec_fini(&d.targets);
}

/* The guard of a d_step is that of its first statement; for a choice, the disjunction over its options. */
void hd_promela_emit_d_step_guard(hd_promela_emitter *c, const hd_promela_element *e)
{
    e = hd_promela_emit_first_of(e);
    const hd_promela_node *n = e->node;
    if (!e->options) {
        if (hd_promela_emit_has_guard(n)) {
            hd_promela_emit_guard(c, n);
        } else {
            hd_promela_emit_op(c, HD_OP_CONST);
            hd_promela_emit_word(c, 1);
            hd_promela_emit_depth(c, 1);
        }
        return;
    }
    int count = 0;
    for (hd_promela_sequences *o = e->options; o; o = o->next, count++) {
        hd_promela_emit_d_step_guard(c, o->sequence->first);
        hd_promela_emit_op(c, HD_OP_TRUTH);
        if (count > 0) {
            hd_promela_emit_op(c, HD_OP_BIT_OR);
            hd_promela_emit_depth(c, -1);
        }
    }
}

const hd_promela_element *hd_promela_emit_first_of(const hd_promela_element *e)
{
    for (;;) {
        if (e->node->op == HD_S_JOIN && e->next)
            e = e->next;
        else if (e->node->op == HD_S_BLOCK || e->node->op == HD_S_D_STEP || e->node->op == HD_S_ATOMIC)
            e = e->node->options->sequence->first;
        else
            return e;
    }
}
