#include "runtime/sched/stacks.h"

#include "runtime/core/stop.h"
#include "runtime/sched/sched.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

extern const char __start_hd_text[] __attribute__((weak)), __stop_hd_text[] __attribute__((weak));

/* The runtime's code is in a section of its own (core/section.h). */
static int is_runtime(uint64_t pc)
{
    return pc >= (uint64_t)__start_hd_text && pc < (uint64_t)__stop_hd_text;
}

static int on_stacks(const void *fp)
{
    return (uint64_t)fp - HD_STACK_BASE < HD_STACK_SPAN * HD_MAX_THREADS && !((uint64_t)fp & 7);
}

/* Frames must go upwards, and stay within the stacks: code that heddle did not compile may use the frame pointer for
 * something else. */
static void walk(hd_stack *stack, uint32_t depth, const void *fp)
{
    while (depth < HD_STACK_DEPTH && on_stacks(fp)) {
        const uint64_t *frame = fp;
        if (!frame[1])
            break;
        if (!is_runtime(frame[1])) {
            stack->frame[depth] = frame[0];
            stack->pc[depth++] = frame[1] - 1; /* the call, not what follows it */
        }
        if ((const void *)frame[0] <= fp)
            break;
        fp = (const void *)frame[0];
    }
}

/* The loop hook is written in assembly (reset/switch.S): it has a frame between these labels. */
extern const char hd_loop[], hd_loop_framed[], hd_loop_unframed[];
extern const char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

static int is_users(uint64_t pc)
{
    return pc >= (uint64_t)__executable_start && pc < (uint64_t)etext && !is_runtime(pc);
}

uint64_t hd_stacks_user_pc(uint64_t pc, const void *fp, const void *sp)
{
    hd_stack above = { 0 };
    if (is_users(pc))
        return pc;
    /* Where the hook has no frame, the return address is on top of the stack, or below the saved frame pointer. */
    const uint64_t *top = sp;
    if ((pc >= (uint64_t)hd_loop && pc < (uint64_t)hd_loop_framed) || pc == (uint64_t)hd_loop_unframed)
        return (on_stacks(top) && top[0] == (uint64_t)fp ? top[1] : top[0]) - 1;
    walk(&above, 0, fp);
    return above.pc[0] ? above.pc[0] : pc;
}

void hd_stacks_record_at(uint32_t id, uint64_t pc, const void *fp)
{
    hd_stack *stack = &hd_rt.stacks[hd_rt.log_room + id];
    memset(stack, 0, sizeof *stack);
    uint32_t depth = 0;
    if (pc && !is_runtime(pc)) {
        stack->frame[depth] = (uint64_t)fp;
        stack->pc[depth++] = pc;
    }
    walk(stack, depth, fp);
}

void hd_stacks_record(uint32_t id, const void *fp)
{
    hd_stacks_record_at(id, 0, fp);
}

void hd_stacks_record_creation(const void *fp)
{
    hd_stack *stack = &hd_rt.stacks[*hd_rt.log_count - 1];
    memset(stack, 0, sizeof *stack);
    walk(stack, 0, fp);
}

/* The access has not happened yet, so the cell may not even be mapped: the kernel reads it. */
static void note_value(hd_op *op)
{
    struct iovec into = { &op->value, sizeof op->value }, from = { (void *)hd_op_address(op), sizeof op->value };
    if (op->mask && process_vm_readv(getpid(), &into, 1, &from, 1, 0) == sizeof op->value)
        op->flags |= HD_OP_BEFORE;
}

void hd_stacks_copy(uint32_t id, uint32_t at)
{
    hd_rt.stacks[at] = hd_rt.stacks[hd_rt.log_room + id];
    note_value(&hd_rt.log[at]);
    if (hd_rt.options->debugged && at == hd_rt.options->stop_at)
        hd_failure_reached();
}

void hd_stacks_record_all(void)
{
    if (hd_rt.options->stacks && hd_current && hd_current->view->status == HD_THREAD_LOCAL
        && on_stacks(__builtin_frame_address(0)))
        hd_stacks_record(hd_current->id, __builtin_frame_address(0));
}
