/* A model as code. Expressions and effects are sequences of 32-bit words for a stack machine
 * (ops.def). A transition has a guard, which only reads, and an effect, which writes and never blocks
 * (inside d_step, blocking is a fault). The machine is in src/model/machine.c.
 *
 * The memory of a process is its type (1 byte), its control state (2 bytes), then its variables;
 * that of a channel is its type (1 byte), its length (1 byte), then its messages. Scalars have one,
 * two or four bytes, little-endian, unaligned. */
#ifndef HD_PROMELA_PROGRAM_H
#define HD_PROMELA_PROGRAM_H

#include "promela/flow.h"
#include "promela/parser.h"

enum { HD_PROCESS_HEADER = 3, HD_CHANNEL_HEADER = 2 };

typedef enum hd_promela_opcode {
#define OP(name, operands) HD_OP_##name,
#include "promela/ops.def"
#undef OP
} hd_promela_opcode;

/* The storage code of a scalar: 1: bit, 2: byte, 3: short, 4: int, 32+n: unsigned of n bits. */
int hd_promela_storage(hd_promela_type type, int bits);

typedef enum hd_promela_action {
    HD_ACTION_LOCAL, /* conditions, assignments, else, jumps */
    HD_ACTION_SEND,
    HD_ACTION_RECEIVE,
    HD_ACTION_END,
} hd_promela_action;

/* Plain data, open for speed: the machine reads it at every step. */
typedef struct hd_promela_transition {
    uint32_t guard, effect; /* code, 0: none */
    uint32_t channel; /* code that computes the channel of a send or receive, 0: none */
    int source, target;
    int number; /* of the element that runs first */
    hd_promela_action action;
    bool atomic, is_else, is_d_step, uses_timeout;
    bool takes; /* a receive that removes its message */
    int escape;
    int id; /* SPIN's */
    const hd_promela_step *step;
} hd_promela_transition;

typedef struct hd_promela_code {
    const hd_promela_proctype *proctype;
    const hd_promela_flow *flow;
    hd_promela_transition *transitions;
    int transition_count;
    int *first; /* per control state: where its transitions start; one more at the end */
    uint32_t size; /* of a process */
    uint32_t initial; /* code that sets initial values, 0: none */
    uint32_t provided; /* 0: always */
} hd_promela_code;

typedef struct hd_promela_program {
    hd_promela_model *model;
    hd_vec(int32_t) words;
    hd_vec(const hd_promela_channel *) channel_types;
    hd_promela_code *codes; /* per proctype */
    uint32_t initial; /* code that sets the globals */
    uint32_t invariant; /* 0: none */
    int deepest; /* of the stack */
} hd_promela_program;

/* Compiles a model and takes ownership of it. `invariant` may be NULL. Returns NULL with an error. */
hd_promela_program *hd_promela_compile(hd_promela_model *m, const hd_promela_node *invariant, hd_error *error);
void hd_promela_program_close(hd_promela_program *p);

/* Compiles another expression over globals and other processes; 0: it needs too deep a stack. */
uint32_t hd_promela_compile_expression(hd_promela_program *p, const hd_promela_node *n);

/* The text of a statement, as a user would write it. */
void hd_promela_print_statement(char *out, size_t room, const hd_promela_model *m, const hd_promela_node *n);

#endif
