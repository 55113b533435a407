__asm__(".globl label_next\n"
        "label_next: lea 1(%rdi), %eax\n"
        "inner: ret\n");
