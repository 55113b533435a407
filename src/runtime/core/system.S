/* The code that the kernel exempts from the interception of system calls (runtime/reset/trap.h). */
    .section hd_trap, "ax", @progbits
    .globl hd_system, hd_trap_return
    .hidden hd_system, hd_trap_return

/* long hd_system(long number, ...) */
    .type hd_system, @function
hd_system:
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq %rcx, %rdx
    movq %r8, %r10
    movq %r9, %r8
    movq 8(%rsp), %r9
    syscall
    ret
    .size hd_system, .-hd_system

/* A signal handler returns here. */
    .type hd_trap_return, @function
hd_trap_return:
    movl $15, %eax /* rt_sigreturn */
    syscall
    ud2 /* the kernel looks at the address behind the call: it must be exempt, too */
    .size hd_trap_return, .-hd_trap_return

    .section .note.GNU-stack, "", @progbits
