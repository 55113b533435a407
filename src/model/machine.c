#include "model/machine.h"

#include "model/ports.h"

#include <string.h>

enum { LONGEST_D_STEP = 1000000 };

const char *hd_model_fault_text(hd_model_fault_kind kind)
{
    static const char *const texts[] = { "", "an array index is out of bounds", "a division by zero",
        "a channel is used before it was initialised", "a message has the wrong number of values",
        "a statement blocks inside d_step", "too many processes or channels, or too large a state",
        "an atomic sequence takes more than 5000 steps, or a d_step a million",
        "a port holds more messages than its channel was declared for",
        "a process can send forever without receiving, so a port grows without bound",
        "more than 64 messages wait in ports with several senders" };
    return texts[kind];
}

/* The first fault of a step is the cause; later ones may follow from it. */
void hd_model_machine_fail(hd_model_machine *m, hd_model_fault_kind kind, int line)
{
    if (m->fault.kind == HD_MODEL_FAULT_NONE)
        m->fault = (hd_model_fault) { kind, line };
}

/* --- processes ------------------------------------------------------------------------------- */

void hd_model_machine_open(
    hd_model_machine *m, const hd_promela_program *program, hd_model_shapes *shapes, hd_model_scheme scheme)
{
    *m = (hd_model_machine) { .program = program, .shapes = shapes, .scheme = scheme };
}

void hd_model_machine_load(hd_model_machine *m, uint8_t *bytes, const hd_model_shape *shape)
{
    m->bytes = bytes;
    m->shape = shape;
}

/* New components are appended, so offsets of existing ones stay valid. */
static bool add_component(hd_model_machine *m, bool is_process, int type)
{
    const hd_model_shape *bigger = hd_model_shape_with(m->shapes, m->shape, is_process, type);
    if (!bigger) {
        hd_model_machine_fail(m, HD_MODEL_FAULT_PROCESSES, 0);
        return false;
    }
    memset(m->bytes + m->shape->size, 0, bigger->size - m->shape->size);
    m->bytes[m->shape->size] = (uint8_t)type;
    m->shape = bigger;
    return true;
}

/* The arguments are the last `count` values on the stack, which ends at `top`. */
static int start_process(hd_model_machine *m, int type, const int32_t *arguments, int count)
{
    const hd_promela_code *code = &m->program->codes[type];
    if (!add_component(m, true, type))
        return 0;
    int pid = m->shape->processes - 1, caller = m->pid;
    /* Initial values are computed in the new process. */
    hd_model_machine_select(m, pid);
    hd_model_machine_go(m, code->flow->start);
    for (int i = 0; i < count; i++) {
        const hd_promela_symbol *s = code->proctype->variables.items[i];
        hd_model_scalar_write(
            m->self + HD_PROCESS_HEADER + s->offset, hd_promela_storage(s->type, s->bits), arguments[i]);
    }
    if (code->initial) {
        /* The caller is in the middle of an expression: the initialisation code must not clobber its stack. */
        int32_t saved[256];
        memcpy(saved, m->stack, sizeof saved);
        hd_model_machine_run(m, code->initial);
        memcpy(m->stack, saved, sizeof saved);
    }
    m->pid = caller;
    if (caller >= 0)
        hd_model_machine_select(m, caller);
    return pid;
}

void hd_model_machine_end_process(hd_model_machine *m)
{
    const hd_model_shape *smaller = hd_model_shape_without_process(m->shape);
    m->shape = smaller;
    /* Components of the process, and channels that it created, are gone. */
    if (m->kept > smaller->components)
        m->kept = smaller->components;
}

bool hd_model_machine_start(hd_model_machine *m)
{
    hd_model_machine_load(m, m->bytes, m->shapes->all[0]);
    memset(m->bytes, 0, m->shape->size);
    m->pid = -1;
    m->self = NULL;
    if (m->program->initial)
        hd_model_machine_run(m, m->program->initial);
    for (size_t i = 0; i < m->program->model->proctypes.count; i++)
        for (int n = 0; n < m->program->model->proctypes.items[i]->active; n++) {
            int32_t zeros[256] = { 0 };
            start_process(m, (int)i, zeros, m->program->model->proctypes.items[i]->parameter_count);
        }
    return m->fault.kind == HD_MODEL_FAULT_NONE;
}

/* --- the interpreter ------------------------------------------------------------------------------- */

/* The compiler knows how deep the stack of each piece of code gets, and refuses what would not fit
 * into 256 values (program.h), so pushes are not checked. */
#define PUSH(value) (*sp++ = (value))
#define BINARY(name, expression) \
    case HD_OP_##name: { \
        int32_t b = *--sp, a = sp[-1]; \
        sp[-1] = (expression); \
        break; \
    }

static int32_t divide(hd_model_machine *m, int32_t a, int32_t b, bool modulo, int line)
{
    if (b == 0) {
        hd_model_machine_fail(m, HD_MODEL_FAULT_DIVISION, line);
        return 0;
    }
    /* INT_MIN / -1 would trap; negation wraps around instead. */
    if (b == -1)
        return modulo ? 0 : (int32_t)(0u - (uint32_t)a);
    return modulo ? a % b : a / b;
}

/* --- other processes, for claims --- */

/* Claims name processes by number; the number may belong to none, or to one of another proctype. */
static bool is_process(const hd_model_machine *m, int32_t pid, int type)
{
    return pid >= 0 && pid < m->shape->processes && *hd_model_machine_process(m, pid) == type;
}

static int first_process(const hd_model_machine *m, int type)
{
    for (int pid = 0; pid < m->shape->processes; pid++)
        if (is_process(m, pid, type))
            return pid;
    return -1;
}

static bool has_progress(const hd_model_machine *m)
{
    for (int pid = 0; pid < m->shape->processes; pid++)
        if (hd_model_machine_code(m, pid)->flow->progress[hd_model_machine_control(m, pid)])
            return true;
    return false;
}

int32_t hd_model_machine_run(hd_model_machine *m, uint32_t code)
{
    const int32_t *words = m->program->words.items, *pc = words + code;
    int32_t *sp = m->stack;
    for (int jumps = 0;;) {
        switch ((hd_promela_opcode)*pc++) {
        case HD_OP_RETURN:
            return sp[-1];
        case HD_OP_CONST:
            PUSH(*pc++);
            break;
        case HD_OP_LOAD_GLOBAL:
            hd_model_machine_use(m, 0);
            PUSH(hd_model_scalar_read(m->bytes + pc[0], pc[1]));
            pc += 2;
            break;
        case HD_OP_LOAD_LOCAL:
            PUSH(hd_model_scalar_read(m->self + pc[0], pc[1]));
            pc += 2;
            break;
        case HD_OP_LOAD_GLOBAL_BYTE:
            hd_model_machine_use(m, 0);
            PUSH(m->bytes[*pc++]);
            break;
        case HD_OP_LOAD_LOCAL_BYTE:
            PUSH(m->self[*pc++]);
            break;
        /* Offsets that an index has computed; INDEX has checked them. */
        case HD_OP_LOAD_GLOBAL_AT:
            hd_model_machine_use(m, 0);
            sp[-1] = hd_model_scalar_read(m->bytes + sp[-1], *pc++);
            break;
        case HD_OP_LOAD_LOCAL_AT:
            sp[-1] = hd_model_scalar_read(m->self + sp[-1], *pc++);
            break;
        case HD_OP_STORE_GLOBAL:
            hd_model_scalar_write(m->bytes + pc[0], pc[1], *--sp);
            hd_model_machine_touch(m, 0);
            pc += 2;
            break;
        /* A process's own component counts as changed with every step (hd_model_machine_go), so it
         * is not marked here. */
        case HD_OP_STORE_LOCAL:
            hd_model_scalar_write(m->self + pc[0], pc[1], *--sp);
            pc += 2;
            break;
        case HD_OP_STORE_GLOBAL_AT:
            sp -= 2;
            hd_model_scalar_write(m->bytes + sp[1], *pc++, sp[0]);
            hd_model_machine_touch(m, 0);
            break;
        case HD_OP_STORE_LOCAL_AT:
            sp -= 2;
            hd_model_scalar_write(m->self + sp[1], *pc++, sp[0]);
            break;
        /* Bounds of arrays are checked at every access. */
        case HD_OP_INDEX:
            sp--;
            if (sp[0] < 0 || sp[0] >= pc[0]) {
                hd_model_machine_fail(m, HD_MODEL_FAULT_INDEX, pc[2]);
                return 0;
            }
            sp[-1] += sp[0] * pc[1];
            pc += 3;
            break;
        case HD_OP_PID:
            PUSH(m->pid);
            break;
        case HD_OP_NR_PR:
            PUSH(m->shape->processes);
            break;
        case HD_OP_LAST:
            hd_model_machine_use(m, 0);
            PUSH(m->bytes[m->program->model->frame_size]);
            break;
        case HD_OP_TIMEOUT:
            PUSH(m->timeout);
            break;
        /* The next six are in claims only. What they read need not be recorded: propositions are
         * evaluated for every state. */
        case HD_OP_AT_LABEL:
            sp[-1] = is_process(m, sp[-1], pc[0]) && hd_model_machine_control(m, sp[-1]) == pc[1];
            pc += 2;
            break;
        /* A process that has ended, or is of another type, reads as 0. */
        case HD_OP_REMOTE:
            sp--;
            sp[-1] = is_process(m, sp[0], pc[0])
                ? hd_model_scalar_read(hd_model_machine_process(m, sp[0]) + sp[-1], pc[1])
                : 0;
            pc += 2;
            break;
        case HD_OP_ONLY:
            PUSH(first_process(m, *pc++));
            break;
        case HD_OP_PC_VALUE:
            sp[-1] = sp[-1] >= 0 && sp[-1] < m->shape->processes ? hd_model_machine_control(m, sp[-1]) : 0;
            break;
        case HD_OP_ENABLED:
            sp[-1] = sp[-1] >= 0 && sp[-1] < 64 && (m->enabled >> sp[-1] & 1);
            break;
        case HD_OP_NO_PROGRESS:
            PUSH(!has_progress(m));
            break;
        case HD_OP_NOT:
            sp[-1] = !sp[-1];
            break;
        /* Arithmetic wraps around, as with SPIN's generated code, but without undefined behaviour. */
        case HD_OP_NEGATE:
            sp[-1] = (int32_t)(0u - (uint32_t)sp[-1]);
            break;
        case HD_OP_COMPLEMENT:
            sp[-1] = ~sp[-1];
            break;
            BINARY(ADD, (int32_t)((uint32_t)a + (uint32_t)b))
            BINARY(SUBTRACT, (int32_t)((uint32_t)a - (uint32_t)b))
            BINARY(MULTIPLY, (int32_t)((uint32_t)a * (uint32_t)b))
            BINARY(DIVIDE, divide(m, a, b, false, *pc++))
            BINARY(MODULO, divide(m, a, b, true, *pc++))
            BINARY(BIT_AND, a & b)
            BINARY(BIT_OR, a | b)
            BINARY(BIT_XOR, a ^ b)
            BINARY(SHIFT_LEFT, (int32_t)((uint32_t)a << (b & 31)))
            BINARY(SHIFT_RIGHT, a >> (b & 31))
            BINARY(EQUAL, a == b)
            BINARY(UNEQUAL, a != b)
            BINARY(LESS, a < b)
            BINARY(GREATER, a > b)
            BINARY(AT_MOST, a <= b)
            BINARY(AT_LEAST, a >= b)
        case HD_OP_TRUTH:
            sp[-1] = sp[-1] != 0;
            break;
        case HD_OP_JUMP:
            /* Only a d_step has backward jumps. */
            if (++jumps > LONGEST_D_STEP) {
                hd_model_machine_fail(m, HD_MODEL_FAULT_ENDLESS, 0);
                return 0;
            }
            pc = words + *pc;
            break;
        case HD_OP_JUMP_IF_ZERO:
            pc = *--sp ? pc + 1 : words + *pc;
            break;
        /* && and || evaluate their right side only if it decides. */
        case HD_OP_AND_JUMP:
            if (sp[-1]) {
                sp--;
                pc++;
            } else {
                pc = words + *pc;
            }
            break;
        case HD_OP_OR_JUMP:
            if (sp[-1]) {
                sp[-1] = 1;
                pc = words + *pc;
            } else {
                sp--;
                pc++;
            }
            break;
        case HD_OP_DROP:
            sp--;
            break;
        case HD_OP_RUN:
            sp -= pc[1];
            {
                int pid = start_process(m, pc[0], sp, pc[1]);
                PUSH(pid);
            }
            pc += 2;
            break;
        case HD_OP_NEW_CHANNEL:
            add_component(m, false, *pc++);
            if (m->pid >= 0)
                hd_model_machine_select(m, m->pid);
            PUSH(m->shape->channels);
            break;
        case HD_OP_LENGTH:
            sp[-1] = hd_model_port_length(m, sp[-1], *pc++);
            break;
        case HD_OP_EMPTY:
            sp[-1] = hd_model_port_length(m, sp[-1], *pc++) == 0;
            break;
        case HD_OP_NOT_EMPTY:
            sp[-1] = hd_model_port_length(m, sp[-1], *pc++) != 0;
            break;
        case HD_OP_FULL:
            sp[-1] = hd_model_port_is_full(m, sp[-1], *pc++);
            break;
        case HD_OP_NOT_FULL:
            sp[-1] = !hd_model_port_is_full(m, sp[-1], *pc++);
            break;
        case HD_OP_CAN_SEND:
            sp[-1] = hd_model_port_can_send(m, sp[-1], *pc++);
            break;
        case HD_OP_SEND:
            /* The channel is on top of the values. */
            sp -= pc[0] + 1;
            hd_model_port_send(m, sp[pc[0]], sp, pc[0], pc[1] != 0, pc[2]);
            pc += 3;
            break;
        case HD_OP_MATCH:
        case HD_OP_POLL: {
            /* Only fields that are compared have a value on the stack; others are variables to be
             * set, or _. */
            const int32_t *mask = words + pc[2];
            int compared = 0;
            for (int i = 0; i < pc[0]; i++)
                compared += mask[i];
            sp -= compared + 1;
            sp[0] = hd_model_port_match(
                m, sp[compared], sp, pc, pc[-1] == HD_OP_POLL ? 0 : m->choice, pc[-1] == HD_OP_MATCH);
            sp++;
            pc += 4;
            break;
        }
        case HD_OP_FIELD:
            PUSH(hd_model_port_field(m, *pc++));
            break;
        case HD_OP_REMOVE:
            hd_model_port_remove(m);
            break;
        case HD_OP_ASSERT:
            /* The first failed assertion of a step is reported; the step continues, as in SPIN. */
            if (!*--sp && !m->failed_assertion)
                m->failed_assertion = *pc;
            pc++;
            break;
        case HD_OP_BLOCKED:
            hd_model_machine_fail(m, HD_MODEL_FAULT_D_STEP, *pc);
            return 0;
        }
        /* A fault ends the code at once; the state is discarded by the caller. */
        if (__builtin_expect(m->fault.kind != HD_MODEL_FAULT_NONE, 0))
            return 0;
    }
}
