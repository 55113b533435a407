/* hd_NAME for every redirected NAME: tells the call, then jumps to NAME. */
    .text
    .macro forward_to from, to
    .ifndef \from /* two names may go to one function */
    .weak \from
    .type \from, @function
    .weak \to
\from:
    push %rbp
    mov %rsp, %rbp
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    sub $136, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    lea 1f(%rip), %rdi
    call rec_call@PLT
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $136, %rsp
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rbp
    jmp *\to@GOTPCREL(%rip)
1:  .asciz "\to"
    .endif
    .endm

#define REDIRECT(name) forward_to hd_##name, name;
#define REDIRECT_AS(name, other) forward_to hd_##other, name;
#define REDIRECT_UNUSED(name) forward_to hd_##name##_unused, name;
#define UNMODELLED(name)
#include "abi/redirect.def"

    .section .note.GNU-stack, "", @progbits
