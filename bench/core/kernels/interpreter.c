/* An interpreter of a small stack machine, running a loop of its own. */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

typedef enum code { PUSH, LOAD, STORE, ADD, MULTIPLY, LESS, JUMP_IF, HALT } code;

typedef struct instruction {
    code code;
    int64_t operand;
} instruction;

typedef struct machine {
    const instruction *program;
    int64_t *stack, *variables;
} machine;

/* variable 1 = sum of i * 3 + 1 for i in [0, 4000) */
static const instruction sum_up[] = {
    { PUSH, 0 },
    { STORE, 0 },
    { PUSH, 0 },
    { STORE, 1 },
    { LOAD, 1 },
    { LOAD, 0 },
    { PUSH, 3 },
    { MULTIPLY, 0 },
    { PUSH, 1 },
    { ADD, 0 },
    { ADD, 0 },
    { STORE, 1 },
    { LOAD, 0 },
    { PUSH, 1 },
    { ADD, 0 },
    { STORE, 0 },
    { LOAD, 0 },
    { PUSH, 4000 },
    { LESS, 0 },
    { JUMP_IF, 4 },
    { HALT, 0 },
};

static int64_t interpret(machine *m)
{
    int64_t *top = m->stack;
    for (const instruction *at = m->program;; at++) {
        switch (at->code) {
        case PUSH:
            *top++ = at->operand;
            break;
        case LOAD:
            *top++ = m->variables[at->operand];
            break;
        case STORE:
            m->variables[at->operand] = *--top;
            break;
        case ADD:
            top--;
            top[-1] += *top;
            break;
        case MULTIPLY:
            top--;
            top[-1] *= *top;
            break;
        case LESS:
            top--;
            top[-1] = top[-1] < *top;
            break;
        case JUMP_IF:
            if (*--top)
                at = m->program + at->operand - 1;
            break;
        case HALT:
            return m->variables[1];
        }
    }
}

uint64_t kernel_interpreter(uint32_t rounds)
{
    machine m = { malloc(sizeof sum_up), malloc(64 * sizeof *m.stack), calloc(8, sizeof *m.variables) };
    memcpy((void *)m.program, sum_up, sizeof sum_up);
    int64_t sum = 0;
    for (uint32_t r = 0; r < rounds; r++)
        sum += interpret(&m);
    free((void *)m.program);
    free(m.stack);
    free(m.variables);
    return (uint64_t)sum;
}
