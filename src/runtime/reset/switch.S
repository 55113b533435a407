/* void hd_fiber_switch(void **save, void *to)
 *
 * Saves the callee-saved registers on the current stack, and the control words of
 * the floating-point units if hd_fiber_floats is set. Stores the stack pointer in
 * *save and continues where `to` was saved.
 * `pop; jmp` instead of `ret`: the return predictor does not know of other stacks. */
    .text
    .globl hd_fiber_switch
    .hidden hd_fiber_switch
    .type hd_fiber_switch, @function
hd_fiber_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    movq %rsp, (%rdi)
    cmpb $0, hd_fiber_floats(%rip)
    jne 1f
    movq %rsi, %rsp
2:  addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
1:  stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    jmp 2b
    .size hd_fiber_switch, .-hd_fiber_switch

/* void hd_loop(uint32_t first, uint32_t kind, const hd_site *site)
 *
 * The hook at the top of loops. It does something only while several threads exist,
 * and in PURE rounds of a single thread. It passes to the C part the address of the
 * thread's live state: the callee-saved registers, pushed here, and the stack above
 * them. */
    .section hd_text, "ax", @progbits
    .globl hd_loop
    .type hd_loop, @function
    .globl hd_loop_framed, hd_loop_unframed
    .hidden hd_loop_framed, hd_loop_unframed
hd_loop:
    cmpl $0, 0x7f000000 /* hd_fast_state.waits */
    jne 1f
    cmpl $1, %esi /* HD_LOOP_PURE */
    je 1f
    ret
1:  pushq %rbp
    movq %rsp, %rbp
hd_loop_framed:
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, %rcx
    subq $8, %rsp
    call hd_loop_round
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
hd_loop_unframed:
    ret
    .size hd_loop, .-hd_loop

    .section .note.GNU-stack, "", @progbits
