/* The interpreter: runs a program's code on a state.
 *
 * The machine points to a state's bytes and to one process in it. Guards only read; effects change
 * the bytes and record which components they changed. An error inside an effect (an index out of
 * bounds, a division by zero, …) is a fault: the step does not happen, and the fault is a finding.
 * A failed assertion is recorded and the step continues, as in SPIN. The components that code reads
 * are recorded as well: in all states that agree on these, a process has the same steps (memo.h).
 *
 * How messages are stored depends on the scheme. Causal is Promela's own: one queue. Fifo: messages
 * are sorted by sender and, per sender, in the order sent; the first of each sender can be
 * received. Async: messages are sorted by content, and every one can be received. Under the last
 * two a message is preceded by its sender (one byte; 0 for async, so that equal bags are equal
 * bytes), and `choice` selects one of several matching messages: the guard fails if there are not
 * that many. */
#ifndef HD_MODEL_MACHINE_H
#define HD_MODEL_MACHINE_H

#include "model/shape.h"

typedef enum hd_model_scheme { HD_MODEL_SCHEME_CAUSAL, HD_MODEL_SCHEME_FIFO, HD_MODEL_SCHEME_ASYNC } hd_model_scheme;

typedef enum hd_model_fault_kind {
    HD_MODEL_FAULT_NONE,
    HD_MODEL_FAULT_INDEX,
    HD_MODEL_FAULT_DIVISION,
    HD_MODEL_FAULT_CHANNEL, /* not initialised */
    HD_MODEL_FAULT_MESSAGE, /* the wrong number of values */
    HD_MODEL_FAULT_D_STEP, /* blocked inside */
    HD_MODEL_FAULT_PROCESSES, /* too many processes, channels or bytes */
    HD_MODEL_FAULT_ENDLESS, /* a d_step or atomic sequence that does not end */
    HD_MODEL_FAULT_OVERFLOW, /* a port holds more than its channel was declared for */
    HD_MODEL_FAULT_UNBOUNDED, /* a process can send forever without receiving */
    HD_MODEL_FAULT_ORDER, /* too many messages to keep in causal order */
} hd_model_fault_kind;

typedef struct hd_model_fault {
    hd_model_fault_kind kind;
    int line;
} hd_model_fault;

const char *hd_model_fault_text(hd_model_fault_kind kind);

/* Open for speed: searches read and set its fields between steps. */
typedef struct hd_model_machine {
    const hd_promela_program *program;
    hd_model_shapes *shapes;
    hd_model_scheme scheme;
    bool unbounded; /* a send to a full channel is a fault instead of blocking */
    uint8_t *bytes;
    const hd_model_shape *shape;
    int pid;
    uint8_t *self; /* the process's bytes */
    uint64_t changed[HD_MODEL_COMPONENT_WORDS]; /* bits: components that effects have written */
    uint64_t used[HD_MODEL_COMPONENT_WORDS]; /* bits: components other than the process's own that code has read or
                                                written */
    uint32_t kept; /* the first `kept` components still belong to the state that `changed` refers to */
    int rendezvous; /* the channel of a send waiting for its receiver, or 0 */
    bool timeout;
    uint64_t enabled; /* bits: processes that can take a step; for claims */
    int choice;
    int matched_channel, matched_position; /* of the message that the last guard found */
    int sent_channel, sent_position; /* of the message that was sent last; channel 0: none */
    hd_model_fault fault;
    int failed_assertion; /* its line, or 0 */
    int32_t stack[256];
} hd_model_machine;

/* `bytes` must have room for HD_MODEL_STATE_MOST_BYTES. */
void hd_model_machine_open(
    hd_model_machine *m, const hd_promela_program *program, hd_model_shapes *shapes, hd_model_scheme scheme);
void hd_model_machine_load(hd_model_machine *m, uint8_t *bytes, const hd_model_shape *shape);

/* Sets up the first state in the loaded bytes: globals, channels, active processes. */
bool hd_model_machine_start(hd_model_machine *m);

/* Runs code; its value. After a fault the value means nothing. */
int32_t hd_model_machine_run(hd_model_machine *m, uint32_t code);

/* Ends the youngest process, which must be the selected one. */
void hd_model_machine_end_process(hd_model_machine *m);

static inline uint8_t *hd_model_machine_process(const hd_model_machine *m, int pid)
{
    return m->bytes + m->shape->offsets[m->shape->process_component[pid]];
}

static inline void hd_model_machine_select(hd_model_machine *m, int pid)
{
    m->pid = pid;
    m->self = hd_model_machine_process(m, pid);
}

/* The process's control state, and its code. */
static inline int hd_model_machine_control(const hd_model_machine *m, int pid)
{
    const uint8_t *p = hd_model_machine_process(m, pid);
    return p[1] | p[2] << 8;
}

static inline const hd_promela_code *hd_model_machine_code(const hd_model_machine *m, int pid)
{
    return &m->program->codes[*hd_model_machine_process(m, pid)];
}

static inline void hd_model_machine_use(hd_model_machine *m, int component)
{
    m->used[component >> 6] |= 1ull << (component & 63);
}

static inline void hd_model_machine_touch(hd_model_machine *m, int component)
{
    hd_model_machine_use(m, component);
    m->changed[component >> 6] |= 1ull << (component & 63);
}

/* Moves the selected process to a control state. */
static inline void hd_model_machine_go(hd_model_machine *m, int target)
{
    m->self[1] = (uint8_t)target;
    m->self[2] = (uint8_t)(target >> 8);
    hd_model_machine_touch(m, m->shape->process_component[m->pid]);
}

/* Channels, by number from 1. */
uint8_t *hd_model_machine_channel(const hd_model_machine *m, int channel, const hd_promela_channel **type);
int32_t hd_model_scalar_read(const uint8_t *at, int storage);
void hd_model_scalar_write(uint8_t *at, int storage, int32_t value);
uint32_t hd_model_message_size(
    const hd_model_machine *m, const hd_promela_channel *type); /* with its sender, if it has one */

#endif
